"""A3: an aluminium cube strikes a rigid plane edge first; one terrace, or one each for the cube and the plane.

Published: the edge strikes at (x, 0.101, 0.101), after 1 microsecond; the energy is exact, the motion along x unperturbed.
Usage: verify_a3_oblique_cube.py TERRACE [--full]   --full: the deck's energy step, and Newmark with the published 0.2 ns
"""

import math
from statistics import median

from facts import INPUTS, Facts, history_of, vector

DECK = INPUTS / "a3_oblique_cube.toml"
QUIET = {"output__field_interval": -1}
SPEED = 1000.0
# (median, standard deviation) of the final velocity in ten impacts at h = 4000 J [m/s].
MEASURED = {"with-bodies": (-938.0, 28.0), "own": (-939.0, 22.0)}


def rebound(facts, name, **settings):
    """Runs the impact and states what any integrator must show; returns the summary and the final velocity along y."""
    summary, output = facts.run(DECK, **QUIET, **settings)
    facts.state(summary["momentum_change"] == 0,
                f"{name}: momentum of cube and plane changed by {summary['momentum_change']} quanta")
    cube, plane = history_of(output, "cube"), history_of(output, "plane")
    facts.at_most(f"{name}: relative change of the cube's momentum along x",
                  max(abs(row["momentum_x"] / cube[0]["momentum_x"] - 1) for row in cube), 1e-14)
    free = [row["time"] for row in cube if row["momentum_y"] == cube[0]["momentum_y"]][-1]
    facts.near(f"{name}: first contact", free, 1e-6, 1.1e-7)
    taken = vector(plane[-1], "momentum")
    facts.at_most(f"{name}: share of the plane's momentum along the plane",
                  (taken[1] - taken[2]) / math.hypot(*taken), 1e-12)
    final = cube[-1]["velocity_y"]
    facts.state(-SPEED < final < -0.5 * SPEED and cube[-1]["contact_force_y"] == 0,
                f"{name}: the cube has left the plane at {final:.1f} m/s along y and z")
    return summary, final


def main():
    facts = Facts()
    energy_step = 400 if facts.full else 4000
    # The cube meets the plane with a whole edge at once, which magnifies rounding errors: hence medians of five rebounds.
    velocities = []
    for contact in ("with-bodies", "own"):
        finals = []
        for digit in range(5):
            name = f"h = {energy_step} J, contact {contact}, rebound {digit}"
            summary, final = rebound(facts, name, integrator__energy_step=energy_step, localization__contact=contact,
                                     bodies__0__velocity=f"[1000.0,1000.0,{1000 + 1e-7 * digit!r}]")
            facts.conserves(name, summary, walls=True)
            finals.append(final)
        velocities.append(median(finals))
        if not facts.full:
            facts.median(f"contact {contact}: final velocity", finals, *MEASURED[contact])
    if facts.full:
        facts.near("median of the final velocities, two terraces against one", velocities[1], velocities[0], 0.05 * SPEED)
    if facts.full:
        summary, final = rebound(facts, "Newmark 0.2 ns", integrator__method="newmark", integrator__time_step=2e-10)
        facts.at_most("Newmark 0.2 ns: energy drift", summary["energy_drift"], 1e-4)
        facts.near("final velocity, Newmark against one terrace", final, velocities[0], 0.05 * SPEED)
    facts.finish()


if __name__ == "__main__":
    main()
