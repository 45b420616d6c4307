// How many rounds a row of events takes at least, however many of them are done at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/at.hpp"

namespace terrace {

/// The longest chain of events in which each depends on the one before. An event depends on the last events,
/// of its own subdomain and of others, that gave nodes of its subdomain new lines. However many ranks work on
/// the events, they take at least as many rounds as the chain is long.
class EventChains {
 public:
  explicit EventChains(std::size_t subdomains) : before_(subdomains, 0) {}

  /// Makes room for more subdomains, which may be added while events go on.
  void make_room(std::size_t subdomains) { before_.resize(std::max(before_.size(), subdomains), 0); }
  /// Adds the next event, in the order of one after the other. `affected`: other subdomains whose nodes got
  /// new lines.
  void add(std::int32_t subdomain, std::span<const std::int32_t> affected) {
    const std::int64_t length = ++at(before_, subdomain);
    for (const std::int32_t j : affected) at(before_, j) = std::max(at(before_, j), length);
    longest_ = std::max(longest_, length);
  }
  [[nodiscard]] std::int64_t longest() const { return longest_; }

 private:
  std::vector<std::int64_t> before_;  // by subdomain: longest chain that its next event would continue
  std::int64_t longest_ = 0;
};

}  // namespace terrace
