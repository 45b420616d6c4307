#include "dynamics/system/patch_compliance.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "numerics/at.hpp"
#include "parallel/error.hpp"
#include "potentials/elastic/elastic_potential.hpp"

namespace terrace {
namespace {

using Field = std::vector<Vector3>;

double product(const Field& a, const Field& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

void add(Field& a, double factor, const Field& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
}

/// A body by itself: its nodes are numbered from 0, and their positions relative to the first.
struct Alone {
  Field positions;
  std::vector<double> masses;
  std::vector<Tetrahedron> tetrahedra;
  double mass = 0;
};

Alone alone(const Model& model, const Body& body) {
  Alone result;
  for (std::int32_t a = 0; a < body.node_count; ++a) {
    result.positions.push_back(at(model.positions, body.first_node + a) -
                               at(model.positions, body.first_node));
    result.masses.push_back(at(model.masses, body.first_node + a));
    result.mass += result.masses.back();
  }
  for (std::int32_t e = 0; e < body.tetrahedron_count; ++e) {
    Tetrahedron nodes = at(model.tetrahedra, body.first_tetrahedron + e);
    for (std::int32_t& node : nodes) node -= body.first_node;
    result.tetrahedra.push_back(nodes);
  }
  return result;
}

/// The diagonal of the stiffness matrix: for a node's x-component Σ_e V ((λ + μ) g_x² + μ |g|²), g = ∇N.
Field diagonal(const Alone& body, const Material& material) {
  Field sum(body.positions.size());
  for (const Tetrahedron& nodes : body.tetrahedra)
    for (std::size_t a = 0; a < 4; ++a) {
      const auto corner = [&](std::size_t k) { return at(body.positions, nodes[(a + k) % 4]); };
      const Vector3 normal = cross(corner(2) - corner(1), corner(3) - corner(1));
      const double volume = std::abs(dot(normal, corner(0) - corner(1))) / 6;
      const Vector3 gradient = (1 / (6 * volume)) * normal;
      const double isotropic = material.lame_mu * dot(gradient, gradient);
      for (std::size_t k = 0; k < 3; ++k)
        at(sum, nodes[a])[k] +=
            volume * (isotropic + (material.lame_lambda + material.lame_mu) * gradient[k] * gradient[k]);
    }
  return sum;
}

/// The columns of the body's inertia tensor I about its centre of mass, and the nodes' places relative to it.
struct Turning {
  std::array<Vector3, 3> inertia{};
  Field places;
};

Turning turning(const Alone& body) {
  Vector3 moment{};
  for (std::size_t a = 0; a < body.masses.size(); ++a) moment += body.masses[a] * body.positions[a];
  Turning result;
  for (std::size_t a = 0; a < body.masses.size(); ++a) {
    const Vector3 r = body.positions[a] - (1 / body.mass) * moment;
    result.places.push_back(r);
    for (std::size_t k = 0; k < 3; ++k) {
      result.inertia[k][k] += body.masses[a] * dot(r, r);
      result.inertia[k] += (-body.masses[a] * r[k]) * r;
    }
  }
  return result;
}

/// Inertia relief: subtracts from a load the mass times acceleration of each node of a rigid body under it,
/// uniform acceleration plus rotation by I α = T. What is left is in balance.
void relieve(Field& load, const Alone& body) {
  const Turning own = turning(body);
  Vector3 force{}, torque{};
  for (std::size_t a = 0; a < load.size(); ++a) {
    force += load[a];
    torque += cross(own.places[a], load[a]);
  }
  const auto& [x, y, z] = own.inertia;
  const double determinant = dot(x, cross(y, z));
  const Vector3 alpha = (1 / determinant) *
                        Vector3{dot(torque, cross(y, z)), dot(torque, cross(z, x)), dot(torque, cross(x, y))};
  for (std::size_t a = 0; a < load.size(); ++a)
    load[a] += (-body.masses[a]) * ((1 / body.mass) * force + cross(alpha, own.places[a]));
}

}  // namespace

// The load is in balance, but the stiffness matrix is singular under rigid motion. So every node is held by a
// spring in proportion to its mass, a million times softer than elasticity.
double patch_compliance(const Model& model, const Body& body, const SpherePatch& patch, const Vector3& axis,
                        int most_steps) {
  const Alone own = alone(model, body);
  const Material& material = at(model.materials, body.material);
  const auto elastic = make_elastic(own.positions, own.tetrahedra, material, {});
  double extent = 0;
  for (const Vector3& x : own.positions) extent = std::max(extent, norm(x));
  const double spring = 1e-6 * material.lame_mu / (material.density * extent * extent);
  const Field zero(own.positions.size());
  const auto stiffness_times = [&](const Field& u) {
    Field result(u.size());
    elastic->add_hessian_times(Displacements(zero), u, result);
    for (std::size_t a = 0; a < u.size(); ++a) result[a] += (spring * own.masses[a]) * u[a];
    return result;
  };
  Field load(own.positions.size());
  for (std::size_t i = 0; i < patch.nodes.size(); ++i)
    load[static_cast<std::size_t>(patch.nodes[i] - body.first_node)] += patch.load[i] * axis;
  relieve(load, own);

  const Field scale = diagonal(own, material);
  const auto preconditioned = [&](const Field& rest) {
    Field result = rest;
    for (std::size_t a = 0; a < rest.size(); ++a)
      for (std::size_t k = 0; k < 3; ++k) result[a][k] /= scale[a][k];
    return result;
  };
  Field u(load.size()), rest = load, direction = preconditioned(rest);
  double square = product(rest, direction);
  const double enough = 1e-16 * square;
  for (int iteration = 0; square > enough; ++iteration) {
    if (iteration == most_steps)
      throw Error(Error::Kind::input, "body " + body.name, "a mesh whose stiffness under a load can be found",
                  fmt::format("no convergence in {} steps of conjugate gradients", iteration));
    const Field image = stiffness_times(direction);
    const double step = square / product(direction, image);
    add(u, step, direction);
    add(rest, -step, image);
    const Field next = preconditioned(rest);
    const double next_square = product(rest, next);
    for (std::size_t a = 0; a < u.size(); ++a) direction[a] = next[a] + (next_square / square) * direction[a];
    square = next_square;
  }
  return product(load,
                 u);  // the load has inertia relief: so this is the mean relative to the body as a whole
}

}  // namespace terrace
