#include "parallel/node_messages.hpp"

#include "parallel/communicator.hpp"

namespace terrace {

std::unique_ptr<NodeMessages> NodeMessages::of(MPI_Comm communicator) {
  int ranks = 1;
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  const auto many = static_cast<std::size_t>(ranks);
  auto memory = NodeMemory::of(communicator, many * (many - 1) * sizeof(Box));
  return memory ? std::unique_ptr<NodeMessages>(new NodeMessages(std::move(memory))) : nullptr;
}

}  // namespace terrace
