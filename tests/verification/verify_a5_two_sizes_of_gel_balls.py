"""A5: a gel ball strikes one of twice its radius, same elements in number: each subdomain chooses its own steps.

Published: against two equal balls (A4) the balls' step histograms become very different, the contact's does not.
Usage: verify_a5_two_sizes_of_gel_balls.py TERRACE [--full]   --full: the published meshes, half an hour
"""

from facts import INPUTS, Facts, table
from small_balls import two_balls


def mean_steps(facts, name, deck, **settings):
    """Runs one impact; returns the mean step of striker, target and contact."""
    summary, output = facts.run(deck, **settings)
    facts.conserves(name, summary)
    rows = table(output, "subdomains")
    facts.state(len(rows) == 3 and all(row["events"] > 0 for row in rows), f"{name}: events of {len(rows)} subdomains: "
                + ", ".join(f"{row['events']:.0f}" for row in rows))
    return [row["step_mean"] for row in rows]


def main():
    facts = Facts()
    if facts.full:
        quiet = {"output__field_interval": -1}
        equal = mean_steps(facts, "equal balls", INPUTS / "a4_gel_balls.toml", **quiet)
        unequal = mean_steps(facts, "two sizes", INPUTS / "a5_two_sizes_of_gel_balls.toml", **quiet)
    else:
        equal = mean_steps(facts, "equal balls", two_balls())
        unequal = mean_steps(facts, "two sizes", two_balls(target_scale=2.0))
    facts.near("equal balls: mean step of the target over the striker's", equal[1] / equal[0], 1, 0.5)
    ratio = unequal[1] / unequal[0]
    facts.state(max(ratio, 1 / ratio) > 1.5, f"two sizes: mean step of the target over the striker's: {ratio:.3g}, "
                                             f"away from 1 by a factor of 1.5 at least")
    facts.near("mean step of the contact, two sizes over equal balls", unequal[2] / equal[2], 1, 0.5)
    facts.finish()


if __name__ == "__main__":
    main()
