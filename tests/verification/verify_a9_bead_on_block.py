"""A9: a steel bead falls on a block so large that no wave returns in time, compared with the energy that waves carry away in a half-space.

Theory, as a share of the bead's energy: Hunter (1957) 1.04 (v/c)^(3/5); Hertz's pulse on Lysmer's dashpot (references of src/README.md)
1.18 (v/c)^(3/5); c = sqrt(E/density).
Usage: verify_a9_bead_on_block.py TERRACE [--full]
Small: 10 m/s, elements of 0.15 mm at the contact. --full: the deck at 0.44, 2 and 10 m/s; about six minutes
"""

from facts import INPUTS, Facts, history_of

LAMBDA, MU, DENSITY = 9.70e10, 8.26e10, 7780.0
SOUND = (MU * (3 * LAMBDA + 2 * MU) / (LAMBDA + MU) / DENSITY) ** 0.5
RADIUS = 4.7625e-3
COARSE = {"bodies__0__size": 1.8e-3, "bodies__0__refine": "[{point=[0.0,0.0,-4.7625e-3],size=1.5e-4,radius=4.5e-3}]",
          "bodies__1__extent": [0.16, 0.16, 0.08], "bodies__1__size": 2.0e-2, "bodies__1__position": [0, 0, -0.04],
          "bodies__1__refine": "[{point=[0.0,0.0,0.04],size=1.5e-4,radius=0.08}]"}


def share_lost(facts, speed, **settings):
    """The share of the bead's energy that is lost, from the velocities of its centre of mass. States that the contact is over."""
    gap = 5e-6 if speed < 1 else 5e-5
    end = gap / speed + 1.25 * 33.6e-6 * (0.44 / speed) ** 0.2  # Hertz: contact time ∝ speed^(−1/5)
    summary, output = facts.run(INPUTS / "a9_bead_on_block.toml", bodies__0__velocity=[0, 0, -speed],
                                bodies__0__position=[0, 0, RADIUS + gap], time__end=end, output__history_interval=end / 300,
                                **settings)
    facts.conserves(f"{speed} m/s", summary)
    rows = history_of(output, "bead")
    facts.state(rows[-1]["velocity_z"] > 0 and all(row["contact_force_z"] == 0 for row in rows[-5:]), f"{speed} m/s: the bead has left")
    facts.at_most(f"{speed} m/s: largest debt", summary["balance"]["largest_debt"], 1e-6)
    return 1 - (rows[-1]["velocity_z"] / speed) ** 2


def compare(facts, speed, tolerance, **settings):
    lost, scale = share_lost(facts, speed, **settings), (speed / SOUND) ** 0.6
    facts.near(f"{speed} m/s: share of the energy lost over Hunter's", lost / (1.04 * scale), 1, 0.3)
    facts.near(f"{speed} m/s: over that of Hertz's pulse on a dashpot", lost / (1.18 * scale), 1, tolerance)


if __name__ == "__main__":
    facts = Facts()
    if facts.full:
        for speed in (0.44, 2, 10):
            compare(facts, speed, 0.05)
    else:
        compare(facts, 10, 0.1, **COARSE)
    facts.finish()
