// SubdomainProcess: how it takes events that neighbours told it of.
#include <algorithm>

#include "dynamics/concurrent/subdomain_process.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/profile.hpp"

namespace terrace {

bool SubdomainProcess::take(const std::shared_ptr<const EventMessage>& message) {
  remember(message->place, message->name, message, places_of(*message));
  try {
    const bool renews = push_nodes(*message, taken_.back().pushed);
    follow_body(message->instant);
    if (renews) work_.schedule.renew(message->instant, {&number_, 1});
  } catch (const Error& error) {
    undo_last(error);
  }
  return !failure_;
}

// The places of its own nodes that a message pushes; both lists of nodes are ascending. Sets the forces of
// the message (ProcessWorkspace::told).
std::vector<std::int32_t> SubdomainProcess::places_of(const EventMessage& message) const {
  TERRACE_ASSERT(std::ranges::is_sorted(message.nodes) && std::ranges::is_sorted(global_nodes_), number_);
  std::vector<std::int32_t> places;
  auto own_node = global_nodes_.begin();
  for (std::size_t i = 0; i < message.nodes.size(); ++i) {
    own_node = std::lower_bound(own_node, global_nodes_.end(), message.nodes[i]);
    if (own_node == global_nodes_.end()) break;
    if (*own_node != message.nodes[i]) continue;
    const auto place = static_cast<std::int32_t>(own_node - global_nodes_.begin());
    places.push_back(place);
    at(work_.told, at(own().nodes, place)) = message.gradient[i];
  }
  return places;
}

// As TerraceGraph::follow_bodies.
void SubdomainProcess::follow_body(double instant) {
  if (place_.body < 0) return;
  set_nodes(all_places_);
  boxes_.follow(place_.body, work_.state.lines, instant);
  exit_ = boxes_.exit(place_.body);
}

// Does what State::apply_impulse of the whole system and EnergyStepping::renew_lines do to a neighbour.
// Without contact these look only at nodes that are pushed, so that no others need be set. Returns whether
// its line begins anew: it does not if the event is a pair's that moves none of its nodes, as supports hold
// them (TerraceGraph::neighbours_of).
bool SubdomainProcess::push_nodes(const EventMessage& message, std::span<const std::int32_t> places) {
  set_nodes(own().contact ? all_places_ : places);
  std::vector<std::int32_t> nodes;
  for (const std::int32_t place : places) nodes.push_back(at(own().nodes, place));
  work_.state.apply_impulse(message.instant, message.factor, message.grid, work_.told, nodes, work_.changed,
                            {});  // reactions are booked where the event was done
  const bool renews = boxes_.bodies_of(message.name.subdomain) == nullptr ||
                      std::any_of(nodes.begin(), nodes.end(),
                                  [&](std::int32_t node) { return at(work_.changed, node) != 0; });
  if (renews && !line_is_old_) {
    const OperationScope operation(Operation::line_set_up);
    work_.lines.for_each(
        own(), [&](OnLine& line) { line.update_line(work_.state.lines, state().origin, work_.changed); });
  }
  keep_nodes(places);
  return renews;
}

}  // namespace terrace
