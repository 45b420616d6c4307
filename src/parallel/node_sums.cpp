#include "parallel/node_sums.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>

#include "parallel/communicator.hpp"

namespace terrace {

// Two, in turn: who writes the next sum knows that all have written this one, and so have read the last.
struct NodeSums::Place {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "processes share no locks");
  alignas(64) std::atomic<std::uint64_t> written;  // so many sums
  alignas(64) double numbers[2][most];
};

namespace {

bool are_on_one_node(MPI_Comm communicator, int rank, int ranks) {
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node),
            "MPI_Comm_split_type");
  int here = 0;
  check_mpi(MPI_Comm_size(node, &here), "MPI_Comm_size");
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  return here == ranks;
}

}  // namespace

std::unique_ptr<NodeSums> NodeSums::of(MPI_Comm communicator) {
  constexpr int few = 8;  // each rank reads what all others wrote
  int rank = 0, ranks = 1;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  if (ranks == 1 || ranks > few || !are_on_one_node(communicator, rank, ranks)) return nullptr;
  // One more, for places that begin where they must.
  const MPI_Aint bytes = rank == 0 ? static_cast<MPI_Aint>(sizeof(Place)) * (ranks + 1) : 0;
  MPI_Win window = MPI_WIN_NULL;
  void* mine = nullptr;
  // Without memory to share messages will do.
  const int result =
      MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, communicator, static_cast<void*>(&mine), &window);
  int gets_memory = result == MPI_SUCCESS ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &gets_memory, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  if (gets_memory == 0) return nullptr;
  return std::unique_ptr<NodeSums>(new NodeSums(communicator, window, rank, ranks));
}

NodeSums::NodeSums(MPI_Comm communicator, MPI_Win window, int rank, int ranks)
    : communicator_(communicator), window_(window), rank_(rank), ranks_(ranks) {
  MPI_Aint bytes = 0;
  int unit = 0;
  void* first = nullptr;
  check_mpi(MPI_Win_shared_query(window_, 0, &bytes, &unit, static_cast<void*>(&first)),
            "MPI_Win_shared_query");
  auto space = static_cast<std::size_t>(bytes);
  places_ = static_cast<Place*>(std::align(alignof(Place), sizeof(Place), first, space));
  new (&places_[rank_]) Place{};
  check_mpi(MPI_Barrier(communicator_), "MPI_Barrier");
}

NodeSums::~NodeSums() { MPI_Win_free(&window_); }

// As long as another rank may take for its share of an event it looks alone; then MPI has its turn, and
// whoever else wants the core.
void NodeSums::wait_for(const Place& place) const {
  constexpr int patience = 2000;  // some microseconds
  for (int looks = 0; place.written.load(std::memory_order_acquire) <= count_; ++looks) {
    if (looks < patience) continue;
    int flag = 0;
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator_, &flag, MPI_STATUS_IGNORE), "MPI_Iprobe");
    sched_yield();
  }
}

template <class Operation>
bool NodeSums::combine(std::span<double> values, Operation operation) {
  if (values.size() > most) return false;
  const std::size_t turn = count_ % 2;
  Place& mine = places_[rank_];
  std::copy(values.begin(), values.end(), mine.numbers[turn]);
  mine.written.store(count_ + 1, std::memory_order_release);
  for (int rank = 0; rank < ranks_; ++rank) {
    const Place& place = places_[rank];
    if (rank != rank_) wait_for(place);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = rank == 0 ? place.numbers[turn][i] : operation(values[i], place.numbers[turn][i]);
  }
  ++count_;
  return true;
}

bool NodeSums::sum(std::span<double> values) {
  return combine(values, [](double a, double b) { return a + b; });
}
bool NodeSums::maximum(std::span<double> values) {
  return combine(values, [](double a, double b) { return b > a ? b : a; });
}

}  // namespace terrace
