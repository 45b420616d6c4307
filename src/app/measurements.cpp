#include "app/measurements.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "dynamics/system/contact_pairs.hpp"
#include "potentials/kernels/packet_kernels.hpp"

namespace terrace {
namespace {

/// The levels of the kernels in use: "x86-64, x86-64-v3" where ranks differ. Collective.
std::string levels_of_all_ranks(Communicator& communicator) {
  const std::span<const PacketKernels* const> levels = compiled_packet_kernels();
  std::vector<std::int64_t> ranks(levels.size(), 0);
  for (std::size_t i = 0; i < levels.size(); ++i) ranks[i] = levels[i] == &packet_kernels();
  communicator.sum(std::span(ranks));
  std::string names;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (ranks[i] > 0) names += (names.empty() ? "" : ", ") + std::string(levels[i]->level);
  return names;
}

ContactExtremes extremes_here(const Integrator& integrator) {
  ContactExtremes mine;
  integrator.report(mine);
  return mine;
}

}  // namespace

Measurements::Measurements(const Lagrangian& system, const State& state, const Integrator& integrator,
                           bool terraces, std::vector<Warning> of_start)
    : system_(system),
      state_(state),
      integrator_(integrator),
      communicator_(*system.communicator),
      terraces_(terraces),
      of_start_(std::move(of_start)),
      diagnostics_(system) {
  if (system.contact_pairs == nullptr) return;
  const std::vector<Warning> weak_contact = system.contact_pairs->weak_contact(terraces);
  of_start_.insert(of_start_.end(), weak_contact.begin(), weak_contact.end());
}

void Measurements::do_not_count_since(const Traffic& before) {
  const Traffic since = so_far().less(before);
  measuring_.collectives += since.collectives;
  measuring_.exchanges += since.exchanges;
}

Diagnostics::Measurement Measurements::take(bool with_bodies) {
  const Traffic before = so_far();
  Diagnostics::Measurement measurement = diagnostics_.measure(state_, integrator_, with_bodies);
  if (with_bodies) vibration_ = Vibration::of(measurement.bodies);
  if (!drifts_.started())
    drifts_.start(measurement.system, measurement.total_momentum,
                  diagnostics_.angular_momentum_scale(state_));
  drifts_.add(measurement.system, measurement.total_momentum);
  extremes_.unfelt_penetration = std::max(extremes_.unfelt_penetration, measurement.unfelt_penetration);
  find_extremes();
  do_not_count_since(before);
  return measurement;
}

void Measurements::note_extremes() {
  const Traffic before = so_far();
  find_extremes();
  do_not_count_since(before);
}

// Collective.
void Measurements::find_extremes() {
  if (!system_.has_contact) return;
  const ContactExtremes mine = extremes_here(integrator_);
  std::array<double, 5> most = {-std::min(mine.least_distance, extremes_.least_distance),
                                std::max(mine.deepest_penetration, extremes_.deepest_penetration),
                                extremes_.unfelt_penetration,
                                std::max(mine.widest_contact, extremes_.widest_contact),
                                std::max(mine.largest_shift, extremes_.largest_shift)};
  communicator_.maximum(most);
  extremes_ = {-most[0], most[1], most[2], 0, most[3], most[4]};
}

std::vector<Warning> Measurements::warnings() const {
  std::vector<Warning> warnings = advice(system_, integrator_, terraces_, drifts_, vibration_, extremes_);
  warnings.insert(warnings.end(), of_start_.begin(), of_start_.end());
  if (!ended_) std::erase_if(warnings, [](const Warning& warning) { return warning.tell == Tell::at_end; });
  return warnings;
}

std::vector<Warning> Measurements::tell_warnings(bool ended) {
  ended_ = ended;
  std::vector<Warning> now = warnings();
  for (const Warning& warning : now)
    if (warning.tell == Tell::at_once) told_[warning.subject] = warning.text;
  return now;
}

void Measurements::start_counting() {
  first_ = so_far();
  first_event_ = integrator_.events();
  measuring_ = {};
}

void Measurements::describe(Summary& summary) const {
  summary.final_time = state_.time;
  summary.simd = packet_kernels().level;
  summary.events = integrator_.events();
  summary.reflections = integrator_.reflections();
  summary.average_step = integrator_.average_step();
  summary.energy_drift = drifts_.energy();
  summary.angular_momentum_drift = drifts_.angular_momentum();
  summary.momentum_change = drifts_.momentum_change();
  const auto events = static_cast<double>(std::max<std::int64_t>(summary.events, 1));
  const auto counted_events = static_cast<double>(std::max<std::int64_t>(summary.events - first_event_, 1));
  summary.collectives_per_event = static_cast<double>(counted_.collectives) / counted_events;
  summary.exchanges_per_event = static_cast<double>(counted_.exchanges) / counted_events;
  summary.balance = integrator_.balance();
  summary.windows = integrator_.window_record();
  summary.concurrency = integrator_.concurrency_record();
  summary.steps = integrator_.step_record();
  summary.wall_seconds_by_part = integrator_.seconds_by_part();
  Monitors& monitors = summary.monitors;
  monitors.least_distance = extremes_.least_distance;
  monitors.deepest_penetration = std::max(extremes_.deepest_penetration, extremes_.unfelt_penetration);
  monitors.widest_contact = extremes_.widest_contact;
  monitors.largest_shift = extremes_.largest_shift;
  if (is_driven(system_))
    monitors.element_scale_energy.reset();
  else if (drifts_.first().energy > 0)
    monitors.element_scale_energy = 2 * vibration_.element_scale / drifts_.first().energy;
  monitors.potential_mismatch = drifts_.potential();
  monitors.share_of_reflections = static_cast<double>(summary.reflections) / events;
  for (const SubdomainRecord& record : integrator_.subdomain_records()) {
    monitors.longest_run = std::max(monitors.longest_run, record.longest_run);
    monitors.largest_energy_mismatch = std::max(monitors.largest_energy_mismatch, record.energy_mismatch);
  }
  if (system_.stable_step > 0) monitors.step_over_stable_step = summary.average_step / system_.stable_step;
  std::map<std::string, std::string> of_before = told_;
  for (const Warning& warning : warnings()) {
    summary.warnings.push_back(warning.text);
    of_before.erase(warning.subject);
  }
  for (const auto& [subject, text] : of_before) summary.warnings.push_back(text);
}

void Measurements::complete(Summary& summary) const {
  std::array<std::int64_t, 3> counts = {integrator_.element_evaluations(), integrator_.gradient_evaluations(),
                                        extremes_here(integrator_).lists};
  communicator_.sum(counts);
  summary.element_evaluations = counts[0];
  summary.gradient_evaluations = counts[1];
  summary.contact_lists = counts[2];
  summary.searches = integrator_.searches();
  summary.simd = levels_of_all_ranks(communicator_);
  summary.state_hash = fmt::format("{:016x}", diagnostics_.state_hash(state_, integrator_));
}

}  // namespace terrace
