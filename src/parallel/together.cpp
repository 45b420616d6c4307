#include "parallel/together.hpp"

#include <array>
#include <exception>
#include <numeric>
#include <string>

#include "parallel/communicator.hpp"
#include "parallel/error.hpp"
#include "parallel/words_of.hpp"

namespace terrace {

namespace {

/// The content of an Error.
struct Failure {
  Error::Kind kind = Error::Kind::run;
  std::array<std::string, 3> texts;  ///< where, expected, found
};

Failure attempt(const std::function<void()>& work, bool& failed) {
  failed = true;
  try {
    work();
  } catch (const Error& error) {
    return {error.kind(), {error.where(), error.expected(), error.found()}};
  } catch (const std::exception& error) {
    return {Error::Kind::run, {"", "no failure", words_of(error)}};
  }
  failed = false;
  return {};
}

/// Collective: gives the failure of rank `culprit` to all ranks.
void tell(Failure& failure, int culprit, MPI_Comm communicator) {
  std::array<int, 4> header = {failure.kind == Error::Kind::input ? 1 : 0};
  std::string all;
  for (std::size_t k = 0; k < 3; ++k) {
    header[k + 1] = static_cast<int>(failure.texts[k].size());
    all += failure.texts[k];
  }
  check_mpi(MPI_Bcast(header.data(), 4, MPI_INT, culprit, communicator), "MPI_Bcast");
  all.resize(static_cast<std::size_t>(std::accumulate(header.begin() + 1, header.end(), 0)));
  check_mpi(MPI_Bcast(all.data(), static_cast<int>(all.size()), MPI_CHAR, culprit, communicator),
            "MPI_Bcast");
  failure.kind = header[0] == 1 ? Error::Kind::input : Error::Kind::run;
  std::size_t from = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    failure.texts[k] = all.substr(from, static_cast<std::size_t>(header[k + 1]));
    from += failure.texts[k].size();
  }
}

}  // namespace

void together(MPI_Comm communicator, const std::function<void()>& work) {
  int rank = 0, size = 1;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");

  bool failed = false;
  Failure failure = attempt(work, failed);
  int culprit = failed ? rank : size;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &culprit, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  if (culprit == size) return;

  tell(failure, culprit, communicator);
  const auto& [where, expected, found] = failure.texts;
  throw Error(failure.kind, where, expected, found, Error::Reach::all_ranks);
}

}  // namespace terrace
