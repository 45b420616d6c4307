#include "parallel/on_last_rank.hpp"

#include <algorithm>

#include "numerics/contract.hpp"
#include "parallel/communicator.hpp"
#include "parallel/together.hpp"

namespace terrace {

// MPI counts in int.
static constexpr std::size_t most_numbers_at_once = std::size_t{1} << 28;

std::vector<std::int32_t> on_last_rank(MPI_Comm communicator, std::size_t count,
                                       const std::function<std::vector<std::int32_t>()>& work) {
  int rank = 0, size = 1;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
  std::vector<std::int32_t> numbers;
  together(communicator, [&] {
    if (rank == size - 1) {
      numbers = work();
      TERRACE_VERIFY(numbers.size() == count, numbers.size(), count);
    } else {
      numbers.resize(count);
    }
  });
  if (size == 1) return numbers;
  for (std::size_t first = 0; first < count; first += most_numbers_at_once)
    check_mpi(
        MPI_Bcast(numbers.data() + first, static_cast<int>(std::min(most_numbers_at_once, count - first)),
                  MPI_INT32_T, size - 1, communicator),
        "MPI_Bcast");
  return numbers;
}

}  // namespace terrace
