#include "mesh/partition.hpp"

#include <fmt/core.h>
#include <metis.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "mesh/dual_graph.hpp"
#include "numerics/at.hpp"
#include "parallel/blocked_signals.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

/// Converts numbers from one width to another: METIS is built with 32- or 64-bit numbers. The memory of the
/// numbers passed in is freed, as the graph of a large mesh takes much.
template <class To, class From>
std::vector<To> converted(std::vector<From>&& numbers) {
  if constexpr (std::is_same_v<To, From>) {
    return std::move(numbers);
  } else {
    std::vector<To> others(numbers.size());
    std::transform(numbers.begin(), numbers.end(), others.begin(),
                   [](From number) { return static_cast<To>(number); });
    std::vector<From>().swap(numbers);
    return others;
  }
}

std::string metis_failure(int status) {
  if (status == METIS_ERROR_INPUT) return "METIS reports erroneous input";
  if (status == METIS_ERROR_MEMORY) return "METIS reports insufficient memory";
  return fmt::format("METIS status {}", status);
}

void check_node_indices(const std::vector<Tetrahedron>& tetrahedra, std::int32_t node_count) {
  for (const Tetrahedron& tetrahedron : tetrahedra)
    for (const std::int32_t node : tetrahedron)
      if (node < 0 || node >= node_count)
        throw Error(Error::Kind::run, "partition of tetrahedra",
                    fmt::format("node indices below {}", node_count), std::to_string(node));
}

/// Fills empty parts, which METIS may leave when parts are small: each gets the last tetrahedron of the part
/// that is largest at that time.
void fill_empty_parts(std::vector<std::int32_t>& part_of, int parts) {
  std::vector<std::size_t> sizes(static_cast<std::size_t>(parts), 0);
  for (const std::int32_t part : part_of) ++at(sizes, part);
  if (std::find(sizes.begin(), sizes.end(), std::size_t{0}) == sizes.end()) return;  // saves the lists below
  std::vector<std::vector<std::size_t>> members(static_cast<std::size_t>(parts));
  for (std::size_t e = 0; e < part_of.size(); ++e) at(members, part_of[e]).push_back(e);
  for (std::size_t p = 0; p < members.size(); ++p) {
    if (!members[p].empty()) continue;
    auto largest = std::max_element(members.begin(), members.end(),
                                    [](const auto& a, const auto& b) { return a.size() < b.size(); });
    members[p].push_back(largest->back());
    largest->pop_back();
    part_of[members[p].front()] = static_cast<std::int32_t>(p);
  }
}

/// Partitions the dual graph, in which tetrahedra that share a face are neighbours, with METIS. This is what
/// METIS_PartMeshDual does, but without its lists of nodes. Frees the memory of `tetrahedra`.
std::vector<std::int32_t> metis_dual(std::vector<Tetrahedron>& tetrahedra, std::int32_t node_count, int parts,
                                     int seed) {
  DualGraph graph = dual_graph(tetrahedra, node_count);
  auto element_count = static_cast<idx_t>(tetrahedra.size());
  std::vector<Tetrahedron>().swap(tetrahedra);  // METIS needs the memory
  std::vector<idx_t> first = converted<idx_t>(std::move(graph.first)),
                     neighbours = converted<idx_t>(std::move(graph.neighbours));
  std::array<idx_t, METIS_NOPTIONS> options;
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_SEED] = seed;
  idx_t weights = 1, part_count = parts, cut = 0;
  std::vector<idx_t> part_of(static_cast<std::size_t>(element_count));
  // METIS would take the signal for an error of its own. Other threads have it blocked (main).
  const BlockedSignals waiting{SIGTERM};
  const int status =
      METIS_PartGraphKway(&element_count, &weights, first.data(), neighbours.data(), nullptr, nullptr,
                          nullptr, &part_count, nullptr, nullptr, options.data(), &cut, part_of.data());
  if (status != METIS_OK)
    throw Error(Error::Kind::run, "partition of tetrahedra",
                fmt::format("{} parts of {} tetrahedra", parts, part_of.size()), metis_failure(status));
  return converted<std::int32_t>(std::move(part_of));
}

}  // namespace

std::vector<std::int32_t> partition_tetrahedra(std::vector<Tetrahedron> tetrahedra, std::int32_t node_count,
                                               int parts, int seed) {
  if (parts < 1)
    throw Error(Error::Kind::run, "partition of tetrahedra", "at least one part", std::to_string(parts));
  if (tetrahedra.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) / 4)
    throw Error(Error::Kind::run, "partition of tetrahedra", "at most 2^29 tetrahedra",
                std::to_string(tetrahedra.size()));
  check_node_indices(tetrahedra, node_count);
  if (parts == 1) return std::vector<std::int32_t>(tetrahedra.size(), 0);
  if (static_cast<std::size_t>(parts) >= tetrahedra.size()) {
    std::vector<std::int32_t> one_each(tetrahedra.size());
    std::iota(one_each.begin(), one_each.end(), 0);
    return one_each;
  }
  std::vector<std::int32_t> part_of = metis_dual(tetrahedra, node_count, parts, seed);
  fill_empty_parts(part_of, parts);
  return part_of;
}

}  // namespace terrace
