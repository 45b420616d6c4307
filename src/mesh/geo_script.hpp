// A .geo file is a program for Gmsh, and a deck may come from elsewhere.
#pragma once

#include <string>

namespace terrace {

/// Throws Error(input) with the line of the first command that reaches beyond the geometry: that starts other
/// programs, ends this one, or reads or writes files (but `Merge` of a STEP, IGES, BREP or STL file, which
/// are data); also where it stands in a comment or a text.
void check_geo_script(const std::string& path, const std::string& where);

}  // namespace terrace
