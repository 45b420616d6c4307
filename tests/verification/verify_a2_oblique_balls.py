"""A2: a spinning ball strikes a resting one head-on: restitution, contact time, momenta.

Published for 864 tetrahedra a ball and h = 1e3: restitution 0.964, contact time 0.0476.
Usage: verify_a2_oblique_balls.py TERRACE [--full]   --full: the deck's mesh (784 tetrahedra a ball), with h = 100
"""

from facts import INPUTS, Facts, history_of

DECK = INPUTS / "a2_oblique_balls.toml"
QUIET = {"output__field_interval": -1}


def along(rows, name):
    return [row[f"{name}_x"] for row in rows]


def contact_time(rows):
    """The time in which the body takes the middle 98 % of its momentum: the penalty force fades out slowly."""
    momentum = along(rows, "momentum")
    share = [(value - momentum[0]) / (momentum[-1] - momentum[0]) for value in momentum]
    inside = [row["time"] for row, taken in zip(rows, share) if 0.01 < taken < 0.99]
    return inside[-1] - inside[0]


def impact(facts, name, **settings):
    summary, output = facts.run(DECK, **QUIET, **settings)
    facts.conserves(name, summary)
    resting, spinning = history_of(output, "resting"), history_of(output, "spinning")
    first = [row["time"] for row in resting if row["momentum_x"] == resting[0]["momentum_x"]][-1]
    facts.near(f"{name}: first contact", first, 0.1, 0.005)
    before, after = (along(spinning, "velocity")[row] - along(resting, "velocity")[row] for row in (0, -1))
    facts.near(f"{name}: restitution", -after / before, 0.964, 0.05)
    facts.near(f"{name}: contact time", contact_time(resting), 0.0476, 0.2 * 0.0476)


def main():
    facts = Facts()
    if facts.full:
        impact(facts, "784 tetrahedra a ball, h = 100", integrator__energy_step=100)
    else:
        impact(facts, "coarse balls, h = 1e3", bodies__0__size=0.45, bodies__1__size=0.45)
    facts.finish()


if __name__ == "__main__":
    main()
