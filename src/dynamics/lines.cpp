#include "dynamics/lines.hpp"

#include <unordered_set>

namespace terrace {
namespace {

template <class Map, class Sources>
void keep(Map& all, const Sources& sources) {
  std::unordered_set<std::uint64_t> alive;
  for (const auto& source : sources) alive.insert(source->serial_number());
  std::erase_if(all, [&](const auto& entry) { return !alive.contains(entry.first); });
}

}  // namespace

void Lines::keep_those_of(const Lagrangian& system) {
  keep(potentials_, system.potentials);
  keep(constraints_, system.constraints);
}

void Lines::report(ContactExtremes& extremes) const {
  for (const auto& [serial_number, line] : potentials_) line->report(extremes);
}

}  // namespace terrace
