// Ranks that work on a part of a system together, for a while.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "parallel/communicator.hpp"

namespace terrace {

/// Communicators of some of a communicator's ranks. One is made when such a team first meets, and ends when
/// it has not met for long: all its members count alike.
class Teams {
 public:
  explicit Teams(const Communicator& all) : all_(all) {}

  /// All ranks together go on to another piece of their work, in which each may be of one team.
  void go_on();
  /// Of these ranks of all, ascending, of which this rank is one. Collective among them, in the same order on
  /// all of them.
  [[nodiscard]] Communicator& of(const std::vector<int>& ranks);

 private:
  class Team;

  static constexpr std::int64_t long_ = 256;  // in pieces of work
  const Communicator& all_;
  std::int64_t now_ = 0;
  std::map<std::vector<int>, std::shared_ptr<Team>> teams_;
};

}  // namespace terrace
