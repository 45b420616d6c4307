"""A3 as published: force-stepping of the oblique impact of a cube (thesis 3.6.3), on three meshes of 213, 375 and 1,287 coordinates.

Usage: verify_a3_force_stepping.py TERRACE [--full]
Small: the first microseconds. --full: the whole impact against Newmark with 0.2 ns, and what a step costs; two minutes
"""

import math
import resource

from facts import INPUTS, Facts, history_of, table

DECK = INPUTS / "a3_force_stepping.toml"
MESH = INPUTS.parent / "meshes" / "cube_of_cells.geo"
SETTINGS = {"output__field_interval": -1, "output__history_interval": 2e-7}


def meshes():
    """(number of coordinates, deck, settings) of three meshes: 2³ cells of 24 tetrahedra, 4³ cells of 6, 4³ cells of 24."""
    text = DECK.read_text(encoding="utf-8")
    kept = [line for line in text.splitlines() if not line.startswith(("extent", "cells"))]
    of_file = "\n".join(kept).replace('shape = "lattice"', f'shape = "file"\nfile = "{MESH}"\nsize = 0.025\nscale = 0.1')
    return (213, DECK, {}), (375, of_file + "\n", {}), (1287, DECK, {"bodies__0__cells": [4, 4, 4]})


def processor_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def exponent(first, last):
    return math.log(last[1] / first[1]) / math.log(last[0] / first[0])


def steps_over_meshes(facts):
    steps = []
    for coordinates, deck, settings in meshes():
        summary, _ = facts.run(deck, time__end=2e-6, **SETTINGS, **settings)
        facts.at_most(f"{coordinates} coordinates: energy drift in {summary['events']} steps", summary["energy_drift"], 1e-12)
        steps.append((coordinates, summary["average_step"]))
    found = ", ".join(f"{step:.3g} s" for _, step in steps)
    facts.near(f"average steps {found}, of order in N", exponent(steps[0], steps[-1]), -2, 0.3)
    half, _ = facts.run(DECK, time__end=2e-6, integrator__grid_spacing=2.5e-4, **SETTINGS)
    facts.near("and of order in h", math.log(steps[0][1] / half["average_step"]) / math.log(2), 1, 0.35)


def cost_of_a_step(facts):
    """States how the cost of a step grows. It is the difference of two runs of each mesh, so that reading and meshing do not count, in
    seconds of processor time, which do not depend on other processes."""
    costs = []
    for (coordinates, deck, settings), end in zip(meshes(), (1.6e-5, 8e-6, 3e-6)):
        seconds, events = [], []
        for until in (end / 10, end):
            before = processor_seconds()
            summary, _ = facts.run(deck, time__end=until, **SETTINGS, **settings)
            seconds.append(processor_seconds() - before)
            events.append(summary["events"])
        costs.append((coordinates, (seconds[1] - seconds[0]) / (events[1] - events[0])))
    found = ", ".join(f"{1e6 * cost:.2g} µs" for _, cost in costs)
    worst = exponent(costs[0], costs[-1])
    facts.state(worst <= 1.2, f"cost of a step {found}: grows like d^{worst:.2f}, at most d^1.2")


def impact(facts, end):
    summary, output = facts.run(DECK, time__end=end, **SETTINGS)
    facts.at_most(f"energy drift in {summary['events']} steps to {end:g} s", summary["energy_drift"], 1e-12)
    momentum = [row["momentum_x"] for row in table(output, "history")]
    facts.at_most("change of the momentum along x, published as nearly none, of 2700", max(abs(p - momentum[0]) for p in momentum), 100)
    _, exact = facts.run(DECK, time__end=end, integrator__method="newmark", integrator__time_step=2e-10, **SETTINGS)
    start, found, expected = history_of(output, "cube")[0], *(history_of(one, "cube")[-1] for one in (output, exact))
    for axis in "yz":
        # In the first microseconds the velocity changes little: with a tolerance of 60 m/s even a plane without effect would pass.
        velocity = expected[f"velocity_{axis}"]
        change = start[f"velocity_{axis}"] - velocity
        facts.near(f"velocity along {axis} against Newmark 0.2 ns, which takes {change:.4g} m/s", found[f"velocity_{axis}"], velocity,
                   min(60, 0.15 * change))


if __name__ == "__main__":
    facts = Facts()
    steps_over_meshes(facts)
    impact(facts, 8e-5 if facts.full else 5e-6)
    if facts.full:
        cost_of_a_step(facts)
    facts.finish()
