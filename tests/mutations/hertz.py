"""Wrong lines in contact by Hertz's law: (name, file, text that occurs once in it, what takes its place). The unit tests should
fail with each."""

_law = "src/potentials/contact/hertz_law.cpp"
_patch = "src/potentials/contact/sphere_patch.cpp"
_contact = "src/potentials/contact/hertz_contact.cpp"
_wall = "src/potentials/contact/hertz_wall.cpp"
_line = "src/potentials/contact/law_on_line.cpp"
_pairs = "src/dynamics/system/hertz_pairs.cpp"
_yield = "src/dynamics/system/patch_compliance.cpp"
_coarse = "src/dynamics/measuring/coarse_contact.cpp"
_advice = "src/dynamics/measuring/advice.cpp"
_deck = "src/io/deck_contacts.cpp"
_model = "src/io/build_model.cpp"
_shapes = "src/mesh/gmsh_shapes.cpp"

MUTATIONS = [
    ("hertz-energy-of-a-rigid-mesh", _law, "(0.4 - 0.5 * beta_ * x)", "0.4"),
    ("hertz-no-tangent-beyond", _law, "force + beyond * stiffness, stiffness", "force, stiffness"),
    ("hertz-width-of-the-patch", _law, "/ force_) / widest_", "/ force_)"),
    ("hertz-load-not-balanced", _patch, "  balance(patch.load, places);\n", ""),
    ("hertz-even-pressure", _patch, "share > 0 ? std::sqrt(share) : 0.0", "share > 0 ? 1.0 : 0.0"),
    ("hertz-load-on-both-sides", _patch, "height > 0 && share > 0", "share > 0"),
    ("hertz-rough-sphere", _patch, "<= 1e-5 * sphere.radius", "<= 1e-3 * sphere.radius"),
    ("hertz-forces-along-the-axis-alone", _contact, "share.middle * by_middle;\n}", "0.0 * by_middle;\n}"),
    ("hertz-no-moment-of-the-middles", _contact, "shares_[i].load * by_load + shares_[i].middle * by_middle",
     "shares_[i].load * by_load"),
    ("hertz-rounding-left-over", _contact, "][k] += rest[k];", "][k] += grid.round(rest[k] * (1 + 1e-9));"),
    ("hertz-gap-ignored", _contact, "unit) - gap;", "unit);"),
    ("hertz-no-second-turn", _contact, "2 * dot(velocity.loads, turn) + dot(place.loads, second_turn)",
     "2 * dot(velocity.loads, turn)"),
    ("hertz-shift-of-one-body", _contact, "std::max(norm(n.across(place.arm)), norm(n.across(second_arm)))",
     "norm(n.across(second_arm))"),
    ("hertz-wall-without-gap", _wall, "return approach - gap_;", "return approach;"),
    ("hertz-passing-is-not-told", _law, "return rest > std::min(depth_, 0.1 * radius) ? rest : 0;", "return rest > 1e9 * std::min(depth_, 0.1 * radius) ? rest : 0;"),
    ("hertz-wide-patches-are-for-any-depth", _law, "std::min(depth_, 0.1 * radius)", "std::min(depth_, 1e9 * radius)"),
    ("hertz-what-is-felt-is-unfelt", _law, "rest = overlap - std::max(felt, 0.0)", "rest = overlap - 0.0 * felt"),
    ("hertz-spheres-do-not-turn", "src/potentials/contact/sphere_of_patch.cpp", "centre_[0] * now->axes[0]", "0 * now->axes[0]"),
    ("hertz-wall-knows-no-turn", _wall, "if (width > 0) seen_.shift", "if (width > 1e9) seen_.shift"),
    ("hertz-wall-pulls", _wall, "-force * load_[i] * normal_[k]", "force * load_[i] * normal_[k]"),
    ("hertz-bound-without-change-of-rate", _line, "std::abs(rates.first) + change", "std::abs(rates.first)"),
    ("hertz-bound-of-the-start", _line, "law.at(penetration + way)", "law.at(penetration)"),
    ("hertz-bound-of-any-length", _line, "    sum.invalid += 1;\n", ""),
    ("hertz-half-the-force", _pairs, "return 2 * contact_radius(first, second, force);",
     "return contact_radius(first, second, force);"),
    ("hertz-impact-of-both-masses", _pairs, "1.25 * relative(first.mass, second.mass)", "1.25 * first.mass"),
    ("hertz-all-are-neighbours", _pairs, "> radii + reach)", "> 1000 * radii)"),
    ("hertz-one-side-yields", _pairs, " +\n                         compliance(other, second, found.second, -1 * found.axis)", ""),
    ("hertz-yield-without-inertia", _yield, "  relieve(load, own);\n", ""),
    ("hertz-yield-with-torque", _yield, "+ cross(alpha, own.places[a]))", ")"),
    ("hertz-yield-half-converged", _yield, "1e-16 * square", "1e-2 * square"),
    ("coarse-by-the-whole-force", _coarse, "0.1 * force) / 3", "force) / 3"),
    ("coarse-by-the-finer-body", _coarse, "edge > coarsest->edge", "edge < coarsest->edge"),
    ("advice-of-no-shift", _advice, "extremes.largest_shift > 0.1", "extremes.largest_shift > 1"),
    ("contacts-for-the-large-force", _deck, "ball.radius, contact.least_force)", "ball.radius, contact.largest_force)"),
    ("contacts-along-the-vector", _deck, "ball.radius * unit_vector(direction)", "direction"),
    ("mass-of-the-sphere-twice", _model, "denser.density *= volume / shape.volume", "denser.density *= 2 * volume / shape.volume"),
    ("core-ignored", _shapes, "(distance - refinement.core) / (refinement.radius - refinement.core)",
     "distance / refinement.radius"),
]
