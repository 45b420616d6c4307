#include "dynamics/weak_contact.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "potentials/contact_profile.hpp"

namespace terrace {

std::optional<std::string> weakness(const std::string& pair, const ContactBody& first,
                                    const ContactBody& second, double speed, ContactModel model,
                                    const ContactParameters& parameters, double energy_step) {
  if (model != ContactModel::gap) return std::nullopt;
  const double closed = ContactProfile(ContactProfile::Kind::gap, parameters.activation).at(0).value;
  const double layer = first.layer * second.layer / (first.layer + second.layer);
  const double brought = 0.5 * layer * speed * speed;
  if (parameters.stiffness * closed < brought)
    return fmt::format(
        "contact of {}: the stiffness {:.3g} does not even hold up the boundaries' own nodes at the speed "
        "{:.3g} of an impact (from {:.3g} on): bodies pass through each other; raise contact.stiffness or "
        "use "
        "the barrier",
        pair, parameters.stiffness, speed, brought / closed);
  const double area = std::min(first.area, second.area);
  if (parameters.stiffness * closed * area < energy_step)
    return fmt::format(
        "contact of {}: with the stiffness {:.3g} all of the smaller surface holds {:.3g}, less than its "
        "energy "
        "step {:.3g}: it is never felt; raise contact.stiffness or lower the energy step of contact",
        pair, parameters.stiffness, parameters.stiffness * closed * area, energy_step);
  return std::nullopt;
}

}  // namespace terrace
