// How many events could have been done at once at best.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/at.hpp"

namespace terrace {

/// The longest chain of events each of which depends on the one before: an event depends on the last events
/// that gave its subdomain's nodes new lines, its own and others'. However many work at them, they take as
/// many rounds as this is long.
class EventChains {
 public:
  explicit EventChains(std::size_t subdomains) : before_(subdomains, 0) {}

  /// Subdomains may come up while events go on.
  void make_room(std::size_t subdomains) { before_.resize(std::max(before_.size(), subdomains), 0); }
  /// The next event, in the order of one after the other. `affected`: other subdomains whose nodes got new
  /// lines.
  void add(std::int32_t subdomain, std::span<const std::int32_t> affected) {
    const std::int64_t length = ++at(before_, subdomain);
    for (const std::int32_t j : affected) at(before_, j) = std::max(at(before_, j), length);
    longest_ = std::max(longest_, length);
  }
  [[nodiscard]] std::int64_t longest() const { return longest_; }

 private:
  std::vector<std::int64_t> before_;  // the longest chain that ends before a subdomain's next event
  std::int64_t longest_ = 0;
};

}  // namespace terrace
