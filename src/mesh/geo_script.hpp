// Checks .geo files for commands that do harm: such a file is a program for Gmsh, and a deck may come from
// elsewhere.
#pragma once

#include <string>

namespace terrace {

/// Throws Error(input) with the line of the first command that does more than describe a geometry: that
/// starts other programs, ends this one, or reads or writes files. `Merge` of a STEP, IGES, BREP or STL file,
/// which are data, is allowed. Commands in comments and quoted texts count too.
void check_geo_script(const std::string& path, const std::string& where);

}  // namespace terrace
