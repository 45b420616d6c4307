// From the whole model, known to every rank at the start, to each rank's share of it.
#pragma once

#include "dynamics/system/lagrangian.hpp"
#include "dynamics/system/layout.hpp"
#include "dynamics/system/localization.hpp"
#include "dynamics/system/mesh_system.hpp"

namespace terrace {

/// This rank's nodes, potentials and subdomains. Collective, for one reduction of stable steps (none where
/// they are `known`); all else follows from model, localization and layout, the same on all ranks. A rank
/// that has nothing to hold gets a Lagrangian without nodes. `communicator` must outlive the result. `known`:
/// the same model as decomposed before, whose bodies' stable steps and contact pairs are taken; in the layout
/// "windows", else null.
Lagrangian decompose(const Model& model, const Localization& localization, const Layout& layout,
                     const ContactEntry& contact, Communicator& communicator,
                     Elements elements = Elements::at_once, const Lagrangian* known = nullptr);

}  // namespace terrace
