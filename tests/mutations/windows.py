"""Wrong lines in windows: tubes, clusters, who works on what, going back, handing over, and what is said of it."""

_TUBES, _PLAN = "src/dynamics/flight_tubes.cpp", "src/dynamics/window_plan.cpp"
_SURFACES, _WORK, _BOXES = "src/dynamics/window_surfaces.cpp", "src/dynamics/window_work.cpp", "src/geometry/still_boxes.cpp"
_WINDOWED, _RECORDS = "src/dynamics/windowed_energy_stepping.cpp", "src/dynamics/windowed_records.cpp"
_NEWS, _PASSAGE = "src/dynamics/windowed_news.cpp", "src/dynamics/windowed_passage.cpp"
_EXCHANGE, _CLOCKED = "src/dynamics/clocked_exchange.cpp", "src/dynamics/clocked_energy_stepping.cpp"
_PAIRS, _MONITOR = "src/dynamics/near_pairs.cpp", "src/dynamics/event_monitor.cpp"

MUTATIONS = [
    ("tubes-move-with-nobody", _TUBES, " - (time - begin_) * tube.velocity;", ";"),
    ("tubes-look-one-way", _TUBES, "std::copysign(1.0, drift[k]) * apart[k]", "apart[k]"),
    ("tubes-not-followed", _PAIRS, "  if (tubes_ != nullptr) tubes_->follow(body, lines, time);\n", ""),
    ("deviation-forgets-events", _TUBES, "  double widest = tube.widest;", "  double widest = 0;"),
    ("clusters-without-tubes", _PLAN, "return room > taken; }) > taken);", "return room > 0.0; }) > 0.0);"),
    ("axes-at-the-begin-alone", _SURFACES, "std::max(room, std::min(between, later) - met.reach)", "std::max(room, between - met.reach)"),
    ("axes-at-the-end-alone", _SURFACES, "std::max(room, std::min(between, later) - met.reach)", "std::max(room, later - met.reach)"),
    ("axes-without-reach", _SURFACES, "std::max(room, std::min(between, later) - met.reach)", "std::max(room, std::min(between, later))"),
    ("axes-the-wrong-way", _SURFACES, "const bool backwards = met.now[k] < 0;", "const bool backwards = met.now[k] > 0;"),
    ("rest-among-others-unforeseen", _WORK, "std::max(outlook.work[body], of_the_window * outlook.touched[body])",
     "std::max(outlook.work[body], 0 * of_the_window * outlook.touched[body])"),
    ("clusters-as-dear-as-bodies", _WORK, "of_neighbours * at(followed, cluster)", "0 * of_neighbours * at(followed, cluster)"),
    ("clusters-at-the-begin-alone", _SURFACES, "return (std::min(between, later) -", "return (std::min(between, std::max(between, later)) -"),
    ("clusters-at-the-end-alone", _SURFACES, "return (std::min(between, later) -", "return (later -"),
    ("clusters-without-reach", _SURFACES, " - norm(direction) * met.reach) / sum", ") / sum"),
    ("clusters-divide-groups", _PLAN, "    groups_.unite(first, body);\n", ""),
    ("flights-too-wide", _PLAN, "constexpr double share = 0.499;", "constexpr double share = 0.999;"),
    ("windows-beyond-what-was-asked", "src/dynamics/window_plan.hpp", "std::min(until_, begin_ + factors", "(begin_ + factors"),
    ("clusters-not-to-the-least-loaded", _WORK, "rank = load.index();", "rank = 0;"),
    ("balls-too-small", "src/dynamics/window_surfaces.hpp", "(met.first.radius + met.second.radius) * norm(direction)",
     "0.9 * (met.first.radius + met.second.radius) * norm(direction)"),
    ("surfaces-of-another-instant", _SURFACES, "  if (known_at_ == time) return;\n", "  if (known_at_ >= 0) return;\n"),
    ("surfaces-always-looked-at", _SURFACES, "  if (known_at_ == time) return;\n", ""),
    ("pairs-of-the-second-body-not-looked-at", _PLAN, "is_first_to_look != (body == a) ||", "body != a || !is_first_to_look ||"),
    ("parts-miss-the-last-bodies", _PLAN, "body < from(part + 1); ++body)", "body + 1 < from(part + 1) || body < from(part + 1) - 1; ++body)"),
    ("meetings-of-the-first-length-alone", _PLAN, "(meeting.lengths >> factor & 1u)", "(meeting.lengths & 1u)"),
    ("flights-of-one-part-widened-alone", _PLAN, "(both_asked_for && other < body)", "other < body"),
    ("still-boxes-miss-long-ones", _BOXES, "    low[k] -= more + longest_;\n", "    low[k] -= more;\n"),
    ("still-boxes-forget-large-ones", _BOXES, "      large_.push_back(entry.box);\n", ""),
    ("outlines-of-others-not-learnt", _NEWS, "    planner_.surfaces().learn(body, outline);\n", ""),
    ("nobody-goes-back", _PASSAGE, "      if (mine.reached > reached) go_again(window, passage.end, mine);\n", ""),
    ("going-back-forgets-the-ledger", _PASSAGE, "  state_.ledger = ledger_;\n", ""),
    ("going-back-forgets-momenta", _PASSAGE, "    at(state_.momenta, row.node) = row.momentum;\n", ""),
    ("going-back-forgets-the-balance", _PASSAGE, "  inner_.set_counts(inner_.events(), balance_at_begin_);\n", ""),
    ("going-back-forgets-monitors", _PASSAGE, "  inner_.recall_monitors();\n", ""),
    ("going-back-keeps-what-contact-saw", _PASSAGE, "  inner_.forget_passage();\n", ""),
    ("errors-before-their-time", _PASSAGE, "if (reached < passage.end) {",
     "if (reached < passage.end && std::none_of(all.begin(), all.end(), [](const Outcome& one) { return one.failed; })) {"),
    ("no-event-is-the-last", _PASSAGE, "    inner_.do_none_after(passage.last);\n", ""),
    ("nodes-of-others-not-learnt", _NEWS, "      if (rank == communicator_.rank()) continue;\n", "      continue;\n"),
    ("terraces-of-others-not-learnt", _NEWS, "    learn(std::move(terrace));\n", ""),
    ("parted-bodies-lose-their-terrace", _WINDOWED,
     "former != terraces_.end() && std::ranges::binary_search(former->second.bodies, body)", "former != terraces_.end()"),
    ("balance-of-others-not-learnt", _NEWS, "  balance_.add(balance);\n", ""),
    ("cut-windows-not-counted", _RECORDS, "  ++record_.cut_windows;\n", ""),
    ("moves-not-counted", _WINDOWED, "record_.moved_bodies += at(window.rank_of, body) != at(holder_, body) ? 1 : 0;", ""),
    ("share-without-contact", _RECORDS, "  shown_pairs_.restart(state.lines, state.time);\n", ""),
    ("monitors-of-rank-0-alone", _RECORDS, "      monitor.add(of_one);\n", "      if (monitor.events() == 0) monitor.add(of_one);\n"),
    ("saved-without-the-events", _RECORDS, "  inner_.set_counts(events_, balance_);\n", ""),
    ("saved-counts-twice", _RECORDS, "  inner_.set_counts(0, balance_.without_counts());\n", ""),
    ("looks-apart-forgotten", _EXCHANGE, "      at(states_, pair).looks_apart = touch.looks_apart;\n", ""),
    ("released-pairs-stay-awake", _EXCHANGE, "    put_pairs_to_sleep(body);\n", ""),
    ("pairs-across-clusters", _PAIRS, "if (cluster < 0 || cluster != at(clusters_, pair.second)) return false;", "if (cluster < 0) return false;"),
    ("touch-a-tick-late", _CLOCKED, "  return touches_at(found) ? found : found + unit;", "  return found + unit;"),
    ("monitors-add-no-steps", _MONITOR, "  step_sum_.add(other.step_sum_);\n", ""),
    ("sums-of-steps-forget-what-rounding-took", _MONITOR, "  lost_ += (sum_ - (sum - added)) + (step - added);\n", ""),
    ("groups-have-rows-of-their-own", "src/dynamics/clocked_groups.cpp", "  if (can_divide()) {\n    for (const EventMonitor& monitor : monitors(",
     "  if (false) {\n    for (const EventMonitor& monitor : monitors("),
]

EXPLAINED = {
    "pairs-across-clusters": "Clusters certainly do not meet in the window: pairs of bodies of two of them only cost time.",
}
