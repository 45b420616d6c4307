// Smooth contact that cannot hold up what it is there to hold up.
#pragma once

#include <optional>
#include <string>

#include "dynamics/contact_parameters.hpp"

namespace terrace {

/// What a gap between two bodies cannot do, as a sentence that names them, if a deck has chosen so; nothing
/// where it can, and of the barrier, which never lets anything through. A closed gap holds κ/2 per area
/// (ContactProfile): less than the boundaries' nodes bring along at `speed`, half their reduced mass per area
/// times its square, stops nothing; and less than `energy_step` on all of the smaller surface is not even
/// felt by a terrace of its own. `energy_step` [energy]: of the pair's own terrace, 0 where it has none.
[[nodiscard]] std::optional<std::string> weakness(const std::string& pair, const ContactBody& first,
                                                  const ContactBody& second, double speed, ContactModel model,
                                                  const ContactParameters& parameters, double energy_step);

}  // namespace terrace
