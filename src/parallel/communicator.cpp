#include "parallel/communicator.hpp"

#include <limits>
#include <string>

#include "numerics/contract.hpp"
#include "parallel/error.hpp"

namespace terrace {

void check_mpi(int result, const char* call) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(result, text, &length);
  throw Error(Error::Kind::run, call, "MPI_SUCCESS", std::string(text, static_cast<std::size_t>(length)));
}

Communicator::Communicator(MPI_Comm handle) : handle_(handle) {
  check_mpi(MPI_Comm_rank(handle, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(handle, &size_), "MPI_Comm_size");
}

template <class Value>
void Communicator::reduce(std::span<Value> values, MPI_Datatype type, MPI_Op operation) {
  ++collectives_;
  TERRACE_VERIFY(values.size() <= std::numeric_limits<int>::max(), values.size());
  if (size_ == 1) return;
  check_mpi(
      MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), type, operation, handle_),
      "MPI_Allreduce");
}

void Communicator::sum(std::span<double> values) { reduce(values, MPI_DOUBLE, MPI_SUM); }
void Communicator::sum(std::span<std::int64_t> values) { reduce(values, MPI_INT64_T, MPI_SUM); }
void Communicator::sum(std::span<std::uint64_t> values) { reduce(values, MPI_UINT64_T, MPI_SUM); }
void Communicator::maximum(std::span<double> values) { reduce(values, MPI_DOUBLE, MPI_MAX); }

}  // namespace terrace
