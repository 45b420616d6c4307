"""A6: ten steel beads. The wave is in a few beads at a time; the others neither move nor cost any step.

Before and after the wave the energy of a bead is exact. The wave agrees with that of Newmark on the same mesh.
Usage: verify_a6_bead_chain.py TERRACE [--full]
Small: very coarse beads, 32 microseconds. --full: contacts as fine as the deck's, where the wave is Hertz's; vibration left
behind against the energy step; run times of asynchronous, synchronous and Newmark runs (some 10 minutes).
"""

import resource
from itertools import groupby

from facts import INPUTS, Facts, history_of, table, vector

DECK = INPUTS / "a6_bead_chain.toml"
ARRIVAL = 1e-6 / 0.44  # [s]: the striker flies a micrometre before it comes within reach of the contact
SPACING = 9.52605e-3
COARSE = {"output__field_interval": -1, "bodies__0__size": 2e-3, "bodies__1__size": 2e-3}
VERY_COARSE = dict(COARSE)
for body in (0, 1):
    for pole in (0, 1):
        VERY_COARSE[f"bodies__{body}__refine__{pole}__size"] = 2e-4
        VERY_COARSE[f"bodies__{body}__refine__{pole}__radius"] = 1.5e-3
SYNCHRONOUS = {"localization__kind": "global"}
TOUCHING = {"localization__contact": "touching"}
NEWMARK = {"integrator__method": "newmark"}
BEADS = ["striker"] + [f"bead-{k}" for k in range(1, 10)]


class Chain:
    """A run of the chain, and figures taken from it."""

    def __init__(self, facts, name, settings):
        self.name = name
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.summary, self.output = facts.run(DECK, **settings)
        self.seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before  # processor time, as machines are shared
        self.cost = self.seconds / self.summary["final_time"]
        self.rows = {bead: history_of(self.output, bead) for bead in BEADS}

    def first_time(self, bead, speed):
        """The time at which a bead first has this speed, interpolated between rows; None if it never has."""
        rows = self.rows[bead]
        for before, after in zip(rows, rows[1:]):
            if before["velocity_x"] < speed <= after["velocity_x"]:
                share = (speed - before["velocity_x"]) / (after["velocity_x"] - before["velocity_x"])
                return before["time"] + share * (after["time"] - before["time"])
        return None

    def contact_of_striker(self):
        """The numbers of the last row before the striker's momentum changes, and of the row where its last change shows."""
        rows = self.rows["striker"]
        changes = [i for i in range(1, len(rows)) if rows[i]["momentum_x"] != rows[i - 1]["momentum_x"]]
        return changes[0] - 1, changes[-1]

    def still(self):
        """Beads that the wave has not reached."""
        return [bead for bead in BEADS if self.rows[bead][-1]["momentum_x"] == 0]

    def vibration_of_striker(self):
        """The energy that the wave left in the striker: all of it but that of its translation."""
        last = self.rows["striker"][-1]
        return last["kinetic"] + last["potential"] - 0.5 * last["momentum_x"] * last["velocity_x"]


def local_energies(facts, chain, bound):
    """States that a bead that nothing touches keeps its energy: to the last bit before the wave, within `bound` after it."""
    begin, end = chain.contact_of_striker()
    striker = chain.rows["striker"]
    facts.near(f"{chain.name}: the striker arrives", striker[begin]["time"], ARRIVAL, 5e-7)
    free = striker[:begin + 1]
    facts.state(len({row["kinetic"] for row in free}) == 1, f"{chain.name}: its kinetic energy is the same to the bit until then")
    facts.at_most(f"{chain.name}: its potential energy until then", max(abs(row["potential"]) for row in free), 1e-25)
    facts.state(len(striker) - end > 10, f"{chain.name}: it is free again from {striker[end]['time']:.4g} s on")
    worst, free = 0, 0
    for bead in BEADS:
        for _, rows in groupby(chain.rows[bead], key=lambda row: vector(row, "momentum")):
            energies = [row["kinetic"] + row["potential"] for row in rows]
            worst, free = max(worst, max(energies) - min(energies)), free + len(energies) - 1
    facts.at_most(f"{chain.name}: change of a bead's energy while its momentum keeps every bit, {free} pairs of rows",
                  worst, bound)
    still = chain.still()
    facts.state(still and all(row["kinetic"] == 0 and row["potential"] == 0
                              for bead in still for row in chain.rows[bead]),
                f"{chain.name}: {len(still)} beads have no energy at all")


def far_from(chain, reference):
    """The largest difference of a bead's velocity from the reference, at the nearest row, divided by the striker's initial speed."""
    worst = 0
    for bead in BEADS:
        rows, others, j = chain.rows[bead], reference.rows[bead], 0
        for row in rows:
            while j + 1 < len(others) and abs(others[j + 1]["time"] - row["time"]) <= abs(others[j]["time"] - row["time"]):
                j += 1
            worst = max(worst, abs(row["velocity_x"] - others[j]["velocity_x"]))
    return worst / 0.44


def asynchronous(facts, energy_step, settings, name="AES"):
    chain = Chain(facts, f"{name}, h = {energy_step:g}", {**settings, "integrator__energy_step": energy_step})
    facts.conserves(chain.name, chain.summary)
    # A bead with a terrace of its own stays within one energy step. Touching beads share a terrace, also for a while after they part.
    local_energies(facts, chain, energy_step if name == "AES" else 10 * energy_step)
    return chain


def small(facts):
    settings = {**VERY_COARSE, "time__end": 3.2e-5, "output__history_interval": 1e-7}
    newmark = Chain(facts, "Newmark", {**settings, **NEWMARK})
    for name, localization in (("AES", {}), ("AES, touching beads share", TOUCHING)):
        chain = asynchronous(facts, 3e-7, {**settings, **localization}, name)
        facts.at_most(f"{chain.name}: speeds of beads against Newmark's", far_from(chain, newmark), 0.1)
        still = [row["name"] for row in table(chain.output, "subdomains") if row["events"] == 0]
        facts.state(set(chain.still()) <= set(still), f"{chain.name}: the still beads had no event "
                                                      f"of {chain.summary['events']}")


def full(facts):
    # At 1e-6 and with shared terraces the striker parts at 38.8 to 44.8 microseconds, depending on the tenth digit of the energy step.
    settings = {**COARSE, "time__end": 5e-5, "output__history_interval": 2.5e-7}
    newmark = Chain(facts, "Newmark", {**settings, **NEWMARK})
    chains = {h: asynchronous(facts, h, settings) for h in (1e-6, 1e-7)}
    errors = {h: far_from(chain, newmark) for h, chain in chains.items()}
    facts.state(errors[1e-7] < 0.06 and errors[1e-7] < errors[1e-6],
                "speeds of beads against Newmark's: " + ", ".join(f"{error:.3f} at {h:g}" for h, error in errors.items()))
    left = {h: chain.vibration_of_striker() for h, chain in chains.items()}
    facts.state(left[1e-6] > left[1e-7] > newmark.vibration_of_striker(),
                f"vibration left in the striker: {left[1e-6]:.3g} J at 1e-6, {left[1e-7]:.3g} J at 1e-7, "
                f"{newmark.vibration_of_striker():.3g} J with Newmark")
    for chain in (newmark, chains[1e-7]):
        speed = SPACING / (chain.first_time("bead-2", 0.15) - chain.first_time("bead-1", 0.15))
        facts.near(f"{chain.name}: speed of the wave from bead-1 to bead-2 (Hertz chain: 570)", speed, 570, 57)
    sharing = {h: asynchronous(facts, h, {**settings, **TOUCHING}, "AES, touching beads share") for h in chains}
    facts.at_most("the same with touching beads sharing terraces, at 1e-7", far_from(sharing[1e-7], newmark), 0.06)
    synchronous(facts, chains, sharing, settings)
    costs_by_length(facts, sharing[1e-6], settings)


def synchronous(facts, chains, sharing, settings):
    """States and prints costs relative to AES at 1e-6. Published: 1.8 for AES at 1e-7, 2.5 and 5.2 for ES, 25 for Newmark, which blew up."""
    costs = {f"AES {h:g}": chain.cost for h, chain in chains.items()}
    costs |= {f"AES {h:g}, touching": chain.cost for h, chain in sharing.items()}
    for h in chains:
        chain = Chain(facts, f"ES, h = {h:g}", {**settings, **SYNCHRONOUS, "integrator__energy_step": h})
        facts.conserves(chain.name, chain.summary)
        for name, least, other in (("AES", 1.2, chains[h]), ("AES, touching beads share", 2.5, sharing[h])):
            ratio = chain.summary["element_evaluations"] / other.summary["element_evaluations"]
            facts.state(ratio > least, f"{chain.name}: {chain.cost / other.cost:.2f} times the processor time of {name}, "
                                       f"{ratio:.2f} times the element evaluations")
        costs[f"ES {h:g}"] = chain.cost
    fine = Chain(facts, "Newmark 0.1 ns", {**settings, **NEWMARK, "integrator__time_step": 1e-10, "time__end": 1e-5})
    costs["Newmark 0.1 ns"] = fine.cost
    facts.at_most(f"{fine.name}: energy drift", fine.summary["energy_drift"], 1e-3)
    print("costs over AES at 1e-6: " + ", ".join(f"{name} {cost / costs['AES 1e-06']:.2f}" for name, cost in costs.items()))


def costs_by_length(facts, ten, settings):
    forty = Chain(facts, "40 beads", {**settings, **TOUCHING, "bodies__1__repeat__count": 39})
    facts.state(forty.summary["events"] == ten.summary["events"], f"40 beads: {forty.summary['events']} events as with 10")
    ratio = forty.summary["element_evaluations"] / ten.summary["element_evaluations"]
    facts.state(0.99 < ratio < 1.05, f"40 beads: {ratio:.3f} times the element evaluations of 10 (Newmark: 4), "
                                     f"{forty.cost / ten.cost:.2f} times the processor time")


def main():
    facts = Facts()
    # V is no more exact than the force on a node times the last digit of its coordinate, here 100 N and 0.09 m, beside steps of 3e-7 J.
    facts.most_mismatch = 1e-8
    if facts.full:
        full(facts)
    else:
        small(facts)
    facts.finish()


if __name__ == "__main__":
    main()
