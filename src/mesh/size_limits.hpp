// Meshes that would not fit are refused before they are made.
#pragma once

#include <string>

namespace terrace {

/// Memory that this process may use [bytes]: of the machine, or of its control group if that is less.
double available_memory();

/// About how many tetrahedra of this edge fill the volume: a regular one has 0.118 times the cube of its
/// edge.
double elements_in(double volume, double size);

/// Throws Error(input) where `tetrahedra`, counted or estimated, are more than 32-bit indices can count or
/// than available_memory() holds, some 500 bytes each. `wanted`: what of the deck would give fewer.
void require_room(double tetrahedra, const std::string& wanted, const std::string& where);

}  // namespace terrace
