// How many terms a gradient gets at one node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace terrace {

/// Counts the terms that each node gets, and knows the largest count. Takes no memory before the first term.
class TermCounter {
 public:
  explicit TermCounter(std::size_t nodes) : nodes_(nodes) {}

  void start() {
    if (most_ > 0) std::fill(counts_.begin(), counts_.end(), 0);
    most_ = 0;
  }
  void add(std::size_t node) {
    if (counts_.empty()) counts_.resize(nodes_, 0);
    most_ = std::max(most_, ++counts_[node]);
  }
  [[nodiscard]] double at(std::size_t node) const {
    return counts_.empty() ? 0 : static_cast<double>(counts_[node]);
  }
  [[nodiscard]] double most() const { return static_cast<double>(most_); }

 private:
  std::size_t nodes_;
  std::vector<std::int32_t> counts_;
  std::int32_t most_ = 0;
};

}  // namespace terrace
