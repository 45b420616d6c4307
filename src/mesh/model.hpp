// All bodies of a problem with one global numbering, which every rank has before the work is divided.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "mesh/particles.hpp"
#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// The energy densities of potentials/elastic/elastic_laws.hpp.
enum class MaterialLaw { neo_hookean, mooney_rivlin, st_venant_kirchhoff };

/// A hyperelastic material; whatever the law, λ and μ are its Lamé constants at small strain.
struct Material {
  std::string name;
  double density;      ///< ρ [kg/m³]
  double lame_lambda;  ///< λ [Pa]
  double lame_mu;      ///< μ [Pa]
  MaterialLaw law = MaterialLaw::neo_hookean;
  double c01 = 0;  ///< Mooney-Rivlin: c₀₁ [Pa]
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [name, density, lame_lambda, lame_mu, law, c01] = self;
    archive(name, density, lame_lambda, lame_mu, law, c01);
  }
};

/// One deformable body: a range of nodes and of tetrahedra in the model's numbering.
struct Body {
  std::string name;
  std::int32_t material;
  std::int32_t first_node, node_count;
  std::int32_t first_tetrahedron, tetrahedron_count;
  std::vector<Triangle> boundary;  ///< model node numbers, outward
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [name, material, first_node, node_count, first_tetrahedron, tetrahedron_count, boundary] = self;
    archive(name, material, first_node, node_count, first_tetrahedron, tetrahedron_count, boundary);
  }
};

/// How a wall pushes: by a penalty on the depth of nodes behind it (thesis (3.90)), by a barrier before it,
/// or, if bodies are balls, by Hertz's law.
enum class WallModel { penalty, barrier, hertz };

/// A rigid plane through `point`; its unit `normal` points to the side where bodies may be.
struct Wall {
  std::string name;
  Vector3 point;
  Vector3 normal;
  double stiffness;  ///< penalty: 1/ε [N/m]; barrier: κ [energy/length²], 0: chosen by contact_parameters
  WallModel model = WallModel::penalty;
  double distance = 0;     ///< barrier: d̂ [length], 0: chosen likewise
  bool two_sided = false;  ///< bodies may be on either side: each stays on its own
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [name, point, normal, stiffness, model, distance, two_sided] = self;
    archive(name, point, normal, stiffness, model, distance, two_sided);
  }
};

/// Nodes whose motion is given: the held components of their velocity stay constant.
struct Support {
  std::string name;
  Vector3 velocity;                ///< constant [length/time]; zero in free components
  std::array<bool, 3> components;  ///< whether x, y, z are held
  std::vector<std::int32_t> nodes;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [name, velocity, components, nodes] = self;
    archive(name, velocity, components, nodes);
  }
};

/// A node whose motion the run writes out.
struct Probe {
  std::string name;
  std::int32_t node = 0;  ///< in the model's numbering
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [name, node] = self;
    archive(name, node);
  }
};

/// A problem as the deck describes it: meshes of bodies or particles, and what acts on them.
struct Model {
  std::vector<Material> materials;
  std::vector<Body> bodies;
  std::vector<Wall> walls;
  std::vector<Support> supports;  ///< no component of a node is held by two of them
  std::vector<Probe> probes;
  Vector3 gravity{};                ///< acceleration [length/time²]
  std::vector<Vector3> positions;   ///< reference positions, placed in space
  std::vector<Vector3> velocities;  ///< initial nodal velocities
  std::vector<double> masses;       ///< lumped nodal masses, row sums: ρ V_e / 4 per node
  std::vector<Tetrahedron> tetrahedra;
  std::vector<std::int32_t> body_of_tetrahedron;
  Particles particles{};  ///< instead of tetrahedra
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [materials, bodies, walls, supports, probes, gravity, positions, velocities, masses, tetrahedra,
           body_of_tetrahedron, particles] = self;
    archive(materials, bodies, walls, supports, probes, gravity, positions, velocities, masses, tetrahedra,
            body_of_tetrahedron, particles);
  }
};

}  // namespace terrace
