"""Two gel balls that reflect exactly where they touch (contact.model = "rigid"), beside the face penalty.

The impact of very coarse balls is chaotic after the first contacts: final velocities of different contact models, or of
other localizations, agree to some tenths of a m/s of 4 only.
Usage: verify_rigid.py TERRACE [--full]      --full: also finer balls and energy steps
"""

import re

from facts import Facts, history_of, run_deck, table
from small_balls import two_balls

PENALTY = re.compile(r'model = "face-intersection"\nstiffness = .*\n')


def rigid(**settings):
    """The deck with reflections instead of the penalty."""
    text, count = PENALTY.subn('model = "rigid"\n', two_balls(**settings))
    assert count == 1
    return text


def impact(facts, name, deck, **settings):
    """Runs it and checks what must hold; returns (summary, striker's final velocity [deck's m/s], output)."""
    summary, output = facts.run(deck, **settings)
    velocity = history_of(output, "striker")[-1]["velocity_x"]
    facts.state(summary["momentum_change"] == 0 and summary["energy_drift"] <= 1e-12
                and summary["angular_momentum_drift"] <= 1e-12,
                f"{name}: {summary['events']} events, momentum changed by {summary['momentum_change']} quanta, drift of "
                f"energy {summary['energy_drift']:.1e}, of angular momentum {summary['angular_momentum_drift']:.1e}; "
                f"the striker keeps {velocity:.3f}, {summary['wall_seconds']:.1f} s")
    return summary, velocity, output


def collisions(output):
    rows = [row for row in table(output, "subdomains") if row["energy_step"] == float("inf")]
    assert len(rows) == 1, "one constraint"
    return int(rows[0]["events"])


def main():
    facts = Facts()
    _, penalty, _ = impact(facts, "face penalty", two_balls())
    reference, velocity, output = impact(facts, "reflections", rigid())
    facts.state(collisions(output) > 20, f"{collisions(output)} collisions")
    facts.near("velocity the striker keeps, reflections against penalty", velocity, penalty, 0.25)

    summary, *_ = impact(facts, "contact with the bodies", rigid(), localization__contact="with-bodies")
    facts.state(summary["state_hash"] == reference["state_hash"], "a constraint joins no other subdomain")
    _, whole, output = impact(facts, "one subdomain for all else", rigid(), localization__kind="global")
    facts.state(collisions(output) > 20, f"{collisions(output)} collisions there")
    facts.near("velocity the striker keeps, one subdomain against two", whole, velocity, 0.25)

    for layout in ("own", "slice"):
        directory, options = facts.prepare({"layout__kind": layout, "time__events": 300})
        alone = run_deck(facts.program, facts.path_of(rigid()), directory, *options)
        directory, options = facts.prepare({"layout__kind": layout, "time__events": 300})
        pair = run_deck(facts.program, facts.path_of(rigid()), directory, *options, ranks=2)
        facts.state(alone["state_hash"] == pair["state_hash"], f"layout {layout}: the same bits on 2 ranks as on 1")

    micro, small, _ = impact(facts, "units 2^-20 of a metre and a second", rigid(metre=2.0**20, second=2.0**20))
    facts.state(micro["events"] == reference["events"] and small == velocity, "the same digits in these units")
    if facts.full:
        for step in (1e-4, 5e-5):
            _, fine, output = impact(facts, f"finer balls, h = {step:g} J", rigid(size=0.0078, energy_step=step, end=0.04))
            facts.near(f"h = {step:g} J, {collisions(output)} collisions: velocity the striker keeps", fine, 0.29, 0.1)
    facts.finish()


if __name__ == "__main__":
    main()
