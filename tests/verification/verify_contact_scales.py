"""Smooth contact over four decades of impact speed and in other units: the promises hold, and the physics is the same.

Two coarse gel balls, gap and barrier, with energy steps of a fixed share of the striker's kinetic energy. 12 m/s is the speed of sound
in the gel.
Usage: verify_contact_scales.py TERRACE [--full]      --full: four speeds instead of two, and other units
"""

from facts import Facts, history_of
from small_balls import two_balls

MASS = 0.0693  # of a ball [kg]
SHARE = 4e-4  # the energy step, as a share of the striker's kinetic energy
GAP = 0.003  # distance of the balls at the start, beyond the reach of contact on this mesh [m]
SAME_DIGITS = {"metre / 2^20, kilogram / 2^10, second / 2^20": (2.0**20, 2.0**10, 2.0**20)}
ROUNDED = {"millimetre, gram, second": (1e3, 1e3, 1.0), "micrometre, gram, microsecond": (1e6, 1e3, 1e6)}


def impact(facts, model, speed, units=(1.0, 1.0, 1.0)):
    """Runs an impact and states what must be conserved; returns (summary, final velocity of the striker / speed)."""
    metre, kilogram, second = units
    # Hertzian contact times go as speed^(-1/5); 25 ms hold the impact at 4 m/s.
    end = 1.5 * GAP / speed + 0.025 * (4.0 / speed) ** 0.2
    summary, output = facts.run(two_balls(energy_step=SHARE * 0.5 * MASS * speed**2, end=end, model=model, speed=speed,
                                          gap=GAP, interval=end / 250, metre=metre, kilogram=kilogram, second=second))
    kept = history_of(output, "striker")[-1]["velocity_x"] / metre * second / speed
    facts.conserves(f"{model} at {speed:g} m/s, units {units}", summary)
    facts.state(-0.05 < kept < 0.3, f"{model} at {speed:g} m/s: the balls rebound, the striker keeps {kept:.3f}")
    return summary, kept


def other_units(facts, model, speed, reference, kept):
    for name, units in SAME_DIGITS.items():
        summary, others = impact(facts, model, speed, units)
        facts.state(others == kept and summary["events"] == reference["events"], f"{model}, {name}: the same digits")
    for name, units in ROUNDED.items():
        facts.near(f"{model}, {name}: share of the velocity kept", impact(facts, model, speed, units)[1], kept, 0.02)


def main():
    facts = Facts()
    for model in ("gap", "barrier"):
        for speed in (0.012, 0.12, 1.2, 12.0) if facts.full else (0.12, 12.0):
            summary, kept = impact(facts, model, speed)
            if speed == 1.2:
                other_units(facts, model, speed, summary, kept)
    facts.finish()


if __name__ == "__main__":
    main()
