// The terraces of all bodies, as every rank knows them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/clocked/clocked_terrace.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// Of each body one terrace, named by its first body.
class KnownTerraces {
 public:
  /// None is known.
  explicit KnownTerraces(std::size_t bodies) : by_first_(bodies), first_of_(bodies, -1) {}

  void forget_all();
  /// Bodies that came together or parted leave no former terrace behind. Returns the terrace as it is known
  /// now. Throws BrokenContract where its bodies are none, or not ascending numbers of bodies.
  const ToldTerrace& learn(ToldTerrace terrace);

  /// The first body of its terrace, by body.
  [[nodiscard]] std::span<const std::int32_t> first_of() const { return first_of_; }
  /// Throws BrokenContract where none is known.
  [[nodiscard]] const ToldTerrace& of(std::int32_t body) const;
  /// In the order of their first bodies.
  template <class Visit>
  void visit(Visit visit) const {
    for (const ToldTerrace& terrace : by_first_)
      if (!terrace.bodies.empty()) visit(terrace);
  }

 private:
  std::vector<ToldTerrace> by_first_;  // of no bodies where there is none
  std::vector<std::int32_t> first_of_;
};

}  // namespace terrace
