// How deep two bodies are inside each other, whatever contact force they feel.
#pragma once

#include <span>

#include "potentials/contact/contact_surfaces.hpp"

namespace terrace {

/// The largest depth of a vertex, or of the middle of a triangle, behind the nearest triangle of the other
/// surface [length], among those within a mean edge of one. 0 if below a millionth of a mean edge, and for a
/// surface against itself. `positions`: own numbering.
[[nodiscard]] double penetration(const ContactSurfaces& surfaces, std::span<const Vector3> positions);

}  // namespace terrace
