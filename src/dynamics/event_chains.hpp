// How many events could have been done at once at best.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/at.hpp"

namespace terrace {

/// The longest chain of events each of which depends on the one before: an event depends on the last events
/// of its own subdomain and of those that share nodes with it. However many work at them, they take as many
/// rounds as this is long.
class EventChains {
 public:
  explicit EventChains(std::size_t subdomains) : length_(subdomains, 0) {}

  /// The next event, in the order of one after the other. `neighbours` share nodes with its subdomain.
  void add(std::int32_t subdomain, std::span<const std::int32_t> neighbours) {
    std::int64_t before = at(length_, subdomain);
    for (const std::int32_t j : neighbours) before = std::max(before, at(length_, j));
    at(length_, subdomain) = before + 1;
    longest_ = std::max(longest_, before + 1);
  }
  [[nodiscard]] std::int64_t longest() const { return longest_; }

 private:
  std::vector<std::int64_t> length_;  // of the longest chain that ends with a subdomain's last event
  std::int64_t longest_ = 0;
};

}  // namespace terrace
