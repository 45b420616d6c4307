"""A block falls on an oblique plane and rebounds; with the plane's ledger the momentum balance is exact.

Usage: verify_wall.py TERRACE [--full]      --full: also with half and a quarter of the energy step
"""

import math

from facts import INPUTS, Facts, distance, history_of, vector

DECK = INPUTS / "cube_on_wall.toml"
NORMAL = [0.1 / math.hypot(0.1, 1.0), 0.0, 1.0 / math.hypot(0.1, 1.0)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def rebound(facts, name, **settings):
    summary, output = facts.run(DECK, output__field_interval=-1, **settings)
    block, floor = history_of(output, "block"), history_of(output, "floor")
    facts.state(len(block) == len(floor) > 100, f"{name}: bodies.csv has {len(block)} rows of the block and "
                                                f"{len(floor)} of the floor")
    before, after = (dot(vector(block[row], "velocity"), NORMAL) for row in (0, -1))
    facts.state(before < 0 < after < -before, f"{name}: the block comes with {before:.4f} m/s along the normal and "
                                              f"leaves with {after:.4f}")
    facts.conserves(f"{name}, block and floor", summary, walls=True)

    momentum = math.hypot(*vector(block[0], "momentum"))
    totals = [[p + q for p, q in zip(vector(a, "momentum"), vector(b, "momentum"))] for a, b in zip(block, floor)]
    facts.at_most(f"{name}: change of the momentum of block and floor over that of the block",
                  max(distance(total, totals[0]) for total in totals) / momentum, 1e-14)
    taken = vector(floor[-1], "momentum")
    facts.state(dot(taken, NORMAL) < -momentum, f"{name}: the floor took {-dot(taken, NORMAL):.5f} kg m/s, "
                                                f"more than the block brought along")
    along = [p - dot(taken, NORMAL) * n for p, n in zip(taken, NORMAL)]
    facts.at_most(f"{name}: share of it along the plane (no friction)", math.hypot(*along) / momentum, 1e-12)
    return after


def stepping(facts, fraction):
    return rebound(facts, f"energy step {fraction:g} of the kinetic energy", integrator__method="energy-stepping",
                   integrator__energy_step_fraction=fraction)


def main():
    facts = Facts()
    clocked = rebound(facts, "clocked")
    coarse = stepping(facts, 1e-3)
    facts.near("rebound velocity: energy step 0.001 against clocked", coarse, clocked, 0.02 * abs(clocked))
    if facts.full:
        half, quarter = stepping(facts, 5e-4), stepping(facts, 2.5e-4)
        facts.near("rebound velocity: quarter step against half step", quarter, half, 0.1 * abs(half))
        print(f"rebound velocities: {clocked:.4f}, {coarse:.4f}, {half:.4f}, {quarter:.4f} m/s")
    facts.finish()


if __name__ == "__main__":
    main()
