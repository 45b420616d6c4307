"""D1 to D13: geometric integrators on small systems, compared with the published claims and with figures recomputed from the papers.

Usage: verify_d_small_systems.py TERRACE [--full]      --full: also a longer run of D10; a minute
"""

import math

from facts import INPUTS, Facts, table

PI = math.pi


def deck(name):
    return next(INPUTS.glob(f"{name}_*.toml"))


def within(facts, name, found, expected, tolerance=0.05):
    facts.near(name, found, expected, tolerance * abs(expected))


def largest(output, value, low=0.0, high=math.inf):
    return max(abs(value(row)) for row in table(output, "history") if low <= row["time"] <= high)


def energy_error(output, summary, low=0.0, high=math.inf):
    return largest(output, lambda row: row["energy"] - summary["energy"], low, high)


def method(name, **keys):
    """A setting that replaces the whole table [integrator]."""
    words = [f"method='{name}'"] + [f"{key}={value!r}" for key, value in keys.items()]
    return {"integrator": "{" + ", ".join(words) + "}"}


def d1_d2(facts):
    for start, longest in ((0.74, 0.1066), (0.995, 0.4611)):
        summary, _ = facts.run(deck("d1"), system__coordinates=f"[{start}]")
        facts.at_most(f"D1 from {start}: discrete energy", summary["monitors"]["discrete_energy_drift"] / abs(summary["energy"]), 1e-10)
        within(facts, f"D1 from {start}: longest step", summary["longest_step"], longest, 2e-3)
        facts.near(f"D1 from {start}: shortest step", summary["shortest_step"], 0.1, 1e-4)
        facts.state(summary["unsolved_steps"] == 0, f"D1 from {start}: {summary['unsolved_steps']} steps without solution")
    for start, published in ((0.74, 7.15e-7), (0.995, 7.84e-4), (1.0, 8.33e-4)):
        summary, _ = facts.run(deck("d1"), system__coordinates=f"[{start}]", **method("implicit-midpoint", time_step=0.1), time__end=100.0)
        within(facts, f"D1 from {start}: discrete energy of equal steps", summary["monitors"]["discrete_energy_drift"], published)
    summary, _ = facts.run(deck("d1"), system__coordinates="[1.0]")
    facts.state(0 < summary["unsolved_steps"] < 100 and summary["monitors"]["discrete_energy_drift"] < 1e-3,
                f"D1 on the separatrix: {summary['unsolved_steps']} of {summary['steps']} steps without solution, "
                f"discrete energy within {summary['monitors']['discrete_energy_drift']:.2g}")
    summary, output = facts.run(deck("d2"))
    facts.at_most("D2: discrete energy", summary["monitors"]["discrete_energy_drift"] / abs(summary["energy"]), 1e-10)
    within(facts, "D2: shortest step", summary["shortest_step"], 0.0988, 2e-3)
    within(facts, "D2: longest step", summary["longest_step"], 0.1281, 2e-3)
    within(facts, "D2: time of 1000 steps", summary["final_time"], 117.27, 1e-3)
    for axis, published in ((1, (-1.005, 1.009)), (2, (-1.033, 1.023))):
        places = [row[f"q_{axis}"] for row in table(output, "history")]
        for which, found, expected in zip(("least", "largest"), (min(places), max(places)), published):
            facts.near(f"D2: {which} q_{axis}", found, expected, 2e-3)
    within(facts, "D2: energy H, which is not the discrete one", summary["energy_error"], 2.5e-3)
    summary, _ = facts.run(deck("d2"), **method("implicit-midpoint", time_step=0.1), time__end=100.0)
    within(facts, "D2: discrete energy of equal steps", summary["monitors"]["discrete_energy_drift"], 8.54e-4)
    within(facts, "D2: energy H of equal steps", summary["energy_error"], 4.2e-4)
    summary, _ = facts.run(deck("d2"), **method("energy-momentum", time_step=0.1), time__end=100.0)
    facts.at_most("D2, energy-momentum method: energy", summary["energy_drift"], 1e-10)


def d3(facts):
    for step, published in ((0.1, 0.0453), (0.05, 0.0223)):
        summary, _ = facts.run(deck("d3"), integrator__time_step=step)
        within(facts, f"D3, symplectic Euler, {step}: energy", summary["energy_error"], published, 0.01)
    _, output = facts.run(deck("d3"), **method("implicit-euler", time_step=0.1), time__end=14.8)
    left = {round(row["time"], 3): row["energy"] + 1 for row in table(output, "history")}
    within(facts, "D3, implicit Euler: energy after one period", left[7.4], 0.579, 0.005)
    within(facts, "D3, implicit Euler: energy after two periods", left[14.8], 0.307, 0.005)


D4 = {0.1: (4.936, 5.260, 5.517, 5.949, 5.957), 0.25: (4.051, 5.933, 6.45, 41.8, 42.2), 0.5: (2.46, 11.15, 2.29, 1.2e7, 1.2e7)}


def d4(facts):
    methods = (("implicit-midpoint", {}), ("forced-splitting", {}), ("extrapolated-implicit-euler", {}), ("runge-kutta", {"variant": "heun"}),
               ("runge-kutta", {"variant": "midpoint"}))
    for step, amplitudes in D4.items():
        for (name, keys), published in zip(methods, amplitudes):
            _, output = facts.run(deck("d4"), **method(name, time_step=step, **keys), output__history_interval=step)
            within(facts, f"D4, {name} {keys.get('variant', '')}, {step}: largest |q_1|", largest(output, lambda row: row["q_1"]), published, 0.03)


def wall_position(time):
    """The exact position between springs of stiffness 1 and 1e4, for a start at 1 at rest."""
    time %= 1.01 * PI
    if time < PI / 2:
        return math.cos(time)
    if time < PI / 2 + PI / 100:
        return -0.01 * math.sin(100 * (time - PI / 2))
    return math.sin(time - PI / 2 - PI / 100)


D5 = {0.1: (21.0, 1.82e-1, 1.10e-1, 20.5, 1.70e-1, 3.75e-2), 0.05: (40.2, 5.06e-2, 3.44e-2, 39.8, 4.15e-2, 9.0e-3),
      0.03: (66.1, 2.33e-2, 1.63e-2, 65.9, 1.48e-2, 3.5e-3), 0.01: (197.2, 5.84e-3, 3.37e-3, 197.1, 1.65e-3, 5.3e-4)}


def d5(facts):
    for step, figures in D5.items():
        for variant, smoothing, (rate, position, energy) in (("explicit", 0.04, figures[:3]), ("midpoint", 0.033, figures[3:])):
            summary, output = facts.run(deck("d5"), system__parameters__smoothing=smoothing * step, output__history_interval=1e-5,
                                        **method("adaptive-variational", variant=variant, step_parameter=step, scaling="system"))
            name = f"D5, {variant}, {step}"
            within(facts, f"{name}: steps in a unit of time", summary["steps"] / summary["final_time"], rate, 0.01)
            within(facts, f"{name}: position", largest(output, lambda row: row["q_1"] - wall_position(row["time"])), position)
            within(facts, f"{name}: energy", summary["energy_error"], energy)
    facts.near("D5: shortest of the finest steps", summary["shortest_step"], 1.013e-4, 2e-6)
    # A general code with control of the local error changes the energy all the time.
    _, output = facts.run(deck("d5"), **method("bdf", time_step=0.5, order=2, tolerance=1e-4), output__history_interval=1e-5)
    energies = [sum(row["energy"] for row in table(output, "history") if low < row["time"] < low + 40) /
                sum(1 for row in table(output, "history") if low < row["time"] < low + 40) for low in (0, 160)]
    facts.state(abs(energies[1] - energies[0]) > 0.01, f"D5, BDF of second order with a tolerance of 1e-4: mean energy {energies[0]:.4g}, then {energies[1]:.4g}")


def speeds_at_the_end(output):
    """The speeds of the four balls of the billiard in the last row."""
    last = table(output, "history")[-1]
    return [math.hypot(last[f"p_{2 * ball + 1}"], last[f"p_{2 * ball + 2}"]) for ball in range(4)]


def d6(facts):
    """Published: the adaptive methods do well where a general code with control of the local error does not."""
    summary, output = facts.run(deck("d6"), **method("bdf", time_step=0.5, order=2, tolerance=1e-4))
    of_bdf = sum(speeds_at_the_end(output)[:3])
    facts.between("D6, BDF of second order with a tolerance of 1e-4: sum of the speeds of the balls at rest", of_bdf, 0.015, 0.04)
    facts.between("D6, BDF: energy", summary["energy_error"], 0.04, 0.1)
    facts.between("D6, BDF: rejected steps", summary["rejected_steps"], 100, 300)
    for variant in ("explicit", "midpoint"):
        errors = []
        for step in (0.05, 0.01):
            summary, output = facts.run(deck("d6"), system__parameters__smoothing=0.05 * step, time__end=2.0,
                                        **method("adaptive-variational", variant=variant, step_parameter=step, scaling="system"))
            speeds = speeds_at_the_end(output)
            errors.append((sum(speeds[:3]), summary["energy_error"]))
        facts.state(errors[1][1] < 0.5 * errors[0][1] and errors[1][0] < 2e-5 and abs(speeds[3] - math.sqrt(2)) < 0.02,
                    f"D6, {variant}: sum of the speeds of the balls at rest {errors[0][0]:.2g}, {errors[1][0]:.2g}; energy "
                    f"{errors[0][1]:.2g}, {errors[1][1]:.2g}; the last one's speed {speeds[3]:.5g}")


def d7(facts):
    scaled = {"scaling": "potential", "scaling_exponent": -1.5}
    for name, figures in (("time-transformed-splitting", {0.02: 2.87e-5, 0.01: 7.18e-6}), ("step-density", {0.02: 3.42e-4, 0.01: 8.56e-5})):
        for step, published in figures.items():
            summary, output = facts.run(deck("d7"), **method(name, step_parameter=step, **scaled))
            within(facts, f"D7, {name}, {step}: energy over 200 orbits", summary["energy_error"], published)
            facts.at_most(f"D7, {name}, {step}: angular momentum", summary["changes_of_invariants"]["angular_momentum"], 1e-12)
            within(facts, f"D7, {name}, {step}: steps of an orbit", summary["steps"] / 200, 376.9 * 0.02 / step, 0.001)
            first, last = energy_error(output, summary, 0, 250), energy_error(output, summary, 1000)
            facts.state(last < 1.1 * first, f"D7, {name}, {step}: energy in the first and last 40 orbits {first:.3g}, {last:.3g}")
            if name == "step-density" and step == 0.02:
                within(facts, "D7, step-density: log(Q/ρ)", summary["monitors"]["density_drift"], 3.6e-4)
    summary, _ = facts.run(deck("d7"), **method("time-transformed-splitting", step_parameter=0.02, order=4, **scaled))
    facts.at_most("D7, fourth order: energy", summary["energy_error"], 3e-6)


def windows(facts, name, low_end, high_start, expected, **settings):
    summary, output = facts.run(deck(name), **settings)
    return [(energy_error(output, summary, 0, low_end), expected[0]), (energy_error(output, summary, high_start), expected[1])], summary


def d8_d9(facts):
    every_step = {"output__history_interval": 1e-4}
    scaled = {"step_parameter": 0.2, "scaling": "potential", "scaling_exponent": -0.5}
    for name, expected in (("step-density", (1.5e-2, 4.5e-2)), ("time-transformed-splitting", (8.34e-3, 8.34e-3))):
        found, summary = windows(facts, "d8", 500, 4500, expected, **method(name, **scaled), **every_step)
        for when, (error, published) in zip(("first", "last"), found):
            within(facts, f"D8, {name}: energy in the {when} 500", error, published)
        facts.near("D8: energy at the start", summary["energy"], 1.0223457, 1e-7)
    for name, step, expected in (("doubled-phase-space", 0.2, (2.5e-2, 2.5e-2)), ("doubled-phase-space", 0.1, (4.9e-3, 4.9e-3)),
                                 ("step-density", 0.2, (1.5e-2, 3.4e-2))):
        found, summary = windows(facts, "d9", 500, 4500, expected, **method(name, step_parameter=step, scaling="system"), **every_step)
        for when, (error, published) in zip(("first", "last"), found):
            within(facts, f"D9, {name}, {step}: energy in the {when} 500", error, published)
        if step == 0.2 and name == "doubled-phase-space":
            facts.near("D9: its copies apart", summary["monitors"]["copies_apart"], 0.5, 0.05)
    # At 0.3 the motion is chaotic: tests/cli/small_systems.py tests the message.


def d10(facts):
    scaled = {"scaling": "potential", "scaling_exponent": -0.5, "scaling_shift": 1.0}
    for name, expected in (("step-density", (2.6e-3, 1.3e-2)), ("time-transformed-splitting", (8.51e-4, 8.51e-4))):
        found, summary = windows(facts, "d10", 2, 18, expected, **method(name, step_parameter=0.001, **scaled), output__history_interval=1e-5)
        for when, (error, published) in zip(("first", "last"), found):
            within(facts, f"D10, {name}: energy in the {when} 2", error, published)
    facts.near("D10: energy at the start", summary["energy"], 40.125, 1e-3)
    if facts.full:
        summary, _ = facts.run(deck("d10"), **method("time-transformed-splitting", step_parameter=0.005, **scaled), time__end=200.0)
        within(facts, "D10, time-transformed-splitting, 0.005 to 200: energy", summary["energy_error"], 2.27e-2)


def d11(facts):
    casimir = "half_square_of_angular_momentum"
    for name, keys, energy, momentum in (("rotations", {"time_step": 0.15}, 1.38e-4, None), ("shears", {"time_step": 0.15}, 9.70e-4, 1.21e-3),
                                         ("rotations", {"step_parameter": 0.054}, 2.1e-4, None), ("shears", {"step_parameter": 0.054}, 3.1e-4, 3.0e-4)):
        summary, _ = facts.run(deck("d11"), **method(f"rigid-body-{name}", **keys))
        within(facts, f"D11, {name}, {keys}: T", summary["energy_error"], energy)
        found = summary["changes_of_invariants"][casimir]
        if momentum is None:
            facts.at_most(f"D11, {name}, {keys}: M", found, 1e-13)
        else:
            within(facts, f"D11, {name}, {keys}: M", found, momentum)
        if "step_parameter" in keys:
            within(facts, f"D11, {name}: mean step", summary["average_step"], 0.15, 0.01)
            facts.at_most(f"D11, {name}: what Nambu's extension keeps", summary["monitors"]["extension_drift"], 3e-2)
    long, _ = facts.run(deck("d11"), **method("rigid-body-shears", step_parameter=0.054), time__end=1000.0)
    within(facts, "D11, shears to 1000: T as to 100", long["energy_error"], 3.1e-4)


def d12(facts):
    positions = {1: (0.80177, 0.79823), 2: (0.15546, 0.14277), 3: (-0.58567, -0.57333)}
    runs = {"semi-explicit": method("semi-explicit", time_step=1.0), "theta 0.5": method("theta", time_step=1.0, weight=0.5),
            "theta 0.8": method("theta", time_step=1.0, weight=0.8), "exact": method("runge-kutta", time_step=1e-3)}
    histories = {name: table(facts.run(deck("d12"), **settings)[1], "history") for name, settings in runs.items()}
    for row in histories["semi-explicit"][1:4]:
        for axis, published in zip((1, 2), positions[round(row["time"])]):
            facts.near(f"D12: q_{axis}({row['time']:g})", row[f"q_{axis}"], published, 1e-5)
    for name, published in (("semi-explicit", 0.566), ("theta 0.5", 1.013), ("theta 0.8", 1.053)):
        error = max(abs(one[f"q_{axis}"] - other[f"q_{axis}"]) for one, other in zip(histories[name], histories["exact"]) for axis in (1, 2))
        within(facts, f"D12, {name}: position", error, published, 0.01)


def d13(facts):
    runs = {"semi-explicit": method("semi-explicit", time_step=0.01, implicit_weight=0.6), "theta 0.5": method("theta", time_step=0.01, weight=0.5),
            "theta 0.6": method("theta", time_step=0.01, weight=0.6)}
    exact = table(facts.run(deck("d13"), **method("verlet", time_step=1e-4, order=6))[1], "history")
    for (name, settings), (position, constraint) in zip(runs.items(), ((2.78e-2, 1.7e-4), (1.98e-2, 1.0e-2), (5.35e-2, 1.7e-4))):
        summary, output = facts.run(deck("d13"), **settings)
        history = table(output, "history")
        within(facts, f"D13, {name}: q_1", max(abs(one["q_1"] - other["q_1"]) for one, other in zip(history, exact)), position)
        within(facts, f"D13, {name}: constraint in the last unit of time", largest(output, lambda row: math.hypot(row["q_1"], row["q_2"]) - 1, 9), constraint)
        if name == "semi-explicit":
            within(facts, "D13: Newton iterations a step", summary["newton_iterations"] / summary["steps"], 3.02, 0.02)


if __name__ == "__main__":
    facts = Facts()
    for part in (d1_d2, d3, d4, d5, d6, d7, d8_d9, d10, d11, d12, d13):
        part(facts)
    facts.finish()
