// From the deck's bodies to one model: mesh, place, number, set masses and velocities, and refuse what cannot
// be.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <span>

#include "dynamics/system/contact_parameters.hpp"
#include "geometry/show.hpp"
#include "io/build_particles.hpp"
#include "io/build_probes.hpp"
#include "io/build_supports.hpp"
#include "io/deck.hpp"
#include "io/deck_sections.hpp"
#include "mesh/body_totals.hpp"
#include "mesh/overlap.hpp"
#include "mesh/size_limits.hpp"
#include "numerics/at.hpp"
#include "numerics/elementary.hpp"
#include "parallel/error.hpp"

namespace terrace {

/// A mesh in the body's own frame and its boundary, shared by all bodies of equal shape.
struct ShapeMesh {
  TetrahedralMesh mesh;
  std::vector<Triangle> boundary;
  double smallest_edge;
  double volume;
};

static std::string key_of(const Vector3& v) { return fmt::format("{:a} {:a} {:a}", v[0], v[1], v[2]); }

static std::string key_of(const std::vector<Refinement>& refinements) {
  std::string key;
  for (const Refinement& r : refinements)
    key += fmt::format(" refine {} {:a} {:a} {:a}", key_of(r.point), r.size, r.radius, r.core);
  return key;
}

/// A text that is equal for equal shapes, and for no others.
static std::string key_of(const Shape& shape) {
  if (const auto* ball = std::get_if<BallShape>(&shape))
    return fmt::format("ball {:a} {:a}{}", ball->radius, ball->size, key_of(ball->refinements));
  if (const auto* block = std::get_if<BlockShape>(&shape))
    return fmt::format("block {} {:a}{}", key_of(block->extent), block->size, key_of(block->refinements));
  if (const auto* lattice = std::get_if<LatticeShape>(&shape))
    return fmt::format("lattice {} {} {} {}", key_of(lattice->extent), lattice->cells[0], lattice->cells[1],
                       lattice->cells[2]);
  const auto& file = std::get<FileShape>(shape);
  std::string groups;
  for (const std::string& group : file.node_groups) groups += "\n" + group;
  return fmt::format("file {:a} {:a} {}\n{}{}", file.size, file.scale, file.path, file.group, groups);
}

/// Rodrigues' rotation about an axis through the origin.
static Vector3 rotate(const Vector3& x, const Vector3& unit_axis, double angle) {
  const double cosine = numerics::cosine(angle), sine = numerics::sine(angle);
  return cosine * x + sine * cross(unit_axis, x) + ((1 - cosine) * dot(unit_axis, x)) * unit_axis;
}

/// Throws Error(input) for too many bodies before they fill the memory. As many tetrahedra as are allowed
/// have no more nodes than 32-bit indices can count.
static void require_room_for(const Model& model, const ShapeMesh& shape, const BodyEntry& entry) {
  const double more = static_cast<double>(entry.count) * static_cast<double>(shape.mesh.tetrahedra.size());
  require_room(static_cast<double>(model.tetrahedra.size()) + more, "a number of bodies", entry.where);
}

/// Appends nodes, tetrahedra and boundary of one body, the shape's origin placed at `origin`.
static void append_body(Model& model, const ShapeMesh& shape, const BodyEntry& entry, const std::string& name,
                        const Vector3& origin) {
  Body body{};
  body.name = name;
  body.material = entry.material;
  body.first_node = static_cast<std::int32_t>(model.positions.size());
  body.node_count = static_cast<std::int32_t>(shape.mesh.nodes.size());
  body.first_tetrahedron = static_cast<std::int32_t>(model.tetrahedra.size());
  body.tetrahedron_count = static_cast<std::int32_t>(shape.mesh.tetrahedra.size());
  const Vector3 axis = unit_vector(entry.rotation_axis);
  const double angle = entry.rotation_angle * std::numbers::pi / 180;
  for (const Vector3& node : shape.mesh.nodes)
    model.positions.push_back(origin + (angle == 0 ? node : rotate(node, axis, angle)));
  for (Tetrahedron tetrahedron : shape.mesh.tetrahedra) {
    for (std::int32_t& node : tetrahedron) node += body.first_node;
    model.tetrahedra.push_back(tetrahedron);
    model.body_of_tetrahedron.push_back(static_cast<std::int32_t>(model.bodies.size()));
  }
  for (Triangle triangle : shape.boundary) {
    for (std::int32_t& node : triangle) node += body.first_node;
    body.boundary.push_back(triangle);
  }
  model.bodies.push_back(std::move(body));
}

/// Throws Error(input) for a small body so far from the origin that its coordinates have few digits left.
static void require_digits(const Model& model, const Body& body, const ShapeMesh& shape,
                           const BodyEntry& entry) {
  constexpr double wanted = 1e-6, rounding = 0x1p-53;
  double farthest = 0;
  for (std::int32_t i = 0; i < body.node_count; ++i)
    for (const double x : at(model.positions, body.first_node + i))
      farthest = std::max(farthest, std::abs(x));
  if (farthest * rounding > wanted * shape.smallest_edge)
    throw Error(
        Error::Kind::input, entry.where,
        fmt::format("body {} within {:.3g} of the origin, where coordinates resolve a millionth of its "
                    "least edge {:.3g}",
                    body.name, wanted / rounding * shape.smallest_edge, shape.smallest_edge),
        fmt::format("a coordinate of {:.3g}", farthest));
}

/// The facets of a ball leave out a part of it: its material gets the density with which it has the mass of
/// the sphere.
static void make_up_for_facets(Model& model, Body& body, const ShapeMesh& shape, double radius) {
  const double volume = 4 * std::numbers::pi / 3 * radius * radius * radius;
  Material denser = at(model.materials, body.material);
  denser.density *= volume / shape.volume;
  const auto same = std::find_if(model.materials.begin(), model.materials.end(), [&](const Material& known) {
    return known.name == denser.name && known.density == denser.density;
  });
  body.material = static_cast<std::int32_t>(same - model.materials.begin());
  if (same == model.materials.end()) model.materials.push_back(denser);
}

/// Gives the body's nodes their lumped masses, ρ V_e / 4 of each of their elements.
static void set_masses(Model& model, const Body& body) {
  model.masses.resize(model.positions.size(), 0.0);
  const double density = at(model.materials, body.material).density;
  for (std::int32_t i = 0; i < body.tetrahedron_count; ++i) {
    const Tetrahedron& nodes = at(model.tetrahedra, body.first_tetrahedron + i);
    std::array<Vector3, 4> x;
    for (std::size_t a = 0; a < 4; ++a) x[a] = at(model.positions, nodes[a]);
    const double volume = dot(cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]) / 6;
    for (const std::int32_t node : nodes) at(model.masses, node) += density * volume / 4;
  }
}

/// A random point, uniform in the ball of radius 1. The standard fixes the generator but not the
/// distributions of the library, which are therefore not used.
static Vector3 random_in_ball(std::mt19937_64& random) {
  for (;;) {
    Vector3 x{};
    for (double& component : x) component = std::ldexp(static_cast<double>(random() >> 11), -52) - 1;
    if (dot(x, x) <= 1) return x;
  }
}

/// Where body number i of a repeated entry is placed.
static Vector3 place_of(const BodyEntry& entry, std::size_t i) {
  const auto along_x = static_cast<std::size_t>(entry.counts[0]),
             along_y = static_cast<std::size_t>(entry.counts[1]);
  const std::array<std::size_t, 3> steps = {i % along_x, i / along_x % along_y, i / (along_x * along_y)};
  if (along_x * along_y * static_cast<std::size_t>(entry.counts[2]) == 1)
    return entry.position + static_cast<double>(i) * entry.offset;
  Vector3 place = entry.position;
  for (std::size_t k = 0; k < 3; ++k) place[k] += static_cast<double>(steps[k]) * entry.spacing[k];
  return place;
}

/// Gives the body's nodes v = velocity + spin × (x − centre of mass).
static void set_velocities(Model& model, const Body& body, const BodyEntry& entry, const Vector3& velocity) {
  const auto first = static_cast<std::size_t>(body.first_node);
  const std::size_t last = first + static_cast<std::size_t>(body.node_count);
  Vector3 moment{};
  double mass = 0;
  for (std::size_t a = first; a < last; ++a) {
    // Relative to the first node, so that a small body far from the origin keeps its digits.
    moment += model.masses[a] * (model.positions[a] - model.positions[first]);
    mass += model.masses[a];
  }
  const Vector3 centre = model.positions[first] + (1 / mass) * moment;
  for (std::size_t a = first; a < last; ++a)
    model.velocities.push_back(velocity + cross(entry.spin, model.positions[a] - centre));
}

static void require_mass(const Model& model, const Body& body, const BodyEntry& entry) {
  for (std::int32_t i = 0; i < body.node_count; ++i) {
    const double mass = at(model.masses, body.first_node + i);
    if (!std::isnormal(mass) || mass < 0)
      throw Error(Error::Kind::input, entry.where,
                  fmt::format("nodal masses of body {} within the range of a double", body.name),
                  fmt::format("the mass {} of its node {}", mass, i));
  }
}

static void require_kinetic_energy(const Model& model, const Body& body, const BodyEntry& entry) {
  const double energy = kinetic_energy_of(model, body);
  if (!std::isfinite(energy))
    throw Error(Error::Kind::input, entry.where,
                fmt::format("a kinetic energy of body {} within the range of a double", body.name),
                fmt::format("{}", energy));
}

static void require_no_overlap(const Model& model, const std::vector<std::string>& where) {
  const auto overlap = find_overlap(model);
  if (!overlap) return;
  const std::string depth =
      overlap->depth > 0 ? fmt::format("{:.4g} deep", overlap->depth) : "where an edge pierces a face";
  throw Error(Error::Kind::input, where[overlap->second], "bodies that do not overlap",
              fmt::format("bodies {} and {} both at {}, {}", model.bodies[overlap->first].name,
                          model.bodies[overlap->second].name, show(overlap->place), depth));
}

/// Throws Error(input) where a node of a body begins behind a wall. It may touch the wall.
static void require_before_walls(const Model& model, const std::vector<std::string>& where) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const double touching = 1e-9 * bounding_box(model, body).diagonal();
    for (const Wall& either : model.walls) {
      const Wall wall = facing(either, model, body);
      for (std::int32_t i = 0; i < body.node_count; ++i) {
        const Vector3& x = at(model.positions, body.first_node + i);
        const double height = dot(x - wall.point, wall.normal);
        if (height < -touching)
          throw Error(Error::Kind::input, where[b], fmt::format("body {} {}", body.name, allowed_side(wall)),
                      fmt::format("a node at {}, {:.6g} behind the wall", show(x), -height));
      }
    }
  }
}

/// The meshes of all bodies' shapes, by their keys.
static std::map<std::string, ShapeMesh> shape_meshes(const std::vector<BodyEntry>& bodies) {
  std::map<std::string, ShapeMesh> meshes;
  std::vector<ShapeMesh*> made;
  std::vector<NamedShape> shapes;
  for (const BodyEntry& entry : bodies) {
    const auto [mesh, is_new] = meshes.try_emplace(key_of(entry.shape));
    if (!is_new) continue;
    made.push_back(&mesh->second);
    shapes.push_back({&entry.shape, entry.where + ", body " + entry.name});
  }
  std::vector<TetrahedralMesh> found = make_meshes(shapes);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const MeshQuality quality = measure_quality(found[i]);
    std::vector<Triangle> boundary = boundary_triangles(found[i].tetrahedra);
    *made[i] = {std::move(found[i]), std::move(boundary), quality.smallest_edge, quality.volume};
  }
  return meshes;
}

Model build_model(const Deck& deck) {
  if (!deck.particles.empty()) return build_particles(deck);
  Model model;
  model.materials = deck.materials;
  model.walls = deck.walls;
  const std::map<std::string, ShapeMesh> meshes = shape_meshes(deck.bodies);
  std::vector<std::string> where;  // of each body
  std::vector<std::size_t> first;  // body of each entry
  for (const BodyEntry& entry : deck.bodies) {
    first.push_back(model.bodies.size());
    const ShapeMesh& shape = meshes.at(key_of(entry.shape));
    require_room_for(model, shape, entry);
    const std::vector<std::string> names = repeated_names(entry);
    std::mt19937_64 random(static_cast<std::uint64_t>(entry.seed));
    for (std::size_t i = 0; i < names.size(); ++i) {
      append_body(model, shape, entry, names[i], place_of(entry, i));
      require_digits(model, model.bodies.back(), shape, entry);
      if (entry.mass_of_sphere)
        make_up_for_facets(model, model.bodies.back(), shape, std::get<BallShape>(entry.shape).radius);
      set_masses(model, model.bodies.back());
      require_mass(model, model.bodies.back(), entry);
      set_velocities(model, model.bodies.back(), entry,
                     entry.velocity + entry.random_speed * random_in_ball(random));
      require_kinetic_energy(model, model.bodies.back(), entry);
      where.push_back(entry.where);
    }
  }
  first.push_back(model.bodies.size());
  const auto named = [&](const NamedBody& body) {
    const std::span<const Body> all =
        std::span(model.bodies).subspan(first[body.entry], first[body.entry + 1] - first[body.entry]);
    return body.number ? all.subspan(*body.number, 1) : all;
  };
  for (const SupportEntry& support : deck.supports)
    add_support(model, support, named(support.body),
                meshes.at(key_of(deck.bodies[support.body.entry].shape)).mesh.node_groups);
  for (const ProbeEntry& probe : deck.probes) add_probe(model, probe, named(probe.body).front());
  model.gravity = deck.gravity;
  require_no_overlap(model, where);
  require_before_walls(model, where);
  return model;
}

}  // namespace terrace
