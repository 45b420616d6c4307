#include "mesh/mesh_hash.hpp"

#include "parallel/archive.hpp"
#include "parallel/hash.hpp"

namespace terrace {

std::uint64_t mesh_hash(const Model& model) {
  std::uint64_t hash = chain(model.positions.size(), std::uint64_t{model.tetrahedra.size()});
  for (const Vector3& position : model.positions)
    for (const double coordinate : position) hash = chain(hash, coordinate + 0.0);  // −0 is 0
  for (const Tetrahedron& tetrahedron : model.tetrahedra)
    for (const std::int32_t node : tetrahedron) hash = chain(hash, static_cast<std::uint64_t>(node));
  if (model.particles.dimension > 0)
    for (const double mass : model.masses) hash = chain(hash, mass);
  return hash;
}

std::uint64_t model_hash(const Model& model) {
  Hasher hasher;
  hasher(model.materials, model.bodies, model.supports, model.velocities, model.masses);
  return chain(mesh_hash(model), hasher.value());
}

}  // namespace terrace
