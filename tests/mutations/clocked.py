"""Wrong lines in clocked energy-stepping: the multiplier, the modified energy, clocks, groups, and what is said of them."""

_KICK, _MODIFIED = "src/dynamics/balanced_kick.cpp", "src/dynamics/modified_energy.hpp"
_CLOCKED, _GROUPS = "src/dynamics/clocked_energy_stepping.cpp", "src/dynamics/clocked_groups.cpp"
_KICKS = "src/dynamics/clocked_kick.cpp"
_GRADIENT = "src/dynamics/subdomain_gradient.cpp"

MUTATIONS = [
    ("void-gradients-are-seen", _GRADIENT, "  for_each_line([](PotentialOnLine& line) { line.recall_extremes(); });\n", ""),
    ("kick-forgets-the-offset", _KICK, "data.stored + data.offset - data.bend", "data.stored - data.bend"),
    ("kick-forgets-the-bend", _KICK, "data.stored + data.offset - data.bend", "data.stored + data.offset"),
    ("kick-with-the-other-root", _KICK, "std::copysign(std::sqrt(square), slope)", "-std::copysign(std::sqrt(square), slope)"),
    ("kick-without-a-bound", _KICK, "if (!(std::abs(correction) <= most)) {", "if (most < 0) {"),
    ("kick-never-clipped", _KICK, "      kick.clipped = true;\n", ""),
    ("curvature-without-the-last-kick", _MODIFIED, "return along + with_before;", "return along;"),
    ("curvature-at-the-other-end", _MODIFIED, "2 * start.rate + 4 * rate", "4 * start.rate + 2 * rate"),
    ("offset-of-the-step-forgotten", _KICKS, "(event.products.compliance / 8 - event.curvature / 12)", "0"),
    ("offset-of-the-bend-forgotten", _KICKS, "(event.products.compliance / 8 - event.curvature / 12)",
     "(event.products.compliance / 8)"),
    ("steps-never-shortened-by-error", _KICKS, "if (error > loud) return std::max<std::int64_t>(1, clock.step / 2);", ""),
    ("steps-never-longer-again", _KICKS, "clock.quiet >= enough ?", "clock.quiet < 0 ?"),
    ("clock-starts-with-whole-steps", _CLOCKED, "constexpr int short_step = 16;", "constexpr int short_step = 1;"),
    ("clock-without-a-guard", _CLOCKED, "if (invalid[i] > 0) without", "if (invalid[i] > 1e9) without"),
    ("shortened-steps-not-counted", _KICKS, "balance_.shortened_steps += step < clock.step ? 1 : 0;", ""),
    ("debts-not-watched", _KICKS, "if (overdue <= long_enough) return;", "if (overdue >= 0) return;"),
    ("debt-not-noted", _KICKS, "balance_.largest_debt = std::max(balance_.largest_debt, debt);", ""),
    ("clips-not-counted", _KICKS, "if (kick.clipped) ++balance_.clipped_kicks;", ""),
    ("stored-energy-not-charged", _KICKS, "  clock.stored -= IntegerMultiplier", "  (void)IntegerMultiplier"),
    ("reactions-not-booked-by-clocked-kicks", _KICKS, "  gradient_.book_reactions(state, factor);\n", ""),
    ("parts-are-balanced", _CLOCKED, "subdomains, member).neighbours.empty();", "subdomains, member).node_count > 0;"),
    ("simultaneous-in-any-order", _CLOCKED, "lagrangian_.subdomains[j].order <", "lagrangian_.subdomains[j].order >"),
    ("resting-neighbours-not-searched-again", _CLOCKED, "  schedule_.renew(instant, resting);\n", ""),
    ("joined-energy-lost", _GROUPS, "    stored += clock.stored;\n", ""),
    ("parted-remainder-lost", _GROUPS, "  at(clocks_, first).stored += left;\n", ""),
    ("joining-bodies-fly-on", _GROUPS, "push(state, event, -weight);", "push(state, event, 0 * weight);"),
    ("weights-next-to-nothing-rest", "src/dynamics/clocked_energy_stepping.cpp", "  bool loaded = weighs || ", "  bool loaded = "),
    ("debts-in-energies-of-the-start", "src/dynamics/clocked_energy_stepping.hpp",
     "return std::max(energy_, clock.most_stored);", "return energy_;"),
    ("groups-contact-terms-not-counted", "src/dynamics/subdomain_gradient.cpp",
     "    const double terms = counted.value_or(last.contact_terms);", "    const double terms = last.contact_terms;"),
    ("never-parts", _GROUPS, "    if (looks < enough) continue;\n", "    continue;\n"),
    ("held-nodes-count-before", _GRADIENT, "    values.push_back(pushed(static_cast<std::size_t>(node)));",
     "    values.push_back(forces_.values[static_cast<std::size_t>(node)]);"),
    # What goes with the sums of the next event.
    ("objections-not-heard", _KICKS, "holds = sums.back() == 0;", "holds = true;"),
    ("objections-of-one-rank-alone", _KICKS, "question.numbers.push_back(unconfirmed_ && unconfirmed_->objects ? 1 : 0);",
     "question.numbers.push_back(0);"),
    ("objections-twice", _KICKS, "  Clock& clock = at(clocks_, event.number) = given.clock;", "  Clock& clock = at(clocks_, event.number);"),
    ("objections-after-the-row", _CLOCKED, "if (!goes_together_ && !confirm(state)) continue;", ""),
    ("questions-not-understood", "src/dynamics/schedule.cpp", "  return is_idle_until(asked_until_);", "  return true;"),
    ("questions-not-withdrawn", _KICKS, "  if (!holds) schedule_.withdraw();\n", ""),
    ("withdrawn-sums-stay", "src/dynamics/line_search.cpp", "    at(states_, found_[k].subdomain).line_sums = before_[k].line_sums;\n", ""),
    ("withdrawn-search-stays", "src/dynamics/line_search.cpp", "    found_[k].crossing = before_[k].search;\n", ""),
    ("void-gradient-stays", _GRADIENT, "  std::swap(forces_, forces_before_);\n  for_each_line([](PotentialOnLine& line) { line.recall", "  for_each_line([](PotentialOnLine& line) { line.recall"),
    ("void-gradient-throws", _GRADIENT, "    if (!last.stands) return {};\n", ""),
    ("confirmed-without-asking", _KICKS, "  lagrangian_.communicator->sum({&objections, 1});\n  owes_reduction_ = false;", "  owes_reduction_ = false;"),
    ("owed-reductions-not-counted", _KICKS, "owes_reduction_ = communicator.size() == 1;", "owes_reduction_ = false;"),
    # Certificates from bounds of F⁻¹ that are carried along.
    ("deform-norm-forgotten", "src/potentials/element_motion_kernels.hpp", "(inverse / (one - change))", "inverse"),
    ("deform-far-too-much", "src/potentials/tetrahedra_on_line.cpp", "constexpr double most = 0.24;", "constexpr double most = 0.6;"),
    ("deform-packet-forgotten", "src/potentials/element_motion_kernels.hpp", "deforming += xsimd::all(all) ? 0 : 1;", "deforming += 0;"),
    ("deform-packet-always-holds", "src/potentials/tetrahedra_on_line.cpp", "return sum.invalid == 0;", "return true;"),
    ("deform-time-without-certificates", "src/potentials/tetrahedra_on_line.cpp", " && now <= certain_until_", ""),
    ("deform-times-before", "src/potentials/tetrahedra_on_line.cpp", "found_at_ <= now && ", ""),
    ("deform-looked-at-elsewhere", "src/potentials/tetrahedra_on_line.cpp", "displacements_[node].component[i] + s * velocities_[node].component[i];",
     "displacements_[node].component[i] + 0 * s * velocities_[node].component[i];"),
    # Impulses.
    ("range-of-momenta-forgotten", "src/dynamics/state.cpp", "return outside == 0;", "return true;"),
    ("range-of-momenta-doubled", "src/dynamics/state.cpp", "constexpr int leading = 58;", "constexpr int leading = 59;"),
    ("impulse-beyond-integers", "src/dynamics/exact_momentum.hpp", "if (!std::isfinite(whole)) return {1, beyond_all};", "if (!std::isfinite(whole)) return {1, 0 * beyond_all};"),
    ("gap-curvature-of-rounding", "src/potentials/contact_profile.hpp", "1e-6 * activation_", "0"),
    ("penetration-of-first-in-second", "src/potentials/penetration.cpp", "surfaces.second().triangles, second, common, reach)", "surfaces.second().triangles, second, common, 0)"),
    ("penetration-of-second-in-first", "src/potentials/penetration.cpp", "surfaces.first().triangles, first, common, reach)", "surfaces.first().triangles, first, common, 0)"),
]

EXPLAINED = {
    "held-nodes-count-before": "the other factor of the product has zeros there",
}
