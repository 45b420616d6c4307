"""A1: a free elastic cube spins. Checks the average step for several energy steps, conservation, the error of V(t), and level riding.

Published average step for h = 1e-5: 0.0082 to t = 80. The other figures were measured with an independent prototype.
Usage: verify_a1_spinning_cube.py TERRACE [--full]
"""

import math

from facts import INPUTS, Facts, table

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
    """Whether the summary warns that a subdomain rode one level."""
    return any("rode one energy level" in warning for warning in summary["warnings"])


def potentials(facts, end, **settings):
    """V at multiples of 0.02, where steps of Newmark end too."""
    _, output = facts.run(DECK, **{**QUIET, "time__end": end, "output__history_interval": 0.02, **settings})
    return [row["potential"] for row in table(output, "history")]


def convergence(facts, end, energy_steps, lowest):
    """States that the error of V(t) against Newmark with a step of 0.002 falls with h, with an order from `lowest` to 1.1."""
    exact = potentials(facts, end, integrator__method="newmark", integrator__time_step=0.002)
    errors = []
    for energy_step in energy_steps:
        values = potentials(facts, end, integrator__energy_step=energy_step)
        errors.append(math.dist(values, exact) / math.hypot(*exact))
    order = math.log(errors[0] / errors[-1]) / math.log(energy_steps[0] / energy_steps[-1])
    pairs = ", ".join(f"{error:.5f} at {energy_step:g}" for error, energy_step in zip(errors, energy_steps))
    facts.state(lowest <= order <= 1.1, f"t = {end:g}: error of V(t): {pairs}; order {order:.2f}, at least {lowest}")


def small(facts):
    convergence(facts, 2, (1e-5, 2.5e-6), 0.7)
    summary, output, name = run(facts, 1e-5, 3)
    first = (output / "history.csv").read_text(encoding="utf-8").splitlines()[1].split(",")
    facts.near("kinetic energy at the start", float(first[1]), INITIAL_KINETIC_ENERGY, 1e-8)
    facts.state(0 < summary["events"] < 3000, f"{name}: {summary['events']} events")
    facts.state(not rides(summary), f"{name}: no level is ridden")
    halved, _, _ = run(facts, 5e-6, 3)
    facts.near("average step at h = 5e-6 over that at 1e-5", halved["average_step"] / summary["average_step"], 0.5, 0.05)


def full(facts):
    convergence(facts, 2, (1e-5, 2.5e-6, 6.25e-7), 0.7)
    convergence(facts, 20, (1e-5, 2.5e-6, 6.25e-7), 0.4)
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
