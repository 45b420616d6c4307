// The potentials and constraints of a rank along the present lines of their nodes.
#pragma once

#include <memory>
#include <unordered_map>

#include "dynamics/lagrangian.hpp"

namespace terrace {

/// Made when first asked for; an integrator holds one of these. What a terrace's potentials follow is a line
/// from its own origin.
class Lines {
 public:
  [[nodiscard]] PotentialOnLine& of(const Potential& potential) {
    return find_or_make(potentials_, potential);
  }
  [[nodiscard]] ConstraintOnLine& of(const SetConstraint& constraint) {
    return find_or_make(constraints_, constraint);
  }
  /// Calls visit(OnLine&) for all potentials and the constraint of a subdomain that this rank has.
  template <class Visit>
  void for_each(const Subdomain& subdomain, Visit visit) {
    for (const Potential* potential : subdomain.potentials) visit(of(*potential));
    if (subdomain.constraint != nullptr) visit(of(*subdomain.constraint));
  }
  /// Forgets those of potentials and constraints that the system has no longer.
  void keep_those_of(const Lagrangian& system);
  /// Adds what contact has seen.
  void report(ContactExtremes& extremes) const;

 private:
  template <class T>
  using BySerialNumber = std::unordered_map<std::uint64_t, std::unique_ptr<T>>;
  template <class T, class Source>
  static T& find_or_make(BySerialNumber<T>& all, const Source& source) {
    std::unique_ptr<T>& entry = all[source.serial_number()];
    if (!entry) entry = source.on_line();
    return *entry;
  }

  BySerialNumber<PotentialOnLine> potentials_;
  BySerialNumber<ConstraintOnLine> constraints_;
};

}  // namespace terrace
