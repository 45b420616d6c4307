"""The experiment "which": every integrator of meshes, on the spinning cube A1 and on a ball that meets a wall, at several steps each.
The format is that of experiments.py; a run is called "PROBLEM METHOD: parameter", the references "PROBLEM reference"."""

EXPLICIT = ("newmark", "clocked-energy-stepping", "time-transformed-splitting", "step-density", "adaptive-variational")
IMPLICIT = ("implicit-midpoint", "energy-momentum")
PROBLEMS = {
    "A1": {"deck": "a1_spinning_cube", "time__end": 8, "coarse": {"bodies__0__cells": [4] * 3, "time__end": 4}},
    "ball": {"deck": "ball_on_wall", "coarse": {"bodies__0__size": 0.01, "time__end": 0.03}},
}


def runs_of(problem, method, factors, **more):
    return [(f"{problem} {method}: {factor:g}", {**PROBLEMS[problem], "integrator__method": f'"{method}"',
                                                 "integrator__time_step_factor": factor, **more}) for factor in factors]


def of_problem(problem, implicit, first_steps, semi_explicit, energy_steps):
    runs = [run for method in EXPLICIT for run in runs_of(problem, method, (0.4, 0.2, 0.1))]
    runs += [run for method in IMPLICIT for run in runs_of(problem, method, implicit)]
    runs += runs_of(problem, "symplectic-energy-momentum", first_steps)
    runs += runs_of(problem, "semi-explicit", semi_explicit)
    runs += [(f"{problem} energy-stepping: {step:g}", {**PROBLEMS[problem], "integrator__method": '"energy-stepping"',
                                                      "integrator__energy_step": step}) for step in energy_steps]
    # Force-stepping runs for some thousand crossings only, which tells how long its steps are.
    runs.append((f"{problem} force-stepping: {1e-3:g}", {
        **PROBLEMS[problem], "integrator": "{ method = 'force-stepping', grid_offset = 0.618033988749895, grid_spacing = SPACING }".replace(
            "SPACING", "0.01" if problem == "A1" else "1.0e-4"), "time__events": 2000}))
    return [(f"{problem} reference", {**PROBLEMS[problem], "integrator__method": '"newmark"', "integrator__time_step_factor": 0.01}), *runs]


WHICH_EXPERIMENTS = {
    "which": {
        "deck": "a1_spinning_cube",
        "all": {"output__field_interval": -1},
        "runs": [*of_problem("A1", (4, 2, 1), (4, 2, 1), (4, 2, 1), (1e-5, 2.5e-6)), *of_problem("ball", (8, 4, 2, 1), (8, 4, 2), (0.8, 0.4, 0.2), (2e-5, 5e-6))],
        "coarse": {},
    },
}
