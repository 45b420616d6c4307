"""Compares summary.json with the run's own tables: recomputes its figures from history.csv, bodies.csv, subdomains.csv and steps.csv.

Usage: verify_summary.py TERRACE [--full]      --full: nothing more
"""

import itertools
import math
import re

from facts import Facts, call, history_of, run_deck, table, vector

from decks import GEL

# Two blocks of one cell (24 tetrahedra) meet off centre above an oblique wall, which both reach.
EXTENT, TARGET = (0.02, 0.03, 0.025), (0.0225, 0.004, 0.003)
BLOCKS = f"""title = "Two blocks and a wall"
[time]
end = 0.02
{GEL}[[bodies]]
name = "striker"
material = "gel"
shape = "lattice"
extent = {list(EXTENT)}
cells = [1, 1, 1]
velocity = [3.0, 0.25, -1.0]
[[bodies]]
name = "target"
material = "gel"
shape = "lattice"
extent = {list(EXTENT)}
cells = [1, 1, 1]
position = {list(TARGET)}
velocity = [0.0, 0.5, -1.5]
[[walls]]
name = "floor"
point = [0.0, 0.0, -0.02]
normal = [0.1, 0.0, 1.0]
stiffness = 300.0
[contact]
model = "barrier"
distance = 1.0e-3
[localization]
contact = "own"
[integrator]
method = "energy-stepping"
energy_step = 5.0e-5
[layout]
kind = "own"
[output]
field_interval = -1.0
history_interval = 5.0e-4
"""
DENSITY = 1059.0
MASS = DENSITY * math.prod(EXTENT)
NEWMARK = {"integrator__method": "newmark", "integrator__time_step_factor": 0.5}


def equal(facts, name, found, expected):
    """States that two figures are equal up to rounding."""
    size = max(abs(found), abs(expected))
    facts.state(abs(found - expected) <= 1e-13 * size, f"{name}: {found:.17g}, recomputed {expected:.17g}")


def same(facts, name, found, expected):
    facts.state(found == expected, f"{name}: {found}, recomputed {expected}")


def nodes_of_block(centre):
    """(position, mass) of the nodes: a corner has 1/16 of the mass, the centre of a face 1/24, the middle 1/4."""
    for place in itertools.product((-1, 0, 1), repeat=3):
        share = {3: 1 / 16, 1: 1 / 24, 0: 1 / 4}.get(sum(map(abs, place)))
        if share:
            yield [c + 0.5 * p * e for c, p, e in zip(centre, place, EXTENT)], share * MASS


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


VELOCITIES = (3.0, 0.25, -1.0), (0.0, 0.5, -1.5)


def centre_at(time):
    """The centre of mass of the two equal blocks at this time, if there were no wall."""
    return [0.5 * x + 0.5 * time * (v + w) for x, v, w in zip(TARGET, *VELOCITIES)]


def angular_scale():
    """Sum of |x x p| over the nodes at the start, about the centre of mass."""
    return sum(mass * math.hypot(*cross([a - b for a, b in zip(x, centre_at(0))], velocity))
               for centre, velocity in zip(((0, 0, 0), TARGET), VELOCITIES) for x, mass in nodes_of_block(centre))


def own_angular_momentum(row):
    """The angular momentum of a row of the history about centre_at(time)."""
    about_origin, momentum = vector(row, "angular_momentum"), vector(row, "momentum")
    return [a - b for a, b in zip(about_origin, cross(centre_at(row["time"]), momentum))]


def check_drifts(facts, name, summary, rows):
    first = rows[0]
    equal(facts, f"{name}: energy drift", summary["energy_drift"],
          max(abs(row["energy"] - first["energy"]) for row in rows) / abs(first["energy"]))
    start = own_angular_momentum(first)
    turned = max(math.dist(own_angular_momentum(row), start) for row in rows)
    expected = turned / max(angular_scale(), math.hypot(*start))
    facts.state(expected > 0.1, f"{name}: the wall turns the blocks: {expected:.3g}")
    facts.state(summary["angular_momentum_drift"] is None, f"{name}: no drift of the angular momentum, which is not kept")


def check_bodies(facts, name, output, rows, wall):
    bodies = {body: history_of(output, body) for body in ("striker", "target", "floor")}
    same(facts, f"{name}: rows of each body", [len(history) for history in bodies.values()], 3 * [len(rows)])
    size = max(math.hypot(*vector(row, "momentum")) for row in bodies["striker"])
    worst = {"kinetic": 0, "momentum": 0, "ledger": 0, "force": 0, "velocity": 0}
    start = [sum(parts) for parts in zip(*(vector(history[0], "momentum") for history in bodies.values()))]
    for k, row in enumerate(rows):
        now = {body: history[k] for body, history in bodies.items()}
        moving = (now["striker"], now["target"])
        worst["kinetic"] = max(worst["kinetic"], abs(sum(b["kinetic"] for b in moving) / row["kinetic"] - 1))
        both = [sum(parts) for parts in zip(*(vector(b, "momentum") for b in moving))]
        worst["momentum"] = max(worst["momentum"], math.dist(both, vector(row, "momentum")) / size)
        total = [p + q for p, q in zip(both, vector(now["floor"], "momentum"))]
        worst["ledger"] = max(worst["ledger"], math.dist(total, start) / size)
        for history in bodies.values():
            change = [0.0, 0.0, 0.0] if k == 0 else [
                (p - q) / (row["time"] - rows[k - 1]["time"])
                for p, q in zip(vector(history[k], "momentum"), vector(history[k - 1], "momentum"))]
            worst["force"] = max(worst["force"], math.dist(change, vector(history[k], "contact_force")) / size)
        for body in moving:
            worst["velocity"] = max(worst["velocity"], math.dist(vector(body, "velocity"),
                                                                 [p / MASS for p in vector(body, "momentum")]))
    facts.at_most(f"{name}: kinetic energy, sum of the bodies'", worst["kinetic"], 1e-13)
    facts.at_most(f"{name}: momentum, sum of the bodies'", worst["momentum"], 1e-14)
    facts.at_most(f"{name}: bodies and wall together: change of momentum (P2)", worst["ledger"], 1e-14)
    facts.at_most(f"{name}: contact force over change of momentum per time", worst["force"], 1e-9)
    facts.at_most(f"{name}: velocity over momentum per mass", worst["velocity"], 1e-12)
    taken = math.hypot(*vector(bodies["floor"][-1], "momentum"))
    facts.state((taken > 0.1 * size) == wall, f"{name}: the wall took {taken / size:.3g} of the striker's momentum")
    peak = max(math.hypot(*vector(row, "contact_force")) for row in bodies["target"])
    facts.state(peak > 0, f"{name}: the target was struck with up to {peak:.3g} N")
    return bodies


def check_vibration(facts, name, summary, bodies, rows):
    expected = 2 * sum(min(bodies[body][-1]["element_scale_kinetic"], bodies[body][-1]["vibrational_kinetic"])
                       for body in ("striker", "target")) / rows[0]["energy"]
    facts.state(expected > 0, f"{name}: the blocks vibrate")
    scale = max(abs(rows[0]["energy"]), max(row["kinetic"] for row in rows))
    mismatch = max(abs(row["potential"] - row["terraced"]) for row in rows) / scale
    facts.state((mismatch > 0) == (name != "Newmark"), f"{name}: V is beside its terraces, where there are any")
    equal(facts, f"{name}: potential_mismatch", summary["monitors"]["potential_mismatch"], mismatch)
    equal(facts, f"{name}: element_scale_energy", summary["monitors"]["element_scale_energy"], expected)


def check_counts(facts, name, summary, output, rows):
    subdomains, steps = table(output, "subdomains"), table(output, "steps")
    events, monitors = sum(row["events"] for row in subdomains), summary["monitors"]
    same(facts, f"{name}: events", summary["events"], events)
    same(facts, f"{name}: events of the last row", rows[-1]["events"], events)
    same(facts, f"{name}: reflections", summary["reflections"], sum(row["reflections"] for row in subdomains))
    facts.state(summary["reflections"] > 0, f"{name}: there were some")
    equal(facts, f"{name}: average step", summary["average_step"],
          sum(row["events"] * row["step_mean"] for row in subdomains) / events)
    equal(facts, f"{name}: share of reflections", monitors["share_of_reflections"], summary["reflections"] / events)
    same(facts, f"{name}: longest run", monitors["longest_run"], max(row["longest_run"] for row in subdomains))
    same(facts, f"{name}: largest mismatch", monitors["largest_energy_mismatch"],
         max(row["energy_mismatch"] for row in subdomains))
    facts.at_most(f"{name}: which is", monitors["largest_energy_mismatch"], 1e-9)
    for row in subdomains:
        mine = [step for step in steps if step["subdomain"] == row["subdomain"]]
        same(facts, f"{name}: steps of {row['name']}", sum(step["count"] for step in mine), row["events"])
        # The mean step is between the means of the bins' lower and upper ends.
        low, high = (sum(step["count"] * step[end] for step in mine) / max(row["events"], 1)
                     for end in ("step_from", "step_to"))
        facts.state(low <= row["step_mean"] * (1 + 1e-12) and row["step_mean"] <= high * (1 + 1e-12),
                    f"{name}: mean step of {row['name']} {row['step_mean']:.4g}, by its bins {low:.4g} to {high:.4g}")
        last = max(mine, key=lambda step: step["step_to"], default=None)
        facts.state(last is None or last["step_from"] * (1 - 1e-12) <= row["step_max"] <= last["step_to"] * (1 + 1e-12),
                    f"{name}: longest step {row['step_max']:.4g} in the last bin")
    terraced = sum(row["level"] * row["energy_step"] for row in subdomains)
    equal(facts, f"{name}: terraced energy of the last row", rows[-1]["terraced"], terraced)


def stable_step(facts, deck):
    done = call(facts.program, "check", facts.path_of(deck))
    return float(re.search(r"stable explicit Newmark step ([0-9.e+-]+)", done.stdout).group(1))


def check_energy_stepping(facts):
    name = "energy-stepping"
    summary, output = facts.run(BLOCKS)
    rows = table(output, "history")
    check_drifts(facts, name, summary, rows)
    bodies = check_bodies(facts, name, output, rows, wall=True)
    check_vibration(facts, name, summary, bodies, rows)
    check_counts(facts, name, summary, output, rows)
    same(facts, f"{name}: momentum change", (summary["momentum_change"], summary["momentum_change_by_axis"]),
         (0, [0, 0, 0]))
    same(facts, f"{name}: status, times, ranks, layout",
         [summary[key] for key in ("status", "end_time", "final_time", "ranks", "layout")],
         ["done", 0.02, 0.02, 1, "own"])
    same(facts, f"{name}: last row", rows[-1]["time"], 0.02)
    ratio = summary["average_step"] / stable_step(facts, BLOCKS)
    facts.near(f"{name}: average step over the stable one", summary["monitors"]["step_over_stable_step"], ratio,
               1e-3 * ratio)
    facts.state(0 < summary["monitors"]["least_distance"] < 1e-3,
                f"{name}: least distance {summary['monitors']['least_distance']:.3g}")
    contact = [row["potential"] - sum(bodies[body][k]["potential"] for body in ("striker", "target"))
               for k, row in enumerate(rows)]
    facts.state(contact[0] == 0 and min(contact) >= -1e-15 and max(contact) > 1e-3,
                f"{name}: of the potential energy up to {max(contact):.3g} J are contact's")
    parts = sum(summary["wall_seconds_by_phase"].values())
    facts.near(f"{name}: seconds are those of the phases", summary["wall_seconds"], parts, 1e-9 * parts)


def check_more_ranks(facts):
    """Runs on more ranks, until the blocks have met each other and the wall, compared with one rank."""
    events, step = 400, {"integrator__energy_step": 5e-4}
    alone, output = facts.run(BLOCKS, time__events=events, **step)
    facts.state(alone["events"] == events and 0 < alone["final_time"] < 0.02
                and alone["status"] == "stopped after time.events events" and alone["end_time"] == 0.02,
                f"stopped after {alone['events']} events at t = {alone['final_time']:.3g}: {alone['status']}")
    rows = table(output, "history")
    facts.state((rows[-1]["time"], rows[-1]["events"]) == (alone["final_time"], events), "its last row is that state's")
    facts.state({"striker/target", "striker/floor"} <= {row["name"] for row in table(output, "subdomains")
                                                        if row["events"] > 0}, "the blocks and the wall have met")
    # In slices the contact of the blocks lies on the second of three ranks, which does not write the summary.
    for ranks, layout in ((2, "own"), (3, "slice")):
        directory, options = facts.prepare({"time__events": events, "layout__kind": layout, **step})
        more = run_deck(facts.program, facts.path_of(BLOCKS), directory, *options, ranks=ranks)
        name = f"{ranks} ranks, {layout}"
        for key in ("events", "reflections", "average_step", "energy_drift", "momentum_change_by_axis", "state_hash",
                    "gradient_evaluations", "searches", "angular_momentum_drift", "monitors", "warnings", "final_time", "status"):
            same(facts, f"{name}: {key}", more[key], alone[key])
        # Each rank searches up to the first crossing that it knows of; as another rank may have an earlier one, it does more than one rank.
        facts.between(f"{name}: element_evaluations of one rank's", more["element_evaluations"] / alone["element_evaluations"], 1, 1.2)
        same(facts, f"{name}: ranks, layout", (more["ranks"], more["layout"]), (ranks, layout))
        for file in ("history", "bodies", "subdomains", "steps"):
            facts.state((directory / f"{file}.csv").read_bytes() == (output / f"{file}.csv").read_bytes(),
                        f"{name}: the same {file}.csv")
        facts.state(1 <= more["collectives_per_event"] <= 10,
                    f"{name}: {more['collectives_per_event']:.3g} collectives per event")


def check_newmark(facts):
    name = "Newmark"
    summary, output = facts.run(BLOCKS, **NEWMARK)
    rows = table(output, "history")
    facts.state(summary["energy_drift"] > 1e-6, f"{name}: its energy does drift: {summary['energy_drift']:.3g}")
    check_drifts(facts, name, summary, rows)
    bodies = check_bodies(facts, name, output, rows, wall=True)
    check_vibration(facts, name, summary, bodies, rows)
    facts.state(all(row["terraced"] == row["potential"] for row in rows), f"{name}: no terraces")
    same(facts, f"{name}: events are steps", summary["events"], rows[-1]["events"])
    equal(facts, f"{name}: average step", summary["average_step"], summary["final_time"] / summary["events"])
    facts.state(0 <= summary["final_time"] - 0.02 < summary["average_step"],
                f"{name}: ends with the first step at or after the end, {summary['final_time']:.6g}")
    same(facts, f"{name}: reflections", (summary["reflections"], summary["monitors"]["share_of_reflections"]), (0, 0))
    same(facts, f"{name}: momentum change", summary["momentum_change_by_axis"], [0, 0, 0])


def main():
    facts = Facts()
    check_energy_stepping(facts)
    check_more_ranks(facts)
    check_newmark(facts)
    facts.finish()


if __name__ == "__main__":
    main()
