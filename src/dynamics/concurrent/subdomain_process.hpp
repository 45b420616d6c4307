// A subdomain that goes on ahead of the others, and goes back when it went too far.
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

/// All that is a subdomain's own: what decides its future, and its nodes as it knows them.
struct ProcessState {
  SubdomainState subdomain;
  double known_event = 0, none_before = 0;  ///< as in Schedule
  std::vector<NodeLine> lines;              ///< by its nodes
  std::vector<IntegerMomentum> momenta;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [subdomain, known_event, none_before, lines, momenta] = self;
    archive(subdomain, known_event, none_before, lines, momenta);
  }
};

/// What a subdomain has to do with others.
struct ProcessPlace {
  std::vector<std::int32_t> shared;  ///< those of its local nodes that other subdomains load
  std::int32_t body = -1;            ///< that it is, where there is contact; −1 of a pair
};

/// A logical process (Jefferson, Virtual time, ACM Transactions on Programming Languages and Systems 7,
/// 1985): one subdomain with copies of its nodes. It takes its own events and those that its neighbours tell
/// it of in the order of their places, and remembers how it was before each. What arrives too late, or is
/// withdrawn, takes it back. Its bits depend on what it took alone, never on how often it went back. When a
/// node of its body may leave the body's box it waits: then pairs of bodies wake up or fall asleep.
class SubdomainProcess {
 public:
  /// `workspace` and `boxes` outlive this; `subdomain` is one of those whose potentials are all on this rank.
  SubdomainProcess(ProcessWorkspace& workspace, NearPairs& boxes, std::int32_t subdomain, ProcessPlace place);

  /// Starts with the nodes of `state`, its subdomain's state and what is known of its next event: all that
  /// was taken before is for good.
  void begin(const State& state, double known_event, double none_before);
  /// Gives its nodes to `state`, and to its ledgers what was received at events that are for good; renews its
  /// line there if it went back.
  void end(State& state);

  /// A neighbour's event. Events of its own that come after it are undone (`undone`).
  void receive(std::shared_ptr<const EventMessage> message);
  /// A neighbour's event that never happened; what follows it is undone.
  void withdraw(const EventWithdrawal& withdrawal);
  /// Takes what neighbours told as long as no event of its own is due first, and searches for that up to the
  /// time `limit`, sample by sample as long as the work done (ProcessWorkspace::work_done) is less than
  /// `enough`. An Error on the way counts when no event can come before it any more (`failure`).
  void go_on(double limit, std::int64_t enough = any_work);
  static constexpr auto any_work = std::numeric_limits<std::int64_t>::max();

  /// Neither an event of its own nor what neighbours told waits for it until then, as far as it has searched.
  [[nodiscard]] bool is_idle_until(double time) const;
  /// Where its next event stands, if it is known and nothing that neighbours told comes before.
  [[nodiscard]] std::optional<EventPlace> next_event() const;
  /// When it would be, as far as it has searched: a guess, +∞ where it has none [s].
  [[nodiscard]] double foreseen() const {
    const double known = work_.schedule.known_event(number_);
    const SubdomainState& mine = at(work_.states, number_);
    return known < infinity ? known : mine.origin + mine.search.foreseen();
  }
  /// It certainly has no event before this place, whatever its neighbours told it until now.
  [[nodiscard]] EventPlace bound() const;
  /// Whether a node of its body leaves the body's box there.
  [[nodiscard]] bool leaves() const;
  /// When one does, as far as it has come; +∞: never [s].
  [[nodiscard]] double exit() const { return exit_; }
  /// Does its next event, which is known. Returns nothing where that threw an Error (`failure`).
  [[nodiscard]] std::shared_ptr<const EventMessage> do_event();

  /// It holds as much to go back to as it may: no event of its own until others have caught up.
  [[nodiscard]] bool is_far_ahead() const { return taken_.size() > most_to_go_back_; }

  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  /// Its own events that were undone since this was asked last, to be withdrawn.
  [[nodiscard]] std::vector<EventWithdrawal> undone() { return std::exchange(undone_, {}); }

  /// What contact has seen at its events that are for good, since it was made.
  [[nodiscard]] const ContactExtremes& seen() const { return seen_; }

  /// Nothing before `place` will be undone any more.
  void forget_before(const EventPlace& place);
  /// Back to where everything up to and including `place` is done, and nothing else.
  void keep_up_to(const EventPlace& place);

  /// Other subdomains load these of its nodes from now on (ProcessPlace).
  void share(std::vector<std::int32_t> nodes) { place_.shared = std::move(nodes); }
  /// Whether anything has come to it since the begin, of events, messages and errors: else its nodes and what
  /// it knows of its next event are those of then, but for how far it has searched.
  [[nodiscard]] bool has_moved() const { return has_moved_; }
  /// Whether `bound`, `next_event`, `exit` or `failure` may be others than when this was asked last.
  [[nodiscard]] bool has_news() { return std::exchange(has_news_, false); }

  [[nodiscard]] std::int32_t subdomain() const { return number_; }
  /// All that it goes by now.
  [[nodiscard]] ProcessState now() const;

 private:
  struct Taken {
    EventPlace place;
    EventName name;
    std::shared_ptr<const EventMessage> message;  // null: its own event
    // How it was before, of the nodes those that were pushed.
    SubdomainState subdomain;
    double known_event, none_before;
    std::vector<std::int32_t> pushed;  // places among its nodes
    std::vector<NodeLine> lines;
    std::vector<IntegerMomentum> momenta;
    double exit;
    // At its own event.
    ContactExtremes seen{};
    std::vector<WideMomentum> received{};  // by walls, supports and gravity
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

  // States, of which each before an event of its own is a copy of all its nodes.
  static constexpr std::size_t most_to_go_back_ = 100;
  ProcessWorkspace& work_;
  NearPairs& boxes_;
  std::int32_t number_;
  ProcessPlace place_;
  std::vector<std::int32_t> all_places_;    // 0, 1, … of its nodes
  std::vector<std::int32_t> global_nodes_;  // by place
  std::vector<NodeLine> lines_;
  std::vector<IntegerMomentum> momenta_;
  EventPlace begin_;         // of the last that was taken and forgotten
  std::deque<Taken> taken_;  // ascending
  std::map<EventPlace, std::shared_ptr<const EventMessage>> waiting_;
  std::vector<EventWithdrawal> undone_;
  std::optional<Error> failure_;
  double exit_ = infinity;  // of its body from the body's box [s]
  ContactExtremes seen_;
  std::vector<WideMomentum> received_;  // since the begin, at events that are for good
  std::int64_t told_ = 0;               // events so far, undone ones too
  bool line_is_old_ = false;            // the potentials' lines are not those of its nodes
  bool has_moved_ = false, has_news_ = true;
};

}  // namespace terrace
