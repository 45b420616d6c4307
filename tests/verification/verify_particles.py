"""A Lennard-Jones cluster of 1,000 atoms, asynchronous: momentum to the last bit, energy to 1e-12, the same bits on two ranks.

With --full over a million events (about an hour).
Usage: verify_particles.py TERRACE [--full]
"""

from facts import INPUTS, Facts
from program import run_deck

DECK = INPUTS / "lennard_jones_cluster.toml"


def cluster(facts, events, **settings):
    quiet = {"output__field_interval": -1, "output__history_interval": 0.05, "output__bodies_interval": 1}
    summary, output = facts.run(DECK, time__end=1000, time__events=events, integrator__energy_step=0.3, **quiet, **settings)
    name = f"1,000 atoms, {summary['events']} events"
    facts.state(summary["events"] == events, name)
    facts.state(summary["momentum_change"] == 0, f"{name}: momentum changed by {summary['momentum_change']} quanta")
    facts.at_most(f"{name}: energy drift", summary["energy_drift"], 1e-12)
    facts.at_most(f"{name}: drift of the angular momentum", summary["angular_momentum_drift"], 1e-12)
    return summary, output


def two_ranks(facts, events, reference):
    output, options = facts.prepare({"time__end": 1000, "time__events": events, "integrator__energy_step": 0.3,
                                     "output__field_interval": -1, "output__history_interval": 0.05, "output__bodies_interval": 1})
    summary = run_deck(facts.program, DECK, output, *options, ranks=2, timeout=7000)
    facts.state(summary["state_hash"] == reference["state_hash"],
                f"{events} events on two ranks: state {summary['state_hash']}, on one {reference['state_hash']}")


if __name__ == "__main__":
    facts = Facts()
    few = 150
    summary, _ = cluster(facts, few)
    two_ranks(facts, few, summary)
    if facts.full:
        cluster(facts, 1000000)
    facts.finish()
