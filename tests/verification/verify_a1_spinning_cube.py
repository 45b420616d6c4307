"""A1: a free elastic cube spins. Average step against the energy step, conservation, and riding a level.

Published average step for h = 1e-5: 0.0082 to t = 80. The other figures were measured with an independent prototype.
Usage: verify_a1_spinning_cube.py TERRACE [--full]
"""

from facts import INPUTS, Facts

DECK = INPUTS / "a1_spinning_cube.toml"
QUIET = {"output__field_interval": -1, "output__history_interval": 0.5}
# A rigid cube would have 1/2 m a^2 / 6 = 8.333e-3; the lumped masses of this mesh lie a little farther out.
INITIAL_KINETIC_ENERGY = 8.43099e-3


def run(facts, energy_step, end):
    summary, output = facts.run(DECK, integrator__energy_step=energy_step, time__end=end, **QUIET)
    name = f"h = {energy_step:g}, t = {end:g}"
    facts.conserves(name, summary)
    return summary, output, name


def rides(summary):
    return any("rode one energy level" in warning for warning in summary["warnings"])


def small(facts):
    summary, output, name = run(facts, 1e-5, 3)
    first = (output / "history.csv").read_text(encoding="utf-8").splitlines()[1].split(",")
    facts.near("kinetic energy at the start", float(first[1]), INITIAL_KINETIC_ENERGY, 1e-8)
    facts.state(0 < summary["events"] < 3000, f"{name}: {summary['events']} events")
    facts.state(not rides(summary), f"{name}: no level is ridden")
    halved, _, _ = run(facts, 5e-6, 3)
    facts.near("average step at h = 5e-6 over that at 1e-5", halved["average_step"] / summary["average_step"], 0.5, 0.05)


def full(facts):
    for energy_step, end, average_step in ((1e-5, 20, 0.00727), (1e-5, 80, 0.0081), (5e-6, 80, 0.0042)):
        summary, _, name = run(facts, energy_step, end)
        facts.near(f"{name}: average step", summary["average_step"], average_step, 0.02 * average_step)
        facts.state(summary["monitors"]["share_of_reflections"] <= 0.1,
                    f"{name}: {summary['events']} events, {summary['reflections']} reflections, 10 % at most")
    summary, _, name = run(facts, 3e-5, 20)
    facts.state(rides(summary), f"{name}: the summary warns that a level is ridden "
                                f"({100 * summary['monitors']['share_of_reflections']:.0f} % reflections)")


if __name__ == "__main__":
    facts = Facts()
    (full if facts.full else small)(facts)
    facts.finish()
