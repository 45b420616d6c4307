#include "dynamics/supports.hpp"

#include <algorithm>

namespace terrace {

void hold_nodes(const Model& model, Lagrangian& system) {
  if (model.supports.empty()) return;
  constexpr HeldBy free = {nothing_holds, nothing_holds, nothing_holds};
  system.held_by.assign(system.global_nodes.size(), free);
  for (const Support& support : model.supports) {
    const auto reaction = static_cast<std::int32_t>(system.reaction_names.size());
    system.reaction_names.push_back(support.name);
    system.reaction_velocities.push_back(support.velocity);
    for (const std::int32_t node : support.nodes) {
      const auto place = std::lower_bound(system.global_nodes.begin(), system.global_nodes.end(), node);
      if (place == system.global_nodes.end() || *place != node) continue;
      HeldBy& held_by = system.held_by[static_cast<std::size_t>(place - system.global_nodes.begin())];
      for (std::size_t d = 0; d < 3; ++d)
        if (support.components[d]) held_by[d] = reaction;
    }
  }
}

double work_of_supports(const Lagrangian& system, std::span<const Vector3> received) {
  double work = 0;
  for (std::size_t r = 0; r < received.size(); ++r) work -= dot(received[r], system.reaction_velocities[r]);
  return work;
}

}  // namespace terrace
