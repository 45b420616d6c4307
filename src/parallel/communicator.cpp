#include "parallel/communicator.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "numerics/contract.hpp"
#include "parallel/error.hpp"
#include "parallel/in_parts.hpp"
#include "parallel/node_messages.hpp"
#include "parallel/node_sums.hpp"
#include "parallel/profile.hpp"

namespace terrace {

void check_mpi(int result, const char* call) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(result, text, &length);
  throw Error(Error::Kind::run, call, "MPI_SUCCESS", std::string(text, static_cast<std::size_t>(length)));
}

Communicator::Communicator(MPI_Comm handle) : handle_(handle), of_one_(handle == MPI_COMM_SELF) {
  check_mpi(MPI_Comm_rank(handle, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(handle, &size_), "MPI_Comm_size");
}

void Communicator::share_memory() {
  node_sums_ = NodeSums::of(handle_);
  node_messages_ = NodeMessages::of(handle_);
}

// A sum over MPI_COMM_SELF is no traffic and is not booked. In a run of one rank the sums over all ranks are
// booked, as several ranks would need messages for them.
void Communicator::count(std::size_t bytes) {
  ++collectives_;
  if (!of_one_) book(Operation::reduction, {.collectives = 1, .bytes = static_cast<std::int64_t>(bytes)});
}

void Communicator::count_exchange() {
  ++collectives_;
  if (!of_one_) book(Operation::exchange, {.collectives = 1});
}

void Communicator::count_exchange_of_nodes(bool among_all) {
  if (size_ > 1 && among_all) return count_exchange();
  ++exchanges_;
  if (size_ > 1) return;
  if (!of_one_) book(Operation::exchange, {.calls = 1});
}

template <class Value>
void Communicator::reduce(std::span<Value> values, MPI_Datatype type, MPI_Op operation,
                          const std::function<bool(NodeSums&)>& through_memory) {
  const OperationScope reduction(Operation::reduction, !of_one_);
  count(values.size_bytes());
  TERRACE_VERIFY(values.size() <= std::numeric_limits<int>::max(), values.size());
  if (size_ == 1 || (node_sums_ && through_memory && through_memory(*node_sums_))) return;
  check_mpi(
      MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), type, operation, handle_),
      "MPI_Allreduce");
}

void Communicator::sum(std::span<double> values) {
  reduce(values, MPI_DOUBLE, MPI_SUM, [&](NodeSums& memory) { return memory.sum(values); });
}
void Communicator::sum(std::span<std::int64_t> values) { reduce(values, MPI_INT64_T, MPI_SUM); }
void Communicator::sum(std::span<std::uint64_t> values) { reduce(values, MPI_UINT64_T, MPI_SUM); }
void Communicator::maximum(std::span<double> values) {
  reduce(values, MPI_DOUBLE, MPI_MAX, [&](NodeSums& memory) { return memory.maximum(values); });
}

int as_count(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw Error(Error::Kind::run, "message", "at most 2 GB", std::to_string(bytes) + " bytes",
                Error::Reach::all_ranks);
  return static_cast<int>(bytes);
}

std::vector<std::byte> Communicator::bytes_of_all(std::span<const std::byte> mine) const {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(size_));
  const std::uint64_t own = mine.size();
  check_mpi(MPI_Allgather(&own, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, handle_), "MPI_Allgather");
  std::vector<int> counts, places;
  std::size_t total = 0;
  for (const std::uint64_t size : sizes) {
    places.push_back(as_count(total));
    counts.push_back(as_count(size));
    total += size;
  }
  std::vector<std::byte> all(static_cast<std::size_t>(as_count(total)));
  check_mpi(MPI_Allgatherv(mine.data(), counts[static_cast<std::size_t>(rank_)], MPI_BYTE, all.data(),
                           counts.data(), places.data(), MPI_BYTE, handle_),
            "MPI_Allgatherv");
  return all;
}

std::vector<std::vector<std::byte>> Communicator::bytes_from_each(
    std::span<const std::vector<std::byte>> to_each) const {
  TERRACE_VERIFY(std::ssize(to_each) == size_, to_each.size(), size_);
  std::vector<std::uint64_t> outgoing, incoming(to_each.size());
  for (const std::vector<std::byte>& bytes : to_each) outgoing.push_back(bytes.size());
  check_mpi(MPI_Alltoall(outgoing.data(), 1, MPI_UINT64_T, incoming.data(), 1, MPI_UINT64_T, handle_),
            "MPI_Alltoall");
  return bytes_from_each(to_each, incoming);
}

std::vector<std::vector<std::byte>> Communicator::bytes_from_each(
    std::span<const std::vector<std::byte>> to_each, std::span<const std::uint64_t> incoming) const {
  constexpr int tag = 19;
  TERRACE_VERIFY(std::ssize(to_each) == size_ && std::ssize(incoming) == size_, to_each.size(), size_);
  std::vector<std::vector<std::byte>> from_each;
  for (const std::uint64_t size : incoming) from_each.emplace_back(size);
  std::vector<MPI_Request> requests;
  for (int rank = 0; rank < size_; ++rank) {
    std::vector<std::byte>& bytes = from_each[static_cast<std::size_t>(rank)];
    in_parts(bytes.size(), [&](std::size_t first, int count) {
      check_mpi(
          MPI_Irecv(bytes.data() + first, count, MPI_BYTE, rank, tag, handle_, &requests.emplace_back()),
          "MPI_Irecv");
    });
  }
  for (int rank = 0; rank < size_; ++rank) {
    const std::vector<std::byte>& bytes = to_each[static_cast<std::size_t>(rank)];
    in_parts(bytes.size(), [&](std::size_t first, int count) {
      check_mpi(
          MPI_Isend(bytes.data() + first, count, MPI_BYTE, rank, tag, handle_, &requests.emplace_back()),
          "MPI_Isend");
    });
  }
  check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
  return from_each;
}

std::vector<double> Communicator::numbers_of_all(std::span<const double> mine, double patience,
                                                 const std::function<void(double)>& waits,
                                                 const std::function<void()>& meanwhile) const {
  std::vector<double> all(mine.size() * static_cast<std::size_t>(size_));
  const int count = as_count(mine.size());
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallgather(mine.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, handle_, &request),
            "MPI_Iallgather");
  const double start = MPI_Wtime();
  bool is_told = false;
  for (;;) {
    int done = 0;
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) break;
    meanwhile();
    const double seconds = MPI_Wtime() - start;
    if (is_told || seconds < patience) continue;
    is_told = true;
    waits(seconds);
  }
  check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");  // returns at once: the test succeeded
  return all;
}

void Communicator::broadcast(std::span<std::byte> bytes, int from) {
  const OperationScope reduction(Operation::reduction, !of_one_);
  count(bytes.size());
  if (size_ == 1) return;
  check_mpi(MPI_Bcast(bytes.data(), as_count(bytes.size()), MPI_BYTE, from, handle_), "MPI_Bcast");
}

}  // namespace terrace
