// A communicator whose every call is checked and whose collectives are counted.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace terrace {

class NodeMessages;
class NodeSums;

/// Throws Error(run) naming `call` when an MPI function did not return MPI_SUCCESS.
void check_mpi(int result, const char* call);
/// The size of a message as an int, in which MPI counts. Throws Error(run) for 2 GB and more; the error says
/// that all ranks throw it.
[[nodiscard]] int as_count(std::size_t bytes);

/// The ranks of an MPI communicator, which must outlive this object. Its functions that communicate are
/// collective unless they say otherwise, and throw Error(run) when MPI fails.
class Communicator {
 public:
  explicit Communicator(MPI_Comm handle);

  /// From now on sums and maxima of doubles (NodeSums) and messages between ranks that share nodes
  /// (SharedNodes) go through memory that the ranks share, if they can (NodeMemory::of).
  void share_memory();
  /// The messages through shared memory; null without such memory.
  [[nodiscard]] NodeMessages* node_messages() const { return node_messages_.get(); }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] MPI_Comm handle() const { return handle_; }

  /// Sums and maxima over all ranks, in place; with one rank the values stay as they are. Sums of doubles are
  /// exact, and so have the same bits in every order, only if the terms lie on a common Grid.
  void sum(std::span<double> values);
  void sum(std::span<std::int64_t> values);
  void sum(std::span<std::uint64_t> values);
  void maximum(std::span<double> values);
  /// Overwrites the bytes on every rank with those of rank `from`; their number is the same on all.
  void broadcast(std::span<std::byte> bytes, int from);

  /// The bytes of rank 0, rank 1, … one after the other, on every rank. Throws Error(run) for 2 GB and more
  /// in total.
  [[nodiscard]] std::vector<std::byte> bytes_of_all(std::span<const std::byte> mine) const;

  /// Sends to_each[r] to rank r, of any length; returns what each rank sent to this one, by rank. With
  /// `incoming`, the number of bytes that each rank sends to this one, it is not collective: then only ranks
  /// that send or receive any bytes take part.
  [[nodiscard]] std::vector<std::vector<std::byte>> bytes_from_each(
      std::span<const std::vector<std::byte>> to_each) const;
  [[nodiscard]] std::vector<std::vector<std::byte>> bytes_from_each(
      std::span<const std::vector<std::byte>> to_each, std::span<const std::uint64_t> incoming) const;

  /// The numbers of rank 0, rank 1, … one after the other, on every rank; all ranks give equally many. While
  /// it waits for others it calls `meanwhile()` again and again, and `waits(seconds)` once, if it takes
  /// longer than `patience` [s]. What these throw must end the run, as the exchange is still under way.
  [[nodiscard]] std::vector<double> numbers_of_all(
      std::span<const double> mine, double patience, const std::function<void(double)>& waits,
      const std::function<void()>& meanwhile = [] {}) const;

  /// Number of collectives so far: reductions, broadcasts, and the exchanges among all ranks that
  /// `count_exchange` adds. The same on all ranks.
  [[nodiscard]] std::int64_t collectives() const { return collectives_; }
  void count_exchange();
  /// Counts an exchange of shared nodes, among all ranks or between those that share some. A single rank
  /// exchanges nothing; for it the call is booked (profile.hpp) that several ranks would have made.
  void count_exchange_of_nodes(bool among_all);
  /// Exchanges between ranks that share nodes so far; the same on all ranks.
  [[nodiscard]] std::int64_t exchanges() const { return exchanges_; }

 private:
  template <class Value>
  void reduce(std::span<Value> values, MPI_Datatype type, MPI_Op operation,
              const std::function<bool(NodeSums&)>& through_memory = {});
  void count(std::size_t bytes);

  MPI_Comm handle_;
  int rank_ = 0, size_ = 1;
  bool of_one_;  // MPI_COMM_SELF: this rank alone, however many ranks the run has
  std::int64_t collectives_ = 0, exchanges_ = 0;
  std::shared_ptr<NodeSums> node_sums_;
  std::shared_ptr<NodeMessages> node_messages_;
};

}  // namespace terrace
