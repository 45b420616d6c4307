"""Explicit Newmark on the spinning cube A1: momenta are exact, and the energy has a bounded error of second order.

Published: the step 0.0082 is fine, 0.0204 drifts, 0.0381 blows up. Measured here: 0.0381 still keeps the energy to 0.2 % up to
t = 80 (its mesh or start may differ), 0.05 blows up.
Usage: verify_newmark.py TERRACE [--full]
"""

from facts import INPUTS, Facts, call, table

DECK = INPUTS / "a1_spinning_cube.toml"


def settings(time_step, end):
    return {"integrator__method": "newmark", "integrator__time_step": repr(time_step), "time__end": end,
            "output__field_interval": -1, "output__history_interval": repr(10 * time_step)}


def energy_error(facts, time_step, end):
    """Largest relative change of the energy over the rows of the history."""
    summary, output = facts.run(DECK, **settings(time_step, end))
    name = f"step {time_step:g}, t = {end:g}"
    facts.state(summary["momentum_change"] == 0, f"{name}: momentum changed by {summary['momentum_change']} quanta")
    facts.at_most(f"{name}: angular momentum drift", summary["angular_momentum_drift"], 1e-12)
    rows = table(output, "history")
    energies = [row["energy"] for row in rows]
    error = max(abs(energy - energies[0]) for energy in energies) / energies[0]
    facts.near(f"{name}: energy drift of the summary over that of the rows", summary["energy_drift"] / error, 1, 1e-12)
    # Rows must be at ends of steps: positions in between would belong to another time than the velocities.
    off = max(abs(row["time"] / time_step - round(row["time"] / time_step)) for row in rows)
    facts.at_most(f"{name}: distance of a row from the end of a step, in steps", off, 1e-6)
    return error


def main():
    facts = Facts()
    end = 80 if facts.full else 20
    coarse, fine = energy_error(facts, 0.0082, end), energy_error(facts, 0.0041, end)
    # Measured; the motion of a free body is not chaotic. An error of twice or half as much would indicate wrong code.
    expected = 8.6e-5 if facts.full else 1.39e-5
    facts.near(f"step 0.0082, t = {end}: energy error", coarse, expected, 0.1 * expected)
    facts.near("energy error at 0.0082 over that at 0.0041 (second order: 4)", coarse / fine, 3.9, 0.2)
    if facts.full:
        output, options = facts.prepare(settings(0.05, end))
        done = call(facts.program, "run", DECK, "--output", output, *options, timeout=3000)
        facts.state(done.returncode == 1 and "det F" in done.stderr + done.stdout,
                    f"step 0.05: ends with status {done.returncode} and names an inverted element")
    facts.finish()


if __name__ == "__main__":
    main()
