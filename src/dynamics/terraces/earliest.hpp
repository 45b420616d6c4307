// The earliest of many times that change one at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <vector>

#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

/// A tournament tree of times, all +∞ at first: setting one and finding the earliest cost O(log n) at most.
class Earliest {
 public:
  /// Makes room for the times 0 … count − 1 and keeps those that are set. It never shrinks.
  void resize(std::size_t count) {
    if (count <= leaves_) return;
    const Earliest old = *this;
    while (leaves_ < count) leaves_ *= 2;
    least_.assign(2 * leaves_, infinity);
    for (std::size_t i = 0; i < old.leaves_; ++i)
      if (old.least_[old.leaves_ + i] < infinity) set(i, old.least_[old.leaves_ + i]);
  }
  /// Sets the times 0 … count − 1 to `time` and drops all others.
  void assign(std::size_t count, double time) {
    leaves_ = std::bit_ceil(count);
    least_.assign(2 * leaves_, infinity);
    const std::size_t end = leaves_ + count;
    for (std::size_t first = leaves_, last = end; first > 0; first /= 2, last = (last + 1) / 2)
      std::fill(least_.begin() + static_cast<std::ptrdiff_t>(first),
                least_.begin() + static_cast<std::ptrdiff_t>(last), time);
  }
  void set(std::size_t i, double time) {
    TERRACE_ASSERT(i < leaves_ && !std::isnan(time), i, leaves_, time);
    std::size_t place = leaves_ + i;
    least_[place] = time;
    for (place /= 2; place > 0; place /= 2) {
      const double least =
          least_[2 * place] < least_[2 * place + 1] ? least_[2 * place] : least_[2 * place + 1];
      if (least_[place] == least) return;  // then all above it stay the same too
      least_[place] = least;
    }
  }
  [[nodiscard]] double at(std::size_t i) const {
    TERRACE_ASSERT(i < leaves_, i, leaves_);
    return least_[leaves_ + i];
  }
  /// The earliest time; +∞ if none is set.
  [[nodiscard]] double time() const { return least_[1]; }
  /// The index of the earliest time, of equal times the least index.
  [[nodiscard]] std::size_t index() const {
    std::size_t place = 1;
    while (place < leaves_) place = least_[2 * place] == least_[place] ? 2 * place : 2 * place + 1;
    return place - leaves_;
  }
  /// Calls visit(i) for every finite time ≤ limit, ascending in i.
  template <class Visit>
  void visit_until(double limit, Visit visit) const {
    descend(1, limit, visit);
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [leaves, least] = self;
    archive(leaves, least);
  }

 private:
  template <class Visit>
  void descend(std::size_t place, double limit, Visit& visit) const {
    if (least_[place] == infinity || !(least_[place] <= limit)) return;
    if (place >= leaves_) return visit(place - leaves_);
    descend(2 * place, limit, visit);
    descend(2 * place + 1, limit, visit);
  }

  std::size_t leaves_ = 1;
  // The tree: the least time below place p, whose children are 2p and 2p + 1; from `leaves_` on the times.
  std::vector<double> least_ = std::vector<double>(2, infinity);
};

}  // namespace terrace
