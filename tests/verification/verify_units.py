"""The same impact in other units of length, mass and time gives the same physics: the program has no built-in scale.

Units that differ by powers of two must give the same digits. Other units round differently; the first contact, of two nearly flat faces,
magnifies the difference, and after it trajectories part slowly. Implicit steps must not have an absolute tolerance.
Usage: verify_units.py TERRACE [--full]      --full: to the end of the impact, 25 ms
"""

from facts import Facts, history_of
from small_balls import PENALTY_DEVIATION, PENALTY_KEEPS, two_balls

from decks import SOFT_CUBE

# Metre, kilogram and second in units of the deck.
SAME_DIGITS = {
    "metre / 2^10": (2.0**10, 1.0, 1.0),
    "metre / 2^20, kilogram / 2^10, second / 2^20": (2.0**20, 2.0**10, 2.0**20),
}
ROUNDED = {
    "millimetre, kilogram, second": (1e3, 1.0, 1.0),
    "micrometre, gram, microsecond": (1e6, 1e3, 1e6),
}
MIDPOINT = "[time]\nend = 20.0\n" + SOFT_CUBE + """spin = [0.0, 0.1, 1.0]
[integrator]
method = "implicit-midpoint"
time_step_factor = 2
"""
LIGHT = 2.0**-300  # factor of densities and moduli, which leaves accelerations the same
BEFORE, SOON_AFTER = 0.4e-3, 0.6e-3  # first contact is soon after 0.5 ms


def striker(facts, name, end, units=(1.0, 1.0, 1.0), speed=4.0):
    """Runs the impact in these units; returns (summary, [(time [s], velocity [m/s])] of the striker)."""
    metre, kilogram, second = units
    summary, output = facts.run(two_balls(end=end, speed=speed, metre=metre, kilogram=kilogram, second=second))
    facts.conserves(f"{name}, {summary['events']} events", summary)
    return summary, [(row["time"] / second, row["velocity_x"] / metre * second) for row in history_of(output, "striker")]


def velocity_at(rows, time):
    return min(rows, key=lambda row: abs(row[0] - time))[1]


def implicit_steps_of_a_light_body(facts):
    """Neither Newton's method nor conjugate gradients may stop at an absolute residual: a light body takes the same steps."""
    material = {"density": 0.1, "lame_lambda": 0.01, "lame_mu": 0.0066}
    found = [facts.run(MIDPOINT, **{f"materials__soft__{key}": value * factor for key, value in material.items()})
             for factor in (1.0, LIGHT)]
    heavy, light = (history_of(output, "cube")[-1]["kinetic"] for _, output in found)
    facts.state(found[0][0]["steps"] == found[1][0]["steps"] and light == LIGHT * heavy,
                f"implicit steps of 2^-300 of the mass: kinetic energy {light / LIGHT!r} after {found[1][0]['steps']}, "
                f"expected {heavy!r} after {found[0][0]['steps']}")


def main():
    facts = Facts()
    implicit_steps_of_a_light_body(facts)
    end = 0.025 if facts.full else 1.2e-3
    reference, rows = striker(facts, "metre, kilogram, second", end)
    facts.state(rows[-1][1] < 0.999 * rows[0][1], f"the impact shows: {rows[0][1]:.4f}, later {rows[-1][1]:.4f} m/s")
    for name, units in SAME_DIGITS.items():
        summary, others = striker(facts, name, end, units)
        facts.state(summary["events"] == reference["events"] and others[-1][1] == rows[-1][1],
                    f"{name}: {others[-1][1]!r} m/s after {summary['events']} events, expected {rows[-1][1]!r} "
                    f"after {reference['events']}")
    for name, units in ROUNDED.items():
        summary, others = striker(facts, name, end, units)
        for time, tolerance in ((BEFORE, 1e-12), (SOON_AFTER, 1e-4)):
            expected = velocity_at(rows, time)
            facts.near(f"{name}: velocity at {time:g} s", velocity_at(others, time), expected, tolerance * expected)
        if facts.full:
            found = [others[-1][1]]
            counts = [summary["events"]]
            for digit in range(1, 5):
                summary, others = striker(facts, f"{name}, impact {digit}", end, units, 4.0 * (1 + 1e-9 * digit))
                found.append(others[-1][1])
                counts.append(summary["events"])
            facts.median(f"{name}: final velocity", found, PENALTY_KEEPS, PENALTY_DEVIATION)
            facts.median(f"{name}: events", counts, 5365, 176)
    facts.finish()


if __name__ == "__main__":
    main()
