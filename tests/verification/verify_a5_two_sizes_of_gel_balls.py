"""A5: a gel ball strikes one of twice its radius with as many elements: each subdomain chooses its own steps.

Published: compared with two equal balls (A4), the step histograms of the balls become very different, that of the contact does not.
The difference of two histograms is the share of steps that would have to move to turn one into the other.
Usage: verify_a5_two_sizes_of_gel_balls.py TERRACE [--full]   --full: the published meshes, ten minutes
"""

from facts import INPUTS, Facts, table
from small_balls import two_balls

STRIKER, TARGET, CONTACT = range(3)
IMPACTS = 10  # number of impacts on coarse meshes, without --full


def steps_of(facts, name, deck, **settings):
    """Runs one impact; returns the histogram {bin: steps} of each subdomain."""
    summary, output = facts.run(deck, **settings)
    facts.conserves(name, summary)
    counts = [{}, {}, {}]
    for row in table(output, "steps"):
        counts[int(row["subdomain"])][f"{row['step_from']:.3e}"] = row["count"]
    return counts


def histograms(impacts):
    """The histogram {bin: share of the steps} of each subdomain, of several impacts together."""
    shares = []
    for of_subdomain in zip(*impacts):
        bins = set().union(*of_subdomain)
        total = sum(sum(counts.values()) for counts in of_subdomain)
        shares.append({bin: sum(counts.get(bin, 0) for counts in of_subdomain) / total for bin in bins})
    return shares


def difference(one, other):
    return sum(abs(one.get(bin, 0) - other.get(bin, 0)) for bin in one.keys() | other.keys()) / 2


def main():
    facts = Facts()
    if facts.full:
        quiet = {"output__field_interval": -1}
        equal = histograms([steps_of(facts, "equal balls", INPUTS / "a4_gel_balls.toml", **quiet)])
        unequal = histograms([steps_of(facts, "two sizes", INPUTS / "a5_two_sizes_of_gel_balls.toml", **quiet)])
    else:
        # A single impact of few steps says little: the contact's histogram changes by 16 to 36 % between impacts that differ by rounding.
        settings = [{"integrator__energy_step": 2e-4 * (1 + 0.003 * i)} for i in range(IMPACTS)]
        equal = histograms([steps_of(facts, "equal balls", two_balls(), **each) for each in settings])
        unequal = histograms([steps_of(facts, "two sizes", two_balls(target_scale=2.0), **each) for each in settings])
    same, apart = (difference(run[STRIKER], run[TARGET]) for run in (equal, unequal))
    facts.state(apart > 1.3 * same, f"the balls' histograms differ in {100 * apart:.0f} % of the steps; those of equal "
                                    f"balls in {100 * same:.0f} %")
    striker, target, contact = (difference(equal[i], unequal[i]) for i in (STRIKER, TARGET, CONTACT))
    facts.state(contact < 0.75 * min(striker, target),
                f"from equal balls to two sizes the contact's histogram changes in {100 * contact:.0f} % of the steps, the "
                f"striker's in {100 * striker:.0f} %, the target's in {100 * target:.0f} %")
    facts.finish()


if __name__ == "__main__":
    main()
