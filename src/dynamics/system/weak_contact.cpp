#include "dynamics/system/weak_contact.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace terrace {

std::string Weakness::text() const {
  if (stops_nothing())
    return fmt::format(
        "the stiffness {:.3g} does not even hold up the boundaries' own nodes at the speed {:.3g} of an "
        "impact "
        "(from {:.3g} on): bodies pass through each other; raise contact.stiffness or use the barrier",
        stiffness, speed, enough);
  return fmt::format(
      "with the stiffness {:.3g} all of the smaller surface holds {:.3g}, less than its energy step {:.3g}: "
      "it is "
      "never felt; raise contact.stiffness or lower the energy step of contact",
      stiffness, holds, energy_step);
}

std::string soft_barrier(double stiffness, double chosen) {
  constexpr double soft = 1e-3;
  if (!(stiffness < soft * chosen)) return "";
  return fmt::format(
      "the stiffness {:.3g} of the barrier is far less than what the impact asks for, {:.3g}: surfaces come "
      "so "
      "near to each other that steps become short without end; raise contact.stiffness, or leave it out",
      stiffness, chosen);
}

Weakness weakness(const ContactBody& first, const ContactBody& second, double speed, double stiffness,
                  double energy_step) {
  constexpr double closed = 0.5;  // ψ(0)
  const double layer = first.layer * second.layer / (first.layer + second.layer);
  return {stiffness, speed, 0.5 * layer * speed * speed / closed,
          closed * stiffness * std::min(first.area, second.area), energy_step};
}

}  // namespace terrace
