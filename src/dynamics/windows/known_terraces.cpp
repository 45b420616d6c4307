#include "dynamics/windows/known_terraces.hpp"

#include <algorithm>
#include <utility>

#include "numerics/contract.hpp"

namespace terrace {

void KnownTerraces::forget_all() {
  std::ranges::fill(by_first_, ToldTerrace());
  std::ranges::fill(first_of_, -1);
}

const ToldTerrace& KnownTerraces::learn(ToldTerrace terrace) {
  TERRACE_VERIFY(!terrace.bodies.empty() && terrace.bodies.front() >= 0 &&
                     terrace.bodies.back() < std::ssize(first_of_) && std::ranges::is_sorted(terrace.bodies),
                 terrace.bodies.size(), first_of_.size());
  const std::int32_t first = terrace.bodies.front();
  for (const std::int32_t body : terrace.bodies) {
    std::int32_t& known = at(first_of_, body);
    if (known >= 0 && known != first && std::ranges::binary_search(at(by_first_, known).bodies, body))
      at(by_first_, known) = {};
    known = first;
  }
  for (const std::int32_t body : at(by_first_, first).bodies)
    if (at(first_of_, body) == first && !std::ranges::binary_search(terrace.bodies, body))
      at(first_of_, body) = -1;  // it has left
  return at(by_first_, first) = std::move(terrace);
}

const ToldTerrace& KnownTerraces::of(std::int32_t body) const {
  const std::int32_t first = at(first_of_, body);
  TERRACE_VERIFY(first >= 0, body);
  const ToldTerrace& terrace = at(by_first_, first);
  TERRACE_VERIFY(!terrace.bodies.empty(), body, first);
  return terrace;
}

}  // namespace terrace
