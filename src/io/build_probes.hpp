// Which nodes the probes of a deck follow.
#pragma once

#include "io/deck.hpp"

namespace terrace {

/// Adds a probe that follows the node of `body` nearest to the entry's point; of several the first. Throws
/// Error(input) for a point farther outside the body's box than a twentieth of its diagonal.
void add_probe(Model& model, const ProbeEntry& entry, const Body& body);

}  // namespace terrace
