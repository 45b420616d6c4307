// What terrace check tells of contact.
#pragma once

#include "dynamics/system/lagrangian.hpp"
#include "io/deck.hpp"
#include "mesh/model.hpp"

namespace terrace {

/// The parameters that were chosen, each set of them once, and what a run with them would be warned of.
void print_contact(const Deck& deck, const Model& model, const Lagrangian& system);

}  // namespace terrace
