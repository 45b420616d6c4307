// A cluster's turn in a window.
#pragma once

#include "dynamics/windows/windowed_energy_stepping.hpp"

namespace terrace {

/// For as long as this lives the rank works on one cluster, with those of its team. What another rank of the
/// team counts this one does not.
class WindowedEnergyStepping::Turn {
 public:
  Turn(WindowedEnergyStepping& stepping, const Cluster& cluster)
      : stepping_(stepping),
        cluster_(cluster),
        events_(stepping.inner_.events()),
        searches_(stepping.inner_.searches()),
        balance_(*stepping.inner_.balance()) {
    if (cluster.team == nullptr) return;
    stepping.system_.communicator = cluster.team;
    stepping.inner_.forget_guesses();
    collectives_ = cluster.team->collectives() + cluster.team->exchanges();
  }
  ~Turn() {
    if (cluster_.team == nullptr) return;
    stepping_.system_.communicator = &stepping_.one_rank_;
    stepping_.inner_.forget_guesses();  // which are this team's
    if (cluster_.is_counted_elsewhere()) {
      stepping_.inner_.set_counts(events_, balance_);
      stepping_.searches_elsewhere_ += stepping_.inner_.searches() - searches_;
    } else {
      stepping_.team_collectives_ += cluster_.team->collectives() + cluster_.team->exchanges() - collectives_;
    }
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  WindowedEnergyStepping& stepping_;
  const Cluster& cluster_;
  std::int64_t events_, searches_, collectives_ = 0;
  BalanceRecord balance_;
};

}  // namespace terrace
