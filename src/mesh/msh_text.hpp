// Writes a mesh as a file that can be taken to another machine.
#pragma once

#include <string>

#include "mesh/model.hpp"

namespace terrace {

/// The model's mesh, as placed in space, as the text of a Gmsh file (MSH 2.2). Each body is a physical volume
/// of the body's name. Coordinates keep all digits, nodes and elements their order. So a deck whose bodies
/// have the shape "file" with `group` = the body's name and no position has the same mesh to the last bit.
[[nodiscard]] std::string msh_text(const Model& model);

}  // namespace terrace
