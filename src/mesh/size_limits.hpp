// Refuses meshes that would not fit into memory before they are made.
#pragma once

#include <string>

namespace terrace {

/// Memory that this process may use [bytes]: that of the machine, or of its control group if that is less.
double available_memory();

/// About how many tetrahedra with edges of length `size` fill the volume: a regular one has 0.118 times the
/// cube of its edge.
double elements_in(double volume, double size);

/// Throws Error(input) if `tetrahedra`, a counted or estimated number, is more than 32-bit indices can count
/// or than available_memory() holds, at some 500 bytes each. `wanted` names the quantity of the deck that the
/// user is to change.
void require_room(double tetrahedra, const std::string& wanted, const std::string& where);

}  // namespace terrace
