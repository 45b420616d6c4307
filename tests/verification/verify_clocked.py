"""Clocked energy-stepping compared with Newmark: as accurate with the same step, exact in energy, and cheaper where bodies are at rest.

Usage: verify_clocked.py TERRACE [--full]
Small: A1 to t = 4, four very coarse beads of A6, A8 on its graded mesh. --full: A1 to t = 20 at 0.4 to 0.9 of the stable step and to t = 1,000,
ten coarse beads of A6, the pair of A7 on its coarsest mesh, A8 with fewer and more layers, and with cubic cells at a hundredth of the
published speed.
"""

from facts import INPUTS, Facts, history_of, table

from verify_a6_bead_chain import COARSE, VERY_COARSE

CUBE, CHAIN, PAIR = (INPUTS / name for name in ("a1_spinning_cube.toml", "a6_bead_chain.toml", "a7_bead_pair.toml"))
NO_FIELDS = {"output__field_interval": -1}
NEWMARK = {"integrator__method": "newmark"}
CLOCKED = {"integrator__method": "clocked-energy-stepping"}
TOUCHING = {"localization__contact": "touching"}
SPEED = 0.44  # of the striker of A6 and A7 [m/s]
GRADED = INPUTS / "a8_graded_bars.toml"
GRADED_MESH = INPUTS.parent / "meshes" / "graded_bar.geo"
# The two bars of A8 with cubic cells, at 1 % of the published speed.
BARS = """title = "A8 Two bars"
[time]
end = 150.0
[materials.unit]
density = 1.0
lame_lambda = 0.0
lame_mu = 0.5
""" + "".join(f"""[[bodies]]
name = "{name}"
material = "unit"
shape = "lattice"
extent = [10.0, 1.0, 1.0]
cells = [40, 4, 4]
position = [{x}, 0.0, 0.0]
velocity = [{v}, 0.0, 0.0]
""" for name, x, v in (("left", 0, 1e-3), ("right", 10.2, -1e-3))) + """[contact]
model = "barrier"
[localization]
contact = "touching"
[integrator]
method = "newmark"
"""


def interpolated(rows, name, time):
    """The value of a column at a time, by linear interpolation between rows."""
    k = next((k for k, row in enumerate(rows) if row["time"] >= time), len(rows) - 1)
    before, after = rows[max(k - 1, 0)], rows[k]
    if after["time"] == before["time"]:
        return after[name]
    share = (time - before["time"]) / (after["time"] - before["time"])
    return before[name] + share * (after[name] - before[name])


def deviation(rows, reference):
    """The root mean square difference of V(t), divided by the mean of V."""
    squares = [(row["potential"] - interpolated(reference, "potential", row["time"])) ** 2 for row in rows]
    mean = sum(row["potential"] for row in reference) / len(reference)
    return (sum(squares) / len(squares)) ** 0.5 / mean


def is_exact(facts, name, summary, most_debt=1e-6):
    facts.conserves(name, summary)
    balance = summary["balance"]
    facts.state(balance["follows_potential"], f"{name}: U follows V")
    facts.at_most(f"{name}: largest debt", balance["largest_debt"], most_debt)


def cube(facts, end, factors):
    """A1: V(t) of clocked energy-stepping and of Newmark, compared with Newmark at a sixteenth of the step. `factors`: (time_step_factor,
    largest error in multiples of Newmark's, largest debt)."""
    settings = {**NO_FIELDS, "time__end": end, "output__history_interval": 0.02}
    _, output = facts.run(CUBE, **settings, **NEWMARK, integrator__time_step_factor=0.025)
    reference = table(output, "history")
    summary, output = facts.run(CUBE, **settings, **NEWMARK)
    newmark = deviation(table(output, "history"), reference)
    steps = summary["events"]
    facts.state(summary["balance"] is None, "Newmark balances nothing and says so")
    for factor, worse, most_debt in factors:
        summary, output = facts.run(CUBE, **settings, **CLOCKED, integrator__time_step_factor=factor)
        name = f"A1 to t = {end} at {factor} stable steps"
        facts.at_most(f"{name}: V(t) against Newmark at 0.4, {newmark:.3%}", deviation(table(output, "history"), reference),
                      worse * newmark)
        facts.between(f"{name}: events over Newmark's steps at 0.4", summary["events"] / steps, 0.9, 1.5)
        facts.between(f"{name}: gradients per event, in meshes", summary["gradient_evaluations"] / summary["events"] / 12288,
                      1, 1.25)
        is_exact(facts, name, summary, most_debt)


def speeds(output):
    rows = table(output, "bodies")
    return {row["body"]: row["velocity_x"] for row in rows[-100:] if row["time"] == rows[-1]["time"]}


def chain(facts, end, mesh):
    """A6: velocities of the beads while the wave is among the first ones."""
    settings = {**NO_FIELDS, "time__end": end, **mesh}
    newmark, output = facts.run(CHAIN, **settings, **NEWMARK)
    expected = speeds(output)
    clocked, output = facts.run(CHAIN, **settings, **CLOCKED, **TOUCHING)
    found = speeds(output)
    facts.at_most("A6: worst velocity of a bead against Newmark, of the striker's",
                  max(abs(found[bead] - expected[bead]) for bead in expected) / SPEED, 1e-4)
    facts.between("A6: gradients over Newmark's, as beads at rest have none",
                  clocked["gradient_evaluations"] / newmark["gradient_evaluations"], 0.1, 0.6)
    facts.state(len(expected) == 10, "A6: ten beads are compared")
    is_exact(facts, "A6", clocked)


def pair(facts):
    """A7 on its coarsest mesh, with the barrier: restitution compared with Newmark's."""
    coarse = {"contact__model": "barrier"}
    for body in (0, 1):
        coarse |= {f"bodies__{body}__size": 1.43e-3, f"bodies__{body}__refine__0__size": 8e-5}
    e = {}
    for name, method in (("newmark", NEWMARK), ("clocked", {**CLOCKED, **TOUCHING})):
        summary, output = facts.run(PAIR, **NO_FIELDS, **coarse, **method)
        found = speeds(output)
        e[name] = (found["target"] - found["striker"]) / SPEED
    facts.near("A7: restitution against Newmark", e["clocked"], e["newmark"], 1e-5)
    is_exact(facts, "A7", summary)


def bars(facts):
    """A8 at 1 % of the published speed, on cubic cells: share of the velocity that is kept, and K + V in every row."""
    summary, output = facts.run(BARS, **NO_FIELDS, **CLOCKED)
    facts.between("A8: share of the velocity kept", -speeds(output)["left"] / 1e-3, 0.98, 1)
    rows = table(output, "history")
    energies = [row["kinetic"] + row["potential"] for row in rows]
    facts.at_most("A8: K + V", max(abs(energy / energies[0] - 1) for energy in energies), 6e-4)
    is_exact(facts, "A8", summary)


def time_in_contact(rows):
    """The time from the last row before a body's momentum changes to the row where its last change shows."""
    changes = [k for k in range(1, len(rows)) if rows[k]["momentum_x"] != rows[k - 1]["momentum_x"]]
    return rows[changes[-1]]["time"] - rows[changes[0] - 1]["time"]


def graded(facts, name, deck, kept, most_vibration, **settings):
    """A8 as published: the bars are in contact for a time of 20, then their velocities are exchanged, and the only vibration left is what
    the layers of the mesh make of the wave."""
    summary, output = facts.run(deck, **NO_FIELDS, **settings)
    rows = history_of(output, "left")
    facts.near(f"A8, {name}: time in contact (exact 20)", time_in_contact(rows), 20, 0.4)
    facts.near(f"A8, {name}: share of the velocity kept (exact 1)", -rows[-1]["velocity_x"] / rows[0]["velocity_x"], kept, 0.01)
    last = [history_of(output, body)[-1] for body in ("left", "right")]
    energy = sum(row["kinetic"] + row["potential"] for row in last)
    vibration = 1 - sum(0.5 * row["momentum_x"] * row["velocity_x"] for row in last) / energy
    facts.between(f"A8, {name}: share of the energy left as vibration (exact 0)", vibration, 0, most_vibration)
    return summary


def layered(facts, layers, ratio):
    """The deck's text with this number of layers, whose thicknesses grow by `ratio`."""
    mesh = GRADED_MESH.read_text(encoding="utf-8")
    changed = mesh.replace("layers = {40", f"layers = {{{layers}").replace("ratio = {1.04", f"ratio = {{{ratio}")
    assert changed != mesh
    directory, _ = facts.prepare({})
    directory.mkdir()
    path = directory / "bar.geo"
    path.write_text(changed, encoding="utf-8")
    return GRADED.read_text(encoding="utf-8").replace("../meshes/graded_bar.geo", str(path))


def main():
    facts = Facts()
    cube(facts, 4, ((0.4, 2, 1e-12),))
    chain(facts, 1.6e-5, VERY_COARSE)
    is_exact(facts, "A8, 40 layers", graded(facts, "40 layers", GRADED, 0.963, 0.09))
    if facts.full:
        cube(facts, 20, ((0.4, 1.1, 1e-12), (0.65, 1.9, 1e-6), (0.75, 1.9, 1e-6), (0.8, 1.5, 1e-6), (0.9, 1.9, 1e-6)))
        summary, _ = facts.run(CUBE, **NO_FIELDS, **CLOCKED, time__end=1000, output__history_interval=1)
        is_exact(facts, "A1 to t = 1,000", summary, 1e-4)
        chain(facts, 4e-5, COARSE)
        pair(facts)
        bars(facts)
        graded(facts, "40 layers, Newmark", GRADED, 0.963, 0.09, **NEWMARK)
        graded(facts, "20 layers", layered(facts, 20, 1.08), 0.940, 0.13)
        graded(facts, "80 layers", layered(facts, 80, 1.02), 0.973, 0.065)
    facts.finish()


if __name__ == "__main__":
    main()
