#include "parallel/together.hpp"

#include <exception>
#include <string>

#include "parallel/communicator.hpp"
#include "parallel/error.hpp"

namespace terrace {

namespace {

struct Failure {
  Error::Kind kind = Error::Kind::run;
  std::string text;
};

Failure attempt(const std::function<void()>& work, bool& failed) {
  failed = true;
  try {
    work();
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  } catch (const std::exception& error) {
    return {Error::Kind::run, error.what()};
  }
  failed = false;
  return {};
}

// An Error with the very text of the one that was thrown on another rank. `where` may hold any words, a
// user's names among them, but no colon before "expected".
Error rebuild(const Failure& failure) {
  const std::string head = "expected ", word = ": " + head;
  if (failure.text.starts_with(head))
    return {failure.kind, "", failure.text.substr(head.size()), "", Error::Reach::all_ranks};
  const auto at = failure.text.find(word);
  if (at == std::string::npos) return {failure.kind, "", "no failure", failure.text, Error::Reach::all_ranks};
  return {failure.kind, failure.text.substr(0, at), failure.text.substr(at + word.size()), "",
          Error::Reach::all_ranks};
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

  int header[2] = {failure.kind == Error::Kind::input ? 1 : 0, static_cast<int>(failure.text.size())};
  check_mpi(MPI_Bcast(header, 2, MPI_INT, culprit, communicator), "MPI_Bcast");
  failure.text.resize(static_cast<std::size_t>(header[1]));
  check_mpi(MPI_Bcast(failure.text.data(), header[1], MPI_CHAR, culprit, communicator), "MPI_Bcast");
  failure.kind = header[0] == 1 ? Error::Kind::input : Error::Kind::run;
  throw rebuild(failure);
}

}  // namespace terrace
