// How far two bodies are in each other, whatever they feel of it.
#pragma once

#include <span>

#include "potentials/contact/contact_surfaces.hpp"

namespace terrace {

/// The depth of the deepest vertex behind the nearest triangle of the other surface [length], of those that
/// are within a mean edge of one; 0 below a millionth of that, and for a surface against itself.
/// `positions`: own numbering.
[[nodiscard]] double penetration(const ContactSurfaces& surfaces, std::span<const Vector3> positions);

}  // namespace terrace
