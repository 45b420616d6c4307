#include "app/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <set>
#include <thread>

#include "app/fields.hpp"
#include "app/preparation.hpp"
#include "app/progress.hpp"
#include "app/version.hpp"
#include "dynamics/checking_executor.hpp"
#include "dynamics/decomposition.hpp"
#include "dynamics/diagnostics.hpp"
#include "dynamics/drifts.hpp"
#include "io/histories.hpp"
#include "io/output_directory.hpp"
#include "io/summary.hpp"
#include "mesh/mesh_hash.hpp"
#include "parallel/error.hpp"
#include "parallel/profile.hpp"
#include "parallel/together.hpp"
#include "potentials/packet_kernels.hpp"

namespace terrace {

namespace {

class Stopwatch {
 public:
  /// Seconds since the last call, booked under `phase`.
  void lap(const std::string& phase) {
    const auto now = std::chrono::steady_clock::now();
    seconds_[phase] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }
  [[nodiscard]] const std::map<std::string, double>& seconds() const { return seconds_; }
  [[nodiscard]] double total() const {
    double sum = 0;
    for (const auto& [phase, time] : seconds_) sum += time;
    return sum;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::map<std::string, double> seconds_;
};

std::unique_ptr<Integrator> make_integrator(const Deck& deck, Lagrangian& system, State& state) {
  auto integrator = deck.integrator.method->make(deck.integrator.settings, system, state);
  if (deck.integrator.executor == Executor::checking)
    return std::make_unique<CheckingExecutor>(std::move(integrator));
  return integrator;
}

/// "x86-64, x86-64-v3" where some ranks run one and some the other. Collective.
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

/// By gravity or by a support that moves.
bool is_driven(const Lagrangian& system) {
  return system.gravity != Vector3{} ||
         std::any_of(system.reaction_velocities.begin(), system.reaction_velocities.end(),
                     [](const Vector3& velocity) { return velocity != Vector3{}; });
}

class Run {
 public:
  Run(const Deck& deck, Communicator& communicator);
  void perform();

 private:
  void record_histories();
  void write_fields();
  [[nodiscard]] std::vector<std::string> trouble() const;
  void warn();
  void find_extremes();
  void integrate();
  [[nodiscard]] Summary summarize(const std::string& status) const;
  void complete(Summary& summary);
  void write_tables(const Summary& summary);
  void finish();
  void keep_what_was_reached(const std::string& message, bool on_all_ranks) noexcept;

  const Deck& deck_;
  Communicator& communicator_;
  Stopwatch watch_;
  bool root_;
  Model model_;
  Division division_;
  std::uint64_t mesh_hash_;
  Lagrangian system_;
  std::unique_ptr<State> state_;
  std::unique_ptr<Diagnostics> diagnostics_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<Histories> histories_;
  std::unique_ptr<FieldOutput> fields_;
  double last_row_ = -1, last_frame_ = -1;  // times
  bool stopped_ = false;
  Drifts drifts_;
  ContactExtremes extremes_;
  double vibration_ = 0, element_scale_vibration_ = 0;  // kinetic, of all bodies, in the last row
  std::set<std::string> warned_;
  std::int64_t measuring_collectives_ = 0, loop_collectives_ = 0;
};

Run::Run(const Deck& deck, Communicator& communicator)
    : deck_(deck),
      communicator_(communicator),
      root_(communicator.rank() == 0),
      model_(distribute_model(deck, communicator)),
      mesh_hash_(mesh_hash(model_)) {
  watch_.lap("mesh");
  const StageScope stage(Stage::set_up);
  division_ = divide(deck, model_, communicator.size());
  system_ = decompose(model_, division_.localization, division_.layout, deck.contact, communicator);
  state_ = std::make_unique<State>(system_, largest_momentum(model_));
  std::vector<Vector3> velocities;
  for (const std::int32_t node : system_.global_nodes)
    velocities.push_back(model_.velocities[static_cast<std::size_t>(node)]);
  state_->set_velocities(velocities);
  diagnostics_ = std::make_unique<Diagnostics>(system_);
  integrator_ = make_integrator(deck, system_, *state_);
  together(communicator.handle(), [&] {
    if (!root_) return;
    create_output_directory(deck.output.directory, deck.output.overwrite);
    histories_ = std::make_unique<Histories>(deck.output.directory);
  });
  fields_ = std::make_unique<FieldOutput>(deck.output, system_, model_, communicator);
  model_ = Model{};  // every rank keeps only its share
  watch_.lap("set-up");
}

// A step may pass several of the times asked for: one row then serves them all.
void Run::record_histories() {
  if (state_->time == last_row_) return;
  last_row_ = state_->time;
  const StageScope stage(Stage::output);
  watch_.lap("stepping");
  const std::int64_t before = communicator_.collectives();
  const Diagnostics::Measurement measurement = diagnostics_->measure(*state_, *integrator_);
  vibration_ = element_scale_vibration_ = 0;
  for (const BodyRecord& body : measurement.bodies) {
    vibration_ += body.vibrational_kinetic;
    element_scale_vibration_ += std::min(body.element_scale_kinetic, body.vibrational_kinetic);
  }
  const IntegerMomentum momentum = diagnostics_->total_momentum(*state_);
  if (!drifts_.started())
    drifts_.start(measurement.system, momentum, diagnostics_->angular_momentum_scale(*state_));
  drifts_.add(measurement.system, momentum);
  find_extremes();
  measuring_collectives_ += communicator_.collectives() - before;
  together(communicator_.handle(), [&] {
    if (!root_) return;
    histories_->add(measurement.system);
    histories_->add(state_->time, measurement.bodies);
    histories_->flush_if_due();
  });
  warn();
  watch_.lap("output");
}

void Run::write_fields() {
  if (state_->time == last_frame_) return;
  last_frame_ = state_->time;
  const StageScope stage(Stage::output);
  watch_.lap("stepping");
  fields_->write(*state_);
  watch_.lap("output");
}

std::vector<std::string> Run::trouble() const {
  std::vector<std::string> warnings;
  // Where energy comes from outside the initial one says nothing.
  const double initial_kinetic = is_driven(system_) ? 0 : drifts_.first().kinetic;
  // Ten levels hardly resolve anything; a surface above all energy is never crossed.
  if (deck_.integrator.method->terraces)
    for (const Subdomain& subdomain : system_.subdomains)
      if (initial_kinetic > 0 && !subdomain.impenetrable && subdomain.energy_step > 0.1 * initial_kinetic)
        warnings.push_back(
            fmt::format("subdomain {} has the energy step {:.3g} for a kinetic energy of {:.3g}: it can "
                        "hardly feel any force; "
                        "lower its energy step",
                        subdomain.name, subdomain.energy_step, initial_kinetic));
  integrator_->describe_trouble(system_.stable_step, warnings);
  // As much again is potential energy.
  if (initial_kinetic > 0 && 2 * element_scale_vibration_ > 0.02 * initial_kinetic &&
      element_scale_vibration_ > 0.3 * vibration_)
    warnings.push_back(fmt::format(
        "vibration on the scale of single elements, which no mesh resolves: {:.0f} % of the vibrational "
        "kinetic "
        "energy, with its potential energy {:.1f} % of the kinetic energy at the start, an artefact of the "
        "mesh{}",
        100 * element_scale_vibration_ / vibration_, 200 * element_scale_vibration_ / initial_kinetic,
        deck_.integrator.method->terraces ? " or of the energy step: see whether it falls with it" : ""));
  if (drifts_.energy() > 0.02)
    warnings.push_back(
        fmt::format("the energy is off by up to {:.2g} of what it was: the results mean little. "
                    "Lower integrator.time_step or integrator.time_step_factor",
                    drifts_.energy()));
  if (extremes_.deepest_penetration > 0)
    warnings.push_back(fmt::format(
        "bodies penetrated each other: a vertex is {:.3g} behind a face; raise contact.stiffness or "
        "contact.distance, or use the barrier",
        extremes_.deepest_penetration));
  return warnings;
}

// Collective.
void Run::find_extremes() {
  if (!system_.has_contact) return;
  ContactExtremes mine;
  integrator_->report(mine);
  std::array<double, 2> most = {-mine.least_distance, mine.deepest_penetration};
  communicator_.maximum(most);
  extremes_ = {-most[0], most[1]};
}

// Each subdomain's trouble is told once, when it shows.
void Run::warn() {
  const std::vector<std::string> warnings = trouble();
  for (const std::string& warning : warnings) {
    // What follows these words changes as the run goes on; the trouble is the same.
    const std::string subject = warning.substr(
        0, std::min({warning.find(" for "), warning.find(" at "), warning.find(" is "), warning.find(": ")}));
    if (warned_.insert(subject).second && root_) fmt::print(stderr, "\nwarning: {}\n", warning);
  }
}

void Run::integrate() {
  const StageScope stage(Stage::stepping);
  const double end = deck_.end_time;
  const double history_interval =
      deck_.output.history_interval > 0 ? deck_.output.history_interval : end / 1000;
  const double field_interval = deck_.output.field_interval > 0   ? deck_.output.field_interval
                                : deck_.output.field_interval < 0 ? 2 * end
                                                                  : end / 50;
  Progress progress(end, root_);
  record_histories();
  write_fields();
  const std::int64_t first_collective = communicator_.collectives();
  measuring_collectives_ = 0;
  std::int64_t history = 1, frame = 1;
  bool ended = false;
  while (!ended) {
    const double next_history = static_cast<double>(history) * history_interval;
    const double next_frame = static_cast<double>(frame) * field_interval;
    const double target = std::min({next_history, next_frame, end});
    while (!stopped_ && integrator_->advance(*state_, target)) {
      stopped_ = deck_.maximum_events > 0 && integrator_->events() >= deck_.maximum_events;
      progress.report(state_->time, integrator_->events(), drifts_.energy());
    }
    ended = stopped_ || target == end;
    // An integrator by steps reaches the end of a step, where it may have passed more than one target.
    const double reached = std::max(target, state_->time);
    if (ended || next_history <= reached) record_histories();
    if (ended || next_frame <= reached) write_fields();
    while (static_cast<double>(history) * history_interval <= reached) ++history;
    while (static_cast<double>(frame) * field_interval <= reached) ++frame;
  }
  watch_.lap("stepping");
  progress.finish();
  loop_collectives_ = communicator_.collectives() - first_collective - measuring_collectives_;
}

// What every rank knows of the run, without asking another.
Summary Run::summarize(const std::string& status) const {
  Summary summary;
  summary.version = version;
  summary.title = deck_.title;
  summary.deck = deck_.text;
  summary.status = status;
  summary.end_time = deck_.end_time;
  summary.final_time = state_->time;
  summary.ranks = communicator_.size();
  summary.layout = system_.layout;
  summary.simd = packet_kernels().level;
  summary.mesh_hash = fmt::format("{:016x}", mesh_hash_);
  summary.events = integrator_->events();
  summary.reflections = integrator_->reflections();
  summary.average_step = integrator_->average_step();
  summary.energy_drift = drifts_.energy();
  summary.angular_momentum_drift = drifts_.angular_momentum();
  summary.momentum_change = drifts_.momentum_change();
  const auto events = static_cast<double>(std::max<std::int64_t>(summary.events, 1));
  summary.collectives_per_event = static_cast<double>(loop_collectives_) / events;
  summary.monitors.least_distance = extremes_.least_distance;
  summary.monitors.deepest_penetration = extremes_.deepest_penetration;
  if (drifts_.first().energy > 0)
    summary.monitors.element_scale_energy = 2 * element_scale_vibration_ / drifts_.first().energy;
  summary.monitors.share_of_reflections = static_cast<double>(summary.reflections) / events;
  for (const SubdomainRecord& record : integrator_->subdomain_records()) {
    summary.monitors.longest_run = std::max(summary.monitors.longest_run, record.longest_run);
    summary.monitors.largest_energy_mismatch =
        std::max(summary.monitors.largest_energy_mismatch, record.energy_mismatch);
  }
  if (system_.stable_step > 0)
    summary.monitors.step_over_stable_step = summary.average_step / system_.stable_step;
  summary.warnings = trouble();
  summary.wall_seconds = watch_.total();
  summary.wall_seconds_by_phase = watch_.seconds();
  return summary;
}

// Adds what takes all ranks. Collective.
void Run::complete(Summary& summary) {
  ContactExtremes mine;
  integrator_->report(mine);
  std::array<std::int64_t, 3> counts = {integrator_->element_evaluations(),
                                        integrator_->gradient_evaluations(), mine.lists};
  communicator_.sum(counts);
  summary.element_evaluations = counts[0];
  summary.gradient_evaluations = counts[1];
  summary.contact_lists = counts[2];
  summary.searches = integrator_->searches();
  summary.simd = levels_of_all_ranks(communicator_);
  summary.state_hash = fmt::format("{:016x}", diagnostics_->state_hash(*state_, *integrator_));
}

void Run::write_tables(const Summary& summary) {
  if (histories_) histories_->flush();
  write_subdomain_tables(deck_.output.directory, integrator_->subdomain_records());
  write_summary(deck_.output.directory, summary);
}

// Leaves summary.json (status "failed: …"), the tables and, where all ranks take part, a frame of the state
// as it is. An error of one rank alone leaves the others waiting: that rank, whichever it is, writes what it
// knows by itself, and the histories end with their last flush. What goes wrong here must not hide the error.
void Run::keep_what_was_reached(const std::string& message, bool on_all_ranks) noexcept try {
  watch_.lap("stepping");
  Summary summary = summarize("failed: " + message);
  if (on_all_ranks || communicator_.size() == 1) {
    complete(summary);
    together(communicator_.handle(), [&] {
      if (root_) write_tables(summary);
    });
    write_fields();
  } else {
    // Ranks that fail at the same moment write one after the other, rank 0, which ends the run, first.
    if (!root_)
      std::this_thread::sleep_for(std::chrono::milliseconds(500 + 50 * communicator_.rank() % 1000));
    write_tables(summary);
  }
} catch (const std::exception& second) {
  if (root_)
    fmt::print(stderr, "\nwarning: the results of the failed run are incomplete: {}\n", second.what());
}

void Run::perform() {
  try {
    integrate();
  } catch (const Error& error) {
    keep_what_was_reached(error.what(), error.on_all_ranks());
    throw;
  } catch (const std::exception& error) {
    keep_what_was_reached(error.what(), false);
    throw;
  }
  finish();
}

void Run::finish() {
  const StageScope stage(Stage::output);
  watch_.lap("output");
  Summary summary = summarize(stopped_ ? "stopped after time.events events" : "done");
  complete(summary);
  together(communicator_.handle(), [&] {
    if (root_) write_tables(summary);
  });
  if (!root_) return;
  fmt::print(
      "{} at t = {:.6g}: {} events ({} reflections), energy drift {:.1e}, momentum change {} quanta, "
      "angular momentum drift {:.1e}, {:.1f} s\nresults in {}\n",
      summary.status, summary.final_time, summary.events, summary.reflections, summary.energy_drift,
      *std::max_element(summary.momentum_change.begin(), summary.momentum_change.end(),
                        [](auto a, auto b) { return std::abs(a) < std::abs(b); }),
      summary.angular_momentum_drift, summary.wall_seconds, deck_.output.directory);
  std::fflush(stdout);
}

}  // namespace

void run_simulation(const Deck& deck, Communicator& communicator) { Run(deck, communicator).perform(); }

}  // namespace terrace
