"""The cost of runs in counts that do not depend on the machine's speed: searches, evaluations, contact lists, collectives per event.

Each has a lower and an upper bound: work that is done twice changes no result, and work that is left out may not show at once.
Usage: verify_counts.py TERRACE [--full]
"""

from facts import Facts, run_deck
from small_balls import two_balls

from decks import SOFT_CUBE

CUBE = """title = "Spinning cube, coarse"
[time]
end = 20.0
events = 300
""" + SOFT_CUBE + """spin = [0.3, 0.2, 1.0]
[integrator]
method = "energy-stepping"
energy_step = 2.5e-6
[output]
field_interval = -1.0
"""
COUNTS = ("searches", "samples", "gradient_evaluations", "contact_lists")
PARTS = {"localization__kind": "metis", "localization__parts": 4}
OWN, TOUCHING = {"localization__contact": "own"}, {"localization__contact": "touching"}
NEWMARK = {"integrator__method": "newmark"}
CLOCKED = {"integrator__method": "clocked-energy-stepping"}


def per_event(facts, name, deck, settings, collectives, **expected):
    """Runs the deck and states ranges (low, high) of the counts per event, or per step."""
    summary, _ = facts.run(deck, **settings)
    events = summary["events"]
    counts = {**summary, "samples": summary["element_evaluations"] - summary["gradient_evaluations"]}
    facts.between(f"{name}, {events} events: collectives per event", summary["collectives_per_event"], *collectives)
    for count in COUNTS:
        facts.between(f"{name}: {count} per event", counts[count] / events, *expected.get(count, (0, 0)))


def cube(facts):
    """A cube of 192 elements. A gradient is evaluated again when a grid is fitted to it."""
    per_event(facts, "cube", CUBE, {}, (1, 1.2), searches=(1, 1.01), samples=(390, 570),
              gradient_evaluations=(192, 211))
    # All four parts share nodes: an event of one begins the searches of all.
    per_event(facts, "cube in 4 parts", CUBE, PARTS, (1, 1.4), searches=(3, 4.05), samples=(350, 510),
              gradient_evaluations=(48, 58))
    # One gradient in ten is evaluated again, with two sums. Before a row ranks must agree on the step, which counts on one rank as well.
    per_event(facts, "cube, clocked", CUBE, {**CLOCKED, "output__history_interval": 100.0}, (1.15, 1.27), searches=(0, 0.01),
              samples=(5, 20), gradient_evaluations=(202, 222))
    per_event(facts, "cube, clocked, rows at every event", CUBE, CLOCKED, (2.13, 2.25), searches=(0, 0.01), samples=(5, 20),
              gradient_evaluations=(202, 222))
    per_event(facts, "cube, Newmark", CUBE, NEWMARK, (1, 1.2), gradient_evaluations=(192, 205))


def balls(facts):
    """Two balls of about 250 elements. Runs that differ in the last digits had counts within 3 % of each other."""
    for model in ("gap", "barrier"):
        deck = two_balls(model=model, gap=0.003, end=0.008)
        per_event(facts, f"{model}, touching", deck, TOUCHING, (1, 1.1), searches=(1, 1.02),
                  samples=(1700, 2340), gradient_evaluations=(520, 1110), contact_lists=(0.015, 0.045))
        per_event(facts, f"{model}, own", deck, OWN, (1, 1.1), searches=(2.1, 2.7), samples=(570, 780),
                  gradient_evaluations=(80, 200), contact_lists=(0.01, 0.03))
        per_event(facts, f"{model}, Newmark", deck, NEWMARK, (1, 1.2), gradient_evaluations=(510, 600),
                  contact_lists=(0.07, 0.25))
    per_event(facts, "face penalty", two_balls(end=0.008), {}, (1, 1.15), searches=(2.2, 2.8),
              samples=(640, 880), gradient_evaluations=(80, 175))


def ranks(facts):
    """Counts on several ranks. A sample of a terrace that ranks share counts once. A rank that searches alone knows less of the crossings
    of others, and takes more samples."""
    alone, _ = facts.run(CUBE, **PARTS)
    for count, layout, most in ((2, "slice", 1), (3, "slice", 1), (2, "own", 1.2)):
        directory, options = facts.prepare({**PARTS, "layout__kind": layout})
        more = run_deck(facts.program, facts.path_of(CUBE), directory, *options, ranks=count)
        name = f"cube in 4 parts, {count} ranks, {layout}"
        facts.between(f"{name}: element_evaluations of one rank's", more["element_evaluations"] / alone["element_evaluations"], 1, most)
        for key in ("gradient_evaluations", "searches", "state_hash"):
            facts.state(more[key] == alone[key], f"{name}: {key}: {more[key]}, of one rank {alone[key]}")


def main():
    facts = Facts()
    cube(facts)
    ranks(facts)
    balls(facts)
    facts.finish()


if __name__ == "__main__":
    main()
