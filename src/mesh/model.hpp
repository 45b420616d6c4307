// All bodies of a problem on one global numbering: what every rank agrees on before the work is divided.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// Neo-Hookean material, W(F) = λ/2 (ln J)² − μ ln J + μ/2 (tr FᵀF − 3) (thesis (2.88)).
struct Material {
  std::string name;
  double density;      ///< ρ [kg/m³]
  double lame_lambda;  ///< λ [Pa]
  double lame_mu;      ///< μ [Pa]
};

/// One deformable body: a range of nodes and of tetrahedra in the model's numbering.
struct Body {
  std::string name;
  std::int32_t material;
  std::int32_t first_node, node_count;
  std::int32_t first_tetrahedron, tetrahedron_count;
  std::vector<Triangle> boundary;  ///< model node numbers, outward
};

/// Rigid plane through `point` with unit `normal` pointing to the side where bodies may be (thesis (3.90)).
struct Wall {
  std::string name;
  Vector3 point;
  Vector3 normal;
  double stiffness;  ///< 1/ε [N/m]
};

struct Model {
  std::vector<Material> materials;
  std::vector<Body> bodies;
  std::vector<Wall> walls;
  std::vector<Vector3> positions;   ///< reference positions, placed in space
  std::vector<Vector3> velocities;  ///< initial nodal velocities
  std::vector<double> masses;       ///< lumped nodal masses, row sums: ρ V_e / 4 per node
  std::vector<Tetrahedron> tetrahedra;
  std::vector<std::int32_t> body_of_tetrahedron;
};

}  // namespace terrace
