// The potentials and constraints of a rank along the present lines of their nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

#include "dynamics/lagrangian.hpp"
#include "parallel/profile.hpp"

namespace terrace {

/// What other contact has seen.
void include(ContactExtremes& all, const ContactExtremes& more);

/// Made when first asked for; an integrator holds one of these. What a terrace's potentials follow is a line
/// from its own origin.
class Lines {
 public:
  [[nodiscard]] PotentialOnLine& of(const Potential& potential) { return potentials_.of(potential); }
  [[nodiscard]] ConstraintOnLine& of(const SetConstraint& constraint) { return constraints_.of(constraint); }
  /// Calls visit(OnLine&) for all potentials and the constraint of a subdomain that this rank has.
  template <class Visit>
  void for_each(const Subdomain& subdomain, Visit visit) {
    for (const Potential* potential : subdomain.potentials) {
      const OperationScope contact(Operation::contact, potential->is_contact());
      visit(of(*potential));
    }
    if (subdomain.constraint != nullptr) visit(of(*subdomain.constraint));
  }
  /// Forgets those of potentials and constraints that the system has no longer.
  void keep_those_of(const Lagrangian& system);
  /// Of a subdomain that sleeps: what they hold is made anew when it wakes up.
  void forget(const Subdomain& subdomain);
  /// Adds what contact has seen, of those that were forgotten too.
  void report(ContactExtremes& extremes) const;

 private:
  /// By Potential::serial_number, which are near each other: events look here a dozen times each.
  template <class T>
  class BySerialNumber {
   public:
    template <class Source>
    T& of(const Source& source) {
      const std::uint64_t place = source.serial_number() - first_;  // huge where it is before the first
      return place < all_.size() && all_[place] ? *all_[place] : make(source);
    }
    template <class Source>
    T& make(const Source& source) {
      const std::uint64_t number = source.serial_number();
      if (all_.empty()) first_ = number;
      if (number < first_) {
        std::vector<std::unique_ptr<T>> more(first_ - number);
        std::move(all_.begin(), all_.end(), std::back_inserter(more));
        all_ = std::move(more);
        first_ = number;
      }
      if (number - first_ >= all_.size()) all_.resize(number - first_ + 1);
      all_[number - first_] = source.on_line();
      return *all_[number - first_];
    }
    /// What there is of this number, which is forgotten; or null.
    std::unique_ptr<T> take(std::uint64_t number) {
      return number - first_ < all_.size() ? std::move(all_[number - first_]) : nullptr;
    }
    /// Forgets those of which `is_alive` does not know the number.
    template <class IsAlive>
    void keep(IsAlive is_alive) {
      for (std::size_t i = 0; i < all_.size(); ++i)
        if (all_[i] && !is_alive(first_ + i)) all_[i].reset();
      while (!all_.empty() && !all_.back()) all_.pop_back();
    }
    template <class Visit>
    void for_each(Visit visit) const {
      for (const std::unique_ptr<T>& entry : all_)
        if (entry) visit(*entry);
    }

   private:
    std::uint64_t first_ = 0;
    std::vector<std::unique_ptr<T>> all_;
  };

  BySerialNumber<PotentialOnLine> potentials_;
  BySerialNumber<ConstraintOnLine> constraints_;
  ContactExtremes forgotten_;
};

}  // namespace terrace
