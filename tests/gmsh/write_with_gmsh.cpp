// Writes files for tests of what reads them, with Gmsh: a program of its own, so that no other test has to
// load Gmsh. Usage: write_with_gmsh two_boxes PATH VERSION BINARY ORDER
//        write_with_gmsh step_box PATH
#include <gmsh.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace {

/// Two boxes that share a face, the physical volumes "left" (1 × 1 × 1) and "right" (2 × 1 × 1).
void mesh_two_boxes(double version, double binary, int order) {
  gmsh::model::occ::addBox(0, 0, 0, 1, 1, 1, 1);
  gmsh::model::occ::addBox(1, 0, 0, 2, 1, 1, 2);
  std::vector<std::pair<int, int>> pieces;
  std::vector<std::vector<std::pair<int, int>>> origins;
  gmsh::model::occ::fragment({{3, 1}}, {{3, 2}}, pieces, origins);
  gmsh::model::occ::synchronize();
  gmsh::model::addPhysicalGroup(3, {1}, 11);
  gmsh::model::setPhysicalName(3, 11, "left");
  gmsh::model::addPhysicalGroup(3, {2}, 12);
  gmsh::model::setPhysicalName(3, 12, "right");
  gmsh::option::setNumber("Mesh.MeshSizeMax", 0.5);
  gmsh::option::setNumber("Mesh.MshFileVersion", version);
  gmsh::option::setNumber("Mesh.Binary", binary);
  gmsh::model::mesh::generate(3);
  gmsh::model::mesh::setOrder(order);
}

void make_step_box() {
  gmsh::model::occ::addBox(0, 0, 0, 1, 2, 3);
  gmsh::model::occ::synchronize();
}

}  // namespace

int main(int count, char** words) try {
  const std::vector<std::string> arguments(words + 1, words + count);
  gmsh::initialize(0, nullptr, false);
  gmsh::option::setNumber("General.Terminal", 0);
  if (arguments.at(0) == "two_boxes")
    mesh_two_boxes(std::stod(arguments.at(2)), std::stod(arguments.at(3)), std::stoi(arguments.at(4)));
  else
    make_step_box();
  gmsh::write(arguments.at(1));
  gmsh::finalize();
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  std::fprintf(stderr, "write_with_gmsh: %s\n", error.what());
  return EXIT_FAILURE;
}
