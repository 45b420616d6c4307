// Teams: ranks that work on a part of a system together for a while.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "parallel/communicator.hpp"

namespace terrace {

/// The communicators of teams, each of some ranks of a communicator. One is made when its team first meets
/// and freed when the team has not met for long. All members count alike, so all free it at the same time.
class Teams {
 public:
  explicit Teams(const Communicator& all) : all_(all) {}

  /// All ranks call this when they begin another piece of their work, in which each may be in one team.
  void go_on();
  /// The communicator of `ranks`: numbers in the communicator of all, ascending, this rank among them.
  /// Collective among them; all of them ask for their teams in the same order.
  [[nodiscard]] Communicator& of(const std::vector<int>& ranks);

 private:
  class Team;

  static constexpr std::int64_t long_ = 256;  // pieces of work
  const Communicator& all_;
  std::int64_t now_ = 0;
  std::map<std::vector<int>, std::shared_ptr<Team>> teams_;
};

}  // namespace terrace
