// From the whole model, known to every rank at the start, to each rank's share of it.
#pragma once

#include "dynamics/system/lagrangian.hpp"
#include "dynamics/system/layout.hpp"
#include "dynamics/system/localization.hpp"
#include "dynamics/system/mesh_system.hpp"

namespace terrace {

/// This rank's nodes, potentials and subdomains. Needs no messages: all ranks hold the same model,
/// localization and layout. A rank without elements gets a Lagrangian without nodes. `communicator` must
/// outlive the result. `known`: the model as it was decomposed before, whose bodies' stable steps and contact
/// pairs are the same; in the layout "windows", else null.
Lagrangian decompose(const Model& model, const Localization& localization, const Layout& layout,
                     const ContactEntry& contact, Communicator& communicator,
                     Elements elements = Elements::at_once, const Lagrangian* known = nullptr);

}  // namespace terrace
