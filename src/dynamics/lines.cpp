#include "dynamics/lines.hpp"

#include <unordered_set>

namespace terrace {
namespace {

template <class Lines, class Sources>
void keep(Lines& all, const Sources& sources) {
  std::unordered_set<std::uint64_t> alive;
  for (const auto& source : sources) alive.insert(source->serial_number());
  all.keep([&](std::uint64_t number) { return alive.contains(number); });
}

}  // namespace

void Lines::keep_those_of(const Lagrangian& system) {
  keep(potentials_, system.potentials);
  keep(constraints_, system.constraints);
}

void Lines::report(ContactExtremes& extremes) const {
  potentials_.for_each([&](const PotentialOnLine& line) { line.report(extremes); });
}

}  // namespace terrace
