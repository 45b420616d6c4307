// Clocked energy-stepping in windows: clusters that go to ranks with nothing left to do.
#include <algorithm>
#include <utility>

#include "dynamics/windows/windowed_energy_stepping.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"

namespace terrace {

// In the first passage through the window, and where a team has to repeat that; not where all go back.
bool WindowedEnergyStepping::may_be_asked() const {
  return asked_about_ != nullptr && helper_use_ != HelperUse::never && communicator_.size() > 1;
}

// Between two events, but not between any two: to look takes longer than to see that it was done just now.
void WindowedEnergyStepping::look_for_questions(const Outcome& outcome) {
  constexpr double between_looks = 3e-5;  // [s]
  if (!may_be_asked()) return;
  const double now = MPI_Wtime();
  if (helper_use_ != HelperUse::always && now - looked_for_questions_ < between_looks) return;
  looked_for_questions_ = now;
  try {
    questions_.look([&](int) { return cluster_for(outcome); });
  } catch (const std::exception&) {
    throw LeavesOthersWaiting{std::current_exception()};
  }
}

// Of what this rank has begun, and of its team's turns before it can give any [elements].
double WindowedEnergyStepping::left_to_do(const Outcome& outcome) const {
  double left = 0;
  for (std::size_t i = begun_ == 0 ? 0 : begun_ - 1; i < due_.size(); ++i) {
    const bool is_begun = i < begun_;
    if (!is_begun && due_[i].cluster->team == nullptr) break;  // those of teams come first
    left += work_left(due_[i].foreseen.work, asked_about_->begin, outcome.reached,
                      is_begun ? state_.time : asked_about_->begin, due_[i].cluster->members.size());
  }
  return left;
}

// None where all is begun, or where a body has cut the window: the others go back then.
std::vector<std::byte> WindowedEnergyStepping::cluster_for(const Outcome& outcome) {
  if (outcome.reached < asked_about_->end) return {};
  std::vector<OfferedCluster> offered;
  for (std::size_t i = begun_; i < due_.size(); ++i)
    if (due_[i].cluster->team == nullptr) offered.push_back(due_[i].foreseen);
  const std::optional<std::size_t> chosen = cluster_to_give(offered, left_to_do(outcome), helper_use_);
  if (!chosen) return {};
  const std::size_t place = due_.size() - offered.size() + *chosen;
  std::vector<std::byte> cluster = packed(due_[place]);
  let_go_of_due(place);
  return cluster;
}

// What others do not know: the rows of its nodes, and how much room its flights have.
std::vector<std::byte> WindowedEnergyStepping::packed(const Due& due) const {
  ByteWriter writer;
  writer(due.number, due.cluster->bodies);
  for (const std::int32_t body : due.cluster->bodies) {
    writer(at(asked_about_->flights, body));
    known_.write({body, KnownBodies::Part::whole}, state_, writer);
  }
  return writer.take();
}

void WindowedEnergyStepping::let_go_of_due(std::size_t place) {
  const std::int32_t number = due_[place].number;
  const std::vector<std::int32_t> bodies = due_[place].cluster->bodies;
  due_.erase(due_.begin() + static_cast<std::ptrdiff_t>(place));
  clusters_.erase(number);
  work_no_more_on(bodies, bodies);
  inner_.graph().near_pairs().put_in_cluster(bodies, -1);
  if (trace_) trace_->give(bodies);
  if (trace_) trace_->skip(inner_.element_evaluations());
}

// Until nobody of those that may have something left gives any. Where this rank's own clusters have cut the
// window the others go back.
void WindowedEnergyStepping::help(const Window& window, Patience& patience, Outcome& outcome) {
  for (const int rank : ranks_to_ask(window, communicator_.rank(), communicator_.size()))
    while (!outcome.failed && !(outcome.reached < window.end)) {
      try {
        const std::vector<std::byte> told = questions_.ask(
            rank, no_cluster, long_, [&](double seconds) { tell_of_waiting(seconds, outcome); });
        if (told.empty()) break;
        take_cluster(window, told);
      } catch (const std::exception&) {  // nobody else has the cluster any more
        throw LeavesOthersWaiting{std::current_exception()};
      }
      take_turn(window, begun_++, patience, outcome);
    }
}

void WindowedEnergyStepping::take_cluster(const Window& window, std::span<const std::byte> told) {
  ByteReader reader(told);
  std::int32_t number = 0;
  Cluster cluster;
  reader(number, cluster.bodies);
  for (const std::int32_t body : cluster.bodies) {
    reader(cluster.flights.emplace_back());
    known_.read({body, KnownBodies::Part::whole}, reader, state_);
  }
  cluster.ranks.assign(cluster.bodies.size(), communicator_.rank());
  cluster.is_everywhere.assign(cluster.bodies.size(), 0);
  cluster.members = {communicator_.rank()};
  for (const std::int32_t body : cluster.bodies) {
    known_.know(body, KnownBodies::Part::whole);
    at(holder_, body) = communicator_.rank();
  }
  if (trace_) trace_->take(window, outlook_, number, cluster.bodies);
  inner_.graph().near_pairs().put_in_cluster(cluster.bodies, number);
  const Cluster& taken = clusters_.insert_or_assign(number, std::move(cluster)).first->second;
  take_over(taken, window.begin);
  enclose(window, taken);
  due_.push_back(due_of(window, number, taken));
  if (trace_) trace_->note_fetched(static_cast<std::int64_t>(told.size()));
  if (trace_) trace_->skip(inner_.element_evaluations());
}

}  // namespace terrace
