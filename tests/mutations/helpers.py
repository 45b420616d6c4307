"""Wrong lines in clusters that go to ranks which are done: who asks whom, what is given, and what goes with it."""

_CHOICE, _HELPERS = "src/dynamics/windows/window_helpers.cpp", "src/dynamics/windows/rank_passage_helpers.cpp"
_QUESTIONS, _NEWS = "src/parallel/questions.cpp", "src/dynamics/windows/windowed_news.cpp"

_CLUSTERS, _KNOWN = "src/dynamics/windows/own_clusters.cpp", "src/dynamics/windows/known_bodies.cpp"

MUTATIONS = [
    ("helpers-take-as-long-as-they-like", _CHOICE, "std::max(alone - clusters[i].work, clusters[i].work + clusters[i].costs + of_an_answer);",
     "std::max(alone - clusters[i].work, 0.0);"),
    ("helpers-take-over-for-nothing", _CHOICE, "clusters[i].work + clusters[i].costs + of_an_answer", "clusters[i].work + of_an_answer"),
    ("answers-cost-nothing", _CHOICE, "constexpr double of_an_answer = 200;", "constexpr double of_an_answer = 0;"),
    ("what-one-is-at-is-done", _CHOICE, "double alone = left;", "double alone = 0 * left;"),
    ("nothing-is-done-of-what-one-is-at", _CHOICE, "std::clamp((end - time) / (end - begin), 0.0, 1.0)", "std::clamp((end - begin + 0 * time) / (end - begin), 0.0, 1.0)"),
    ("teams-have-all-of-it-left", _CHOICE, " / static_cast<double>(ranks);\n", " / static_cast<double>(ranks > 0);\n"),
    ("slow-ranks-get-as-much", "src/dynamics/windows/window_work.cpp", "load_.at(rank) + slowness(rank) * more", "load_.at(rank) + more"),
    ("slow-ranks-are-quick", _CHOICE, "std::clamp(mean / speed,", "std::clamp(speed / mean,"),
    ("ranks-that-did-nothing-are-slow", _CHOICE, "speed / std::max(known, 1.0)", "speed / std::max(known, static_cast<double>(speeds.size()))"),
    ("speeds-are-those-of-the-start", "src/dynamics/windows/window_helpers.hpp", "constexpr double kept = 0.8;", "constexpr double kept = 1.0;"),
    ("who-keeps-all-is-asked", _CHOICE, "at(all, rank) > at(largest, rank)) asked", "at(all, rank) > 0) asked"),
    ("clusters-of-teams-are-offered", _CHOICE, "    if (is_divided[cluster] != 0) continue;\n", ""),
    ("all-ask-the-same", _CHOICE, "static_cast<std::size_t>(me) % considered", "0 * static_cast<std::size_t>(me) % considered"),
    ("who-has-least-is-asked", _CHOICE, "std::greater{}", "std::less{}"),
    ("given-clusters-stay", _CLUSTERS, "  clusters_.erase(number);\n", "  clusters_.erase(-1 - number);\n"),
    ("given-bodies-stay-active", _CLUSTERS, "  for (const std::int32_t body : bodies) at(active_, body) = 0;\n", ""),
    ("given-bodies-stay-due", _HELPERS, "  due_.erase(due_.begin() + static_cast<std::ptrdiff_t>(place));\n", ""),
    ("taken-nodes-weigh-nothing", _KNOWN, "rows[i], at(subdomains_.system().masses, all[i])", "rows[i]"),
    ("taken-bodies-are-the-others", _HELPERS, "    system_.common.set_holder(body, me);\n", ""),
    ("taken-bodies-meet-nobody", _CLUSTERS, "near_pairs().put_in_cluster(cluster.bodies, number);",
     "near_pairs().put_in_cluster(cluster.bodies, -1);"),
    ("nobody-hears-who-has-taken", _NEWS, "    system_.common.set_holder(body, teller);\n", ""),
    ("answers-are-for-oneself", _QUESTIONS, "answer_tag, answer(status.MPI_SOURCE)", "answer_tag, answer(ranks_.rank())"),
]
