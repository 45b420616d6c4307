#include "parallel/gathered.hpp"

#include <algorithm>
#include <cstdint>

#include "parallel/communicator.hpp"
#include "parallel/in_parts.hpp"

namespace terrace {
namespace {

std::vector<std::byte> received_from(int source, std::size_t length, MPI_Comm communicator) {
  std::vector<std::byte> bytes(length);
  in_parts(length, [&](std::size_t first, int count) {
    check_mpi(MPI_Recv(bytes.data() + first, count, MPI_BYTE, source, 0, communicator, MPI_STATUS_IGNORE),
              "MPI_Recv");
  });
  return bytes;
}

/// On rank 0, calls take(rank, length) for one rank after the other; `take` must receive that rank's bytes.
/// The other ranks send theirs.
template <class Take>
void gather(MPI_Comm communicator, std::span<const std::byte> mine, Take take) {
  int rank = 0, size = 1;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
  const auto length = static_cast<std::uint64_t>(mine.size());
  std::vector<std::uint64_t> lengths(static_cast<std::size_t>(size));
  check_mpi(MPI_Gather(&length, 1, MPI_UINT64_T, lengths.data(), 1, MPI_UINT64_T, 0, communicator),
            "MPI_Gather");
  if (rank != 0) {
    in_parts(mine.size(), [&](std::size_t first, int count) {
      check_mpi(MPI_Send(mine.data() + first, count, MPI_BYTE, 0, 0, communicator), "MPI_Send");
    });
    return;
  }
  for (int source = 0; source < size; ++source) take(source, lengths[static_cast<std::size_t>(source)]);
}

}  // namespace

std::vector<std::vector<std::byte>> gathered_at_root(MPI_Comm communicator, std::span<const std::byte> mine) {
  std::vector<std::vector<std::byte>> all;
  gather(communicator, mine, [&](int rank, std::size_t length) {
    all.push_back(rank == 0 ? std::vector<std::byte>(mine.begin(), mine.end())
                            : received_from(rank, length, communicator));
  });
  return all;
}

void visit_gathered(MPI_Comm communicator, std::span<const std::byte> mine,
                    const std::function<void(int rank, std::span<const std::byte> bytes)>& visit) {
  gather(communicator, mine, [&](int rank, std::size_t length) {
    if (rank == 0) return visit(0, mine);
    visit(rank, received_from(rank, length, communicator));
  });
}

}  // namespace terrace
