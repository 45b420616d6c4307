// The potentials and constraints of a rank along the present lines of their nodes.
#pragma once

#include <cstdint>
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
  /// By the places of serial numbers, which are few and near each other: events look here a dozen times each.
  template <class T>
  class BySerialNumber {
   public:
    template <class Source>
    T& of(const Source& source) {
      const SerialNumber& number = source.serial_number();
      if (number.place() >= all_.size()) all_.resize(number.place() + 1);
      Entry& entry = all_[number.place()];
      if (entry.line == nullptr || entry.of != number.value()) entry = {number.value(), source.on_line()};
      return *entry.line;
    }
    /// What there is of this number, which is forgotten; or null.
    std::unique_ptr<T> take(const SerialNumber& number) {
      if (number.place() >= all_.size() || all_[number.place()].of != number.value()) return nullptr;
      return std::move(all_[number.place()].line);
    }
    /// Forgets those of which `is_alive` does not know the value.
    template <class IsAlive>
    void keep(IsAlive is_alive) {
      for (Entry& entry : all_)
        if (!is_alive(entry.of)) entry = {};
    }
    template <class Visit>
    void for_each(Visit visit) const {
      for (const Entry& entry : all_)
        if (entry.line) visit(*entry.line);
    }

   private:
    struct Entry {
      std::uint64_t of = 0;  // the value of the serial number
      std::unique_ptr<T> line;
    };
    std::vector<Entry> all_;
  };

  BySerialNumber<PotentialOnLine> potentials_;
  BySerialNumber<ConstraintOnLine> constraints_;
  ContactExtremes forgotten_;
};

}  // namespace terrace
