// Asynchronous energy-stepping with many events at once. The motion is, to the bit, that of one event after
// the other.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "dynamics/concurrent/event_chains.hpp"
#include "dynamics/concurrent/process_workspace.hpp"
#include "dynamics/concurrent/round_news.hpp"
#include "dynamics/concurrent/subdomain_process.hpp"
#include "dynamics/records/concurrency_record.hpp"
#include "dynamics/terraces/energy_stepping.hpp"

namespace terrace {

/// An event that is for good: nothing can undo it any more.
struct DoneEvent {
  std::int32_t subdomain = 0;
  double instant = 0;      ///< [s]
  std::int64_t level = 0;  ///< of its terrace afterwards
  bool reflected = false;
  bool operator==(const DoneEvent&) const = default;
};

/// Every subdomain is a process of its own on the rank that has its potentials (SubdomainProcess). In every
/// round a process does its next event if that is earlier than any event that its neighbours, which share
/// nodes with it, may have as far as is known. Then all tell what they did and until when they certainly have
/// no event (RoundNews). A neighbour may yet be pushed by its own neighbours and have an event earlier after
/// all: what was done too early is then undone. Events before anything that may still happen are for good.
/// When a body leaves its box, all processes come as far as that, and pairs of bodies wake up or fall asleep
/// as in one after the other. That costs work only for these pairs, their neighbours, and processes that had
/// events since they began.
///
/// For systems without set constraints, in which each subdomain is on one rank. With contact, each body is
/// one subdomain, each pair of bodies another, and each wall before a body another.
class ConcurrentEnergyStepping : public EnergyStepping {
 public:
  /// As EnergyStepping: each of the two goes on from the State of the other and from what the other saves.
  /// Throws BrokenContract when the system has set constraints, or contact by touching bodies.
  ConcurrentEnergyStepping(Lagrangian& lagrangian, State& state);

  /// Does all events up to `until` and returns false; or stops earlier and returns true, after some rounds or
  /// when there are as many events as there may be (stop_after). Throws Error(run) on all ranks when an event
  /// fails that nothing can come before any more. The state is then that in which one after the other would
  /// fail.
  bool advance(State& state, double until) override;
  void stop_after(std::int64_t events) override { most_events_ = events; }
  void report(ContactExtremes& extremes) const override;
  void restore(const State& state, ByteReader& reader) override;

  [[nodiscard]] std::optional<ConcurrencyRecord> concurrency_record() const override;
  /// The events of the last advance, in the order of one after the other; the same on all ranks.
  [[nodiscard]] const std::vector<DoneEvent>& last_events() const { return done_; }
  [[nodiscard]] std::int64_t element_evaluations() const override {
    return EnergyStepping::element_evaluations() + work_.work_done();
  }
  [[nodiscard]] std::int64_t gradient_evaluations() const override {
    return EnergyStepping::gradient_evaluations() + work_.gradient.element_evaluations();
  }
  [[nodiscard]] std::int64_t searches() const override { return EnergyStepping::searches() + searches_; }

 protected:
  /// Does one event, as EnergyStepping::advance.
  bool advance_one_by_one(State& state, double until) { return EnergyStepping::advance(state, until); }

 private:
  [[nodiscard]] bool is_pair(std::int32_t number) {
    return graph().near_pairs().bodies_of(number) != nullptr;
  }
  [[nodiscard]] std::int32_t subdomain_of_body(std::int32_t body);
  [[nodiscard]] std::int32_t body_of_subdomain(std::int32_t number);
  void make_room();
  void make_process(std::int32_t number);
  void end_process(std::int32_t number);
  [[nodiscard]] std::vector<std::int32_t> shared_nodes(std::int32_t number);
  void find_neighbours(std::int32_t number);
  void take_subdomains();
  [[nodiscard]] ProcessBound bound_at_begin(std::int32_t number);
  void begin_rounds();
  void begin(const State& state);
  void go_on(SubdomainProcess& process, double until);
  void do_round(double until);
  void deliver();
  void find_bounds_after_news(double until);
  /// Times [s] up to which a subdomain searches in a round. Up to `near`, where the next event of a neighbour
  /// is foreseen, it is to know whether it has an event; up to `far` that may be worth knowing.
  struct Reach {
    double near, far;
  };
  [[nodiscard]] Reach worth_searching(std::int32_t subdomain, double until) const;
  void search_on(SubdomainProcess& process, const Reach& reach, std::int64_t enough);
  [[nodiscard]] const EventPlace& bound_after_news(std::int32_t number) const;
  [[nodiscard]] bool is_first_of_neighbours(const SubdomainProcess& process, double until) const;
  void exchange();
  void find_horizon();
  [[nodiscard]] bool has_failed() const;
  [[nodiscard]] bool leaves_box() const;
  std::vector<std::int32_t> undo_unsettled();
  [[nodiscard]] std::vector<std::int32_t> those_that_moved() const;
  std::vector<std::int32_t> tell(State& state, std::vector<std::int32_t> mine);
  void schedule_again(std::int32_t number);
  void pass_exit(State& state);
  void take_changes(const NearPairs::Changes& changes);
  void count_events(State& state, double time);
  [[nodiscard]] std::int64_t uncounted() const { return static_cast<std::int64_t>(done_.size()) - counted_; }
  void fail(State& state);
  bool settle();
  void stop(State& state);
  void end(State& state, double time);

  bool is_stale_ = true;  // processes must be made anew, of the subdomains that are awake then
  ProcessWorkspace work_;
  std::map<std::int32_t, SubdomainProcess> processes_;  // of this rank, by subdomain
  std::vector<std::uint8_t> is_loaded_;                 // by local node: scratch of shared_nodes, else 0
  std::vector<std::vector<std::int32_t>> neighbours_;   // by subdomain: others that may share nodes
  std::vector<std::uint8_t> has_to_do_with_contact_;    // by subdomain: 1 if it or a neighbour has contact
  std::vector<double> last_own_event_;          // by subdomain: instant of the last one told; −∞: none
  std::vector<ProcessBound> known_;             // by subdomain, as told last
  std::map<std::int32_t, EventPlace> guesses_;  // by subdomain: known_ corrected for the last news
  EventPlace horizon_;                          // all before it is for good (global virtual time)
  RoundNews mine_, news_;                       // this rank's of this round, all ranks' of the last
  std::map<EventPlace, DoneEvent> unsettled_;   // events that were told and may still be undone
  EventPlace settled_;                          // of the last event that is for good
  std::vector<DoneEvent> done_;                 // events of this advance that are for good
  std::int64_t counted_ = 0;                    // so many of them are in events() already
  ContactExtremes seen_;                        // by processes that are no more
  EventChains chains_;
  ConcurrencyRecord record_;
  std::int64_t most_events_ = 0;
  std::int64_t searches_ = 0, searches_here_ = 0;  // until the last end(): of all ranks, of this one
  double last_instant_ = 0;                        // of any event of this advance that is for good
};

}  // namespace terrace
