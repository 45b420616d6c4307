"""Two gel balls that reflect exactly where they touch (contact.model = "rigid"), compared with the face penalty.

The impact of very coarse balls is chaotic after the first contacts. Therefore medians of several impacts that differ in the last digits
are compared.
Usage: verify_rigid.py TERRACE [--full]      --full: also finer balls and energy steps
"""

import re

from facts import Facts, history_of, table
from small_balls import PENALTY_KEEPS, two_balls

COLLISIONS = (90, 150)  # bounds; measured: 114 to 125 in six impacts
PENALTY = re.compile(r'model = "face-intersection"\nstiffness = .*\n')


def rigid(**settings):
    """The text of the deck of small_balls.py with reflections instead of the penalty."""
    text, count = PENALTY.subn('model = "rigid"\n', two_balls(**settings))
    assert count == 1
    return text


def impact(facts, name, deck, **settings):
    """Runs an impact and states what must be conserved; returns (summary, striker's final velocity in units of the deck, output
    directory)."""
    summary, output = facts.run(deck, **settings)
    velocity = history_of(output, "striker")[-1]["velocity_x"]
    facts.conserves(f"{name}, {summary['events']} events", summary)
    return summary, velocity, output


def collisions(output):
    rows = [row for row in table(output, "subdomains") if row["energy_step"] == float("inf")]
    assert len(rows) == 1, "one constraint"
    return int(rows[0]["events"])


def impacts(facts, name, expected, deviation, **settings):
    """Runs five impacts and states the median of the striker's final velocity; returns summary and final velocity of the first."""
    found = []
    for digit in range(5):
        summary, velocity, output = impact(facts, f"{name}, impact {digit}", rigid(speed=4.0 * (1 + 1e-9 * digit)), **settings)
        facts.between(f"{name}, impact {digit}: collisions", collisions(output), *COLLISIONS)
        found.append((summary, velocity))
    facts.median(f"{name}: velocity the striker keeps (face penalty: {PENALTY_KEEPS})", [velocity for _, velocity in found],
                 expected, deviation)
    return found[0]


def main():
    facts = Facts()
    # Medians and standard deviations of eleven and nine impacts [m/s].
    reference, velocity = impacts(facts, "reflections", 0.327, 0.026)
    impacts(facts, "one subdomain for all else", 0.287, 0.028, localization__kind="global")

    summary, *_ = impact(facts, "contact with the bodies", rigid(), localization__contact="with-bodies")
    facts.state(summary["state_hash"] == reference["state_hash"], "a constraint joins no other subdomain")

    micro, small, _ = impact(facts, "units 2^-20 of a metre and a second", rigid(metre=2.0**20, second=2.0**20))
    facts.state(micro["events"] == reference["events"] and small == velocity, "the same digits in these units")
    if facts.full:
        for step in (1e-4, 5e-5):
            _, fine, output = impact(facts, f"finer balls, h = {step:g} J", rigid(size=0.0078, energy_step=step, end=0.04))
            facts.near(f"h = {step:g} J, {collisions(output)} collisions: velocity the striker keeps", fine, 0.29, 0.1)
    facts.finish()


if __name__ == "__main__":
    main()
