"""The output directories of runs on one and two ranks are complete, can be read by VTK, and have the same tables.

Usage: verify_output.py TERRACE [--full]
"""

import subprocess
from pathlib import Path

from facts import Facts, run_deck

from decks import GEL

READER = Path(__file__).resolve().parents[1] / "cli" / "read_output.py"
DECK = """title = "Two lattice blocks, one flying into the other"
[time]
end = 2.0e-3
""" + GEL + """[[bodies]]
name = "striker"
material = "gel"
shape = "lattice"
extent = [0.02, 0.02, 0.02]
cells = [2, 2, 2]
velocity = [4.0, 0.0, 0.0]
[[bodies]]
name = "target"
material = "gel"
shape = "lattice"
extent = [0.02, 0.02, 0.02]
cells = [2, 2, 2]
rotation = { axis = [1.0, 2.0, 3.0], angle = 40.0 }
position = [0.0282, 0.001, 0.002]
[[walls]]
name = "floor"
point = [0.0, 0.0, -0.05]
normal = [0.0, 0.0, 1.0]
stiffness = 1.0e3
[contact]
model = "face-intersection"
stiffness = 1.0e4
[integrator]
method = "energy-stepping"
energy_step = 1.0e-4
[output]
field_interval = 5.0e-4
history_interval = 1.0e-4
"""


def main():
    facts = Facts()
    texts = []
    for ranks in (1, 2):
        output, options = facts.prepare({"layout__kind": "slice"})
        summary = run_deck(facts.program, facts.path_of(DECK), output, *options, ranks=ranks, timeout=300)
        facts.state(summary["events"] > 0, f"{ranks} ranks: {summary['events']} events")
        done = subprocess.run(["/usr/bin/python3", str(READER), str(output)], capture_output=True, text=True,
                              timeout=300, stdin=subprocess.DEVNULL)
        facts.state(done.returncode == 0, f"{ranks} ranks: read_output.py ends with {done.returncode} "
                                          f"{(done.stdout + done.stderr).strip()[-1500:]}")
        texts.append([(output / f"{name}.csv").read_text(encoding="utf-8") for name in ("history", "bodies")])
    facts.state(texts[0] == texts[1], "history.csv and bodies.csv of one and two ranks are the same, digit for digit")
    facts.finish()


if __name__ == "__main__":
    main()
