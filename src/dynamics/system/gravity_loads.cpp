#include "dynamics/system/gravity_loads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "potentials/gravity.hpp"

namespace terrace {
namespace {

/// The subdomain and rank that have the weight of a node.
using Place = std::pair<std::int32_t, std::int32_t>;

std::vector<Place> places_of_weights(const Model& model, const Localization& localization,
                                     const Layout& layout) {
  constexpr std::int32_t last = std::numeric_limits<std::int32_t>::max();
  std::vector<Place> places(model.positions.size(), {last, last});
  for (std::size_t e = 0; e < model.tetrahedra.size(); ++e) {
    const Term& term = at(localization.terms, localization.term_of_tetrahedron[e]);
    const Place mine = {term.subdomain, layout.rank_of_tetrahedron[e]};
    for (const std::int32_t node : model.tetrahedra[e]) {
      Place& place = at(places, node);
      place = std::min(place, mine);
    }
  }
  return places;
}

}  // namespace

/// Extends a box to where each particle would fall onto a wall, which may be far beyond the particles'
/// extent.
static void include_walls_below(const Model& model, Vector3& low, Vector3& high) {
  constexpr double upright = 1e-9;  // slope of a wall that nothing falls onto
  const Vector3 down = (1 / norm(model.gravity)) * model.gravity;
  for (const Vector3& x : model.positions) {
    double nearest = infinity;
    for (const Wall& wall : model.walls) {
      const double slope = dot(down, wall.normal), way = dot(wall.point - x, wall.normal) / slope;
      if (std::abs(slope) > upright && way > 0) nearest = std::min(nearest, way);
    }
    if (!(nearest < infinity)) continue;
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], x[d] + nearest * down[d]);
      high[d] = std::max(high[d], x[d] + nearest * down[d]);
    }
  }
}

double energy_of_a_fall(const Model& model) {
  if (model.gravity == Vector3{}) return 0;
  Vector3 low = model.positions.front(), high = low;
  for (const Vector3& x : model.positions)
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], x[d]);
      high[d] = std::max(high[d], x[d]);
    }
  if (model.particles.dimension > 0) include_walls_below(model, low, high);
  double mass = 0;
  for (const double m : model.masses) mass += m;
  return mass * norm(model.gravity) * norm(high - low);
}

void add_gravity(const Model& model, const Localization& localization, const Layout& layout,
                 SystemBuilder& builder) {
  if (model.gravity == Vector3{}) return;
  Lagrangian& system = builder.system();
  system.gravity = model.gravity;
  system.energy_of_a_fall = energy_of_a_fall(model);
  const int reaction = builder.add_reaction("gravity");
  const std::vector<Place> places = places_of_weights(model, localization, layout);
  for (const auto& [subdomain, rank] : places) builder.subdomain(subdomain).terms += 1;
  std::map<std::int32_t, std::vector<std::int32_t>> mine;  // nodes by subdomain
  for (std::size_t a = 0; a < system.global_nodes.size(); ++a) {
    const auto [subdomain, rank] = at(places, system.global_nodes[a]);
    if (rank == system.communicator->rank()) mine[subdomain].push_back(static_cast<std::int32_t>(a));
  }
  for (const Term& term : localization.terms)
    if (term.kind == Term::Kind::elastic) builder.subdomain(term.subdomain).terms_at_node += 1;
  for (auto& [subdomain, nodes] : mine) {
    auto gravity = std::make_unique<Gravity>(std::move(nodes), system.masses, model.gravity);
    system.gravity_loads.push_back(builder.add(subdomain, std::move(gravity), reaction));
  }
}

}  // namespace terrace
