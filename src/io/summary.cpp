#include "io/summary.hpp"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "io/whole_file.hpp"

namespace terrace {

namespace {

nlohmann::ordered_json largest(const std::array<std::int64_t, 3>& quanta) {
  if (std::any_of(quanta.begin(), quanta.end(), beyond_counting)) return nullptr;
  std::int64_t size = 0;
  for (const std::int64_t quantum : quanta) size = std::max(size, std::abs(quantum));
  return size;
}

nlohmann::ordered_json by_axis(const std::array<std::int64_t, 3>& quanta) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const std::int64_t quantum : quanta)
    all.push_back(beyond_counting(quantum) ? nlohmann::ordered_json() : nlohmann::ordered_json(quantum));
  return all;
}

nlohmann::ordered_json number_or_null(const std::optional<double>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
}

nlohmann::ordered_json to_json(const Monitors& monitors) {
  return {{"share_of_reflections", monitors.share_of_reflections},
          {"longest_run", monitors.longest_run},
          {"step_over_stable_step", monitors.step_over_stable_step},
          {"element_scale_energy", number_or_null(monitors.element_scale_energy)},
          {"potential_mismatch", monitors.potential_mismatch},
          {"largest_energy_mismatch", monitors.largest_energy_mismatch},
          {"least_distance", monitors.least_distance},
          {"deepest_penetration", monitors.deepest_penetration},
          {"widest_contact", monitors.widest_contact},
          {"largest_shift", monitors.largest_shift}};
}

nlohmann::ordered_json to_json(const std::optional<WindowRecord>& windows) {
  if (!windows) return nullptr;
  return {{"windows", windows->windows},
          {"cut_windows", windows->cut_windows},
          {"moved_bodies", windows->moved_bodies},
          {"clusters", windows->clusters},
          {"balance", windows->balance},
          {"teams", windows->teams},
          {"team_events", windows->team_events},
          {"team_collectives", windows->team_collectives},
          {"helped_clusters", windows->helped_clusters}};
}

nlohmann::ordered_json to_json(const std::optional<ConcurrencyRecord>& concurrency) {
  if (!concurrency) return nullptr;
  const auto ratio = [](auto part, auto of) {
    return of > 0 ? static_cast<double>(part) / static_cast<double>(of) : 0.0;
  };
  return {{"rounds", concurrency->rounds},
          {"events", concurrency->events},
          {"events_per_round", ratio(concurrency->events, concurrency->rounds)},
          {"undone_events", concurrency->undone_events},
          {"longest_chain", concurrency->longest_chain},
          {"events_per_round_at_best", ratio(concurrency->events, concurrency->longest_chain)},
          {"work_at_once", ratio(concurrency->work, concurrency->work_of_slowest)}};
}

nlohmann::ordered_json to_json(const std::optional<BalanceRecord>& balance) {
  if (!balance) return nullptr;
  return {{"follows_potential", balance->follows_potential},
          {"largest_debt", balance->largest_debt},
          {"largest_imbalance", balance->largest_imbalance},
          {"largest_unpaid_debt", balance->largest_unpaid_debt},
          {"clipped_kicks", balance->clipped_kicks},
          {"shortened_steps", balance->shortened_steps}};
}

nlohmann::ordered_json to_json(const std::optional<StepRecord>& steps) {
  if (!steps) return nullptr;
  return {{"newton_iterations", steps->newton_iterations},
          {"most_newton_iterations", steps->most_newton_iterations},
          {"linear_iterations", steps->linear_iterations},
          {"halved_steps", steps->halved_steps},
          {"unsolved_steps", steps->unsolved_steps},
          {"shortest", steps->shortest},
          {"longest", steps->longest}};
}

nlohmann::ordered_json to_json(const Summary& summary) {
  return {{"version", summary.version},
          {"title", summary.title},
          {"status", summary.status},
          {"end_time", summary.end_time},
          {"final_time", summary.final_time},
          {"ranks", summary.ranks},
          {"layout", summary.layout},
          {"simd", summary.simd},
          {"events", summary.events},
          {"reflections", summary.reflections},
          {"average_step", summary.average_step},
          {"energy_drift", summary.energy_drift},
          {"momentum_change", largest(summary.momentum_change)},
          {"momentum_change_by_axis", by_axis(summary.momentum_change)},
          {"angular_momentum_drift", number_or_null(summary.angular_momentum_drift)},
          {"collectives_per_event", summary.collectives_per_event},
          {"exchanges_per_event", summary.exchanges_per_event},
          {"element_evaluations", summary.element_evaluations},
          {"gradient_evaluations", summary.gradient_evaluations},
          {"searches", summary.searches},
          {"contact_lists", summary.contact_lists},
          {"wall_seconds", summary.wall_seconds},
          {"wall_seconds_by_phase", summary.wall_seconds_by_phase},
          {"mesh_hash", summary.mesh_hash},
          {"state_hash", summary.state_hash},
          {"monitors", to_json(summary.monitors)},
          {"windows", to_json(summary.windows)},
          {"concurrency", to_json(summary.concurrency)},
          {"balance", to_json(summary.balance)},
          {"steps", to_json(summary.steps)},
          {"wall_seconds_by_part", summary.wall_seconds_by_part},
          {"warnings", summary.warnings},
          {"petsc_options", summary.petsc_options},
          {"deck", summary.deck}};
}

}  // namespace

void write_summary(const std::filesystem::path& directory, const Summary& summary) {
  // A deck that is not UTF-8 is no reason to lose the summary.
  constexpr auto lenient = nlohmann::ordered_json::error_handler_t::replace;
  write_whole_file(directory / "summary.json", to_json(summary).dump(2, ' ', false, lenient) + '\n');
}

}  // namespace terrace
