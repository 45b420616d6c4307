"""Wrong lines in what ranks leave to others where bodies touch: far sides of surfaces, and halves of the contact."""

_FAR, _STEPS, _KICKS, _GROUPS = ("src/dynamics/clocked/far_sides.cpp", "src/dynamics/clocked/clocked_energy_stepping.cpp", "src/dynamics/clocked/clocked_kick.cpp",
                                 "src/dynamics/clocked/clocked_groups.cpp")
_ALONE, _APPROACHES = "src/dynamics/terraces/line_search_alone.cpp", "src/dynamics/clocked/waiting_pairs.cpp"
_PAIRS, _ON_LINE, _NEAR = "src/dynamics/system/contact_pairs.cpp", "src/potentials/contact/surface_contact_on_line.cpp", "src/potentials/contact/near_contacts.cpp"

MUTATIONS = [
    ("sides-never-left", _FAR, "  return events >= not_before_ &&", "  return events < 0 &&"),
    # What the rank that owns a node sees to.
    ("nothing-is-unforeseen", _FAR, "places.high[k] <= box.high[k])) return false;", "places.high[k] <= box.high[k])) continue;"),
    ("drift-not-watched", _FAR, "ways.high[k] - flown[k] <= room && ways.low[k] - flown[k] >= -room &&", "(std::abs(flown[k]) >= 0 || ways.low[k] < 0) &&"),
    ("boxes-not-watched", _FAR, "|| !(box.low[k] <= places.low[k] && places.high[k] <= box.high[k])", "|| (box.low[k] > places.low[k] && false)"),
    ("slack-of-this-rank", _FAR, "    least = std::min(least, mine.slack);\n", ""),
    # What is brought.
    ("rows-not-taken", _FAR, "    if (rank == system_.communicator->rank()) continue;\n", "    continue;\n"),
    ("near-nodes-of-one-rank", _FAR, "followers[local_node(system_, global)].push_back(rank);", "followers[local_node(system_, global)].push_back(0);"),
    ("waiting-pairs-forgotten", _FAR, "      all.insert(all.end(), ranks.begin(), ranks.end());\n", "      (void)all;\n"),
    ("sides-left-for-good", _FAR, "    for_each_pair_line(terrace, [](PotentialOnLine& line) { line.look_at_all_sides(); });\n  }\n  left_.clear();", "  }\n  left_.clear();"),
    ("messages-stay-short", _FAR, "    std::swap(subdomain.shared_nodes, left.all_messages);\n    for_each", "    for_each"),
    ("nodes-stay-few", _FAR, "    std::swap(subdomain.nodes, left.all_nodes);\n    std::swap(subdomain.shared_nodes, left.all_messages);\n    for_each",
     "    std::swap(subdomain.shared_nodes, left.all_messages);\n    for_each"),
    ("lines-of-before-bringing", _STEPS, "                    [&](OnLine& line) { line.set_line(state.lines, origin); });\n    graph_.follow",
     "                    [&](OnLine&) {});\n    graph_.follow"),
    ("bodies-not-followed-again", _STEPS, "    graph_.follow_bodies(state.lines, number, origin);\n  }\n", "  }\n"),
    ("brought-for-no-box", _STEPS, "    if (far_sides_.any()) {\n      bring_far_sides(state);\n      continue;\n    }\n", ""),
    ("brought-for-no-start", _STEPS, "        bring_far_sides(state);\n        start_gently", "        start_gently"),
    ("brought-for-no-touch", _STEPS, "    bring_far_sides(state);\n    join(state, number);", "    join(state, number);"),
    ("brought-for-no-failure", _STEPS, "    if (error.on_all_ranks()) bring_far_sides(state);\n", ""),
    ("brought-for-no-parting", _GROUPS, "  bring_far_sides(state);\n  part(state, group, parted);", "  part(state, group, parted);"),
    ("objection-believed", _KICKS, "      if (far_sides_.are_left(given.event.number) && is_certified(state, given.event))\n", "      if (false)\n"),
    ("gradient-of-far-sides-missing", _KICKS, "  gradient_.evaluate(event.number, state, event.instant, grids);\n  return false;\n", "  (void)grids;\n  return false;\n"),
    # How long pairs that wait for bodies with far sides stay apart.
    ("straying-not-allowed-for", "src/dynamics/terraces/approach.hpp", "    if (!is_of_flights) use_up(distance);\n", "    (void)distance;\n"),
    ("flights-outlive-sides", _APPROACHES, "    if (!stays_apart(pair, approach.time)) search_anew(state, pair);\n",
     "    (void)approach, (void)state;\n"),
    ("flights-not-known", _STEPS, "    far_sides_.expect_flight(number);\n", ""),
    ("followed-by-old-speeds", _ALONE, ".first->second.go_on(instant, speed);\n", ".first->second.go_on(instant, 0 * speed);\n"),
    ("followed-and-then-not", _APPROACHES, "  if (!is_searched) return parts_.schedule.forget_approach(pair);\n",
     "  if (!is_searched) return;\n"),
    ("followed-for-good", _STEPS, "  schedule_.forget_approaches();\n", ""),
    ("followed-at-one-instant", _ALONE, "    approach.go_on(at(states_, search.subdomain).origin + start, approach.speed);\n", ""),
    # Shares of a pair that touches.
    ("halves-not-given-back", _GROUPS, "  for (const std::int32_t pair : parted) set_touching(pair, false);\n", ""),
    ("search-of-one-rank-kept", _GROUPS, "  at(states_, pair).forget_search();  // one rank alone knows it, and all are to have the same state\n", ""),
    ("halves-are-wholes", _PAIRS, "PairShare{part, parts});", "PairShare{});"),
    ("second-half-missing", _PAIRS, "    if (rank == me) part = i;\n", "    if (rank == me) part = 0;\n"),
    ("undone-touch-not-forgotten", "src/dynamics/system/living_subdomains.cpp", "is_released(number) && made.subdomain.order == pair.order, number",
     "is_released(number) && made.subdomain.only_rank == pair.only_rank, number"),
    # Contact that looks at its near sides alone.
    ("near-sides-move-on", _ON_LINE, "    motion_.set_line(lines, origin, near_sides_);\n  else\n    motion_.set_line(lines, origin);", "    (void)0;\n  else\n    motion_.set_line(lines, origin);"),
    ("near-sides-of-old-candidates", _ON_LINE, "  (void)near_.listed_within(now_, {}, 0);\n", ""),
    ("all-slack-given", _ON_LINE, "  NearSides near{{}, 0.5 * near_.slack()};", "  NearSides near{{}, 8 * near_.slack()};"),
    ("covers-all-the-same", _NEAR, "  if (!others_cover_) broad_phase_.cover", "  broad_phase_.cover"),
]
