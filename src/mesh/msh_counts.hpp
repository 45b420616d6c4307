// Do the sections of a .msh file hold as many nodes and elements as they say, each of a number of its own,
// and groups of their own?
#pragma once

#include <optional>
#include <string>

namespace terrace {

/// Throws Error(input) when the section $Nodes or $Elements of a file of version 2 or 4.1, ASCII or binary,
/// does not end after as many entries as it announces (Gmsh 4.8 takes what fits, or crashes), and for
/// versions there are not. In files of version 2 also where two nodes at different places, or two elements of
/// different nodes, have one number (Gmsh takes one of them), and where an element has a node beyond the last
/// one listed (Gmsh 4.8 crashes on the number that follows the last). `groups_from`: physical groups of this
/// dimension or a higher one are asked for; then also where two of them have one name, and, in files of
/// version 2, where elements of one entity are of different groups, all of which Gmsh would take.
void check_counts(const std::string& path, const std::string& where, std::optional<int> groups_from);

}  // namespace terrace
