#include "app/simulation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>

#include "app/attempt.hpp"
#include "app/c_library.hpp"
#include "app/fields.hpp"
#include "app/interruptions.hpp"
#include "app/measurements.hpp"
#include "app/moving_system.hpp"
#include "app/output_clock.hpp"
#include "app/preparation.hpp"
#include "app/progress.hpp"
#include "app/restart.hpp"
#include "app/run_directory.hpp"
#include "app/small_system_run.hpp"
#include "app/stopwatch.hpp"
#include "app/traces.hpp"
#include "app/trajectories.hpp"
#include "app/version.hpp"
#include "dynamics/measuring/probes.hpp"
#include "dynamics/windows/windowed_energy_stepping.hpp"
#include "io/histories.hpp"
#include "io/output_directory.hpp"
#include "io/summary.hpp"
#include "io/whole_file.hpp"
#include "mesh/mesh_hash.hpp"
#include "numerics/at.hpp"
#include "parallel/error.hpp"
#include "parallel/petsc_options.hpp"
#include "parallel/profile.hpp"
#include "parallel/tell_user.hpp"
#include "parallel/together.hpp"
#include "parallel/words_of.hpp"

namespace terrace {

namespace {

class Run {
 public:
  Run(const Deck& deck, const RunOptions& options, Communicator& communicator);
  /// Returns the program's exit status.
  int perform();

 private:
  void save();
  void heed(Wish wish);
  [[nodiscard]] RunParts parts() {
    return {deck_,          mesh_hash_,   model_hash_,    moving_.system,
            *moving_.state, *integrator_, *measurements_, progress_};
  }
  [[nodiscard]] double history_interval() const;
  [[nodiscard]] double bodies_interval() const;
  void record(bool histories, bool bodies);
  void write_fields();
  void warn(bool ended);
  void integrate();
  void summarize(Summary& summary) const;
  void write_tables(const Summary& summary);
  void finish();
  void tell() const;
  [[nodiscard]] bool keep_what_was_reached(const char* message, bool on_all_ranks) noexcept;

  const Deck& deck_;
  Communicator& communicator_;
  Stopwatch watch_;
  bool root_;
  std::string mesh_hash_, model_hash_;
  DirectoryLock directory_;  // of rank 0
  MovingSystem moving_;
  std::unique_ptr<Integrator> integrator_;
  Traces traces_;
  std::unique_ptr<Measurements> measurements_;
  std::unique_ptr<Probes> probes_;
  std::unique_ptr<Histories> histories_;  // of rank 0
  std::unique_ptr<FieldOutput> fields_;
  std::unique_ptr<TrajectoryOutput> trajectories_;
  OutputProgress progress_;
  Summary ended_;
  bool resumes_;
  bool enough_ = false;   // time.events is reached
  bool stopped_ = false;  // by a signal
  std::optional<Interruptions> interruptions_;
};

Run::Run(const Deck& deck, const RunOptions& options, Communicator& communicator)
    : deck_(deck),
      communicator_(communicator),
      root_(communicator.rank() == 0),
      traces_(options, deck.layout),
      resumes_(options.resumes) {
  Model model = distribute_model(deck, communicator);  // only here: every rank keeps its share
  mesh_hash_ = fmt::format("{:016x}", mesh_hash(model));
  model_hash_ = fmt::format("{:016x}", model_hash(model));
  watch_.lap("mesh");
  const StageScope stage(Stage::set_up);
  moving_ = make_moving_system(deck, model, make_system(deck, model, communicator));
  drop_mesh(model);  // before the integrator makes what is as large
  keep_freed_blocks();
  integrator_ = make_integrator(deck, moving_);
  if (auto* windows = dynamic_cast<WindowedEnergyStepping*>(integrator_.get())) traces_.follow(*windows);
  integrator_->stop_after(deck.maximum_events);
  measurements_ =
      std::make_unique<Measurements>(moving_.system, *moving_.state, *integrator_,
                                     deck.integrator.method->needs.energy_steps, std::move(moving_.warnings));
  probes_ = std::make_unique<Probes>(model.probes, moving_.system);
  interruptions_.emplace(communicator, deck.output.restart_interval,
                         integrator_->window_record() ? Polls::far_apart : Polls::frequent);
  together(communicator.handle(), [&] {
    if (root_) directory_ = take_output_directory(deck.output, resumes_);
  });
  if (resumes_) resume_run(parts());
  fields_ = std::make_unique<FieldOutput>(deck.output, moving_.system, model, communicator);
  trajectories_ = std::make_unique<TrajectoryOutput>(deck, bodies_interval(), moving_.system, model);
  together(communicator.handle(), [&] {
    if (!root_) return;
    histories_ = std::make_unique<Histories>(
        deck.output.directory,
        HistoryOptions{deck.output.bodies, deck.output.single_precision,
                       deck.output.compression == FieldCompression::zlib, !deck.probes.empty()});
  });
  if (resumes_) resume_output({histories_.get(), *trajectories_, *fields_}, progress_, communicator);
  watch_.lap("set-up");
}

// Tables come first: what the restart file counts as written must be on the disk.
void Run::save() {
  const StageScope stage(Stage::output);
  integrator_->bring_up_to_date(*moving_.state);
  const LargeBlocksGoBack memory;
  watch_.lap("stepping");
  fields_->flush();
  together(communicator_.handle(), [&] {
    if (!root_) return;
    histories_->flush();
    trajectories_->write();
    const std::filesystem::path directory(deck_.output.directory);
    for (const char* name :
         {"history.csv", "probes.csv", "bodies.csv", "bodies.h5", "trajectories.vtu", "fields.pvd"})
      if (std::filesystem::exists(directory / name)) bring_to_disk(directory / name);
  });
  save_run(parts());
  watch_.lap("output");
}

void Run::heed(Wish wish) {
  stopped_ = wish == Wish::stop;
  if (wish == Wish::save) save();
}

double Run::history_interval() const {
  return deck_.output.history_interval > 0 ? deck_.output.history_interval : deck_.end_time / 1000;
}

double Run::bodies_interval() const {
  return deck_.output.bodies_interval > 0 ? deck_.output.bodies_interval : history_interval();
}

// A step may pass several of the times asked for: one row then serves them all.
void Run::record(bool histories, bool bodies) {
  histories = histories && moving_.state->time != progress_.last_row;
  bodies = bodies && moving_.state->time != progress_.last_bodies;
  if (!histories && !bodies) return;
  if (histories) progress_.last_row = moving_.state->time;
  if (bodies) progress_.last_bodies = moving_.state->time;
  const StageScope stage(Stage::output);
  watch_.lap("stepping");
  const Diagnostics::Measurement measurement = measurements_->take(bodies);
  const double energies = measurement.system.kinetic + measurement.system.potential;
  if (!std::isfinite(energies + measurement.system.energy))
    throw Error(Error::Kind::run, at_time(moving_.state->time), "finite energies",
                fmt::format("{}", energies), Error::Reach::all_ranks);
  const std::vector<ProbeRecord> probes =
      histories ? probes_->measure(*moving_.state) : std::vector<ProbeRecord>{};
  if (bodies) trajectories_->add(*moving_.state);
  together(communicator_.handle(), [&] {
    if (!root_) return;
    if (histories) histories_->add(measurement.system, probes);
    if (bodies) histories_->add(moving_.state->time, measurement.bodies);
    histories_->flush_if_due();
  });
  warn(false);
  watch_.lap("output");
}

void Run::write_fields() {
  if (moving_.state->time == progress_.last_frame) return;
  progress_.last_frame = moving_.state->time;
  const StageScope stage(Stage::output);
  const LargeBlocksGoBack memory;
  watch_.lap("stepping");
  fields_->write(*moving_.state);
  watch_.lap("output");
}

// Each subject is told once, when it first shows.
void Run::warn(bool ended) {
  for (const Warning& warning : measurements_->tell_warnings(ended))
    if (progress_.warned.insert(warning.subject).second && root_) tell_user("\nwarning: {}\n", warning.text);
}

void Run::integrate() {
  const StageScope stage(Stage::stepping);
  const double end = deck_.end_time;
  const double field_interval = deck_.output.field_interval > 0   ? deck_.output.field_interval
                                : deck_.output.field_interval < 0 ? 2 * end
                                                                  : end / 50;
  Progress progress(moving_.state->time, integrator_->events(), end, root_);
  if (!resumes_) {
    record(true, true);
    write_fields();
  }
  measurements_->start_counting();
  interruptions_->restart_clock();
  OutputClock rows(history_interval()), bodies(bodies_interval()), frames(field_interval);
  OutputClock saves(deck_.output.restart_time > 0 ? deck_.output.restart_time : 2 * end);
  for (OutputClock* clock : {&rows, &bodies, &frames, &saves}) clock->pass(progress_.reached);
  const auto enough = [&] {
    return deck_.maximum_events > 0 && integrator_->events() >= deck_.maximum_events;
  };
  enough_ = enough();
  const bool saves_itself = deck_.output.restart_interval > 0 || deck_.output.restart_time > 0;
  bool ended = false;
  while (!ended) {
    double due = std::min({rows.next(), bodies.next(), frames.next(), saves.next(), end});
    // By rounding, a multiple of an interval that is meant to be the end may fall just before it.
    constexpr double rounding = 1e-12;
    if (end - due < rounding * end) due = end;
    // A run that goes on with other intervals may be beyond a time at which output would have been due.
    const double target = std::max(due, moving_.state->time);
    while (!enough_ && !stopped_ && integrator_->advance(*moving_.state, target)) {
      enough_ = enough();
      progress.report(moving_.state->time, integrator_->events(), measurements_->drifts().energy());
      heed(interruptions_->poll());
    }
    ended = enough_ || stopped_ || due == end;
    if (ended) integrator_->bring_up_to_date(*moving_.state);
    // Before the last row and frame, which are not part of a run that goes on to a later end.
    if (ended && (stopped_ || saves_itself)) save();
    // Integrators by steps stop at the end of a step, which may be beyond several targets.
    const double reached = std::max(target, moving_.state->time);
    record(ended || rows.next() <= reached, ended || bodies.next() <= reached);
    if (ended || frames.next() <= reached) write_fields();
    progress_.reached = reached;
    if (!ended && saves.next() <= reached) save();
    for (OutputClock* clock : {&rows, &bodies, &frames, &saves}) clock->pass(reached);
    if (!ended) heed(interruptions_->poll());  // between two outputs there may be no event for long
  }
  warn(!stopped_);
  watch_.lap("stepping");
  progress.finish();
  measurements_->stop_counting();
}

// Fills in, without communication, what this rank knows of the run: all but the status.
void Run::summarize(Summary& summary) const {
  summary.version = version;
  summary.title = deck_.title;
  summary.deck = deck_.text;
  summary.petsc_options = petsc_options();
  summary.end_time = deck_.end_time;
  summary.ranks = communicator_.size();
  summary.layout = moving_.system.layout;
  summary.mesh_hash = mesh_hash_;
  measurements_->describe(summary);
  // Walls, supports, gravity and fields exert torques: the angular momentum is not conserved then.
  if (!moving_.system.reaction_names.empty()) summary.angular_momentum_drift.reset();
  const std::vector<std::string> unused = warnings_of_unused_petsc_options();
  summary.warnings.insert(summary.warnings.end(), unused.begin(), unused.end());
  summary.wall_seconds = watch_.total();
  summary.wall_seconds_by_phase = watch_.seconds();
}

void Run::write_tables(const Summary& summary) {
  if (histories_) histories_->close();
  trajectories_->write();
  write_subdomain_tables(deck_.output.directory, integrator_->subdomain_records());
  write_summary(deck_.output.directory, summary);
}

// Leaves summary.json (status "failed: …"), the tables and, where all ranks take part, a frame of the state
// as it is. Where one rank alone has failed, the others wait for it: that rank, whichever it is, writes what
// it knows by itself, and the histories end with their last flush. Returns whether all ranks know of the
// error and may end together; not so where one of them alone failed once more meanwhile.
bool Run::keep_what_was_reached(const char* message, bool on_all_ranks) noexcept {
  const auto attempt = [&](auto work) { terrace::attempt(work, message, root_); };
  bool is_known = on_all_ranks || communicator_.size() == 1;
  watch_.lap("stepping");
  measurements_->stop_counting();
  Summary summary;
  attempt([&] { summary.status = fmt::format("failed: {}", message); });
  attempt([&] { summarize(summary); });
  attempt([&] {
    if (histories_) histories_->close();
  });
  const bool is_complete = is_known && attempt_together([&] { measurements_->complete(summary); }, message,
                                                        communicator_, is_known);
  // Ranks that fail at the same moment write one after the other. Rank 0, which ends the run, comes first.
  if (!is_known && !root_)
    std::this_thread::sleep_for(std::chrono::milliseconds(500 + 50 * communicator_.rank() % 1000));
  if (root_ || !is_known) {
    attempt([&] { write_summary(deck_.output.directory, summary); });
    attempt([&] { write_subdomain_tables(deck_.output.directory, integrator_->subdomain_records()); });
    attempt([&] { trajectories_->write(); });
  }
  const auto write_last_frame = [&] {
    write_fields();
    fields_->flush();
  };
  if (is_complete) attempt_together(write_last_frame, message, communicator_, is_known);
  return is_known;
}

int Run::perform() {
  try {
    integrate();
    finish();
  } catch (const Error& error) {
    if (!keep_what_was_reached(error.what(), error.on_all_ranks()))
      throw Error(Error::Kind::run, error.where(), error.expected(), error.found());
    throw;
  } catch (const std::exception& error) {
    std::ignore = keep_what_was_reached(words_of(error), false);
    throw;
  }
  tell();
  return stopped_ ? 1 : 0;
}

void Run::finish() {
  const StageScope stage(Stage::output);
  watch_.lap("output");
  Summary summary;
  summary.status = stopped_ ? "stopped" : enough_ ? "stopped after time.events events" : "done";
  summarize(summary);
  measurements_->complete(summary);
  fields_->flush();
  traces_.gather(moving_.system);
  together(communicator_.handle(), [&] {
    if (!root_) return;
    traces_.write(deck_.output.directory);
    write_tables(summary);
  });
  ended_ = summary;
}

// The largest of the three components.
static std::string in_words(const std::array<std::int64_t, 3>& quanta) {
  if (std::any_of(quanta.begin(), quanta.end(), beyond_counting)) return "over 2^62 quanta: not kept exactly";
  return fmt::format("{} quanta", *std::max_element(quanta.begin(), quanta.end(), [](auto a, auto b) {
                       return std::abs(a) < std::abs(b);
                     }));
}

void Run::tell() const {
  if (!root_) return;
  const Summary& summary = ended_;
  for (const std::string& unused : warnings_of_unused_petsc_options()) tell_user("warning: {}\n", unused);
  fmt::print(
      "{} at t = {:.6g}: {} event{} ({} reflection{}), energy drift {:.1e}, momentum change {}, "
      "angular momentum {}, {:.1f} s\nresults in {}\n",
      summary.status, summary.final_time, summary.events, summary.events == 1 ? "" : "s", summary.reflections,
      summary.reflections == 1 ? "" : "s", summary.energy_drift, in_words(summary.momentum_change),
      summary.angular_momentum_drift          ? fmt::format("drift {:.1e}", *summary.angular_momentum_drift)
      : moving_.system.reaction_names.empty() ? "changed from nothing"
                                              : "not kept (walls, gravity, supports, fields)",
      summary.wall_seconds, deck_.output.directory);
  if (stopped_) fmt::print("the same command with --resume goes on from there\n");
  std::fflush(stdout);
}

}  // namespace

int run_simulation(const Deck& deck, const RunOptions& options, Communicator& communicator) {
  // Before meshing and partitioning, which may take long.
  together(communicator.handle(), [&] {
    if (communicator.rank() != 0) return;
    DirectoryLock::require_none(deck.output.directory);
    if (options.resumes)
      require_writable_directory(deck.output.directory);
    else
      require_free_directory(deck.output.directory, deck.output.overwrite);
  });
  if (deck.system != nullptr) return run_small_system(deck, options.resumes, communicator);
  return Run(deck, options, communicator).perform();
}

}  // namespace terrace
