// Checks whether the sections of a .msh file hold as many nodes and elements as they announce, whether these
// have numbers of their own, and whether physical groups are told apart.
#pragma once

#include <optional>
#include <string>

namespace terrace {

/// Throws Error(input)
/// - for a version other than 2, 4 and 4.1;
/// - in files of version 2 or 4.1, ASCII or binary, if the section $Nodes or $Elements does not end after as
///   many entries as it announces (Gmsh 4.8 takes what fits, or crashes);
/// - in files of version 2, if two nodes at different places, or two elements with different nodes, have the
///   same number (Gmsh takes one of them), or if an element has a node number beyond the highest one listed
///   (Gmsh 4.8 crashes on the number that follows the last);
/// - when physical groups of dimension `groups_from` or higher are asked for, if two of them have the same
///   name, or, in files of version 2, if the elements of one entity are of different groups: Gmsh would then
///   take all of them.
void check_counts(const std::string& path, const std::string& where, std::optional<int> groups_from);

}  // namespace terrace
