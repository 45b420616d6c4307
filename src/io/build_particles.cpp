#include "io/build_particles.hpp"

#include <fmt/core.h>

#include <cmath>

#include "dynamics/system/contact_parameters.hpp"
#include "geometry/region_surface.hpp"
#include "geometry/show.hpp"
#include "numerics/at.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

void append(Model& model, const ParticleEntry& entry) {
  Body body{};
  body.name = entry.name;
  body.material = -1;
  body.first_node = static_cast<std::int32_t>(model.positions.size());
  body.node_count = static_cast<std::int32_t>(entry.positions.size());
  const auto join = [](auto& all, const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
  join(model.positions, entry.positions);
  join(model.velocities, entry.velocities);
  join(model.masses, entry.masses);
  model.bodies.push_back(std::move(body));
}

void require_numbers(const ParticleEntry& entry) {
  double kinetic = 0;
  for (std::size_t i = 0; i < entry.masses.size(); ++i) {
    kinetic += 0.5 * entry.masses[i] * dot(entry.velocities[i], entry.velocities[i]);
    if (!std::isnormal(entry.masses[i]) || !std::isfinite(dot(entry.positions[i], entry.positions[i])) ||
        !std::isfinite(kinetic))
      throw Error(
          Error::Kind::input, entry.where,
          fmt::format("mass, position and kinetic energy of {} within the range of a double", entry.name),
          fmt::format("mass {:g}, position {}, velocity {} of number {}", entry.masses[i],
                      show(entry.positions[i]), show(entry.velocities[i]), i + 1));
  }
}

void require_before_walls(const Model& model, const Body& body, const std::string& where) {
  for (const Wall& either : model.walls) {
    const Wall wall = facing(either, model, body);
    for (std::int32_t i = 0; i < body.node_count; ++i) {
      const Vector3& x = at(model.positions, body.first_node + i);
      const double height = dot(x - wall.point, wall.normal);
      const bool touching = wall.model == WallModel::penalty && height == 0;
      if (!(height > 0) && !touching)
        throw Error(Error::Kind::input, where, fmt::format("{} {}", body.name, allowed_side(wall)),
                    fmt::format("a particle at {}, {:.6g} behind the wall", show(x), -height));
    }
  }
}

void require_sides(const Model& model, const Interaction& step) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (step.groups[0] >= 0 && step.groups[0] != static_cast<std::int32_t>(b)) continue;
    const Body& body = model.bodies[b];
    for (std::int32_t i = 0; i < body.node_count; ++i) {
      const Vector3& x = at(model.positions, body.first_node + i);
      if (!has_a_side(step.region, x))
        throw Error(
            Error::Kind::input, step.where,
            fmt::format("{} where the functions of {} have a value and a gradient", body.name, step.name),
            fmt::format("number {} at {}, where one has none", i + 1, show(x)));
      if (step.is_wall() && step.region.contains(x))
        throw Error(Error::Kind::input, step.where,
                    fmt::format("{} outside of the region of {}, which is a wall", body.name, step.name),
                    fmt::format("number {} at {}, in it", i + 1, show(x)));
    }
  }
}

}  // namespace

Model build_particles(const Deck& deck) {
  Model model;
  model.walls = deck.walls;
  model.gravity = deck.gravity;
  model.particles.dimension = deck.dimension;
  model.particles.interactions = deck.interactions;
  for (const ParticleEntry& entry : deck.particles) {
    require_numbers(entry);
    append(model, entry);
    require_before_walls(model, model.bodies.back(), entry.where);
  }
  for (const Interaction& interaction : model.particles.interactions)
    if (!interaction.smooth()) require_sides(model, interaction);
  return model;
}

}  // namespace terrace
