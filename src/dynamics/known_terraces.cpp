#include "dynamics/known_terraces.hpp"

#include <algorithm>
#include <utility>

namespace terrace {

void KnownTerraces::forget_all() {
  std::ranges::fill(by_first_, ToldTerrace());
  std::ranges::fill(first_of_, -1);
}

void KnownTerraces::learn(ToldTerrace terrace) {
  const std::int32_t first = terrace.bodies.front();
  for (const std::int32_t body : terrace.bodies) {
    std::int32_t& known = at(first_of_, body);
    if (known >= 0 && known != first && std::ranges::binary_search(at(by_first_, known).bodies, body))
      at(by_first_, known) = {};
    known = first;
  }
  at(by_first_, first) = std::move(terrace);
}

}  // namespace terrace
