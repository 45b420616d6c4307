"""Wrong lines of force-stepping, of LaBudde and Greenspan's method and of discontinuous potentials."""

_walk = "src/dynamics/simplex_walk.cpp"
_steps = "src/dynamics/step_interfaces.cpp"
_greenspan = "src/dynamics/labudde_greenspan.cpp"

MUTATIONS = [
    ("walk-does-not-exchange", _walk, "    exchange(k);\n", ""),
    ("walk-forgets-a-neighbour", _walk, "  renew_exit((fresh + d) % (d + 1), false);\n", ""),
    ("walk-falls-upwards", _walk, "motions_[i].acceleration = -rise", "motions_[i].acceleration = rise"),
    ("walk-mirrors-without-turning", _walk, "    motion.speed = -motion.speed;\n", ""),
    ("walk-leaves-one-coordinate-behind", _walk, "  if (k < d) bring_to(now_, coordinate_at(k + 1));\n", ""),
    ("walk-takes-the-later-root", _walk, "return b > 0 ? -(b + root) / a : 2 * c / (root - b);",
     "return b > 0 ? -(b + root) / a : (root - b) / a;"),
    ("jacobi-mass-of-one", "src/dynamics/jacobi_coordinates.cpp",
     "list_.push_back({system.masses[j] * mass_up_to_[j - 1] / mass_up_to_[j], axis});", "list_.push_back({system.masses[j], axis});"),
    ("jacobi-momentum-incomplete", "src/dynamics/jacobi_coordinates.cpp", "  state.complete_momentum(count - 1, total_);\n", ""),
    ("radius-without-its-centrifugal-part", "src/dynamics/radial_coordinate.cpp",
     "  Integer128 sum = whole(angular_momentum_ * angular_momentum_ / (2 * mass_ * distance * distance));\n",
     "  Integer128 sum = 0;\n"),
    ("nodes-around-a-vertex-not-placed", "src/dynamics/nodal_coordinates.cpp",
     "    for (const std::int32_t other : terms->nodes_around(node)) place(other, vertex);\n", ""),
    ("greenspan-one-end-alone", _greenspan, "const Vector3 impulse = (-step_ * slope) * (from + to);",
     "const Vector3 impulse = (-2 * step_ * slope) * from;"),
    ("greenspan-slope-of-the-middle", _greenspan, "constexpr double near = 0.05;", "constexpr double near = 5;"),
    ("step-always-reflects", _steps, "  if (!(left > 0)) {\n", "  if (left < 1e300) {\n"),
    ("step-forgets-its-side", _steps, "  inside_[crossing.side] = leaves ? 0 : 1;\n", ""),
    ("step-without-the-mass", _steps, "2 * jump / at(masses_, side.node)", "jump / at(masses_, side.node)"),
    ("ball-is-a-plane-to-its-bound", _steps, "    bend += 2 * bound.speed * bound.speed / distance;\n", ""),
    ("dp3-goes-on-for-a-whole-step", "src/dynamics/discontinuous_potential.cpp", "    left -= crossing->instant;\n", ""),
    ("triple-jump-without-its-jump", "src/dynamics/smooth_flow.cpp", "{gamma, 1 - 2 * gamma, gamma}", "{gamma, 1 - gamma, 0}"),
    ("arcs-without-their-curvature", "src/dynamics/quadratic_arcs.cpp", "  stiffness_ = product[0][0] / system.masses[0];\n", ""),
    ("whole_system_divided", "src/app/preparation.cpp", "deck.integrator.method->needs.whole_system\n", "false\n"),
]
