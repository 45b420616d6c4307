// Which nodes the probes of a deck follow.
#include "io/build_probes.hpp"

#include <fmt/core.h>

#include "geometry/show.hpp"
#include "mesh/overlap.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"

namespace terrace {

// Throws Error(input) for a point far from its body: a mistake in a unit, or in the body's place. A point may
// be slightly outside, as facets leave out some of a body that is round.
static void require_inside(const Box& box, const ProbeEntry& entry) {
  constexpr double near = 0.05;
  const double beyond = near * box.diagonal();
  for (std::size_t d = 0; d < 3; ++d)
    if (!(entry.point[d] >= box.low[d] - beyond && entry.point[d] <= box.high[d] + beyond))
      throw Error(Error::Kind::input, entry.where,
                  fmt::format("a point of probe {} in or near the box of body {}, from {} to {}", entry.name,
                              entry.body.name, show(box.low), show(box.high)),
                  show(entry.point));
}

void add_probe(Model& model, const ProbeEntry& entry, const Body& body) {
  require_inside(bounding_box(model, body), entry);
  Probe probe{entry.name, -1};
  double least = infinity;
  for (std::int32_t node = body.first_node; node < body.first_node + body.node_count; ++node) {
    const double distance = norm(at(model.positions, node) - entry.point);
    if (!(distance < least)) continue;
    least = distance;
    probe.node = node;
  }
  model.probes.push_back(std::move(probe));
}

}  // namespace terrace
