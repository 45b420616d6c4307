// A value from rank 0 to all ranks, by its list of fields (archive.hpp).
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "parallel/archive.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

/// What both sides hold at a time: no message is longer, and a large value is never there twice.
class BroadcastPart {
 public:
  explicit BroadcastPart(MPI_Comm communicator) : communicator_(communicator) {}
  static constexpr std::size_t most = std::size_t{1} << 20;

 protected:
  void pass() {
    check_mpi(MPI_Bcast(bytes_->data(), static_cast<int>(most), MPI_BYTE, 0, communicator_), "MPI_Bcast");
    place_ = 0;
  }
  /// Where the next so many bytes are: in a new part where there is no room for them, on both sides alike.
  std::byte* take(std::size_t size) {
    if (place_ + size > most) pass();
    std::byte* const here = bytes_->data() + place_;
    place_ += size;
    return here;
  }

 private:
  MPI_Comm communicator_;
  std::unique_ptr<std::array<std::byte, most>> bytes_ = std::make_unique<std::array<std::byte, most>>();
  std::size_t place_ = 0;
};

/// Rank 0's side; `finish` sends what is left.
class BroadcastWriter : public Archive<BroadcastWriter>, BroadcastPart {
 public:
  using BroadcastPart::BroadcastPart;
  static constexpr bool reads = false;
  template <class T>
  void plain(const T& x) {
    std::memcpy(take(sizeof(T)), &x, sizeof(T));
  }
  std::size_t size(std::size_t count) {
    plain(static_cast<std::uint64_t>(count));
    return count;
  }
  void finish() { pass(); }
};

/// The side of all others.
class BroadcastReader : public Archive<BroadcastReader>, BroadcastPart {
 public:
  explicit BroadcastReader(MPI_Comm communicator) : BroadcastPart(communicator) { pass(); }
  static constexpr bool reads = true;
  template <class T>
  void plain(T& x) {
    std::memcpy(&x, take(sizeof(T)), sizeof(T));
  }
  std::size_t size(std::size_t /*count*/) {
    std::uint64_t count = 0;
    plain(count);
    return static_cast<std::size_t>(count);
  }
};

/// Collective: afterwards every rank holds rank 0's value. Throws Error(run) when MPI fails.
template <class Value>
void broadcast(Value& value, MPI_Comm communicator) {
  int size = 1, rank = 0;
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  if (size == 1) return;
  if (rank == 0) {
    BroadcastWriter writer(communicator);
    writer(std::as_const(value));
    writer.finish();
  } else {
    BroadcastReader reader(communicator);
    reader(value);
  }
}

}  // namespace terrace
