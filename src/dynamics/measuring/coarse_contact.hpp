// Warns before the run of contacts whose meshes are too coarse for Hertz's law.
#pragma once

#include <vector>

#include "dynamics/state/integrator.hpp"
#include "dynamics/system/choices.hpp"
#include "mesh/model.hpp"

namespace terrace {

/// A warning that names the first pair whose facets make a flat spot, and the number of further pairs. Facets
/// in contact yield as spheres do where their edges are below a third of the contact radius. The radius is
/// that of Hertz's law at a tenth of the largest force of an impact at impact_speed(model). At least one
/// body of a pair must be a ball; one that is none counts as a plane. Pairs count whose boxes are no farther
/// apart than a fifth of the smaller ball's radius. Nothing for Hertz's law itself and exact reflections.
[[nodiscard]] std::vector<Warning> coarse_contacts(const Model& model, const ContactEntry& contact);

}  // namespace terrace
