// Counts what each of any number of ranks would hold of a model, without running on that many.
#pragma once

#include <cstdint>

#include "dynamics/system/layout.hpp"
#include "dynamics/system/localization.hpp"

namespace terrace {

/// What ranks hold and send with a layout. Numbers for an event are means over the subdomains that have
/// elements, as it is unknown how many events each of them will have.
struct Shares {
  std::int64_t elements = 0;          ///< of the model
  std::int64_t largest_elements = 0;  ///< on any rank
  /// The largest share of each subdomain on a rank, added up over subdomains: an event takes as long as the
  /// largest share of its subdomain.
  std::int64_t event_elements = 0;
  std::int32_t empty_ranks = 0;  ///< without elements
  std::int64_t nodes = 0;        ///< the most on a rank, surface_nodes among them
  std::int64_t boundary_nodes =
      0;  ///< the most nodes on a rank that other ranks load too, without surface_nodes
  double mean_boundary_nodes = 0;  ///< the same, as a mean over all ranks
  std::int32_t neighbours = 0;     ///< the most ranks to which one sends nodes of one subdomain
  double sent_nodes = 0;           ///< in an event's exchange: by the rank that sends most, each copy counted
  /// Nodes that every rank holds, to follow which bodies are near each other.
  std::int64_t surface_nodes = 0;
  double surface_copies = 0;  ///< in an event's exchange: contributions to those, which go to all ranks
};

/// Counts elements, and nodes loaded by elements, contact and walls; weights and supports add no nodes.
/// `layout` is for `ranks`. All ranks hold the surfaces of bodies that may touch, if contact pairs are apart
/// (Localization), but not in the layout "windows".
[[nodiscard]] Shares shares_of(const Model& model, const Localization& localization, const Layout& layout,
                               int ranks, bool bodies_may_touch);

}  // namespace terrace
