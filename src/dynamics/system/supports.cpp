#include "dynamics/system/supports.hpp"

#include "numerics/at.hpp"
#include "parallel/error.hpp"

namespace terrace {

void hold_nodes(const Model& model, SystemBuilder& builder) {
  if (model.supports.empty()) return;
  Lagrangian& system = builder.system();
  constexpr HeldBy free = {nothing_holds, nothing_holds, nothing_holds};
  system.held_by.assign(system.global_nodes.size(), free);
  for (const Support& support : model.supports) {
    const int reaction = builder.add_reaction(support.name, support.velocity);
    for (const std::int32_t node : support.nodes) {
      const std::int32_t local = at(builder.local_numbers(), node);
      if (local < 0) continue;
      for (std::size_t d = 0; d < 3; ++d)
        if (support.components[d]) at(system.held_by, local)[d] = reaction;
    }
  }
}

void require_supports_at_rest(const Lagrangian& system) {
  for (std::size_t r = 0; r < system.reaction_velocities.size(); ++r)
    if (system.reaction_velocities[r] != Vector3{})
      throw Error(Error::Kind::input, "integrator.method",
                  "supports at rest, for a method whose steps follow the energy of the bodies alone",
                  system.reaction_names[r] + ", which moves and does work");
}

double work_of_supports(const Lagrangian& system, std::span<const Vector3> received) {
  double work = 0;
  for (std::size_t r = 0; r < received.size(); ++r) work -= dot(received[r], system.reaction_velocities[r]);
  return work;
}

}  // namespace terrace
