"""E1 to E4: discontinuous potentials (Tao and Jin). The published parameters are lost; the decks say which were chosen.

Usage: verify_e_discontinuous.py TERRACE [--full]
Small: orders and energies over a few periods. --full: long runs, and the orbit of E3 against the penalty method; some minutes
"""

import math
import statistics

from facts import INPUTS, Facts, history_of, table



def exact_e1(times):
    """The exact positions of E1's particle at ascending times: arcs of circles in the phase plane on either side of the step."""
    x, v, now, inside, places = -1.0, 1.2, 0.0, False, []
    for time in times:
        while True:
            size, phase = math.hypot(x, v), math.atan2(-v, x)
            wait = math.inf
            if size > 0.5:
                wait = ((1 if inside else -1) * math.acos(0.5 / size) - phase) % (2 * math.pi)
                wait = wait if wait > 1e-12 else wait + 2 * math.pi
            go = min(wait, time - now)
            x, v, now = size * math.cos(go + phase), -size * math.sin(go + phase), now + go
            if go < wait:
                break
            after = v * v + (0.6 if inside else -0.6)
            v, inside = (math.copysign(math.sqrt(after), v), not inside) if after > 0 else (-v, inside)
        places.append(x)
    return places


def slope(points):
    """The slope of log y over log x, by least squares."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x, mean_y = (statistics.mean(values) for values in zip(*logs))
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)


def quarters(values):
    """The mean of each quarter of the values."""
    size = len(values) // 4
    return [statistics.mean(values[k * size:(k + 1) * size]) for k in range(4)]


def list_of(values):
    return ", ".join(f"{value:.2g}" for value in values)


def rows_of(facts, deck, variant, step, **settings):
    """Runs a deck; returns the summary, the particle's rows, and the rows of the history, which are at ends of steps, ten per unit of time
    unless set otherwise."""
    summary, output = facts.run(INPUTS / deck, integrator__variant=f'"{variant}"', integrator__time_step=step, **settings)
    return summary, history_of(output, "particle"), table(output, "history")


def energy_change(history):
    return max(abs(row["energy"] - history[0]["energy"]) for row in history)


def mean_errors(facts, deck, variant, steps, exact, variants, **settings):
    """(step, mean error over the run) for each step. The error is a root mean square over `variants` runs with steps near it, as a single
    run says little: the error of an impact depends on where in the step it happens."""
    points = []
    for step in steps:
        squares = []
        for n in range(variants):
            _, rows, _ = rows_of(facts, deck, variant, step * (1 + 0.03 * n), **settings)
            squares.append(statistics.mean(abs(row["position_x"] - x) for row, x in zip(rows, exact(rows))) ** 2)
        points.append((step, math.sqrt(statistics.mean(squares))))
    return points


def e1(facts):
    end = 400 if facts.full else 40
    many = 24 if facts.full else 8
    exact = lambda rows: exact_e1([row["time"] for row in rows])  # noqa: E731
    for variant, steps, variants, order, tolerance in (
            ("dp1", (0.02, 0.005, 0.00125), many, 1, 0.3), ("dp3", (0.1, 0.05, 0.025, 0.0125), 1, 4, 0.25),
            ("dp3-runge-kutta", (0.1, 0.05, 0.025, 0.0125), 1, 4, 0.5)):
        points = mean_errors(facts, "e1_quadratic_step.toml", variant, steps, exact, variants, time__end=min(end, 40))
        facts.near(f"E1 {variant}: mean error {points[-1][1]:.2g} at {steps[-1]}, of order", slope(points), order, tolerance)
    for variant, bound in (("dp1", 0.01), ("dp3", 1e-8)):
        _, _, history = rows_of(facts, "e1_quadratic_step.toml", variant, 0.0125, time__end=5 * end)
        facts.at_most(f"E1 {variant}: change of the energy 1.22 to t = {5 * end}", energy_change(history), bound)
    # Published: Runge-Kutta dissipates, dp3 hardly drifts.
    _, _, history = rows_of(facts, "e1_quadratic_step.toml", "dp3-runge-kutta", 0.05, time__end=1000)
    losses = quarters([row["energy"] - history[0]["energy"] for row in history])
    facts.near("E1 dp3-runge-kutta: mean change of the energy in the last quarter of t = 1000 less that in the first", losses[3] - losses[0],
               -3.55e-6, 2e-7)
    facts.state(losses == sorted(losses, reverse=True), f"E1 dp3-runge-kutta: it falls from quarter to quarter: {list_of(losses)}")
    _, _, history = rows_of(facts, "e1_quadratic_step.toml", "dp3", 0.05, time__end=1000)
    drifts = quarters([row["energy"] - history[0]["energy"] for row in history])
    facts.at_most(f"E1 dp3: spread of the means {list_of(drifts)}", max(drifts) - min(drifts), 2e-8)
    # Published: the error of the penalty method is of first order in its width, the inverse of its steepness.
    points = []
    for steepness in (20, 80, 320):
        _, rows, _ = rows_of(facts, "e1_quadratic_step.toml", "penalty", 0.02 / steepness, integrator__steepness=steepness, time__end=40)
        points.append((1 / steepness, statistics.mean(abs(row["position_x"] - x) for row, x in zip(rows, exact(rows)))))
    facts.near(f"E1 penalty: mean errors {list_of(error for _, error in points)}, of order in the width", slope(points), 1, 0.2)
    _, _, history = rows_of(facts, "e1_quadratic_step.toml", "dp1-forward-euler", 0.0125, time__end=end)
    facts.state(history[-1]["energy"] - history[0]["energy"] > 0.1, "E1 forward Euler gains energy: "
                f"{history[-1]['energy'] - history[0]['energy']:.3g} of {history[0]['energy']:.3g}")
    _, rows, _ = rows_of(facts, "e1_quadratic_step.toml", "dp2", 0.1, time__end=end)
    facts.at_most("E1 dp2 is exact: error", max(abs(row["position_x"] - x) for row, x in zip(rows, exact(rows))), 1e-9)


def e2(facts):
    """Rows are at ends of steps, so only steps that divide the rows' interval evenly can be compared."""
    _, reference, _ = rows_of(facts, "e2_nonlinear_step.toml", "dp4", 0.005, integrator__order=6)
    many = 12 if facts.full else 5
    for variant, counts, order, tolerance, bound in (("dp2", (8, 24, 72), 3, 0.6, 1e-10), ("dp2-strang", (8, 24, 72), 2, 0.25, 2e-6),
                                                     ("dp1", (20, 80, 320), 1, 0.4, 2e-5)):
        points = []
        for count in counts:
            squares = []
            for n in range(many):
                step = 0.1 / (count + n * count // 8)
                _, rows, _ = rows_of(facts, "e2_nonlinear_step.toml", variant, step)
                squares.append(statistics.mean(abs(a["position_x"] - b["position_x"]) for a, b in zip(rows, reference)) ** 2)
            points.append((0.1 / count, math.sqrt(statistics.mean(squares))))
        facts.near(f"E2 {variant}: mean error {points[-1][1]:.2g} at {points[-1][0]:.2g}, of order", slope(points), order, tolerance)
        facts.at_most(f"E2 {variant}: the last of them", points[-1][1], bound)


def e3(facts):
    end = 20000 if facts.full else 200
    for variant, bound in (("dp1", 1e-3), ("dp1-lie-trotter", 0.03)):
        _, _, history = rows_of(facts, "e3_gravity_circle.toml", variant, 0.01, time__end=end,
                                output__history_interval=end / 2000)
        turning = [row["angular_momentum_z"] for row in history]
        facts.at_most(f"E3 {variant}: change of the angular momentum 0.8", max(abs(one - turning[0]) for one in turning), 1e-10)
        facts.at_most(f"E3 {variant}: change of the energy of -0.5", energy_change(history), bound)
    _, _, history = rows_of(facts, "e3_gravity_circle.toml", "dp1-forward-euler", 0.01, time__end=200)
    facts.state(abs(history[-1]["energy"] - history[0]["energy"]) > 0.1, "E3 forward Euler drifts away: "
                f"{history[-1]['energy'] - history[0]['energy']:.3g}")
    if facts.full:
        _, exact, _ = rows_of(facts, "e3_gravity_circle.toml", "dp4", 0.002, time__end=20)
        _, rows, _ = rows_of(facts, "e3_gravity_circle.toml", "penalty", 2e-5, integrator__steepness=2000, time__end=20)
        facts.at_most("E3: DP4 and the penalty method at t = 20: distance",
                      math.dist(*([row[-1]["position_x"], row[-1]["position_y"]] for row in (exact, rows))), 0.01)


def e4(facts):
    end = 2000 if facts.full else 50
    settings = {f"potentials__{k}__coefficients": [0, 0, 0, 0, 0] for k in (0, 1)}
    summary, rows, history = rows_of(facts, "e4_mushroom.toml", "dp4", 0.02, time__end=end, **settings)
    facts.state(min(row["position_y"] for row in rows) >= 0 and summary["reflections"] > 20,
                f"E4 without attraction: in the cap after {summary['reflections']} reflections")
    facts.at_most("E4 without attraction: change of the energy", energy_change(history) / history[0]["energy"], 1e-12)
    summary, rows, history = rows_of(facts, "e4_mushroom.toml", "dp4", 0.02, time__end=end)
    facts.state(min(row["position_y"] for row in rows) < -0.9, f"E4 with attraction: down the stem, {summary['reflections']} reflections")
    facts.at_most("E4 with attraction: change of the energy", energy_change(history) / history[0]["energy"], 1e-7)
    outside = max(max(math.hypot(row["position_x"], row["position_y"]) - 1 if row["position_y"] > 0 else
                      abs(row["position_x"]) - 0.25, -1 - row["position_y"]) for row in rows)
    facts.state(outside <= 1e-10, f"E4: never outside the mushroom: {outside:.2g}")


if __name__ == "__main__":
    facts = Facts()
    for experiment in (e1, e2, e3, e4):
        experiment(facts)
    facts.finish()
