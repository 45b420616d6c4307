// A subdomain that goes ahead of the others, and goes back when it went too far.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dynamics/concurrent/event_message.hpp"
#include "dynamics/concurrent/process_workspace.hpp"
#include "dynamics/terraces/near_pairs.hpp"
#include "dynamics/terraces/subdomain_state.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"

namespace terrace {

/// All that decides a subdomain's future, with its nodes as it knows them.
struct ProcessState {
  SubdomainState subdomain;
  double known_event = 0, none_before = 0;  ///< as in Schedule
  std::vector<NodeLine> lines;              ///< in the order of its nodes, as momenta
  std::vector<IntegerMomentum> momenta;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [subdomain, known_event, none_before, lines, momenta] = self;
    archive(subdomain, known_event, none_before, lines, momenta);
  }
};

/// How a subdomain is connected with others.
struct ProcessPlace {
  std::vector<std::int32_t> shared;  ///< those of its local nodes that other subdomains load too
  std::int32_t body = -1;            ///< the body that it is, if there is contact; −1: pairs, walls
};

/// A logical process (Jefferson, Virtual time, ACM Transactions on Programming Languages and Systems 7,
/// 1985): one subdomain with copies of its nodes. It takes its own events, and those that its neighbours tell
/// it of, in the order of their places, and remembers how it was before each. An event that arrives too late,
/// or is withdrawn, takes it back. Its bits depend only on the events that it took, never on how often it
/// went back. When a node of its body may leave the body's box it waits, as pairs of bodies wake up or fall
/// asleep then.
class SubdomainProcess {
 public:
  /// `workspace` and `boxes` outlive this. The potentials of `subdomain` are all on this rank.
  SubdomainProcess(ProcessWorkspace& workspace, NearPairs& boxes, std::int32_t subdomain, ProcessPlace place);

  /// Begins with the nodes of `state`, the present state of its subdomain, and what is known of its next
  /// event. All that it took before is for good, and is forgotten.
  void begin(const State& state, double known_event, double none_before);
  /// Writes its nodes to `state`, and adds to the ledgers of `state` what was received at its events, all of
  /// which are for good now. Renews its line if it went back.
  void end(State& state);

  /// Receives a neighbour's event. Its own events that come after that are undone (`undone`).
  void receive(std::shared_ptr<const EventMessage> message);
  /// Withdraws a neighbour's event that it had received. Its own events that came after that are undone.
  void withdraw(const EventWithdrawal& withdrawal);
  /// Takes events of neighbours as long as no event of its own is due before them, and searches for its own
  /// next event up to the time `limit`, sample by sample, until the work done (ProcessWorkspace::work_done)
  /// reaches `enough`. An Error on the way is kept (`failure`): it counts once no event can come before it
  /// any more.
  void go_on(double limit, std::int64_t enough = any_work);
  static constexpr auto any_work = std::numeric_limits<std::int64_t>::max();

  /// Whether it has nothing to do until `time`: no event of a neighbour waits, its own next event is later if
  /// it is known, and it has searched beyond `time` if not.
  [[nodiscard]] bool is_idle_until(double time) const;
  /// The place of its next event, if that is known, no event of a neighbour waits before it, and its body
  /// does not leave the box before; else nothing.
  [[nodiscard]] std::optional<EventPlace> next_event() const;
  /// A guess of the time of its next event, from the search so far [s]; +∞: none.
  [[nodiscard]] double foreseen() const {
    const double known = work_.schedule.known_event(number_);
    const SubdomainState& mine = at(work_.states, number_);
    return known < infinity ? known : mine.origin + mine.search.foreseen();
  }
  /// The place before which it certainly has no event, given what its neighbours told it until now.
  [[nodiscard]] EventPlace bound() const;
  /// Whether a node of its body leaves the body's box at bound().
  [[nodiscard]] bool leaves() const;
  /// When a node of its body leaves the box on its present lines [s]; +∞: never.
  [[nodiscard]] double exit() const { return exit_; }
  /// Does its next event. Returns the message for neighbours, or null if the event threw an Error
  /// (`failure`). Throws BrokenContract when next_event() has none.
  [[nodiscard]] std::shared_ptr<const EventMessage> do_event();

  /// Whether it keeps as many states to go back to as it may: it is to do no event of its own until others
  /// have caught up.
  [[nodiscard]] bool is_far_ahead() const { return taken_.size() > most_to_go_back_; }

  /// The error that it met at bound(), if it met one; events that come before may still make it void.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  /// Its own events that were undone since the last call, to be withdrawn.
  [[nodiscard]] std::vector<EventWithdrawal> undone() { return std::exchange(undone_, {}); }

  /// What contact has seen at its events that are for good, since this process was made.
  [[nodiscard]] const ContactExtremes& seen() const { return seen_; }

  /// Forgets how to go back to states before `place`: nothing before it will be undone any more.
  void forget_before(const EventPlace& place);
  /// Goes back until it has taken everything up to and including `place`, and nothing after it.
  void keep_up_to(const EventPlace& place);

  /// Sets which of its nodes other subdomains load too, from now on (ProcessPlace::shared).
  void share(std::vector<std::int32_t> nodes) { place_.shared = std::move(nodes); }
  /// Whether it had any event, message or error since begin(). If not, its nodes and what it knows of its
  /// next event are as they were then, but for how far it has searched.
  [[nodiscard]] bool has_moved() const { return has_moved_; }
  /// Whether `bound`, `next_event`, `exit` or `failure` may have changed since the last call.
  [[nodiscard]] bool has_news() { return std::exchange(has_news_, false); }

  [[nodiscard]] std::int32_t subdomain() const { return number_; }
  /// Its present state.
  [[nodiscard]] ProcessState now() const;

 private:
  /// An event that it took, with what it takes to undo it.
  struct Taken {
    EventPlace place;
    EventName name;
    std::shared_ptr<const EventMessage> message;  // null: its own event
    // The state before the event; of its nodes only those that were pushed.
    SubdomainState subdomain;
    double known_event, none_before;
    std::vector<std::int32_t> pushed;  // places among its nodes
    std::vector<NodeLine> lines;
    std::vector<IntegerMomentum> momenta;
    double exit;
    // Of its own events only: what contact saw.
    ContactExtremes seen{};
    std::vector<WideMomentum> received{};  // and what walls, supports and gravity received
  };
  [[nodiscard]] const Subdomain& own() const;
  [[nodiscard]] SubdomainState& state();
  [[nodiscard]] EventPlace place_of(double time) const;
  void remember(const EventPlace& place, const EventName& name, std::shared_ptr<const EventMessage> message,
                std::vector<std::int32_t> pushed);
  void set_nodes(std::span<const std::int32_t> places);
  void keep_nodes(std::span<const std::int32_t> places);
  [[nodiscard]] std::vector<std::int32_t> places_of(const EventMessage& message) const;
  [[nodiscard]] bool may_leave_before(const EventPlace& place) const {
    return exit_ < infinity && exit_place() < place;
  }
  [[nodiscard]] EventPlace exit_place() const;
  void follow_body(double instant);
  [[nodiscard]] SubdomainGradient::Products gradient_at_surface();
  void go_back_to(std::size_t count);
  void go_back_behind(const EventPlace& place);
  void undo_last(const Error& error);
  void undo(Taken&& taken);
  void settle(const Taken& taken);
  void renew_line();
  bool search(double limit, std::int64_t enough);
  bool search_to(double limit, std::int64_t enough);
  bool take(const std::shared_ptr<const EventMessage>& message);
  [[nodiscard]] bool push_nodes(const EventMessage& message, std::span<const std::int32_t> places);
  std::shared_ptr<EventMessage> push_over_surface();

  // So many states; one before an event of its own has a copy of all its nodes.
  static constexpr std::size_t most_to_go_back_ = 100;
  ProcessWorkspace& work_;
  NearPairs& boxes_;
  std::int32_t number_;
  ProcessPlace place_;
  std::vector<std::int32_t> all_places_;    // 0, 1, …: places of all its nodes in its lists
  std::vector<std::int32_t> global_nodes_;  // by place
  std::vector<NodeLine> lines_;             // by place
  std::vector<IntegerMomentum> momenta_;    // by place
  EventPlace begin_;                        // of the last event that was taken and forgotten
  std::deque<Taken> taken_;                 // ascending by place in the order of events
  // Events of neighbours that it has received and not taken yet.
  std::map<EventPlace, std::shared_ptr<const EventMessage>> waiting_;
  std::vector<EventWithdrawal> undone_;
  std::optional<Error> failure_;
  double exit_ = infinity;  // of its body from the body's box [s]
  ContactExtremes seen_;
  std::vector<WideMomentum> received_;  // since begin(), at events that are for good
  std::int64_t told_ = 0;               // how many events it told so far, undone ones included
  bool line_is_old_ = false;            // the lines of its potentials are not those of its nodes
  bool has_moved_ = false, has_news_ = true;
};

}  // namespace terrace
