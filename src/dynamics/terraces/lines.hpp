// The potentials and constraints of a rank along the present lines of their nodes.
#pragma once

#include "dynamics/system/by_serial_number.hpp"
#include "dynamics/system/lagrangian.hpp"
#include "parallel/profile.hpp"

namespace terrace {

/// What other contact has seen.
void include(ContactExtremes& all, const ContactExtremes& more);

/// Made when first asked for; an integrator holds one of these. What a terrace's potentials follow is a line
/// from its own origin.
class Lines {
 public:
  [[nodiscard]] PotentialOnLine& of(const Potential& potential) {
    return potentials_.of(potential.serial_number(), [&] { return potential.on_line(); });
  }
  [[nodiscard]] ConstraintOnLine& of(const SetConstraint& constraint) {
    return constraints_.of(constraint.serial_number(), [&] { return constraint.on_line(); });
  }
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
  BySerialNumber<PotentialOnLine> potentials_;
  BySerialNumber<ConstraintOnLine> constraints_;
  ContactExtremes forgotten_;
};

}  // namespace terrace
