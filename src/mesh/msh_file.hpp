// Checks of a .msh file before Gmsh reads it: for faults that Gmsh 4.8 accepts silently or crashes on.
#pragma once

#include <string>

namespace terrace {

/// Throws Error(input) if the file does not begin as a mesh does (Gmsh would run it as a script), or if it is
/// of version 1.
void check_first_section(const std::string& path, const std::string& where);

/// Throws Error(input) if the last line of the file closes no section ($End…): Gmsh silently accepts a file
/// that is cut off.
void check_last_section_closed(const std::string& path, const std::string& where);

}  // namespace terrace
