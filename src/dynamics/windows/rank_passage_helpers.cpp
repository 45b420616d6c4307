// A rank's passage through a window: clusters that go to ranks with nothing left to do.
#include <algorithm>
#include <utility>

#include "dynamics/windows/rank_passage.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"

namespace terrace {

// Called between two events, but looks only every 30 µs: a look takes longer than the check of the time. Of
// two ranks, one that has nothing to give need not say so before its end: the other has nobody else to ask.
void RankPassage::look_for_questions(const Outcome& outcome) {
  constexpr double between_looks = 3e-5;  // [s]
  if (!may_be_asked()) return;
  const bool has_nothing = begun_ == due_.size() || outcome.reached < asked_about_->end;
  if (has_nothing && system_.ranks.size() == 2 && !questions_.is_sending()) return;
  const double now = MPI_Wtime();
  if (helper_use_ != HelperUse::always && now - looked_for_questions_ < between_looks) return;
  looked_for_questions_ = now;
  try {
    questions_.look([&](int) { return cluster_for(outcome); });
  } catch (const std::exception&) {
    throw LeavesOthersWaiting{std::current_exception()};
  }
}

void RankPassage::answer_with_nothing() {
  if (may_be_asked()) questions_.look(no_cluster);
}

// The work left [elements] in the cluster that this rank has begun, and in its team's cluster, which it must
// do before the clusters that it can give.
double RankPassage::left_to_do(const Outcome& outcome) const {
  double left = 0;
  for (std::size_t i = begun_ == 0 ? 0 : begun_ - 1; i < due_.size(); ++i) {
    const bool is_begun = i < begun_;
    if (!is_begun && due_[i].cluster->team == nullptr) break;  // those of teams come first
    left += work_left(due_[i].foreseen.work, asked_about_->begin, outcome.reached,
                      is_begun ? state_.time : asked_about_->begin, due_[i].cluster->members.size());
  }
  return left;
}

// The packed cluster that this rank gives to one that asks; empty if it gives none. It gives none if all are
// begun, or if a body has cut the window: all others go back then anyway.
std::vector<std::byte> RankPassage::cluster_for(const Outcome& outcome) {
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

// A cluster as it is sent: its number, its bodies, and what the other rank does not know of them: the rows of
// their nodes, and the widened flights.
std::vector<std::byte> RankPassage::packed(const Due& due) const {
  ByteWriter writer;
  writer(due.number, due.cluster->bodies);
  for (const std::int32_t body : due.cluster->bodies) {
    writer(at(asked_about_->flights, body));
    system_.known.write({body, KnownBodies::Part::whole}, state_, writer);
  }
  return writer.take();
}

void RankPassage::let_go_of_due(std::size_t place) {
  const std::int32_t number = due_[place].number;
  if (system_.trace) system_.trace->give(due_[place].cluster->bodies);
  due_.erase(due_.begin() + static_cast<std::ptrdiff_t>(place));
  clusters_.give_away(number);
  if (system_.trace) system_.trace->skip(clocks_.element_evaluations());
}

// Asks another rank for a cluster, and waits for the answer; empty: that rank has none to give.
std::vector<std::byte> RankPassage::cluster_of(int rank, const Outcome& outcome) {
  const WindowPhase phase(system_.trace.get(), Operation::exchange);
  return questions_.ask(rank, no_cluster, long_time,
                        [&](double seconds) { tell_of_waiting(seconds, outcome); });
}

// Takes over and does clusters of other ranks until none of those that are asked gives any more. Asks nobody
// if this rank has cut the window, as all go back then.
void RankPassage::help(const Window& window, Patience& patience, Outcome& outcome) {
  for (const int rank : ranks_to_ask(window, system_.ranks.rank(), system_.ranks.size()))
    while (!outcome.failed && !(outcome.reached < window.end)) {
      try {
        const std::vector<std::byte> told = cluster_of(rank, outcome);
        if (told.empty()) break;
        const WindowPhase phase(system_.trace.get(), Operation::beginning);
        take_cluster(window, told);
      } catch (const std::exception&) {  // the cluster may be on its way, and then no other rank has it
        throw LeavesOthersWaiting{std::current_exception()};
      }
      const WindowPhase phase(system_.trace.get(), Operation::working);
      take_turn(window, begun_++, patience, outcome);
    }
}

void RankPassage::take_cluster(const Window& window, std::span<const std::byte> told) {
  const int me = system_.ranks.rank();
  ByteReader reader(told);
  std::int32_t number = 0;
  Cluster cluster;
  reader(number, cluster.bodies);
  for (const std::int32_t body : cluster.bodies) {
    reader(cluster.flights.emplace_back());
    system_.known.read({body, KnownBodies::Part::whole}, reader, state_);
    system_.known.know(body, KnownBodies::Part::whole);
    system_.common.set_holder(body, me);
  }
  cluster.ranks.assign(cluster.bodies.size(), me);
  cluster.is_everywhere.assign(cluster.bodies.size(), 0);
  cluster.members = {me};
  if (system_.trace) system_.trace->take(window, system_.common.outlook(), number, cluster.bodies);
  const Cluster& taken = clusters_.take(number, std::move(cluster), window);
  due_.push_back(due_of(window, number, taken));
  if (system_.trace) system_.trace->note_fetched(static_cast<std::int64_t>(told.size()));
  if (system_.trace) system_.trace->skip(clocks_.element_evaluations());
}

}  // namespace terrace
