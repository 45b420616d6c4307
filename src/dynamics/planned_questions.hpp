// What ranks would ask each other for that windows are planned for, where one rank runs.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "dynamics/known_bodies.hpp"

namespace terrace {

/// As many of KnownBodies as there would be ranks: what each would know, and how many bytes come to it.
class PlannedQuestions {
 public:
  /// The bytes of each body: of its surface, and of all of it.
  struct Size {
    std::int64_t surface, whole;
  };
  PlannedQuestions(int ranks, std::vector<Size> sizes)
      : sizes_(std::move(sizes)),
        times_moved_(sizes_.size(), 0),
        came_(static_cast<std::size_t>(ranks), 0),
        known_(came_.size()) {}

  /// Only this rank knows it from now on.
  void has_moved(std::int32_t body, int rank);
  /// What the rank needs comes to it unless it knows it.
  void ask(int rank, const KnownBodies::Need& need);
  /// The bytes that came to the rank to which most came, since this was last asked.
  [[nodiscard]] std::int64_t most_that_came();

 private:
  struct Known {
    std::int64_t times_moved = -1;
    KnownBodies::Part part = KnownBodies::Part::none;
  };
  std::vector<Size> sizes_;                                     // by body
  std::vector<std::int64_t> times_moved_;                       // by body
  std::vector<std::int64_t> came_;                              // by rank
  std::vector<std::unordered_map<std::int32_t, Known>> known_;  // by rank, by body
};

}  // namespace terrace
