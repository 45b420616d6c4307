"""B1 to B3: chains of beads in one dimension, with losses by a coefficient of restitution (B1), without losses (B2), and with drag (B3).

Usage: verify_b_bead_springs.py TERRACE [--full]
Small: B1 and B2, and B3 at two speeds; --full: more speeds, smaller steps
"""

import math
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "postprocess"))
from bead_springs import Chain, decay, history, power_law, pulses  # noqa: E402
from facts import INPUTS, Facts  # noqa: E402


def run(facts, name, chain, **settings):
    """Runs a deck and states that its momentum is kept; returns the summary, the rows of the history, and the pulses."""
    summary, output = facts.run(next(INPUTS.glob(f"{name}_*.toml")), **settings)
    mass = chain.density * math.pi / 6 * chain.diameter**3
    if name != "b3":  # the drag, a power of the velocities' Laplacian, is no force between two beads and changes the momentum
        facts.at_most(f"{name.upper()}: change of the momentum over that of a bead at 1 m/s", summary["changes_of_invariants"]["momentum"] / mass, 1e-12)
    rows = history(output)
    return summary, rows, pulses(rows, chain)


def b2(facts):
    chain = Chain()
    summary, _, found = run(facts, "b2", chain)
    plateau = [pulse for pulse in found if 12 <= pulse["bead"] <= 24]
    force, speed, width, contact = (statistics.mean(pulse[key] for pulse in plateau) for key in ("force", "speed", "width", "contact"))
    facts.near("B2: plateau of the sensor force [N]", force, 51.40, 0.05)
    facts.near("B2: speed [m/s]", speed, 584, 1)
    facts.near("B2: width [beads]", width, 2.06, 0.02)
    facts.near("B2: speed over that of a solitary wave of its contact force", speed / chain.speed(contact), 1, 0.005)
    facts.at_most("B2: decay of the force from bead 12 to 24", max(pulse["force"] for pulse in plateau) / min(pulse["force"] for pulse in plateau) - 1, 1e-4)
    facts.at_most("B2: energy", summary["energy_drift"], 1e-5)
    points = [(contact, speed)]
    for factor in (0.25, 4):
        _, _, other = run(facts, "b2", chain, system__parameters__speed=0.44271 * factor, time__end=5.2e-4 * factor**-0.2,
                          output__history_interval=2e-7 * factor**-0.2)
        other = [pulse for pulse in other if 12 <= pulse["bead"] <= 24]
        points.append(tuple(statistics.mean(pulse[key] for pulse in other) for key in ("contact", "speed")))
    facts.near("B2: exponent of the speed over the force", power_law(points)[1], 1 / 6, 1e-3)


def b1(facts):
    steps = (5e-8, 1e-8) if facts.full else (5e-8,)
    for step in steps:
        summary, _, found = run(facts, "b1", Chain(), integrator__time_step=step)
        at_start, per_bead = decay(found)
        facts.near(f"B1, {step}: force at bead 0 of the fit [N] (published 50.947)", at_start, 51.3, 0.2)
        facts.near(f"B1, {step}: decay of a bead (published 0.0085411)", -per_bead, 0.0100, 2e-4)
        inner = [pulse for pulse in found if 5 <= pulse["bead"] <= 25]
        speeds = [pulse["speed"] for pulse in inner]
        facts.state(564 < min(speeds) and max(speeds) < 581, f"B1, {step}: speeds {min(speeds):.1f} to {max(speeds):.1f} m/s, recomputed 567 to 579")
        facts.near(f"B1, {step}: width [beads] (published 2.1)", statistics.mean(pulse["width"] for pulse in inner), 2.09, 0.03)
        prefactor, exponent = power_law([(pulse["force"], pulse["speed"]) for pulse in inner if pulse["bead"] >= 10])
        published = [316.52 * pulse["force"] ** 0.15698 for pulse in inner]
        worst = max(abs(speed / of_fit - 1) for speed, of_fit in zip(speeds, published))
        facts.state(worst < 0.04, f"B1, {step}: V = {prefactor:.1f} F^{exponent:.4f}; off the published 316.52 F^0.15698 by {worst:.2%}")
        facts.state(summary["energy_change"] > 0.05 * summary["energy"], f"B1, {step}: {summary['energy_change'] / summary['energy']:.1%} of the energy lost")


def b3(facts):
    chain = Chain(beads=70, diameter=4.76e-3)
    points = []
    for factor in ((0.25, 0.5, 1, 2) if facts.full else (0.25, 1)):
        stretch = factor**-0.2
        _, rows, found = run(facts, "b3", chain, system__parameters__speed=1.77 * factor, time__end=6e-4 * stretch,
                             integrator__time_step=(4e-8 if facts.full else 1e-7) * stretch, output__history_interval=2e-7 * stretch)
        inner = [pulse for pulse in found if 20 <= pulse["bead"] <= 60]
        points += [(pulse["force"], pulse["speed"]) for pulse in inner]
        if factor == 1:
            # In SI units the drag of (5.2) hardly damps: only these two figures distinguish it from none.
            facts.near("B3: change of the energy from first to last row", rows[-1]["energy"] / rows[0]["energy"] - 1, -2.78e-3, 1.4e-4)
            facts.near(f"B3: fall of the force of {inner[0]['force']:.4g} N over 40 beads (without drag 2e-7)",
                       1 - inner[-1]["force"] / inner[0]["force"], 1.04e-3, 1.04e-4)
    # Without drag it is 1/6: the published figure does not distinguish the drag from none.
    facts.near("B3: exponent of the speed over the force", power_law(points)[1], 0.17, 0.01)


if __name__ == "__main__":
    facts = Facts()
    b2(facts)
    b1(facts)
    b3(facts)
    facts.finish()
