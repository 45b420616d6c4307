// A mesh as a file that goes from machine to machine.
#pragma once

#include <string>

#include "mesh/model.hpp"

namespace terrace {

/// The model's mesh as it is placed in space, as a Gmsh file (MSH 2.2, text), each body a physical volume of
/// its name. Coordinates have all their digits, nodes and elements their order: a deck whose bodies are of
/// shape "file" with `group` = the body's name and no position has the same mesh to the last bit.
[[nodiscard]] std::string msh_text(const Model& model);

}  // namespace terrace
