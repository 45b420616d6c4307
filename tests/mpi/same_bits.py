"""The trajectory depends on the deck alone: the same bits on any number of ranks, for every layout, and when every
event is undone and done again.

Usage: same_bits.py TERRACE [CASE]...      cases: cube, balls, rigid, barrier, gap, newmark (default: all)
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from decks import GEL, SOFT_CUBE  # noqa: E402
from program import run_deck  # noqa: E402

RANKS = (1, 2, 3, 4, 7)
LAYOUTS = ("own", "slice")
# An event costs so many reductions however many ranks and subdomains there are: one for each sample of its search.
# A group of touching bodies is spread over ranks, and the face penalty needs many samples.
MOST_COLLECTIVES_PER_EVENT = 10

# 192 tetrahedra: on 7 ranks some ranks have no subdomain of their own, and every node of a slice is shared.
CUBE = """
title = "Spinning cube, coarse"
[time]
end = 20.0
events = 200
""" + SOFT_CUBE + """spin = [0.3, 0.2, 1.0]
[integrator]
method = "energy-stepping"
energy_step = 2.5e-6
[layout]
kind = "own"
[output]
field_interval = -1.0
"""

# They touch after 0.2 ms, off centre and turning, so that the impact has no symmetry to hide behind.
BALLS = """
title = "Two gel balls, very coarse"
[time]
end = 0.02
events = 200
""" + GEL + """[[bodies]]
name = "striker"
material = "gel"
shape = "ball"
radius = 0.025
size = 0.015
velocity = [4.0, 0.0, 0.0]
spin = [0.0, 10.0, 20.0]
[[bodies]]
name = "target"
material = "gel"
shape = "ball"
radius = 0.025
size = 0.015
position = [0.0507, 0.003, 0.001]
[contact]
model = "face-intersection"
stiffness = 1.0e4
[integrator]
method = "energy-stepping"
energy_step = 2.0e-4
[layout]
kind = "own"
[output]
field_interval = -1.0
"""

# The same balls, reflected exactly.
RIGID = BALLS.replace('model = "face-intersection"\nstiffness = 1.0e4', 'model = "rigid"')

# Eight balls in a box: pairs wake up and fall asleep, walls on all sides.
PACKING = """
title = "Eight balls in a box"
[time]
end = 1.0
events = 400
""" + GEL + """[[bodies]]
name = "ball"
material = "gel"
shape = "ball"
radius = 0.01
size = 0.012
position = [0.0125, 0.0125, 0.0125]
repeat = { counts = [2, 2, 2], spacing = [0.025, 0.025, 0.025], random_speed = 4.0, seed = 8 }
[contact]
model = "barrier"
""" + "".join(f"""[[walls]]
name = "{name}"
model = "barrier"
point = {point}
normal = {normal}
""" for name, point, normal in (
    ("left", [0, 0, 0], [1, 0, 0]), ("right", [0.05, 0, 0], [-1, 0, 0]), ("front", [0, 0, 0], [0, 1, 0]),
    ("back", [0, 0.05, 0], [0, -1, 0]), ("floor", [0, 0, 0], [0, 0, 1]), ("ceiling", [0, 0, 0.05], [0, 0, -1]))) + """
[integrator]
method = "energy-stepping"
energy_step_fraction = 1.0e-4
[layout]
kind = "own"
[output]
field_interval = -1.0
"""
GAP = BALLS.replace('model = "face-intersection"\nstiffness = 1.0e4', 'model = "gap"\ndistance = 1.0e-3')

METIS_PARTS = ["--set", "localization.kind=metis", "--set", "localization.parts=4"]
GLOBAL = ["--set", "localization.kind=global"]
BODIES = ["--set", "localization.kind=bodies", "--set", "localization.contact=own"]
TOUCHING = ["--set", "localization.contact=touching"]

# Case: deck, its localizations, and the keys of the summary that must not differ.
ENERGY_STEPPING_KEYS = ("state_hash", "events", "reflections", "momentum_change")
CASES = {
    "cube": (CUBE, {"synchronous": GLOBAL, "4 parts": METIS_PARTS}, ENERGY_STEPPING_KEYS),
    "balls": (BALLS, {"synchronous": GLOBAL, "body, body, contact": BODIES, "touching": TOUCHING},
              ENERGY_STEPPING_KEYS),
    "rigid": (RIGID, {"body, body, contact": BODIES}, ENERGY_STEPPING_KEYS),
    "barrier": (PACKING, {"ball by ball": BODIES, "synchronous": GLOBAL, "touching": TOUCHING}, ENERGY_STEPPING_KEYS),
    "gap": (GAP, {"body, body, contact": BODIES}, ENERGY_STEPPING_KEYS),
    "newmark": (CUBE, {"newmark": ["--set", "integrator.method=newmark", "--set", "time.end=0.5"]}, ("state_hash",)),
}


def check_run(summary, reference, keys, name):
    """The complaints about one run, compared with the one on a single rank."""
    complaints = [f"{name}: {key} is {summary[key]}, on 1 rank with the layout 'own' {reference[key]}"
                  for key in keys if summary[key] != reference[key]]
    if "events" in keys:
        if summary["momentum_change"] != 0:
            complaints.append(f"{name}: momentum changed by {summary['momentum_change']} quanta")
        if summary["ranks"] > 1 and summary["collectives_per_event"] > MOST_COLLECTIVES_PER_EVENT:
            complaints.append(f"{name}: {summary['collectives_per_event']} collectives per event")
    return complaints


def check_localization(program, case, localization, directory):
    """All layouts and rank counts of one deck and localization; returns the complaints."""
    text, localizations, keys = CASES[case]
    deck = directory / f"{case}.toml"
    deck.write_text(text, encoding="utf-8")
    reference, complaints = None, []
    for layout in LAYOUTS:
        for ranks in RANKS:
            name = f"{case}, {localization}, layout {layout}, {ranks} ranks"
            output = directory / name.replace(", ", "-").replace(" ", "_")
            summary = run_deck(program, deck, output, *localizations[localization],
                               "--set", f"layout.kind={layout}", ranks=ranks)
            if summary["ranks"] != ranks or summary["layout"] != layout:
                complaints.append(f"{name}: ran on {summary['ranks']} ranks with the layout {summary['layout']}")
            if reference is None:
                reference = summary
                # Equal bits of runs in which nothing happens would prove nothing.
                if "events" in keys and summary["events"] < 100:
                    complaints.append(f"{name}: only {summary['events']} events")
            complaints += check_run(summary, reference, keys, name)
    replayed = run_deck(program, deck, directory / "replayed", *localizations[localization],
                        "--set", "integrator.executor=checking", ranks=2)
    complaints += check_run({**replayed, "collectives_per_event": 0}, reference, keys,
                            f"{case}, {localization}, every event done twice")
    print(f"{case}, {localization}: state {reference['state_hash']}, {reference['events']} events", flush=True)
    return complaints


def main():
    program, cases = Path(sys.argv[1]).resolve(), sys.argv[2:] or list(CASES)
    complaints = []
    with tempfile.TemporaryDirectory() as scratch:
        for case in cases:
            for localization in CASES[case][1]:
                directory = Path(scratch) / case / localization.replace(", ", "-").replace(" ", "_")
                directory.mkdir(parents=True)
                try:
                    complaints += check_localization(program, case, localization, directory)
                except AssertionError as failure:
                    complaints.append(str(failure))
    print("\n".join(complaints) or "the same bits everywhere")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
