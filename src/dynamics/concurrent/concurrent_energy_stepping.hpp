// Asynchronous energy-stepping with many events at once: the bits are those of one after the other.
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

/// An event that is done for good.
struct DoneEvent {
  std::int32_t subdomain = 0;
  double instant = 0;      ///< [s]
  std::int64_t level = 0;  ///< of its terrace afterwards
  bool reflected = false;
  bool operator==(const DoneEvent&) const = default;
};

/// Every subdomain is a process of its own on the rank that has its potentials (SubdomainProcess). In every
/// round those do their next event which have it earlier than all that share nodes with them may have one, as
/// far as is known; then all tell what they did and how far they certainly have no event (RoundNews). A
/// neighbour may yet be changed by its own neighbours and have an event before that; then what was done too
/// early is undone. What lies before all that may still come is for good. Where a body leaves its box, all
/// come as far as that, and pairs of bodies wake up or fall asleep as in one after the other; it costs what
/// they, their neighbours, and those that had events since then are.
///
/// Of systems without set constraints, whose subdomains are each on one rank; with contact each body is one
/// subdomain, each pair of bodies another, and each wall before a body.
class ConcurrentEnergyStepping : public EnergyStepping {
 public:
  /// As EnergyStepping, which goes on from its State and from what it saves, and the other way round.
  ConcurrentEnergyStepping(Lagrangian& lagrangian, State& state);

  /// All events up to `until`; or fewer, after some rounds or when there are as many as there may be
  /// (stop_after): true then. Throws Error(run) on all ranks when an event fails that nothing can undo any
  /// more, with the state that one after the other would fail in.
  bool advance(State& state, double until) override;
  void stop_after(std::int64_t events) override { most_events_ = events; }
  void report(ContactExtremes& extremes) const override;
  void restore(const State& state, ByteReader& reader) override;

  [[nodiscard]] std::optional<ConcurrencyRecord> concurrency_record() const override;
  /// Those of the last advance, in the order of one after the other; the same on all ranks.
  [[nodiscard]] const std::vector<DoneEvent>& last_events() const { return done_; }
  [[nodiscard]] std::int64_t element_evaluations() const override {
    return EnergyStepping::element_evaluations() + work_.work_done();
  }
  [[nodiscard]] std::int64_t gradient_evaluations() const override {
    return EnergyStepping::gradient_evaluations() + work_.gradient.element_evaluations();
  }
  [[nodiscard]] std::int64_t searches() const override { return EnergyStepping::searches() + searches_; }

 protected:
  /// One event, as EnergyStepping::advance.
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
  /// Up to where a subdomain is to know in a round whether it has an event (the next one that is known of a
  /// neighbour), and up to where it may be worth knowing.
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

  bool is_stale_ = true;  // processes are to be made of what is awake now
  ProcessWorkspace work_;
  std::map<std::int32_t, SubdomainProcess> processes_;  // of this rank, by subdomain
  std::vector<std::uint8_t> is_loaded_;                 // by local node; 0 but while shared_nodes looks
  std::vector<std::vector<std::int32_t>> neighbours_;   // by subdomain: that may share nodes
  std::vector<std::uint8_t> has_to_do_with_contact_;    // by subdomain: itself, or a neighbour
  std::vector<double> last_own_event_;                  // by subdomain, of those that were told; −∞: none
  std::vector<ProcessBound> known_;                     // by subdomain, as told last
  std::map<std::int32_t, EventPlace> guesses_;          // by subdomain: what the news make of known places
  EventPlace horizon_;                                  // before which all is for good
  RoundNews mine_, news_;                               // of this round, of the last one
  std::map<EventPlace, DoneEvent> unsettled_;
  EventPlace settled_;  // the last that is for good
  std::vector<DoneEvent> done_;
  std::int64_t counted_ = 0;  // of them, among the events
  ContactExtremes seen_;      // by processes that are no more
  EventChains chains_;
  ConcurrencyRecord record_;
  std::int64_t most_events_ = 0;
  std::int64_t searches_ = 0, searches_here_ = 0;  // of all ranks at the last end; of this one until then
  double last_instant_ = 0;
};

}  // namespace terrace
