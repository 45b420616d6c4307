#include "dynamics/known_bodies.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/archive.hpp"

namespace terrace {

KnownBodies::KnownBodies(const LivingSubdomains& subdomains, const ContactPairs& pairs, Communicator& ranks)
    : subdomains_(subdomains),
      pairs_(pairs),
      ranks_(ranks),
      known_(static_cast<std::size_t>(pairs.bodies())) {
  know_all();
}

std::span<const std::int32_t> KnownBodies::nodes(const Need& need) const {
  return need.part == Part::whole ? subdomains_.whole_nodes(need.body) : pairs_.surface_nodes(need.body);
}

void KnownBodies::spoil_unknown([[maybe_unused]] State& state) const {
#ifdef TERRACE_ASSERTIONS
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  for (std::int32_t body = 0; body < pairs_.bodies(); ++body) {
    if (known(body) == Part::whole) continue;
    const std::span<const std::int32_t> surface = pairs_.surface_nodes(body);
    for (const std::int32_t node : nodes({body, Part::whole})) {
      if (known(body) == Part::surface && std::ranges::binary_search(surface, node)) continue;
      NodeLine& line = at(state.lines, node);
      line.displacement = line.velocity = {unknown, unknown, unknown};
    }
  }
#endif
}

std::int64_t KnownBodies::ask(std::span<const Need> needs, std::span<const int> holders, State& state) {
  ranks_.count_exchange();
  if (ranks_.size() == 1) return 0;
  const auto ranks = static_cast<std::size_t>(ranks_.size());
  std::vector<std::vector<Need>> asked(ranks);  // of each rank
  for (const Need& need : needs) {
    if (need.part <= known(need.body)) continue;
    TERRACE_VERIFY(at(holders, need.body) != ranks_.rank(), need.body);
    at(asked, at(holders, need.body)).push_back(need);
    know(need.body, need.part);
  }
  std::vector<std::vector<std::byte>> questions, answers;
  for (const std::vector<Need>& of_rank : asked) {
    ByteWriter writer;
    writer.plain_ones(std::span(of_rank));
    questions.push_back(writer.take());
  }
  std::vector<NodeRow> rows;
  for (const std::vector<std::byte>& question : ranks_.bytes_from_each(questions)) {
    std::vector<Need> of_rank(question.size() / sizeof(Need));
    ByteReader reader(question);
    reader.plain_ones(std::span(of_rank));
    rows.clear();
    for (const Need& need : of_rank) {
      TERRACE_VERIFY(known(need.body) == Part::whole, need.body, ranks_.rank());
      for (const std::int32_t node : nodes(need)) rows.push_back(state.row(static_cast<std::size_t>(node)));
    }
    ByteWriter writer;
    writer.plain_ones(std::span<const NodeRow>(rows));
    answers.push_back(writer.take());
  }
  std::vector<std::uint64_t> sizes;
  for (const std::vector<Need>& of_rank : asked) {
    sizes.push_back(0);
    for (const Need& need : of_rank) sizes.back() += nodes(need).size() * sizeof(NodeRow);
  }
  const std::vector<std::vector<std::byte>> told = ranks_.bytes_from_each(answers, sizes);
  std::int64_t bytes = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    ByteReader reader(told[rank]);
    bytes += static_cast<std::int64_t>(told[rank].size());
    for (const Need& need : asked[rank]) {
      const std::span<const std::int32_t> known = nodes(need);
      rows.resize(known.size());
      reader.plain_ones(std::span(rows));
      for (std::size_t i = 0; i < known.size(); ++i)
        state.set_row(static_cast<std::size_t>(known[i]), rows[i]);
    }
  }
  return bytes;
}

}  // namespace terrace
