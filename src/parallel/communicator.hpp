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
/// Of a message, as MPI counts. Throws Error(run), on all ranks alike, for 2 GB and more.
[[nodiscard]] int as_count(std::size_t bytes);

class Communicator {
 public:
  explicit Communicator(MPI_Comm handle);

  /// From now on sums and maxima of doubles (NodeSums), and messages between ranks that share nodes
  /// (SharedNodes), go through memory that the ranks share, where they can. Collective.
  void share_memory();
  /// Null without such memory.
  [[nodiscard]] NodeMessages* node_messages() const { return node_messages_.get(); }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] MPI_Comm handle() const { return handle_; }

  /// In-place sums and maxima over all ranks; on one rank nothing is done. Sums of doubles are exact, hence
  /// the same bits for every order, only when the terms lie on a common Grid.
  void sum(std::span<double> values);
  void sum(std::span<std::int64_t> values);
  void sum(std::span<std::uint64_t> values);
  void maximum(std::span<double> values);
  /// The bytes of the rank `from` on every rank; there are as many on all.
  void broadcast(std::span<std::byte> bytes, int from);

  /// The bytes of rank 0, of rank 1, … on every rank. Throws Error(run) for 2 GB and more.
  [[nodiscard]] std::vector<std::byte> bytes_of_all(std::span<const std::byte> mine) const;

  /// To each rank, by its number, what is for it; returns what each sent to this one, of any length.
  /// Collective, but where it is known how many bytes each sends: then only those that send or get any take
  /// part.
  [[nodiscard]] std::vector<std::vector<std::byte>> bytes_from_each(
      std::span<const std::vector<std::byte>> to_each) const;
  [[nodiscard]] std::vector<std::vector<std::byte>> bytes_from_each(
      std::span<const std::vector<std::byte>> to_each, std::span<const std::uint64_t> incoming) const;

  /// The numbers of rank 0, of rank 1, … on every rank, as many of each. Calls `waits(seconds)` once where
  /// that takes longer than `patience` [s], and `meanwhile()` again and again; what that throws must
  /// end the run, as the exchange is still under way.
  [[nodiscard]] std::vector<double> numbers_of_all(
      std::span<const double> mine, double patience, const std::function<void(double)>& waits,
      const std::function<void()>& meanwhile = [] {}) const;

  /// What all ranks took part in so far, exchanges among all included (they are added by `count_exchange`);
  /// the same on all ranks.
  [[nodiscard]] std::int64_t collectives() const { return collectives_; }
  void count_exchange();
  /// One of shared nodes, among all ranks or between those that share some. Of one rank, which has none, it
  /// is only booked that several would have had it.
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
  bool of_one_;  // of this rank alone, whatever ranks there are
  std::int64_t collectives_ = 0, exchanges_ = 0;
  std::shared_ptr<NodeSums> node_sums_;
  std::shared_ptr<NodeMessages> node_messages_;
};

}  // namespace terrace
