#include "parallel/node_memory.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <random>
#include <string>
#include <utility>

#include "parallel/communicator.hpp"

namespace terrace {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "processes share no locks");

// By the token a rank that opens the memory checks that it is the one that rank 0 made.
struct NodeMemory::Header {
  alignas(64) std::uint64_t token;
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

void* mapped(int file, std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

/// Makes and maps memory of that name. Null if there is none to get, as when /dev/shm is full; then no memory
/// of that name remains either.
void* make_memory(const std::string& name, std::size_t bytes) {
  const int file = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  if (file < 0) return nullptr;
  // Without room for all of it, the first process to write beyond the room would be killed.
  const bool has_room = posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0;
  void* memory = has_room ? mapped(file, bytes) : nullptr;
  if (memory == nullptr) shm_unlink(name.c_str());
  close(file);
  return memory;
}

/// Maps the memory of that name; null if this process sees none.
void* open_memory(const std::string& name, std::size_t bytes) {
  const int file = shm_open(name.c_str(), O_RDWR, 0);
  if (file < 0) return nullptr;
  void* memory = mapped(file, bytes);
  close(file);
  return memory;
}

}  // namespace

// All ranks agree on whether all have the memory. MPI's own shared windows are not used: if one rank gets no
// memory, they leave the others waiting.
std::unique_ptr<NodeMemory> NodeMemory::of(MPI_Comm communicator, std::size_t bytes) {
  int rank = 0, ranks = 1;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  if (ranks == 1 || ranks > few || !are_on_one_node(communicator, rank, ranks)) return nullptr;
  std::uint64_t token = 0;
  if (rank == 0) {
    std::random_device random;
    token = (std::uint64_t{random()} << 32) + random();
  }
  check_mpi(MPI_Bcast(&token, 1, MPI_UINT64_T, 0, communicator), "MPI_Bcast");
  const std::string name = fmt::format("/terrace-{:016x}", token);
  std::unique_ptr<NodeMemory> mine(new NodeMemory(communicator, rank, ranks, bytes + sizeof(Header)));
  if (rank == 0) mine->header_ = static_cast<Header*>(make_memory(name, mine->bytes_));
  if (mine->header_ != nullptr) mine->header_->token = token;
  check_mpi(MPI_Barrier(communicator), "MPI_Barrier");
  if (rank != 0) mine->header_ = static_cast<Header*>(open_memory(name, mine->bytes_));
  int all_have_it = mine->header_ != nullptr && mine->header_->token == token ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &all_have_it, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  if (rank == 0) shm_unlink(name.c_str());  // the memory lasts as long as a rank has it mapped
  return all_have_it != 0 ? std::move(mine) : nullptr;
}

NodeMemory::~NodeMemory() {
  if (header_ != nullptr) munmap(header_, bytes_);
}

void* NodeMemory::begin() const { return header_ + 1; }

// For about as long as another rank may take for its share of an event, this only looks at `count`. After
// that, every look also lets MPI make progress and yields the core to others. The probe is for a tag that
// nobody uses, because MPI makes no further progress once a probe finds its message.
void NodeMemory::wait_until(const std::atomic<std::uint64_t>& count, std::uint64_t least) const {
  constexpr int patience = 2000;  // looks; some microseconds
  constexpr int nobodys_tag = 32000;
  for (int looks = 0; count.load(std::memory_order_acquire) < least; ++looks) {
    if (looks < patience) continue;
    int flag = 0;
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, nobodys_tag, communicator_, &flag, MPI_STATUS_IGNORE), "MPI_Iprobe");
    sched_yield();
  }
}

}  // namespace terrace
