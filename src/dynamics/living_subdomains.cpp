#include "dynamics/living_subdomains.hpp"

#include <utility>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"

namespace terrace {

std::int32_t LivingSubdomains::add_pair(PairSubdomain pair) {
  TERRACE_VERIFY(pair.potential == nullptr || pair.constraint == nullptr, pair.subdomain.name);
  if (pair.potential != nullptr) {
    pair.subdomain.potentials.push_back(pair.potential.get());
    pair.subdomain.reaction_of_potential.push_back(-1);
    system_.potentials.push_back(std::move(pair.potential));
  }
  if (pair.constraint != nullptr) {
    pair.subdomain.constraint = pair.constraint.get();
    system_.constraints.push_back(std::move(pair.constraint));
  }
  system_.subdomains.push_back(std::move(pair.subdomain));
  return count() - 1;
}

std::int32_t LivingSubdomains::add_group(Subdomain group) {
  system_.subdomains.push_back(std::move(group));
  return count() - 1;
}

void LivingSubdomains::replace_group(std::int32_t number, Subdomain group) {
  at(system_.subdomains, number) = std::move(group);
}

void LivingSubdomains::set_asleep(std::int32_t pair, bool asleep) {
  at(system_.subdomains, pair).asleep = asleep;
}

void LivingSubdomains::remove_last_pair() {
  const Subdomain& last = system_.subdomains.back();
  TERRACE_VERIFY(last.order[0] >= 0, last.order[0], last.name);
  if (!last.potentials.empty()) {
    TERRACE_VERIFY(last.potentials.front() == system_.potentials.back().get(), last.name);
    system_.potentials.pop_back();
  }
  if (last.constraint != nullptr) {
    TERRACE_VERIFY(last.constraint == system_.constraints.back().get(), last.name);
    system_.constraints.pop_back();
  }
  system_.subdomains.pop_back();
}

}  // namespace terrace
