#include "parallel/teams.hpp"

#include <mpi.h>

#include <algorithm>

#include "numerics/contract.hpp"

namespace terrace {
namespace {

MPI_Comm communicator_of(const Communicator& all, const std::vector<int>& ranks) {
  MPI_Group group_of_all = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(all.handle(), &group_of_all), "MPI_Comm_group");
  check_mpi(MPI_Group_incl(group_of_all, static_cast<int>(ranks.size()), ranks.data(), &group),
            "MPI_Group_incl");
  MPI_Comm made = MPI_COMM_NULL;
  check_mpi(MPI_Comm_create_group(all.handle(), group, ranks.front(), &made), "MPI_Comm_create_group");
  check_mpi(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Group_free(&group), "MPI_Group_free");
  check_mpi(MPI_Group_free(&group_of_all), "MPI_Group_free");
  return made;
}

}  // namespace

class Teams::Team {
 public:
  Team(const Communicator& all, const std::vector<int>& ranks)
      : handle_(communicator_of(all, ranks)), communicator_(handle_) {}
  ~Team() {
    int finalized = 0;  // MPI may have ended before, when an error ends the program
    if (MPI_Finalized(&finalized) == MPI_SUCCESS && finalized == 0) MPI_Comm_free(&handle_);
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  [[nodiscard]] Communicator& communicator() { return communicator_; }
  std::int64_t met = 0;

 private:
  MPI_Comm handle_;
  Communicator communicator_;
};

void Teams::go_on() {
  ++now_;
  std::erase_if(teams_, [&](const auto& entry) { return now_ - entry.second->met > long_; });
}

Communicator& Teams::of(const std::vector<int>& ranks) {
  TERRACE_VERIFY(ranks.size() > 1 && std::is_sorted(ranks.begin(), ranks.end()), ranks.size());
  auto known = teams_.find(ranks);
  if (known == teams_.end()) known = teams_.emplace(ranks, std::make_shared<Team>(all_, ranks)).first;
  const std::shared_ptr<Team>& team = known->second;
  team->met = now_;
  return team->communicator();
}

}  // namespace terrace
