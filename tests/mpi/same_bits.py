"""The trajectory depends on the deck alone: the same bits on any number of ranks, for every layout, and when every
event is undone and done again.

Usage: same_bits.py TERRACE [CASE]...      cases: the keys of CASES (default: all)
"""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from decks import GEL, SOFT_CUBE  # noqa: E402
from program import run_deck  # noqa: E402

RANKS = (1, 2, 3, 4, 7)
FEWER_RANKS = (1, 2, 3)
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

BARRIER = BALLS.replace('model = "face-intersection"\nstiffness = 1.0e4', 'model = "barrier"\ndistance = 1.0e-3')

# A fork flies sidewise into a wall: one prong stops, the other closes the slit, which only contact of the body with itself
# notices.
FORK_GEOMETRY = """SetFactory("OpenCASCADE");
Box(1) = {-0.5, -0.5, -0.2, 1.0, 2.0, 0.4};
Box(2) = {-0.04, 0, -0.2, 0.08, 1.5, 0.4};
BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; }
"""
FORK = """
title = "Fork that closes"
[time]
end = 20.0
events = 800
[materials.soft]
density = 0.1
lame_lambda = 0.0100
lame_mu = 0.0066
[[bodies]]
name = "fork"
material = "soft"
shape = "file"
file = "fork.geo"
size = 0.35
velocity = [-0.3, 0.0, 0.0]
spin = [0.0, 0.01, 0.0]
[contact]
model = "barrier"
self = true
[[walls]]
name = "left"
point = [-0.55, 0.0, 0.0]
normal = [1.0, 0.0, 0.0]
model = "barrier"
distance = 0.03
[integrator]
method = "energy-stepping"
energy_step_fraction = 2.0e-3
[layout]
kind = "own"
[output]
field_interval = -1.0
"""

METIS_PARTS = ["--set", "localization.kind=metis", "--set", "localization.parts=4"]
GLOBAL = ["--set", "localization.kind=global"]
BODIES = ["--set", "localization.kind=bodies", "--set", "localization.contact=own"]
TOUCHING = ["--set", "localization.contact=touching"]

NEWMARK = ["--set", "integrator.method=newmark"]


@dataclass
class Case:
    deck: str
    localizations: dict  # name: options
    ranks: tuple = RANKS
    newmark: bool = False  # has no events of subdomains, only steps
    touching: bool = False  # smooth contact must have come about


CASES = {
    "cube": Case(CUBE, {"synchronous": GLOBAL, "4 parts": METIS_PARTS}),
    "balls": Case(BALLS, {"synchronous": GLOBAL, "body, body, contact": BODIES, "touching": TOUCHING}),
    "rigid": Case(RIGID, {"body, body, contact": BODIES}),
    "barrier": Case(PACKING, {"ball by ball": BODIES, "synchronous": GLOBAL, "touching": TOUCHING}, touching=True),
    "gap": Case(GAP, {"body, body, contact": BODIES}, touching=True),
    "gap_touching": Case(GAP, {"touching": TOUCHING}, FEWER_RANKS, touching=True),
    "parts": Case(BARRIER, {"4 parts, contact": METIS_PARTS + BODIES[2:], "4 parts, touching": METIS_PARTS + TOUCHING},
                  FEWER_RANKS, touching=True),
    "self": Case(FORK, {"body, contact, wall": BODIES, "synchronous": GLOBAL}, FEWER_RANKS, touching=True),
    "newmark": Case(CUBE, {"newmark": NEWMARK + ["--set", "time.end=0.5"]}, newmark=True),
    "newmark_contact": Case(GAP, {"newmark": NEWMARK}, FEWER_RANKS, newmark=True, touching=True),
    "newmark_walls": Case(PACKING, {"newmark": NEWMARK}, FEWER_RANKS, newmark=True, touching=True),
}


# What no number of ranks may change.
KEYS = ("state_hash", "events", "reflections", "momentum_change", "final_time")


def check_run(summary, reference, case, name):
    """The complaints about one run, compared with the one on a single rank."""
    complaints = [f"{name}: {key} is {summary[key]}, on 1 rank with the layout 'own' {reference[key]}"
                  for key in KEYS if summary[key] != reference[key]]
    if summary["momentum_change"] != 0:
        complaints.append(f"{name}: momentum changed by {summary['momentum_change']} quanta")
    if case.touching and summary["monitors"]["least_distance"] is None:
        complaints.append(f"{name}: no contact came about")
    if not case.newmark:
        if summary["ranks"] > 1 and summary["collectives_per_event"] > MOST_COLLECTIVES_PER_EVENT:
            complaints.append(f"{name}: {summary['collectives_per_event']} collectives per event")
    return complaints


def check_localization(program, case, localization, directory):
    """All layouts and rank counts of one deck and localization; returns the complaints."""
    what = CASES[case]
    deck = directory / f"{case}.toml"
    deck.write_text(what.deck, encoding="utf-8")
    (directory / "fork.geo").write_text(FORK_GEOMETRY, encoding="utf-8")
    reference, complaints = None, []
    for layout in LAYOUTS:
        for ranks in what.ranks:
            name = f"{case}, {localization}, layout {layout}, {ranks} ranks"
            output = directory / name.replace(", ", "-").replace(" ", "_")
            summary = run_deck(program, deck, output, *what.localizations[localization],
                               "--set", f"layout.kind={layout}", ranks=ranks)
            if summary["ranks"] != ranks or summary["layout"] != layout:
                complaints.append(f"{name}: ran on {summary['ranks']} ranks with the layout {summary['layout']}")
            if reference is None:
                reference = summary
                # Equal bits of runs in which nothing happens would prove nothing.
                if summary["events"] < 100:
                    complaints.append(f"{name}: only {summary['events']} events")
            complaints += check_run(summary, reference, what, name)
    replayed = run_deck(program, deck, directory / "replayed", *what.localizations[localization],
                        "--set", "integrator.executor=checking", ranks=2)
    complaints += check_run({**replayed, "collectives_per_event": 0}, reference, what,
                            f"{case}, {localization}, every event done twice")
    print(f"{case}, {localization}: state {reference['state_hash']}, {reference['events']} events", flush=True)
    return complaints


def main():
    program, cases = Path(sys.argv[1]).resolve(), sys.argv[2:] or list(CASES)
    complaints = []
    with tempfile.TemporaryDirectory() as scratch:
        for case in cases:
            for localization in CASES[case].localizations:
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
