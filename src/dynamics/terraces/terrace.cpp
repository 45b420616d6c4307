#include "dynamics/terraces/terrace.hpp"

#include <algorithm>
#include <cstddef>

#include "numerics/contract.hpp"

namespace terrace {

void Terrace::start_at(double value) {
  offset = 0;
  level = not_below_lowest(level_of(value));
  if (!std::isfinite(lowest)) offset = value - energy_step * (static_cast<double>(level) + 0.5);
}

std::vector<Terrace> share_levels(std::int64_t levels, double energy_step, std::span<const double> values) {
  // An energy on a surface would meet that surface again at once.
  constexpr double margin = 0.05;  // in energy steps
  TERRACE_VERIFY(energy_step > 0 && std::isfinite(energy_step), energy_step, values.size());
  std::vector<Terrace> terraces;
  std::int64_t missing = levels;
  for (const double value : values) {
    terraces.push_back({energy_step, static_cast<std::int64_t>(std::floor(value / energy_step)), 0});
    missing -= terraces.back().level;
  }
  // Each round moves the terrace by one level that then needs the smallest offset.
  const auto excess = [&](std::size_t i) {
    return values[i] / energy_step - static_cast<double>(terraces[i].level);
  };
  while (missing != 0 && !terraces.empty()) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < terraces.size(); ++i)
      if (missing > 0 ? excess(i) > excess(best) : excess(i) < excess(best)) best = i;
    const std::int64_t change = terraces.size() == 1 ? missing : missing > 0 ? 1 : -1;
    terraces[best].level += change;
    missing -= change;
  }
  for (std::size_t i = 0; i < terraces.size(); ++i) {
    const double place = std::clamp(excess(i), margin, 1 - margin);
    if (place == excess(i)) continue;  // the offset stays 0: computed, it might be a rounding error
    terraces[i].offset = values[i] - energy_step * (static_cast<double>(terraces[i].level) + place);
  }
  return terraces;
}

}  // namespace terrace
