"""A5: a gel ball strikes one of twice its radius, same elements in number: each subdomain chooses its own steps.

Published: against two equal balls (A4) the balls' step histograms become very different, the contact's does not. Two
histograms are compared by the share of steps that would have to move to turn one into the other.
Usage: verify_a5_two_sizes_of_gel_balls.py TERRACE [--full]   --full: the published meshes, ten minutes
"""

from facts import INPUTS, Facts, table
from small_balls import two_balls

STRIKER, TARGET, CONTACT = range(3)


def histograms(facts, name, deck, **settings):
    """Runs one impact; returns per subdomain {bin: share of the steps}."""
    summary, output = facts.run(deck, **settings)
    facts.conserves(name, summary)
    shares = [{}, {}, {}]
    for row in table(output, "steps"):
        shares[int(row["subdomain"])][f"{row['step_from']:.3e}"] = row["count"]
    return [{bin: count / sum(share.values()) for bin, count in share.items()} for share in shares]


def difference(one, other):
    return sum(abs(one.get(bin, 0) - other.get(bin, 0)) for bin in one.keys() | other.keys()) / 2


def changes(equal, unequal):
    """Between the balls of each run, and of each subdomain from one run to the other."""
    among = [difference(run[STRIKER], run[TARGET]) for run in (equal, unequal)]
    return among + [difference(equal[i], unequal[i]) for i in (STRIKER, TARGET, CONTACT)]


def main():
    facts = Facts()
    if facts.full:
        quiet = {"output__field_interval": -1}
        impacts = [changes(histograms(facts, "equal balls", INPUTS / "a4_gel_balls.toml", **quiet),
                           histograms(facts, "two sizes", INPUTS / "a5_two_sizes_of_gel_balls.toml", **quiet))]
    else:
        # Of few steps a single impact tells little: 20 that differed by rounding had 12 to 25 and 28 to 46 %.
        steps = [{"integrator__energy_step": 2e-4 * (1 + 0.003 * i)} for i in range(4)]
        impacts = [changes(histograms(facts, "equal balls", two_balls(), **step),
                           histograms(facts, "two sizes", two_balls(target_scale=2.0), **step)) for step in steps]
    same, apart, striker, target, contact = (sum(shares) / len(impacts) for shares in zip(*impacts))
    facts.state(apart > 1.3 * same, f"the balls' histograms differ in {100 * apart:.0f} % of the steps; those of equal "
                                    f"balls in {100 * same:.0f} %")
    if facts.full:  # of coarse balls the contact's changes as those of the balls do, by 16 to 36 %
        facts.state(contact < 0.75 * min(striker, target),
                    f"from equal balls to two sizes the contact's histogram changes in {100 * contact:.0f} % of the steps, the "
                    f"striker's in {100 * striker:.0f} %, the target's in {100 * target:.0f} %")
    facts.finish()


if __name__ == "__main__":
    main()
