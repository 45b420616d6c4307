"""Wrong lines of implicit and adaptive integrators and of discrete gradients."""

_elastic = "src/potentials/elastic/elastic_discrete_gradient.cpp"
_walls = "src/potentials/contact/wall_discrete_gradients.cpp"
_force = "src/dynamics/steps/step_force.cpp"
_equations = "src/dynamics/steps/step_equations.cpp"
_step = "src/dynamics/steps/implicit_step.cpp"
_sem = "src/dynamics/steps/symplectic_energy_momentum.cpp"
_adaptive = "src/dynamics/steps/adaptive_integrator.cpp"
_motion = "src/dynamics/steps/system_motion.cpp"

MUTATIONS = [
    ("discrete-gradient-of-the-middle", _elastic, "  stress.mean = combined(1, stress.mean, stress.factor, motion.change);\n", ""),
    ("discrete-gradient-at-the-end", _elastic, "product(motion.mean_deformation, stress_of(motion).mean)",
     "product(motion.last_deformation, stress_of(motion).mean)"),
    ("discrete-tangent-of-the-middle", _elastic, "    change = combined(1, change, factor, motion.change);", "    change = combined(1, change, 0 * factor, motion.change);"),
    ("wall-slope-of-the-end", _walls, "    return mean_slope(profile, first, last, feels_first == feels_last);",
     "    return mean_slope(profile, last, last, feels_first == feels_last);"),
    ("midpoint-at-the-end", _force, "combine(start_, 0.5, change, middle_)", "combine(start_, 1, change, middle_)"),
    ("midpoint-tangent-twice", _force, "component = 0.5 * component;", "component = 1.0 * component;"),
    ("explicit-force-of-no-grid", "src/dynamics/steps/step_force.hpp", "double quantum = -1", "double quantum = 0"),
    ("explicit-force-at-the-start", _force, "instant_ = state.time + explicit_weight_ * duration;", "instant_ = state.time + 0 * duration;"),
    ("implicit-step-without-its-second-kick", _step, "  state.time = end;\n  kick(state, state.time, 0.5 * step, forces, changed_);\n", "  state.time = end;\n"),
    ("held-nodes-are-free-in-a-step", "src/dynamics/steps/step_equations.hpp", "return !lagrangian_.held_by.empty() && ", "return false && "),
    ("sem-slope-of-the-forces-alone", _equations, "  return along + (with_momenta - square) / duration_;", "  return along;"),
    ("sem-takes-any-energy", _sem, "    if (std::abs(defect) <= tolerance) return true;\n", "    if (std::abs(defect) <= 1e9 * tolerance) return true;\n"),
    ("sem-clings-to-its-energy", _sem, "    energy_ = discrete_;\n  }\n  ++steps_", "  }\n  ++steps_"),
    ("falls-are-blamed-on-the-step", _adaptive, "if (!taken && !has_lowest_potential_)", "if (!taken && !has_lowest_potential_ && step < 0)"),
    ("density-grows-with-the-step", _adaptive, "    return -scaling.derivative / scaling.value * motion.power();",
     "    return scaling.derivative / scaling.value * motion.power();"),
    ("motion-keeps-an-old-potential", _motion, "  potential_.reset();\n", ""),
]
