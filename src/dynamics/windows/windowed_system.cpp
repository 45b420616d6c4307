#include "dynamics/windows/windowed_system.hpp"

#include "parallel/error.hpp"

namespace terrace {
namespace {

const ContactPairs& pairs_of(const Lagrangian& system) {
  if (system.contact_pairs == nullptr || !system.touching_bodies_share)
    throw Error(Error::Kind::input, "layout.kind = \"windows\"",
                "contact of bodies, and localization.kind = \"bodies\" with contact = \"touching\"",
                "another localization", Error::Reach::all_ranks);
  return *system.contact_pairs;
}

std::vector<std::vector<std::int32_t>> surfaces_of(const ContactPairs& pairs) {
  std::vector<std::vector<std::int32_t>> surfaces;
  for (std::int32_t body = 0; body < pairs.bodies(); ++body) {
    const std::span<const std::int32_t> nodes = pairs.surface_nodes(body);
    surfaces.emplace_back(nodes.begin(), nodes.end());
  }
  return surfaces;
}

}  // namespace

WindowedSystem::WindowedSystem(Lagrangian& whole, State& state_of_whole, Communicator& all,
                               const ClockSettings& settings)
    : lagrangian(whole),
      pairs(pairs_of(whole)),
      state(state_of_whole),
      ranks(all),
      clocks(whole, state_of_whole, settings, ClockedEnergyStepping::InParts{}),
      tubes(surfaces_of(pairs)),
      common(whole, clocks),
      known(clocks.graph().subdomains(), pairs, all) {
  if (!clocks.can_divide())
    throw Error(Error::Kind::input, "layout.kind = \"windows\"", "one subdomain for each body",
                "another localization", Error::Reach::all_ranks);
  near_pairs().watch(&tubes);
}

}  // namespace terrace
