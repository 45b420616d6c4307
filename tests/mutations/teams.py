"""Wrong lines in teams: ranks that take a cluster through a window together."""

_CLUSTERS, _PASSAGE = "src/dynamics/windowed_clusters.cpp", "src/dynamics/windowed_passage.cpp"
_TURN, _NEWS, _RECORDS = "src/dynamics/windowed_turn.hpp", "src/dynamics/windowed_news.cpp", "src/dynamics/windowed_records.cpp"
_TEAMS, _WORK, _LIVING = "src/dynamics/window_teams.cpp", "src/dynamics/window_work.cpp", "src/dynamics/living_subdomains.cpp"
_KICKS, _GROUPS, _PAIRS = "src/dynamics/clocked_kick.cpp", "src/dynamics/clocked_groups.cpp", "src/dynamics/contact_pairs.cpp"
_ATTEMPT, _MESSAGE = "src/dynamics/gradient_attempt.cpp", "src/parallel/one_message.cpp"
_TRACE, _REPLAY = "src/dynamics/window_trace.cpp", "cluster/replay.py"

MUTATIONS = [
    ("messages-cost-nothing", _TEAMS, "(of_messages + of_a_message * (ranks - 1))", "0 * (of_messages + of_a_message * (ranks - 1))"),
    ("all-surfaces-are-divided", _TEAMS, "  return by_all + (1 - by_all)", "  return 0 * by_all + (1 - by_all)"),
    ("following-is-divided", _TEAMS, "  return by_all + (1 - by_all) * bodies", "  return (by_all + (1 - by_all)) * bodies"),
    ("following-costs-more-than-the-work", _TEAMS, "  return std::min(terrace.events * (of_a_surface * terrace.bodies + of_a_node * terrace.surface),\n                  terrace.work);", "  return terrace.events * (of_a_surface * terrace.bodies + of_a_node * terrace.surface);"),
    ("following-a-body-alone-is-enough", _TEAMS, "  if (terrace.bodies < 2) return terrace.work;\n", ""),
    ("teams-are-ruled-out-too-soon", _TEAMS, "return !(done_by_all > (1 - little) * work);", "return !(done_by_all > 0.5 * (1 - little) * work);"),
    ("teams-are-never-ruled-out", _TEAMS, "return !(done_by_all > (1 - little) * work);", "return true;"),
    ("teams-do-not-help-the-busiest", "src/dynamics/window_plan.cpp", "team_use_ == TeamUse::never ? terrace.work : done_by_all(terrace)", "terrace.work"),
    ("pace-of-the-last-body", _WORK, "    if (++terrace.bodies == 1) terrace.events = outlook.pace[body];", "    ++terrace.bodies;\n    terrace.events = outlook.pace[body];"),
    ("teams-of-fewer-ranks-than-bodies", _TEAMS, "last < most && least > enough;", "next < most && least > enough;"),
    ("more-ranks-than-bodies", _TEAMS, "  most = std::min(most, static_cast<int>(bodies));\n", ""),
    ("teams-of-who-had-least", _WORK, "std::tuple(-at(had, rank),", "std::tuple(at(had, rank),"),
    ("surfaces-cost-their-nodes-alone", _TEAMS, "of_a_surface * terrace.bodies + of_a_node", "0 * of_a_surface * terrace.bodies + of_a_node"),
    ("teams-as-large-as-they-can", _TEAMS, "last < most && least > enough;", "last < most && least > 0 * enough;"),
    ("ranks-in-two-teams", _WORK, "if (is_in_team_[rank] == 0) team.push_back", "team.push_back"),
    ("bodies-change-their-ranks", _WORK, "if (!had_it || count[place] > each", "if (true || count[place] > each"),
    ("one-rank-keeps-all", _WORK, "if (!had_it || count[place] > each || (count[place] == each && more == 0)) {", "if (!had_it) {"),
    ("shares-differ-by-two", _WORK, "if (++count[place] > each) --more;", "++count[place];"),
    ("teams-weigh-nothing", _WORK, "load(static_cast<std::size_t>(rank), time);", "load(static_cast<std::size_t>(rank), 0);"),
    ("light-clusters-are-divided", _WORK, "(at(work_, cluster) <= room * mean_ ||", "(false ||"),
    ("guests-count-nodes", _LIVING, "    for (const std::int32_t node : whole.nodes) at(system_.owned, node) = 0;\n", ""),
    ("guests-keep-walls", _LIVING, "    std::swap(whole.potentials, subdomain.potentials);\n    std::swap(whole.reaction_of_potential, subdomain.reaction_of_potential);\n", ""),
    ("taken-back-without-nodes", _LIVING, "  subdomain.owned_nodes = std::move(whole.owned_nodes);\n", ""),
    ("walls-are-booked-by-all", _KICKS, "|| lagrangian_.communicator->rank() == 0)", "|| true)"),
    ("what-joins-is-not-divided", _GROUPS, "touching : pairs) graph_.near_pairs().set_touching(touching, true);", "touching : pairs) (void)touching;"),
    ("guests-count-events", _TURN, "      stepping_.inner_.set_counts(events_, balance_);\n", ""),
    ("guests-count-searches", _TURN, "      stepping_.searches_elsewhere_ += stepping_.inner_.searches() - searches_;\n", ""),
    ("guests-keep-monitors", _PASSAGE, "  if (cluster.is_counted_elsewhere()) return inner_.recall_monitors();\n", "  if (cluster.is_counted_elsewhere()) return;\n"),
    ("guesses-of-former-teams", _TURN, "    stepping.inner_.forget_guesses();\n    collectives_", "    collectives_"),
    ("guesses-are-saved", _TURN, "    stepping_.inner_.forget_guesses();  // which are this team's\n", ""),
    ("boxes-of-each-rank", _CLUSTERS, "  if (cluster.team != nullptr) inner_.graph().near_pairs().forget_boxes(cluster.bodies, state_.lines, time);\n", ""),
    ("a-team-goes-back-alone", _PASSAGE, "    if (cluster.team != nullptr) ranks = cluster.members;\n", ""),
    ("team-events-of-all-ranks", _PASSAGE, "if (cluster.team != nullptr) team_events_ += inner_.events() - events;", "team_events_ += inner_.events() - events;"),
    ("collectives-of-teams-not-counted", _TURN, "stepping_.team_collectives_ += cluster_.team->collectives()", "stepping_.team_collectives_ += 0 * cluster_.team->collectives()"),
    ("guests-know-the-whole", _NEWS, "follows ? KnownBodies::Part::surface : KnownBodies::Part::whole", "KnownBodies::Part::whole"),
    ("teams-in-a-window-not-counted", _RECORDS, "  include(record_.teams, teams_in(window));\n", ""),
    ("pairs-wait-on-one-rank", _PAIRS, "  return !in_touch ||\n", "  return in_touch &&\n"),
    ("traces-know-one-rank", _TRACE, "row_of(cluster_of_[body]).team.push_back(holders_[body]);", "row_of(cluster_of_[body]).team.push_back(0);"),
    ("every-share-is-the-whole", "src/dynamics/window_trace.hpp", "{ row_of(body).critical_seconds += seconds; }", "{ row_of(body).critical_seconds += 0 * seconds; }"),
    ("numbers-stay-where-they-are", _MESSAGE, "numbers[i] += message[i];", "numbers[i] += 0 * message[i];"),
    ("one-word-says-which-nodes-follow", _MESSAGE, "word * bits < nodes.size(); ++word) {", "word * bits < std::min(nodes.size(), bits); ++word) {"),
    ("last-node-of-a-word-is-forgotten", _MESSAGE, "std::min(nodes.size(), (word + 1) * bits)", "std::min(nodes.size(), (word + 1) * bits - 1)"),
    ("own-values-are-sent-as-sums", _MESSAGE, "rank == me) return {Nodes(common_.send), Nodes(common_.sum)};", "rank == me) return {Nodes(common_.sum), Nodes(common_.send)};"),
    ("shared-nodes-have-no-compliance", _ATTEMPT, "  sums.products.compliance += products.compliance;\n", ""),
    ("shared-nodes-have-no-velocity", _ATTEMPT, "  sums.products.normal_velocity += products.normal_velocity;\n", ""),
    ("shared-nodes-count-on-all-ranks", _ATTEMPT, "multiply(terms, Nodes::unshared, attempt)", "multiply(terms, Nodes::all, attempt)"),
    ("shared-products-always-fit", _ATTEMPT, "  if (!products_fit(terms.grids, of_shared)) sums.products_beyond += 1;\n", ""),
    ("every-rank-must-see-energy", _ATTEMPT, "looks->have_energy.push_back(ranks > 0);", "looks->have_energy.push_back(ranks >= lagrangian_.communicator->size());"),
    ("one-message-not-counted", _ATTEMPT, "  communicator.count_exchange();\n", ""),
    ("replays-without-sums", _REPLAY, "cluster[\"events\"] * latency * (1", "0 * cluster[\"events\"] * latency * (1"),
    ("replays-of-whole-events", _REPLAY, "cluster[\"critical_seconds\"] if len(team) > 1 else cluster[\"seconds\"]", "cluster[\"seconds\"]"),
]

EXPLAINED = {
    "shared-products-always-fit": "grids are four times as wide as they have to be, and sums of two grids have digits to spare: what is somewhat larger adds as exactly, and to the same double",
    "teams-are-never-ruled-out": "Which ranks are worth while says the same, and takes longer.",
    "light-clusters-are-divided": "One rank is enough for them, which takes longer to find out.",
    "pairs-wait-on-one-rank": "A pair that waits is then its first body's rank's, who tells what it finds: the same, with more messages.",
}
