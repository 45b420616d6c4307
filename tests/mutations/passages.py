"""Wrong lines where a rank takes its clusters through a window one after the other, and in how long windows are."""

_PASSAGE, _EXCHANGE = "src/dynamics/windows/rank_passage.cpp", "src/dynamics/clocked/clocked_exchange.cpp"
_PLAN, _WORK, _COMMON = "src/dynamics/windows/window_plan.cpp", "src/dynamics/windows/window_work.cpp", "src/dynamics/windows/common_knowledge.cpp"

MUTATIONS = [
    ("boxes-not-left-any-more", _EXCHANGE, "    pairs.set_exit(body, from_box);\n", ""),
    ("tubes-not-left-any-more", _EXCHANGE, "pairs.watching()->set_exit(body, from_tube);", "pairs.watching()->set_exit(body, infinity);"),
    ("events-not-due-again", _EXCHANGE, "    clocks_.set_due(number, event);\n", ""),
    ("searches-not-due-again", _EXCHANGE, "    schedule_.set(number, known_event, none_before);\n", ""),
    ("waiting-pairs-stay-due", _EXCHANGE, "    for (const std::int32_t pair : pairs.awake_pairs(body)) take(pair);\n", ""),
    ("groups-stay-due", _EXCHANGE, "    take(graph_.touching().terrace_of(body));\n", ""),
    ("boxes-of-others-are-left-meanwhile", _EXCHANGE, "    pairs.set_exit(body, infinity);\n", ""),
    ("tubes-of-others-are-left-meanwhile", _EXCHANGE, "pairs.watching()->set_exit(body, infinity);", "pairs.watching()->set_exit(body, from_tube);"),
    ("a-tube-that-is-left-does-not-matter", _PASSAGE, "  outcome.reached = std::min(outcome.reached, system_.tubes.exit());\n", ""),
    ("clusters-begin-where-the-last-ended", _PASSAGE, "  state_.time = window.begin;\n  const double start", "  const double start"),
    ("clusters-stay-due", _PASSAGE, "  due_[place].agenda = clocks_.suspend(cluster.bodies);\n", ""),
    ("clusters-are-not-due-again", _PASSAGE, "  for (const Due& due : due_) clocks_.go_on(due.agenda, outcome.reached);\n", ""),
    ("clusters-go-beyond-others", _PASSAGE, "  const double until = outcome.reached;\n  const std::int64_t events",
     "  const double until = outcome.reached = std::max(outcome.reached, state_.time);\n  const std::int64_t events"),
    ("failures-of-the-last-rank", "src/dynamics/terraces/subdomain_gradient.cpp", "if (failure_ && mine == first)", "if (failure_)"),
    ("failures-without-their-element", "src/dynamics/terraces/subdomain_gradient.cpp", "failed_[2], failure_->number()}", "failed_[2], 0}"),
    ("the-last-subdomain-that-failed", "src/dynamics/terraces/subdomain_gradient.cpp", "  if (failure_) return;\n", ""),
    ("the-last-of-two-failures", _PASSAGE, "failed_at < until || failing < outcome.failed_at", "true"),
    ("work-of-cluster-ends-noted-for-the-next", _PASSAGE, "  if (system_.trace) system_.trace->note_work(cluster.bodies.front(), clocks_.element_evaluations());\n",
     ""),
    ("contact-costs-nothing", _WORK, "1 + contact * outlook.touches[body]", "1 + 0 * contact * outlook.touches[body]"),
    ("plans-go-by-steps-that-clocks-begin-with", _COMMON, "clock.young ? clock.longest : clock.step", "clock.step"),
    ("what-rests-is-as-dear-as-what-moves", _COMMON, "if (!clock.running) return of_what_rests /", "if (!clock.running) return 100 * of_what_rests /"),
    ("departures-are-not-learnt", _COMMON, "  at(departure_, body) = departure;\n", "  (void)departure;\n"),
    ("bodies-that-stay-have-moved", _COMMON, "at(window.rank_of, body) != at(holder_, body) ? 1 : 0;", "1;"),
    ("touches-of-a-group-not-told", _COMMON, "static_cast<double>(terrace.touches.size()) /",
     "0.0 * static_cast<double>(terrace.touches.size()) /"),
    ("touches-not-for-each-body", _COMMON, "static_cast<double>(terrace.bodies.size()));", "1.0);"),
    ("large-clusters-are-not-dearer", _PLAN, "  const double work = std::accumulate(window.work.begin(), window.work.end(), 0.0);", "  const double work = totals_.mean * ranks_;"),
    ("windows-cost-nothing", _PLAN, "(work_of_busiest * length + besides)", "(work_of_busiest * length + 0 * besides)"),
    ("flights-stay-as-wide-as-they-are", _PLAN, "std::max(least_caution_, a_little * caution_);", "std::max(caution_, a_little * caution_);"),
    ("flights-narrow-to-nothing", _PLAN, "std::max(least_caution_, a_little * caution_)", "a_little * caution_"),
    ("what-was-too-narrow-is-tried-again-at-once", _PLAN, "std::min(1.0, too_narrow * caution_);", "std::min(narrowest, too_narrow * caution_);"),
    ("flights-are-as-narrow-after-a-cut", _PLAN, "std::min(1.0, wider * caution_);", "std::min(caution_, wider * caution_);"),
    ("one-rank-has-narrow-flights", _PLAN, "ranks_ > 1 ? caution_ : 1", "caution_"),
    ("what-comes-pays-in-the-window", _COMMON, "              .stay = system_.stable_step,\n", ""),
    ("short-windows-pay-all-that-comes", _WORK, "(length < outlook_.stay ?", "(length < 0 ?"),
    ("balance-does-not-matter", _PLAN, "work / ranks_ / window.balance", "work / ranks_"),
]

EXPLAINED = {
    "clusters-begin-where-the-last-ended": "what messages of long windows and of failures say of the time; no result depends on it",
}
