// Sends a value from rank 0 to all ranks, by its list of fields (archive.hpp).
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

/// The buffer through which a value goes, `most` bytes at a time: no rank ever holds a second, serialised
/// copy of a large value.
class BroadcastPart {
 public:
  explicit BroadcastPart(MPI_Comm communicator) : communicator_(communicator) {}
  static constexpr std::size_t most = std::size_t{1} << 20;

 protected:
  /// Sends the buffer from rank 0 to all others; collective.
  void pass() {
    check_mpi(MPI_Bcast(bytes_->data(), static_cast<int>(most), MPI_BYTE, 0, communicator_), "MPI_Bcast");
    place_ = 0;
  }
  /// The place of the next `size` bytes. If they do not fit into the buffer any more, it is passed first;
  /// this happens at the same field on all ranks.
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

/// Rank 0's side of a broadcast; `finish` sends the last part.
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

/// The other ranks' side of a broadcast; the constructor receives the first part.
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
