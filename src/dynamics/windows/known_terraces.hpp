// The terraces of all bodies, as every rank knows them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/clocked/clocked_terrace.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// One terrace for each body: a terrace is named by its first body, and has all bodies that share it.
class KnownTerraces {
 public:
  /// No terrace is known at first.
  explicit KnownTerraces(std::size_t bodies) : by_first_(bodies), first_of_(bodies, -1) {}

  void forget_all();
  /// Stores a terrace, and drops former terraces of its bodies, which have come together or parted since.
  /// Returns the terrace as stored. Throws BrokenContract when it has no bodies, or when these are not
  /// ascending numbers of bodies.
  const ToldTerrace& learn(ToldTerrace terrace);

  /// By body, the first body of its terrace; −1: not known.
  [[nodiscard]] std::span<const std::int32_t> first_of() const { return first_of_; }
  /// The terrace that the body is part of. Throws BrokenContract when none is known.
  [[nodiscard]] const ToldTerrace& of(std::int32_t body) const;
  /// Calls visit(terrace) for every known terrace, in the order of their first bodies.
  template <class Visit>
  void visit(Visit visit) const {
    for (const ToldTerrace& terrace : by_first_)
      if (!terrace.bodies.empty()) visit(terrace);
  }

 private:
  std::vector<ToldTerrace> by_first_;  // by first body; without bodies where there is none
  std::vector<std::int32_t> first_of_;
};

}  // namespace terrace
