#include "dynamics/system/reactions_of_potentials.hpp"

#include <map>

namespace terrace {

std::vector<int> reactions_of_potentials(const Lagrangian& system) {
  std::map<const Potential*, int> reaction_of;
  for (const Subdomain& subdomain : system.subdomains)
    for (std::size_t p = 0; p < subdomain.potentials.size(); ++p)
      reaction_of[subdomain.potentials[p]] = subdomain.reaction_of_potential[p];
  std::vector<int> reactions;
  for (const auto& potential : system.potentials) reactions.push_back(reaction_of.at(potential.get()));
  return reactions;
}

}  // namespace terrace
