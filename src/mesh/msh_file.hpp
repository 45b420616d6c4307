// What is checked of a .msh file before Gmsh reads it, because Gmsh 4.8 accepts it silently or crashes.
#pragma once

#include <string>

namespace terrace {

/// Throws Error(input) when the file does not begin as a mesh (Gmsh would run it as a script), or is one of
/// version 1.
void check_first_section(const std::string& path, const std::string& where);

/// Throws Error(input) when the last line of the file closes no section ($End…): Gmsh accepts such a cut
/// silently.
void check_last_section_closed(const std::string& path, const std::string& where);

}  // namespace terrace
