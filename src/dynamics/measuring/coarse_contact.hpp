// Contact on meshes that are too coarse for Hertz's law: what to tell a user before the run.
#pragma once

#include <vector>

#include "dynamics/state/integrator.hpp"
#include "dynamics/system/choices.hpp"
#include "mesh/model.hpp"

namespace terrace {

/// A warning of the first pair whose facets make a flat spot, and how many more there are. Facets that touch
/// yield as spheres do where their edges are below a third of the contact's radius; asked of the radius that
/// Hertz's law gives for a tenth of the largest force of an impact at the bodies' relative speeds, where at
/// least one of the two is a ball (the other counts as a plane if it is none). Of bodies whose boxes are no
/// farther apart than a fifth of the smaller ball's radius; nothing where contact follows Hertz's law itself.
[[nodiscard]] std::vector<Warning> coarse_contacts(const Model& model, const ContactEntry& contact);

}  // namespace terrace
