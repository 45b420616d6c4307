"""The trajectory depends on the deck alone: the same bits on any number of ranks, for every layout, on every processor.

Usage: same_bits.py TERRACE [--rewrite] [CASE]...      cases: the keys of CASES (default: all)

Each case is run on several numbers of ranks and with both layouts, with the kernels of every level of x86-64 that the
machine has (TERRACE_SIMD), with ranks of different levels, with the C library's other elementary functions, stopped half
way and resumed, and with every event undone and done again; all must end in the state that same_bits.json names, which is that of every machine. --rewrite writes that table anew: after a
change of the trajectories that is meant, and after no other.
"""

import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from decks import GEL, SOFT_CUBE  # noqa: E402
from program import call, run_deck  # noqa: E402

# Ranks and layout; more ranks than cores are slow, so that only a case's first localization meets them.
RANKS = ((1, "own"), (2, "own"), (2, "slice"), (3, "slice"), (4, "own"), (7, "slice"))
FEWER_RANKS = RANKS[:4]
WHOLE = tuple((ranks, layout) for ranks, layout in RANKS if layout == "own")  # particles have no slices
LEVELS = ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4")
# The program hides fused operations from the C library, unless it finds that someone has been there before: with this
# its elementary functions are those of the processor. (RTM has nothing to do with them.)
PROCESSORS_OWN_LIBM = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-RTM"}
TABLE = Path(__file__).with_suffix(".json")
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

# A cube on a sliding foot that moves, under gravity, with another that falls on it beside a wall.
HELD = """
title = "Cubes on a moving support"
[time]
end = 40.0
events = 600
""" + SOFT_CUBE + """velocity = [0.0, 0.02, -0.01]
[[bodies]]
name = "upper"
material = "soft"
shape = "lattice"
extent = [0.8, 0.8, 0.8]
cells = [1, 2, 1]
position = [0.15, 0.1, 0.95]
velocity = [0.2, 0.0, -0.1]
spin = [0.1, 0.05, 0.0]
[[supports]]
name = "foot"
body = "cube"
box = [[-1.0, -1.0, -0.5], [1.0, 1.0, -0.4999]]
components = ["z", "x"]
velocity = [0.03, 0.0, 0.01]
[[supports]]
name = "pin"
body = "cube"
box = [[-0.5, -0.5, -0.5], [-0.5, -0.5, -0.5]]
components = ["y"]
[gravity]
acceleration = [0.0, 0.001, -0.004]
[contact]
model = "gap"
distance = 0.04
[[walls]]
name = "side"
point = [0.62, 0.0, 0.0]
normal = [-1.0, 0.0, 0.0]
stiffness = 0.05
[integrator]
method = "energy-stepping"
energy_step = 5e-6
[output]
field_interval = -1.0
"""

# Three balls in line, the first on the second after a gap, a spin and a wall behind the last: contact by Hertz's law.
HERTZ = """
title = "Three balls and a wall"
[time]
end = 0.02
events = 500
""" + GEL + "".join(f"""[[bodies]]
name = "ball-{i}"
material = "gel"
shape = "ball"
radius = 0.025
mass = "sphere"
size = 0.015
position = [{0.05 * i + (0.0002 if i > 0 else 0)}, 0.0, 0.0]
velocity = [{0.5 if i == 0 else 0.0}, 0.0, 0.0]
spin = [{3.0 * i}, 0.0, 0.0]
""" for i in range(3)) + """[contact]
model = "hertz"
patch = 0.02
[[walls]]
name = "end"
model = "hertz"
point = [0.12521, 0.0, 0.0]
normal = [-1.0, 0.0, 0.0]
[integrator]
method = "energy-stepping"
energy_step = 1.0e-7
[output]
field_interval = -1.0
"""

# Atoms with a cut-off fall on a floor in a ball, with all that particles may feel; the last two are tied to others.
PARTICLES = f"""
title = "Particles with every potential"
[time]
end = 100.0
events = 400
[[particles]]
name = "atoms"
mass = 1.5
positions = {[[round(1.1 * (n % 3) + 0.03 * (n * n % 7), 3), round(1.08 * (n // 3 % 3) - 0.02 * (n * 5 % 11), 3),
               round(1.12 * (n // 9) + 0.025 * (n * 3 % 5), 3)] for n in range(27)]}
velocities = {[[round(0.4 * ((7 * n + 3 * d) % 11 - 5) / 5, 3) for d in range(3)] for n in range(27)]}
[[particles]]
name = "beads"
mass = [2.0, 3.0]
positions = [[4.0, 1.0, 1.0], [4.9, 1.2, 0.8]]
""" + """
[[potentials]]
name = "atom-atom"
kind = "lennard-jones"
between = ["atoms", "atoms"]
depth = 1.0
diameter = 1.0
cutoff = 2.2
[[potentials]]
name = "attraction"
kind = "gravity"
constant = 0.05
between = ["atoms", "beads"]
[[potentials]]
name = "bond"
kind = "spring"
stiffness = 3.0
length = 0.9
pairs = [[28, 29], [1, 28]]
[[potentials]]
name = "collision"
kind = "hertz"
stiffness = 20.0
length = 1.0
between = ["atoms", "beads"]
[[potentials]]
name = "screened"
kind = "pair-expression"
energy = "0.1*exp(-r/2)/r"
between = ["beads", "beads"]
[[potentials]]
name = "ball"
kind = "circle"
stiffness = 40.0
radius = 4.0
centre = [1.0, 1.0, 1.0]
[[potentials]]
name = "waves"
kind = "expression"
energy = "0.2*sin(2*x)*cos(y) + 0.01*(x - 1)^4 + 0.05*sqrt(1 + z^2)"
[[walls]]
name = "floor"
point = [0.0, 0.0, -0.5]
normal = [0.0, 0.1, 1.0]
stiffness = 30.0
[gravity]
acceleration = [0.0, 0.05, -0.2]
[localization]
kind = "bodies"
[integrator]
method = "energy-stepping"
energy_step = 0.2
[output]
field_interval = -1.0
"""

# Methods that cannot divide a system: rank 0 has it all, and no momentum is exact.
ARGON = """
title = "Argon atoms"
[time]
end = 0.02
events = 300
[[particles]]
name = "argon"
mass = 66.34e-27
positions = [[0.02, 0.39], [0.34, 0.17], [0.36, -0.21], [-0.02, -0.40]]
velocities = [[50, -90], [-70, -60], [90, 40], [80, 90]]
[[potentials]]
name = "argon-argon"
kind = "lennard-jones"
depth = 1.65402828e-21
diameter = 0.341
[integrator]
method = "labudde-greenspan"
time_step = 5.0e-5
[output]
field_interval = -1.0
"""
STEPS = """
title = "Two particles about a centre with a step at a circle"
[time]
end = 30.0
[[particles]]
name = "particle"
mass = 1.0
positions = [[1.6, 0.0], [0.0, -0.7]]
velocities = [[0.0, 0.5], [1.0, 0.3]]
[[potentials]]
name = "sun"
kind = "central"
strength = 1.0
[[potentials]]
name = "circle"
kind = "step"
height = 0.05
[[potentials.parts]]
shape = "ball"
point = [0.0, 0.0]
radius = 1.0
[integrator]
method = "discontinuous-potential"
time_step = 0.1
[output]
field_interval = -1.0
"""

METIS_PARTS = ["--set", "localization.kind=metis", "--set", "localization.parts=4"]
GLOBAL = ["--set", "localization.kind=global"]
BODIES = ["--set", "localization.kind=bodies", "--set", "localization.contact=own"]
TOUCHING = ["--set", "localization.contact=touching"]

NEWMARK = ["--set", "integrator.method=newmark"]
CLUSTERS = ["--set", "localization.kind=clusters", "--set", "localization.parts=4"]
PAIRS = ["--set", "localization.kind=pairs"]
FORCE_STEPPING = ["--set", "integrator.method=force-stepping", "--set", "integrator.grid_offset=0.618"]
CLOCKED = ["--set", "integrator.method=clocked-energy-stepping"]


@dataclass
class Case:
    deck: str
    localizations: dict  # name: options
    ranks: tuple = RANKS
    newmark: bool = False  # has no events of subdomains, only steps
    touching: bool = False  # smooth contact must have come about
    whole: bool = False  # the method cannot divide a system


CASES = {
    "cube": Case(CUBE, {"synchronous": GLOBAL, "4 parts": METIS_PARTS}),
    "balls": Case(BALLS, {"synchronous": GLOBAL, "body, body, contact": BODIES, "touching": TOUCHING}),
    "rigid": Case(RIGID, {"body, body, contact": BODIES}, FEWER_RANKS),
    "barrier": Case(PACKING, {"ball by ball": BODIES, "synchronous": GLOBAL, "touching": TOUCHING}),
    "gap": Case(GAP, {"body, body, contact": BODIES}, FEWER_RANKS, touching=True),
    "gap_touching": Case(GAP, {"touching": TOUCHING}, FEWER_RANKS, touching=True),
    "hertz": Case(HERTZ, {"body, body, contact": BODIES, "touching": TOUCHING}, FEWER_RANKS, touching=True),
    "hertz_clocked": Case(HERTZ, {"touching": CLOCKED}, FEWER_RANKS, touching=True),
    "hertz_newmark": Case(HERTZ, {"touching": NEWMARK}, FEWER_RANKS, newmark=True, touching=True),
    "parts": Case(BARRIER, {"4 parts, contact": METIS_PARTS + BODIES[2:], "4 parts, touching": METIS_PARTS + TOUCHING},
                  FEWER_RANKS, touching=True),
    "self": Case(FORK, {"body, contact, wall": BODIES, "synchronous": GLOBAL}, FEWER_RANKS, touching=True),
    "supports": Case(HELD, {"synchronous": GLOBAL, "4 parts, touching": METIS_PARTS + TOUCHING}, FEWER_RANKS, touching=True),
    "clocked": Case(CUBE, {"clocked": CLOCKED + ["--set", "time.end=12"]}, RANKS),
    "clocked_balls": Case(GAP, {"touching": CLOCKED + ["--set", "localization.contact=touching"],
                                "own": CLOCKED + ["--set", "localization.contact=own"]}, RANKS, touching=True),
    "clocked_held": Case(HELD, {"touching": CLOCKED + TOUCHING, "4 parts, contact": CLOCKED + METIS_PARTS + BODIES[2:]}, FEWER_RANKS,
                         touching=True),
    "particles": Case(PARTICLES, {"4 clusters": CLUSTERS, "synchronous": GLOBAL, "bodies": [], "pairs": PAIRS}, WHOLE),
    "particles_smooth": Case(PARTICLES, {"newmark": NEWMARK + ["--set", "time.end=4"]}, WHOLE[:2], newmark=True),
    "particles_clocked": Case(PARTICLES, {"synchronous": CLOCKED + GLOBAL}, WHOLE[:2]),
    "newmark": Case(CUBE, {"newmark": NEWMARK + ["--set", "time.end=12"]}, FEWER_RANKS, newmark=True),
    "newmark_contact": Case(GAP, {"newmark": NEWMARK}, FEWER_RANKS, newmark=True, touching=True),
    "newmark_walls": Case(PACKING, {"newmark": NEWMARK}, FEWER_RANKS, newmark=True, touching=True),
    "force_stepping": Case(CUBE, {"cube": FORCE_STEPPING + ["--set", "integrator.grid_spacing=0.02"]}, FEWER_RANKS, whole=True),
    "whole_particles": Case(ARGON, {
        "LaBudde-Greenspan": [],
        "force-stepping": FORCE_STEPPING + ["--set", "integrator.grid_spacing=0.02", "--set", "integrator.coordinates=jacobi"],
    }, FEWER_RANKS, newmark=True, whole=True),
    "steps": Case(STEPS, {name: ["--set", f"integrator.variant={name}"] for name in ("dp4", "dp1")}, FEWER_RANKS, newmark=True,
                  whole=True),
    "newmark_supports": Case(HELD, {"newmark": NEWMARK}, FEWER_RANKS, newmark=True, touching=True),
}


# What neither ranks, layouts nor processors may change.
KEYS = ("mesh_hash", "state_hash", "events", "reflections", "momentum_change", "final_time")


def levels_here(program):
    """Those that this machine can run; none on another architecture, which has one level only."""
    return [level for level in LEVELS
            if call(program, "--version", environment={"TERRACE_SIMD": level}).returncode == 0]


def check_run(summary, reference, case, name):
    """The complaints about one run, compared with the one on a single rank."""
    complaints = [f"{name}: {key} is {summary[key]}, on 1 rank with the layout 'own' {reference[key]}"
                  for key in KEYS if summary[key] != reference[key]]
    if summary["momentum_change"] != 0 and not case.whole:
        complaints.append(f"{name}: momentum changed by {summary['momentum_change']} quanta")
    felt = summary["monitors"]["least_distance"] is not None or summary["monitors"]["widest_contact"] > 0
    if case.touching and not felt:
        complaints.append(f"{name}: no contact came about")
    if not case.newmark:
        if summary["ranks"] > 1 and summary["collectives_per_event"] > MOST_COLLECTIVES_PER_EVENT:
            complaints.append(f"{name}: {summary['collectives_per_event']} collectives per event")
    return complaints


def check_table(summary, entry, name):
    """The complaints about one run, compared with its line of the table."""
    if summary["mesh_hash"] != entry["mesh_hash"]:
        return [f"{name}: the mesh {summary['mesh_hash']} is not {entry['mesh_hash']}, that of same_bits.json: Gmsh's "
                "work, before terrace does anything (version of Gmsh, C library)"]
    return [f"{name}: {key} is {summary[key]}, on any machine {entry[key]} (same_bits.json)"
            for key in ("state_hash", "events") if summary[key] != entry[key]]


class Runs:
    """The runs of one case with one localization."""

    def __init__(self, program, case, localization, directory):
        self.program, self.name, self.directory = program, f"{case}, {localization}", directory
        self.case = CASES[case]
        first = localization == next(iter(self.case.localizations))
        self.ranks = tuple(each for each in self.case.ranks if first or each in FEWER_RANKS)
        self.deck = directory / f"{case}.toml"
        self.deck.write_text(self.case.deck, encoding="utf-8")
        (directory / "fork.geo").write_text(FORK_GEOMETRY, encoding="utf-8")
        self.options = self.case.localizations[localization]

    def run(self, name, *options, **call_options):
        output = self.directory / name.replace(", ", "-").replace(" ", "_")
        return run_deck(self.program, self.deck, output, *self.options, *options, **call_options)

    def check_ranks(self):
        """The case's ranks and layouts; returns the first summary and the complaints."""
        reference, complaints = None, []
        for ranks, layout in self.ranks:
            name = f"{self.name}, layout {layout}, {ranks} ranks"
            # The reference is started as a user would.
            summary = self.run(name, "--set", f"layout.kind={layout}", ranks=ranks, plain=reference is None)
            if summary["ranks"] != ranks or summary["layout"] != ("one rank" if self.case.whole else layout):
                complaints.append(f"{name}: ran on {summary['ranks']} ranks with the layout {summary['layout']}")
            if reference is None:
                reference = summary
                # Equal bits of runs in which nothing happens would prove nothing.
                if summary["events"] < 100:
                    complaints.append(f"{name}: only {summary['events']} events")
            complaints += check_run(summary, reference, self.case, name)
        complaints += self.check_resumed(reference)
        replayed = self.run(f"{self.name}, replayed", "--set", "integrator.executor=checking", ranks=2)
        complaints += check_run({**replayed, "collectives_per_event": 0}, reference, self.case,
                                f"{self.name}, every event done twice")
        return reference, complaints

    def check_resumed(self, reference):
        """Stopped half way on two ranks, gone on with on one."""
        name = f"{self.name}, resumed"
        self.run(name, "--set", f"time.events={reference['events'] // 2}", ranks=2)
        summary = self.run(name, "--resume")
        complaints = check_run(summary, reference, self.case, name)
        for place, key in (("monitors", "least_distance"), ("monitors", "deepest_penetration"), (None, "energy_drift"),
                           (None, "warnings")):
            found, expected = (one[place][key] if place else one[key] for one in (summary, reference))
            if found != expected:
                complaints.append(f"{name}: {key} is {found}, without a stop {expected}")
        return complaints

    def check_levels(self, reference, levels):
        """Every level on one rank (the best was the reference's), the plainest and the best together, and the other
        elementary functions."""
        environments = {level: {"TERRACE_SIMD": level} for level in levels[:-1]}
        environments["the processor's own libm"] = PROCESSORS_OWN_LIBM
        # Each is one process on one core.
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            summaries = list(pool.map(lambda name: self.run(f"{self.name}, {name}", environment=environments[name]),
                                      environments))
        complaints = []
        if levels and reference["simd"] != levels[-1]:
            complaints.append(f"{self.name}: ran the kernels for {reference['simd']} where {levels[-1]} can run")
        for name, summary in zip(environments, summaries):
            if name in levels and summary["simd"] != name:
                complaints.append(f"{self.name}, {name}: ran the kernels for {summary['simd']}")
            complaints += check_run(summary, reference, self.case, f"{self.name}, {name}")
        if len(levels) > 1:
            complaints += self.check_mixed_levels(reference, levels[0], levels[-1])
        return complaints

    def check_mixed_levels(self, reference, plainest, best):
        """Two ranks of different levels: each is started through a shell that sets the level by its rank."""
        name = f"{self.name}, {plainest} and {best}"
        wrapper = self.directory / "by_rank.sh"
        wrapper.write_text("#!/bin/sh\n"
                           f'if [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then TERRACE_SIMD={plainest}; else TERRACE_SIMD={best}; fi\n'
                           f'export TERRACE_SIMD\nexec "{self.program}" "$@"\n', encoding="utf-8")
        wrapper.chmod(0o755)
        output = self.directory / "mixed"
        summary = run_deck(wrapper, self.deck, output, *self.options, "--set", "layout.kind=slice", ranks=2)
        complaints = check_run(summary, reference, self.case, name)
        if summary["simd"] != f"{plainest}, {best}":
            complaints.append(f"{name}: ran the kernels for {summary['simd']}")
        return complaints


def rewritten(runs, table):
    """Puts a run on one rank into the table."""
    summary = runs.run(runs.name)
    table[runs.name] = {key: summary[key] for key in ("mesh_hash", "state_hash", "events")}
    print(f"{runs.name}: {table[runs.name]}", flush=True)
    return []


def checked(runs, table, levels):
    reference, complaints = runs.check_ranks()
    complaints += check_table(reference, table[runs.name], runs.name)
    print(f"{runs.name}: state {reference['state_hash']}, {reference['events']} events", flush=True)
    return complaints + runs.check_levels(reference, levels)


def main():
    program, arguments = Path(sys.argv[1]).resolve(), sys.argv[2:]
    rewrite = "--rewrite" in arguments
    cases = [argument for argument in arguments if argument != "--rewrite"] or list(CASES)
    table = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}
    levels, complaints = levels_here(program), []
    print(f"levels: {', '.join(levels)}", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        for case in cases:
            for localization in CASES[case].localizations:
                directory = Path(scratch) / case / localization.replace(", ", "-").replace(" ", "_")
                directory.mkdir(parents=True)
                runs = Runs(program, case, localization, directory)
                try:
                    complaints += rewritten(runs, table) if rewrite else checked(runs, table, levels)
                except AssertionError as failure:
                    complaints.append(str(failure))
    if rewrite:
        TABLE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    print("\n".join(complaints) or ("written anew" if rewrite else "the same bits everywhere"))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
