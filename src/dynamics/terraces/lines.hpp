// The potentials and constraints of a rank along the present lines of their nodes.
#pragma once

#include "dynamics/system/by_serial_number.hpp"
#include "dynamics/system/lagrangian.hpp"
#include "parallel/profile.hpp"

namespace terrace {

/// Extends the extremes `all` by `more`.
void include(ContactExtremes& all, const ContactExtremes& more);

/// Holds a PotentialOnLine or ConstraintOnLine for every potential and constraint that was asked for, made at
/// the first request. Each integrator has one object of this class. The potentials of a terrace follow lines
/// from that terrace's own origin.
class Lines {
 public:
  [[nodiscard]] PotentialOnLine& of(const Potential& potential) {
    return potentials_.of(potential.serial_number(), [&] { return potential.on_line(); });
  }
  [[nodiscard]] ConstraintOnLine& of(const SetConstraint& constraint) {
    return constraints_.of(constraint.serial_number(), [&] { return constraint.on_line(); });
  }
  /// Calls visit(OnLine&) for this rank's potentials of a subdomain, and for its constraint if this rank has
  /// it.
  template <class Visit>
  void for_each(const Subdomain& subdomain, Visit visit) {
    for (const Potential* potential : subdomain.potentials) {
      const OperationScope contact(Operation::contact, potential->is_contact());
      visit(of(*potential));
    }
    if (subdomain.constraint != nullptr) visit(of(*subdomain.constraint));
  }
  /// Drops the objects of potentials and constraints that the system no longer has, but keeps what their
  /// contact has seen for `report`.
  void keep_those_of(const Lagrangian& system);
  /// Drops the objects of a subdomain that falls asleep, but keeps what its contact has seen for `report`.
  /// They are made anew when it wakes up.
  void forget(const Subdomain& subdomain);
  /// Adds what contact has seen, including that of dropped objects.
  void report(ContactExtremes& extremes) const;

 private:
  BySerialNumber<PotentialOnLine> potentials_;
  BySerialNumber<ConstraintOnLine> constraints_;
  ContactExtremes forgotten_;
};

}  // namespace terrace
