// What ranks would hold of a model, for any number of them, without that many ranks.
#pragma once

#include <cstdint>

#include "dynamics/system/layout.hpp"
#include "dynamics/system/localization.hpp"

namespace terrace {

/// Of a layout. Numbers of what an event waits for are means over the subdomains that have elements: which of
/// them will have how many events nobody knows here.
struct Shares {
  std::int64_t elements = 0;          ///< of the model
  std::int64_t largest_elements = 0;  ///< on any rank
  /// What the ranks with the largest share of each subdomain hold, added up over subdomains: an event takes
  /// as long as the largest share of its subdomain.
  std::int64_t event_elements = 0;
  std::int32_t empty_ranks = 0;  ///< without elements
  std::int64_t nodes = 0;        ///< copies on any rank, the most
  std::int64_t boundary_nodes =
      0;  ///< of a rank: that others load too, the most; surfaces that all hold apart
  double mean_boundary_nodes = 0;  ///< over all ranks
  std::int32_t neighbours = 0;     ///< ranks to which a rank sends nodes of one subdomain, the most
  double sent_nodes = 0;           ///< in an exchange: by the rank that sends most, each copy counted
  std::int64_t surface_nodes = 0;  ///< that every rank holds, to follow who is near whom
  double surface_copies = 0;  ///< in an exchange: contributions to those, each of which goes to all ranks
};

/// Of elements, contact and walls; weights and supports add no nodes. `layout` is for `ranks`. Where bodies
/// may touch each other all ranks hold surfaces, if contact pairs are apart, but in windows.
[[nodiscard]] Shares shares_of(const Model& model, const Localization& localization, const Layout& layout,
                               int ranks, bool bodies_may_touch);

}  // namespace terrace
