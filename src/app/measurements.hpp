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

/// All references must outlive it.
class Measurements {
 public:
  /// `terraces`: the integrator steps by levels of energy. `of_start`: warnings that hold from the start on.
  Measurements(const Lagrangian& system, const State& state, const Integrator& integrator, bool terraces,
               std::vector<Warning> of_start);

  /// Energies and momenta now, and bodies if asked for; drifts and extremes follow. Collective.
  Diagnostics::Measurement take(bool with_bodies);
  [[nodiscard]] const Drifts& drifts() const { return drifts_; }
  /// What a user should know now, as far as it can be said before the run has `ended`. The summary tells it
  /// too, also where it is no longer so at the end, unless that is what makes it no trouble.
  std::vector<Warning> tell_warnings(bool ended);

  /// What this rank knows of the run, without asking another.
  void describe(Summary& summary) const;
  /// What takes all ranks. Collective.
  void complete(Summary& summary) const;

  /// What a run that goes on must know; the rest is made once.
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.diagnostics_, self.drifts_, self.extremes_, self.vibration_, self.told_);
  }

  /// What contact has seen since the last row. Collective.
  void note_extremes();

  /// From here on collectives and exchanges are counted, but those of measuring.
  void start_counting();
  void stop_counting() { counted_ = so_far().less(first_).less(measuring_); }

 private:
  // Among ranks.
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
  Vibration vibration_;                      // in the last row
  std::map<std::string, std::string> told_;  // the last text of each subject that stays
  Traffic first_, measuring_, counted_;      // until counting began, of measuring since then, of the rest
  std::int64_t first_event_ = 0;             // of those that are counted
};

}  // namespace terrace
