// SharedNodes::add_up_with: adds up shared nodes and numbers by one message from each rank to each other one.
#include <algorithm>
#include <bit>
#include <cstddef>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/profile.hpp"
#include "parallel/shared_nodes.hpp"

namespace terrace {
namespace {

using NodeSpan = std::span<const std::int32_t>;
constexpr std::size_t bits = 64;

std::size_t words_for(std::size_t nodes) { return (nodes + bits - 1) / bits; }

// Appends bits that say which nodes have values other than zero, and then these values. Most nodes that a
// rank may contribute to are far from any contact and have zeros.
void append(std::vector<double>& message, NodeSpan nodes, std::span<const Vector3> values) {
  const std::size_t mask = message.size();
  message.resize(mask + words_for(nodes.size()));
  for (std::size_t word = 0; word * bits < nodes.size(); ++word) {
    std::uint64_t follow = 0;
    const std::size_t end = std::min(nodes.size(), (word + 1) * bits);
    for (std::size_t k = word * bits; k < end; ++k) {
      const Vector3& value = at(values, nodes[k]);
      if (value == Vector3{}) continue;
      follow |= std::uint64_t{1} << k % bits;
      message.insert(message.end(), value.begin(), value.end());
    }
    message[mask + word] = std::bit_cast<double>(follow);
  }
}

// Adds the values that `append` wrote to those of the nodes; returns where the rest of the message begins.
const double* add(const double* message, NodeSpan nodes, std::span<Vector3> values) {
  const double* const mask = message;
  message += words_for(nodes.size());
  for (std::size_t word = 0; word * bits < nodes.size(); ++word)
    for (auto follow = std::bit_cast<std::uint64_t>(mask[word]); follow != 0; follow &= follow - 1) {
      const std::size_t k = word * bits + static_cast<std::size_t>(std::countr_zero(follow));
      at(values, nodes[k]) += Vector3{message[0], message[1], message[2]};
      message += 3;
    }
  return message;
}

}  // namespace

std::array<NodeSpan, 2> SharedNodes::contributed(int rank, int me) const {
  if (rank == me) return {NodeSpan(common_.send), NodeSpan(common_.sum)};
  const auto received = common_.receive.find(rank);
  return {received == common_.receive.end() ? NodeSpan() : NodeSpan(received->second), NodeSpan(common_.sum)};
}

void SharedNodes::add_up_with(const Communicator& communicator, std::span<Vector3> values,
                              std::span<double> numbers, std::span<double> largest) const {
  TERRACE_VERIFY(all_on_all_ranks() && requests_.empty(), peers_.size(), requests_.size());
  const OperationScope operation(Operation::exchange);
  const int me = communicator.rank(), ranks = communicator.size();
  one_message_.resize(static_cast<std::size_t>(ranks));
  std::vector<double>& mine = at(one_message_, me);
  mine.assign(numbers.begin(), numbers.end());
  mine.insert(mine.end(), largest.begin(), largest.end());
  for (const NodeSpan nodes : contributed(me, me)) append(mine, nodes, values);
  const auto bytes = [](std::size_t count) { return static_cast<int>(count * sizeof(double)); };
  const auto for_each_other = [&](auto visit) {
    for (int rank = 0; rank < ranks; ++rank)
      if (rank != me) visit(rank, at(one_message_, rank));
  };
  for_each_other([&](int rank, std::vector<double>& message) {
    std::size_t most = numbers.size() + largest.size();
    for (const NodeSpan nodes : contributed(rank, me)) most += words_for(nodes.size()) + 3 * nodes.size();
    if (message.size() < most) message.resize(most);
    check_mpi(MPI_Irecv(message.data(), bytes(message.size()), MPI_BYTE, rank, tag, communicator.handle(),
                        &requests_.emplace_back()),
              "MPI_Irecv");
  });
  for_each_other([&](int rank, const std::vector<double>&) {
    check_mpi(MPI_Isend(mine.data(), bytes(mine.size()), MPI_BYTE, rank, tag, communicator.handle(),
                        &requests_.emplace_back()),
              "MPI_Isend");
  });
  const std::int64_t copies = ranks - 1;
  book(Operation::exchange, {.messages = copies, .bytes = copies * bytes(mine.size()), .to_all = 1});
  check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
  requests_.clear();
  // All ranks add in the order of ranks: even sums that are not exact, which are thrown away, are the same.
  std::ranges::fill(numbers, 0.0);
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<double>& message = at(one_message_, rank);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += message[i];
    const double* rest = message.data() + numbers.size();
    for (double& one : largest) one = std::max(one, *rest++);
    if (rank == me) continue;
    for (const NodeSpan nodes : contributed(rank, me)) rest = add(rest, nodes, values);
  }
}

}  // namespace terrace
