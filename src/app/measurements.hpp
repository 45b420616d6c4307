// What is measured along a run, and what the summary says of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dynamics/measuring/advice.hpp"
#include "dynamics/measuring/diagnostics.hpp"
#include "dynamics/measuring/drifts.hpp"
#include "io/summary.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

/// Measures a run as it goes on, and gives its warnings and its summary. All references given to it must
/// outlive it.
class Measurements {
 public:
  /// `terraces`: whether the integrator uses energy steps. `of_start`: warnings known at the start, which
  /// hold throughout.
  Measurements(const Lagrangian& system, const State& state, const Integrator& integrator, bool terraces,
               std::vector<Warning> of_start);

  /// Measures energies and momenta now, and bodies if `with_bodies`; updates drifts and extremes. Collective.
  Diagnostics::Measurement take(bool with_bodies);
  [[nodiscard]] const Drifts& drifts() const { return drifts_; }
  /// The warnings that apply now; those of Tell::at_end only once the run has `ended`. Those of Tell::at_once
  /// are also kept for the summary, even if they no longer apply at the end.
  std::vector<Warning> tell_warnings(bool ended);

  /// Fills in what this rank knows of the run without communication.
  void describe(Summary& summary) const;
  /// Fills in what needs all ranks: sums and hashes. Collective.
  void complete(Summary& summary) const;

  /// What a resumed run needs; the constructor makes the rest.
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.diagnostics_, self.drifts_, self.extremes_, self.vibration_, self.told_);
  }

  /// Updates the extremes by what contact has seen since the last row. Collective.
  void note_extremes();

  /// From here on collectives and exchanges are counted, except those of the measuring itself.
  void start_counting();
  void stop_counting() { counted_ = so_far().less(first_).less(measuring_); }

 private:
  // Communication among ranks.
  struct Traffic {
    std::int64_t collectives = 0, exchanges = 0;
    [[nodiscard]] Traffic less(const Traffic& other) const {
      return {collectives - other.collectives, exchanges - other.exchanges};
    }
  };
  [[nodiscard]] Traffic so_far() const { return {communicator_.collectives(), communicator_.exchanges()}; }
  void do_not_count_since(const Traffic& before);
  void find_extremes();
  [[nodiscard]] std::vector<Warning> warnings() const;

  const Lagrangian& system_;
  const State& state_;
  const Integrator& integrator_;
  Communicator& communicator_;
  bool terraces_;
  std::vector<Warning> of_start_;
  Diagnostics diagnostics_;
  Drifts drifts_;
  ContactExtremes extremes_;
  bool ended_ = false;                       // the run has come to its end
  Vibration vibration_;                      // in the last row with bodies
  std::map<std::string, std::string> told_;  // last text of each Tell::at_once warning, by subject
  Traffic first_, measuring_, counted_;  // until counting began; by measuring since then; all else since then
  std::int64_t first_event_ = 0;         // number of events when counting began
};

}  // namespace terrace
