#include "parallel/gathered.hpp"

#include <algorithm>
#include <cstdint>

#include "parallel/communicator.hpp"

namespace terrace {

// MPI counts in int.
static constexpr std::size_t most_at_once = std::size_t{1} << 30;

std::vector<std::vector<std::byte>> gathered_at_root(MPI_Comm communicator, std::span<const std::byte> mine) {
  int rank = 0, size = 1;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
  const auto length = static_cast<std::uint64_t>(mine.size());
  std::vector<std::uint64_t> lengths(static_cast<std::size_t>(size));
  check_mpi(MPI_Gather(&length, 1, MPI_UINT64_T, lengths.data(), 1, MPI_UINT64_T, 0, communicator),
            "MPI_Gather");
  const auto in_parts = [](std::size_t total, auto transfer) {
    for (std::size_t first = 0; first < total; first += most_at_once)
      transfer(first, static_cast<int>(std::min(most_at_once, total - first)));
  };
  std::vector<std::vector<std::byte>> all;
  if (rank != 0) {
    in_parts(mine.size(), [&](std::size_t first, int count) {
      check_mpi(MPI_Send(mine.data() + first, count, MPI_BYTE, 0, 0, communicator), "MPI_Send");
    });
    return all;
  }
  all.emplace_back(mine.begin(), mine.end());
  for (int source = 1; source < size; ++source) {
    all.emplace_back(lengths[static_cast<std::size_t>(source)]);
    in_parts(all.back().size(), [&](std::size_t first, int count) {
      check_mpi(
          MPI_Recv(all.back().data() + first, count, MPI_BYTE, source, 0, communicator, MPI_STATUS_IGNORE),
          "MPI_Recv");
    });
  }
  return all;
}

}  // namespace terrace
