// The part of terrace check that reports on contact.
#pragma once

#include "dynamics/system/lagrangian.hpp"
#include "io/deck.hpp"
#include "mesh/model.hpp"

namespace terrace {

/// Prints the parameters of contact that were chosen, each distinct set once, and the warnings about contact
/// that a run would give.
void print_contact(const Deck& deck, const Model& model, const Lagrangian& system);

}  // namespace terrace
