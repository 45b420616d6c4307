#include "parallel/node_sums.hpp"

#include <algorithm>
#include <atomic>

#include "numerics/contract.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

// Two sets of numbers, used in turn. A rank that writes its numbers for the next sum has seen that all ranks
// wrote theirs for this one, so all of them have read those of the sum before, which it overwrites.
struct NodeSums::Place {
  alignas(64) std::atomic<std::uint64_t> written;  // sums so far
  std::size_t counts[2];                           // in the cache line that others read anyway
  alignas(64) double numbers[2][most];
};

std::unique_ptr<NodeSums> NodeSums::of(MPI_Comm communicator) {
  int ranks = 1;
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  auto memory = NodeMemory::of(communicator, static_cast<std::size_t>(ranks) * sizeof(Place));
  return memory ? std::unique_ptr<NodeSums>(new NodeSums(std::move(memory))) : nullptr;
}

template <class Operation>
bool NodeSums::combine(std::span<double> values, Operation operation) {
  if (values.size() > most) return false;
  const std::size_t turn = count_ % 2;
  auto* const places = static_cast<Place*>(memory_->begin());
  ++count_;
  Place& mine = places[memory_->rank()];
  mine.counts[turn] = values.size();
  std::copy(values.begin(), values.end(), mine.numbers[turn]);
  mine.written.store(count_, std::memory_order_release);
  for (int rank = 0; rank < memory_->ranks(); ++rank) {
    const Place& place = places[rank];
    memory_->wait_until(place.written, count_);
    TERRACE_VERIFY(place.counts[turn] == values.size(), place.counts[turn], values.size(), rank);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = rank == 0 ? place.numbers[turn][i] : operation(values[i], place.numbers[turn][i]);
  }
  return true;
}

bool NodeSums::sum(std::span<double> values) {
  return combine(values, [](double a, double b) { return a + b; });
}
bool NodeSums::maximum(std::span<double> values) {
  return combine(values, [](double a, double b) { return b > a ? b : a; });
}

}  // namespace terrace
