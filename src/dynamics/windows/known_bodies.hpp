// The bodies whose nodes a rank knows as they are at present, while other ranks work on other bodies.
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

/// Keeps account of which nodes this rank knows, and asks other ranks for those that it needs. Every rank has
/// room for all nodes, which takes memory only where it is used (UntouchedArray). A rank that worked on a
/// body knows it; all others know that it has moved. Nothing is sent to ranks that did not ask for it, and
/// nothing twice, unless a rank asks for the surface of a body first and for the whole body later.
class KnownBodies {
 public:
  /// How much of a body is known or asked for: no node, the nodes of its surface, or all nodes.
  enum class Part : std::int32_t { none, surface, whole };
  struct Need {
    std::int32_t body;
    Part part;
  };

  /// No body is known at first. `subdomains` are those of the whole system, one for each body. All arguments
  /// outlive this.
  KnownBodies(const LivingSubdomains& subdomains, const ContactPairs& pairs, Communicator& ranks);

  /// From now on this rank knows the whole of these bodies, and nothing of others.
  void know_these(std::span<const std::int32_t> bodies);
  /// The body had events: what this rank knew of it is out of date. If the rank worked on it, know() says so
  /// afterwards; if not, the rank asks for the body when it needs it.
  void has_moved(std::int32_t body) {
    if (known(body) != Part::none) moved_.push_back(body);
    know(body, Part::none);
  }
  void know(std::int32_t body, Part part) { at(known_, body) = part; }
  [[nodiscard]] Part known(std::int32_t body) const { return at(known_, body); }
  /// Gives back the memory of bodies that have moved and are still not known, but for a little at the ends of
  /// their rows.
  void forget_moved(State& state);
  /// In builds that check contracts (TERRACE_ASSERTIONS): sets nodes that are not known to NaN, so that no
  /// use of them goes unnoticed. Does nothing in other builds.
  void spoil_unknown(State& state) const;

  /// Gets what is needed and not known yet from the ranks that have it, into `state`. `holders`: by body, a
  /// rank that knows the whole of it. Returns the number of bytes received. Collective: one exchange among
  /// all ranks, and messages between those concerned.
  std::int64_t ask(std::span<const Need> needs, std::span<const int> holders, State& state);

  /// Write the rows of the nodes of one need, and read them at the rank that gets them. Only a rank that
  /// knows the whole body may write.
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
  std::vector<std::int32_t> moved_;  // bodies that were known before they moved
};

}  // namespace terrace
