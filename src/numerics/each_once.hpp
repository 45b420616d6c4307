// Equal values are kept once.
#pragma once

#include <memory>
#include <set>
#include <utility>

namespace terrace {

/// Of values that can be ordered. Whoever has one shares it with all who have an equal one, and it outlives
/// this.
template <class T>
class EachOnce {
 public:
  /// The one that is equal.
  [[nodiscard]] std::shared_ptr<const T> keep(T value) {
    return *known_.insert(std::make_shared<const T>(std::move(value))).first;
  }

 private:
  using Shared = std::shared_ptr<const T>;
  struct ByContent {
    bool operator()(const Shared& a, const Shared& b) const { return *a < *b; }
  };
  std::set<Shared, ByContent> known_;
};

}  // namespace terrace
