// Keeps equal values once.
#pragma once

#include <memory>
#include <set>
#include <utility>

namespace terrace {

/// Values of a type with `<`, each kept once: whoever has one shares it with all who have an equal one. A
/// value may outlive this object.
template <class T>
class EachOnce {
 public:
  /// The kept value that is equal to `value`; keeps this one if there is none.
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
