#include "dynamics/windows/known_bodies.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"

namespace terrace {

KnownBodies::KnownBodies(const LivingSubdomains& subdomains, const ContactPairs& pairs, Communicator& ranks)
    : subdomains_(subdomains),
      pairs_(pairs),
      ranks_(ranks),
      known_(static_cast<std::size_t>(pairs.bodies()), Part::none) {}

void KnownBodies::know_these(std::span<const std::int32_t> bodies) {
  known_.assign(known_.size(), Part::none);
  for (const std::int32_t body : bodies) know(body, Part::whole);
}

std::span<const std::int32_t> KnownBodies::nodes(const Need& need) const {
  return need.part == Part::whole ? subdomains_.whole_nodes(need.body) : pairs_.surface_nodes(need.body);
}

// The nodes of a body have consecutive numbers: memory can be given back in one piece.
void KnownBodies::forget_moved(State& state) {
  for (const std::int32_t body : moved_) {
    if (known(body) != Part::none) continue;
    const std::span<const std::int32_t> all = nodes({body, Part::whole});
    state.lines.forget(all);
    state.momenta.forget(all);
  }
  moved_.clear();
}

void KnownBodies::spoil([[maybe_unused]] NodeLine& line) {
#ifdef TERRACE_ASSERTIONS
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  line.displacement = line.velocity = {unknown, unknown, unknown};
#endif
}

void KnownBodies::spoil_unknown([[maybe_unused]] State& state) const {
#ifdef TERRACE_ASSERTIONS
  for (std::int32_t body = 0; body < pairs_.bodies(); ++body) {
    if (known(body) == Part::whole) continue;
    const std::span<const std::int32_t> surface = pairs_.surface_nodes(body);
    for (const std::int32_t node : nodes({body, Part::whole})) {
      if (known(body) == Part::surface && std::ranges::binary_search(surface, node)) continue;
      spoil(at(state.lines, node));
    }
  }
#endif
}

std::int64_t KnownBodies::ask(std::span<const Need> needs, std::span<const int> holders, State& state) {
  ranks_.count_exchange();
  if (ranks_.size() == 1) return 0;
  std::vector<std::vector<Need>> asked(static_cast<std::size_t>(ranks_.size()));  // by rank
  for (const Need& need : needs) {
    if (need.part <= known(need.body)) continue;
    TERRACE_VERIFY(at(holders, need.body) != ranks_.rank(), need.body);
    at(asked, at(holders, need.body)).push_back(need);
    know(need.body, need.part);
  }
  std::vector<std::vector<std::byte>> questions, answers;
  std::vector<std::uint64_t> sizes;
  for (const std::vector<Need>& of_rank : asked) {
    ByteWriter writer;
    writer.plain_ones(std::span(of_rank));
    questions.push_back(writer.take());
    sizes.push_back(0);
    for (const Need& need : of_rank) sizes.back() += nodes(need).size() * sizeof(NodeRow);
  }
  for (const std::vector<std::byte>& question : ranks_.bytes_from_each(questions))
    answers.push_back(answer(question, state));
  const std::vector<std::vector<std::byte>> told = ranks_.bytes_from_each(answers, sizes);
  for (std::size_t rank = 0; rank < told.size(); ++rank) learn(asked[rank], told[rank], state);
  return static_cast<std::int64_t>(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
}

void KnownBodies::write(const Need& need, const State& state, ByteWriter& writer) const {
  TERRACE_VERIFY(known(need.body) == Part::whole, need.body, ranks_.rank());
  std::vector<NodeRow> rows;
  rows.reserve(nodes(need).size());
  for (const std::int32_t node : nodes(need)) rows.push_back(state.row(index(node)));
  writer.plain_ones(std::span<const NodeRow>(rows));
}

void KnownBodies::read(const Need& need, ByteReader& reader, State& state) const {
  const std::span<const std::int32_t> all = nodes(need);
  std::vector<NodeRow> rows(all.size());
  reader.plain_ones(std::span(rows));
  for (std::size_t i = 0; i < all.size(); ++i)
    state.set_row(index(all[i]), rows[i], at(subdomains_.system().masses, all[i]));
}

std::vector<std::byte> KnownBodies::answer(std::span<const std::byte> question, const State& state) const {
  std::vector<Need> needs(question.size() / sizeof(Need));
  ByteReader reader(question);
  reader.plain_ones(std::span(needs));
  ByteWriter writer;
  for (const Need& need : needs) write(need, state, writer);
  return writer.take();
}

void KnownBodies::learn(std::span<const Need> needs, std::span<const std::byte> told, State& state) const {
  ByteReader reader(told);
  for (const Need& need : needs) read(need, reader, state);
}

}  // namespace terrace
