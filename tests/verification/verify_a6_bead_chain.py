"""A6: ten steel beads; the wave is in a few beads at a time, the others neither move nor cost a step.

Published run times over that of AES at 1e-6 J: AES at 1e-7 1.8, Newmark at 0.1 ns 25, and it blows up (synchronous 2.5 and 5.2).
Usage: verify_a6_bead_chain.py TERRACE [--full]   --full: with AES at 1e-7 and Newmark, and their run times; coarse beads too
"""

from facts import INPUTS, Facts, history_of, table

DECK = INPUTS / "a6_bead_chain.toml"
END = 1e-5  # the striker arrives after 2.3 microseconds
COARSE = {"time__end": END, "output__field_interval": -1}
for body in (0, 1):
    COARSE[f"bodies__{body}__size"] = 2e-3
    COARSE.update({f"bodies__{body}__refine__{pole}__size": 5e-4 for pole in (0, 1)})


def chain(facts, name, **settings):
    summary, output = facts.run(DECK, **{**COARSE, **settings})
    return summary["wall_seconds_by_phase"]["stepping"], summary, output


def asynchronous(facts, energy_step):
    """Runs AES and states what must hold; returns the time it took."""
    name = f"AES, h = {energy_step:g}"
    seconds, summary, output = chain(facts, name, integrator__energy_step=energy_step)
    facts.conserves(name, summary)
    striker = history_of(output, "striker")
    free = [row["time"] for row in striker if row["momentum_x"] == striker[0]["momentum_x"]][-1]
    facts.near(f"{name}: the striker arrives", free, 1e-6 / 0.44, 5e-7)
    facts.state(history_of(output, "bead-1")[-1]["velocity_x"] > 0.05, f"{name}: bead-1 moves")
    for bead in ("bead-6", "bead-9"):
        last = history_of(output, bead)[-1]
        facts.state(last["kinetic"] == 0 and last["potential"] == 0, f"{name}: {bead} still has no energy at all")
    idle = [row["name"] for row in table(output, "subdomains") if row["events"] == 0]
    facts.state(len(idle) >= 40, f"{name}: {len(idle)} of 55 subdomains had no event in {summary['events']} events")
    return seconds


def main():
    facts = Facts()
    seconds = asynchronous(facts, 1e-6)
    if facts.full:
        fine = asynchronous(facts, 1e-7)
        facts.state(fine > seconds, f"run time of AES at 1e-7 over 1e-6: {fine / seconds:.1f} (published 1.8)")
        newmark, summary, _ = chain(facts, "Newmark", integrator__method="newmark", integrator__time_step=1e-10)
        facts.state(newmark > 2 * seconds, f"run time of Newmark at 0.1 ns over AES at 1e-6: {newmark / seconds:.1f} "
                                           f"(published 25)")
        facts.state(summary["energy_drift"] > 1, f"Newmark at 0.1 ns blows up: energy drift {summary['energy_drift']:.3g}")
    facts.finish()


if __name__ == "__main__":
    main()
