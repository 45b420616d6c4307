#include "io/small_system_summary.hpp"

#include <fmt/core.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "io/whole_file.hpp"

namespace terrace {

namespace {

nlohmann::ordered_json to_json(const SmallSystemSummary& summary) {
  return {{"version", summary.version},
          {"title", summary.title},
          {"status", summary.status},
          {"system", summary.system},
          {"method", summary.method},
          {"end_time", summary.end_time},
          {"final_time", summary.final_time},
          {"steps", summary.steps},
          {"average_step", summary.average_step},
          {"shortest_step", summary.shortest_step},
          {"longest_step", summary.longest_step},
          {"energy", summary.energy},
          {"energy_error", summary.energy_error},
          {"energy_drift", summary.energy_drift},
          {"energy_change", summary.energy_change},
          {"changes_of_invariants", summary.invariants},
          {"force_evaluations", summary.force_evaluations},
          {"hessian_evaluations", summary.hessian_evaluations},
          {"newton_solves", summary.record.newton_solves},
          {"newton_iterations", summary.record.newton_iterations},
          {"newton_reason", summary.record.last_reason},
          {"unsolved_steps", summary.record.unsolved},
          {"rejected_steps", summary.record.rejected},
          {"monitors", summary.record.largest},
          {"wall_seconds", summary.wall_seconds},
          {"wall_seconds_by_phase", summary.wall_seconds_by_phase},
          {"state_hash", summary.state_hash},
          {"warnings", summary.warnings},
          {"petsc_options", summary.petsc_options},
          {"deck", summary.deck}};
}

std::string header(const HamiltonianSystem& system) {
  std::string text = "time,step,energy,kinetic,potential";
  for (const auto* names : {&system.coordinate_names, &system.momentum_names})
    for (const std::string& name : *names) text += "," + name;
  for (const Invariant& invariant : system.invariants) text += "," + invariant.name;
  return text + "\n";
}

}  // namespace

void write_summary(const std::filesystem::path& directory, const SmallSystemSummary& summary) {
  constexpr auto lenient = nlohmann::ordered_json::error_handler_t::replace;
  write_whole_file(directory / "summary.json", to_json(summary).dump(2, ' ', false, lenient) + '\n');
}

SmallSystemHistory::SmallSystemHistory(const std::filesystem::path& directory,
                                       const HamiltonianSystem& system)
    : system_(system), table_(directory / "history.csv", header(system)) {}

void SmallSystemHistory::add(const DenseState& state, std::int64_t step) {
  if (step == last_step_) return;
  const bool in_parts = system_.general == nullptr && !system_.inertia;
  const double energy = system_.energy(state);
  table_.add([&](std::string& text) {
    auto row = std::back_inserter(text);
    fmt::format_to(row, "{},{},{},{},{}", state.time, step, energy,
                   in_parts ? system_.kinetic(state.p) : energy,
                   in_parts ? system_.potential(state.q, state.time) : 0.0);
    for (const auto* values : {&state.q, &state.p})
      for (const double value : *values) fmt::format_to(row, ",{}", value);
    for (const Invariant& invariant : system_.invariants) fmt::format_to(row, ",{}", invariant.value(state));
    text += '\n';
    last_step_ = step;
  });
}

}  // namespace terrace
