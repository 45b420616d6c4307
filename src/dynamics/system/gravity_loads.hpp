// Gravity: the weights of nodes as potentials in the subdomains of their bodies.
#pragma once

#include <span>

#include "dynamics/system/layout.hpp"
#include "dynamics/system/localization.hpp"
#include "dynamics/system/system_builder.hpp"

namespace terrace {

/// The energy of a fall of all bodies through the extent of the model [J], as it is unknown how far they will
/// fall. For particles the extent includes the nearest walls below them. 0 without gravity.
[[nodiscard]] double energy_of_a_fall(const Model& model);

/// Adds the model's gravity to a rank's share, in the builder's second step. The weight of a node is a term
/// of the first elastic subdomain that loads it, on the lowest of the ranks that hold a tetrahedron of that
/// subdomain at the node.
void add_gravity(const Model& model, const Localization& localization, const Layout& layout,
                 SystemBuilder& builder);

}  // namespace terrace
