// Which bodies' nodes a rank knows as they are, where each body is worked on by one rank of several, or by
// some.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/state/state.hpp"
#include "dynamics/system/contact_pairs.hpp"
#include "dynamics/system/living_subdomains.hpp"
#include "parallel/archive.hpp"

namespace terrace {

/// Every rank has room for all nodes, which takes memory where it is used (UntouchedArray), and asks for
/// those that it needs: who has worked on a body knows it, others that it has moved. Nothing is sent
/// to whom it does not concern, and again only where all of a body is asked for after its surface.
class KnownBodies {
 public:
  enum class Part : std::int32_t { none, surface, whole };
  struct Need {
    std::int32_t body;
    Part part;
  };

  /// None is known. All outlive this; `subdomains` are of the whole system, with one for each body.
  KnownBodies(const LivingSubdomains& subdomains, const ContactPairs& pairs, Communicator& ranks);

  /// And nothing of others.
  void know_these(std::span<const std::int32_t> bodies);
  /// It has moved: who does not `know` it asks for it when that is necessary.
  void has_moved(std::int32_t body) {
    if (known(body) != Part::none) moved_.push_back(body);
    know(body, Part::none);
  }
  void know(std::int32_t body, Part part) { at(known_, body) = part; }
  [[nodiscard]] Part known(std::int32_t body) const { return at(known_, body); }
  /// Those that have moved, and are still not known, take no memory but at the ends of their rows.
  void forget_moved(State& state);
  /// Where contracts are checked nodes that are not known are made no numbers, lest anybody rely on them.
  void spoil_unknown(State& state) const;

  /// From now on this rank knows what it needs, from who has it: the rank in `holders`, by body, knows the
  /// whole of it. Returns the bytes that came. Collective: one exchange among all, and messages between those
  /// concerned.
  std::int64_t ask(std::span<const Need> needs, std::span<const int> holders, State& state);

  /// The rows of such nodes, as they are told, and as they are taken in by who gets them.
  void write(const Need& need, const State& state, ByteWriter& writer) const;
  void read(const Need& need, ByteReader& reader, State& state) const;

 private:
  [[nodiscard]] std::span<const std::int32_t> nodes(const Need& need) const;
  static void spoil(NodeLine& line);
  [[nodiscard]] std::vector<std::byte> answer(std::span<const std::byte> question, const State& state) const;
  void learn(std::span<const Need> needs, std::span<const std::byte> told, State& state) const;

  const LivingSubdomains& subdomains_;
  const ContactPairs& pairs_;
  Communicator& ranks_;
  std::vector<Part> known_;          // by body
  std::vector<std::int32_t> moved_;  // were known before
};

}  // namespace terrace
