#!/usr/bin/env python3
"""Gives broken input decks to the real program. Usage: broken_decks.py TERRACE

For each deck `terrace run` must end with status 2, say exactly once (also on two ranks) where the mistake is, what was expected and
what was found, and leave no output directory behind. On one rank `terrace check` must say the same.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from program import call  # noqa: E402

VALID = """title = "Two blocks"
[time]
end = 0.01
[materials.gel]
density = 1059
lame_lambda = 12.04e4
lame_mu = 1.34e4
[[bodies]]
name = "left"
material = "gel"
shape = "lattice"
extent = [0.1, 0.1, 0.1]
cells = [1, 1, 1]
velocity = [4, 0, 0]
[[bodies]]
name = "right"
material = "gel"
shape = "lattice"
extent = [0.1, 0.1, 0.1]
cells = [1, 1, 1]
position = [0.2, 0, 0]
[contact]
model = "face-intersection"
stiffness = 1e4
[[walls]]
name = "floor"
point = [0, 0, -1]
normal = [0, 0, 1]
stiffness = 1e3
[localization]
kind = "bodies"
[integrator]
method = "energy-stepping"
energy_step = 1e-3
"""

TETRAHEDRON = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
1
1 {kind} 2 1 1 {nodes}
$EndElements
"""

# Each case: the text that is replaced in the valid deck, its replacement, fragments that the message must contain, and, optionally,
# arguments of --set.
BALL = 'shape = "lattice"\nextent = [0.1, 0.1, 0.1]\ncells = [1, 1, 1]\nvelocity = [4, 0, 0]'
CASES = [
    ("title =", "titel =", ["deck.toml:1", '"titel"', 'did you mean "title"']),
    ("[contact]", "[kontact]", ["deck.toml:22", '"kontact"', '"contact"']),
    ("energy_step =", "energy_stp =", ["deck.toml:34", '"energy_stp"', 'did you mean "energy_step"']),
    ("cells = [1, 1, 1]", "cells = [1, 1, 1]\nradius = 1", ["deck.toml:14", '"radius"', '"extent"']),
    ("[time]\nend = 0.01\n", "", ["deck.toml", "time", "no such key"]),
    ("end = 0.01\n", "", ["deck.toml:2", "time.end", "no such key"]),
    ("density = 1059\n", "", ["deck.toml:4", "materials.gel.density", "no such key"]),
    ('name = "left"\n', "", ["deck.toml:8", "bodies[0].name", "no such key"]),
    ("stiffness = 1e4\n", "", ["deck.toml:22", "contact.stiffness", "no such key"]),
    ('model = "face-intersection"', 'model = "rigid"', ["deck.toml:24", "contact.stiffness", '"rigid"']),
    ('model = "face-intersection"\nstiffness = 1e4', 'model = "rigid"\nenergy_step = 1.0', ["contact.energy_step"]),
    ('name = "right"', 'name = "left"\nrepeat = { count = 2, offset = [1, 0, 0] }', ["not used before", '"left", already used']),
    ("end = 0.01", 'end = "soon"', ["deck.toml:3", "time.end", "a number > 0", "soon"]),
    ("end = 0.01", "end = 0", ["deck.toml:3", "a number > 0", "found 0"]),
    ("end = 0.01", "end = nan", ["deck.toml:3", "time.end", "nan"]),
    ("velocity = [4, 0, 0]", "velocity = [4, 0]", ["deck.toml:14", "three numbers", "2 elements"]),
    ("density = 1059", "density = -1", ["deck.toml:5", "a number > 0", "found -1"]),
    ("lame_mu = 1.34e4", "poissons_ratio = 0.3", ["deck.toml:7", "youngs_modulus", "both"]),
    ("cells = [1, 1, 1]", "cells = [1, 0, 1]", ["deck.toml:13", "three integers", "found 0"]),
    ("normal = [0, 0, 1]", "normal = [0, 0, 0]", ["deck.toml:28", "walls[0].normal", "not zero"]),
    ('material = "gel"', 'material = "gell"', ["deck.toml:10", '"gell"', 'did you mean "gel"']),
    ('name = "right"', 'name = "left"', ["deck.toml:16", "not used before", '"left"', "deck.toml:9"]),
    ('shape = "lattice"', 'shape = "sphere"', ["deck.toml:11", '"ball", "block", "lattice", "file"', '"sphere"']),
    ('kind = "bodies"', 'kind = "body"', ["deck.toml:31", '"global", "bodies", "metis"', '"body"']),
    ('kind = "bodies"', 'kind = "bodies"\nparts = 3', ["deck.toml:32", "localization.parts", "metis"]),
    ('method = "energy-stepping"', 'method = "modin"', ["deck.toml:33", '"energy-stepping", "clocked-energy-stepping", "newmark"', 'found "modin"']),
    ("energy_step = 1e-3", "energy_step = 1\nenergy_step_fraction = 1", ["deck.toml:35", "not both"]),
    ("density = 1059", "density = 10 59", ["deck.toml:5", "valid TOML", "density = 10 59"]),
    ("[materials.gel]", "[materials.gel]\n[materials.gel]", ["deck.toml", "valid TOML", "materials.gel"]),
    (BALL, 'shape = "file"\nfile = "gear.msh"', ["deck.toml:12", "bodies[0].file", '"gear.msh"', "no such file"]),
    (BALL, 'shape = "file"\nfile = "triangle.msh"', ["deck.toml:8", "left", "tetrahedra"]),
    (BALL, 'shape = "file"\nfile = "flat.msh"', ["deck.toml:8", "left", "volume"]),
    (BALL, 'shape = "file"\nfile = "noise.msh"', ["deck.toml:8", "left", "noise.msh"]),
    (BALL, 'shape = "file"\nfile = "good.msh"\ngroup = "gear"', ["deck.toml:8", "left", '"gear"']),
    (BALL, 'shape = "file"\nfile = "good.msh"\nsize = 0.1', ["deck.toml:13", "bodies[0].size only of a geometry (.geo, .step): a mesh has its own", 'found one of "good.msh"']),
    (BALL, 'shape = "ball"\nradius = 0.01\nsize = 1.0', ["deck.toml:8", "left", "size"]),
    ("position = [0.2, 0, 0]", "position = [0.05, 0, 0]", ["deck.toml:15", "overlap", "left", "right"]),
    ("point = [0, 0, -1]", "point = [0, 0, 0]", ["deck.toml:8", "floor", "left", "behind"]),
    ("", "", ["--set integrator.energy_stp=1", 'did you mean "energy_step"'], ["integrator.energy_stp=1"]),
    ("", "", ["--set bodies.7.velocity=[1,0,0]", "from 0 to 1"], ["bodies.7.velocity=[1,0,0]"]),
    ("position = [0.2, 0, 0]", "position = [2e13, 0, 0]", ["deck.toml:15", "body right within", "of the origin, where coordinates resolve a millionth of its least edge", "a coordinate of 2e+13"]),
    ("lame_mu = 1.34e4", "lame_mu = 1e300", ["deck.toml:4: materials: expected a stable step within the range of a double"]),
    ('model = "face-intersection"\nstiffness = 1e4', 'model = "barrier"\ndistance = 1e-300',
     ["deck.toml:22: contact: expected stiffnesses, distances, speeds and materials that give contact and walls a stable step within the range of a double", "found 0"],
     ["integrator={method='clocked-energy-stepping'}"]),
    ('model = "face-intersection"\nstiffness = 1e4', 'model = "none"', ["deck.toml:24: walls: expected stiffnesses", "found 0"],
     ["integrator={method='clocked-energy-stepping'}", "walls.0.model=barrier", "walls.0.distance=1e-300"]),
    ("lame_mu = 1.34e4", "lame_mu = 1e60", ["time.end: expected at most", " (7e+10 steps of", "found 0.01"]),
    ("", "", ["time.end: expected at most", " (7e+10 steps of", "found 0.01"], ["integrator={method='newmark',time_step_factor=1e-12}"]),
    ('model = "face-intersection"\nstiffness = 1e4', 'model = "barrier"', ["time.end: expected at most", " (7e+10 steps of", "found 0.01"],
     ["integrator={method='clocked-energy-stepping',time_step_factor=1e-12}"]),
    ("", "", ["expected integrator.time_step_factor of at most 1, as no step of a clock is longer than the stable one, found 1.5"],
     ["integrator={method='clocked-energy-stepping',time_step_factor=1.5}", "contact={model='barrier'}"]),
    ("", "", ["expected integrator.scaling_shift of the sign of the potential energy, found 0, at which no step is finite"],
     ["integrator={method='step-density',time_step=1e-4,scaling_shift=0}"]),
    ("", "", ["--set integrator=", "expected integrator.scaling_shift with [gravity], whose energy is 0 at the start and falls below it: more than the bodies can lose of it", "found none"],
     ["integrator={method='step-density',time_step=1e-4}", "contact={model='none'}", "gravity={acceleration=[0,0,-9.81]}"]),
    ("density = 1059", "density = 1e300", ["integrator.energy_step: expected at least", "rounding of the kinetic energy", "found 0.001"]),
    ("stiffness = 1e4", "stiffness = 1e4\nenergy_step = 1e-30", ["deck.toml:25: contact.energy_step: expected at least", "rounding of the kinetic energy", "found 1e-30"]),
    ("energy_step = 1e-3", "energy_step_fraction = 1e-20", ["deck.toml:34: integrator.energy_step_fraction: expected at least 1e-16", "found 1e-20"]),
    ("end = 0.01", "end = 1e-322", ["time.end: expected at least 1e-290"]),
    ("energy_step = 1e-3", "energy_step = 1e-3\n[output]\nhistory_interval = 1e-300", ["deck.toml:36: output.history_interval: expected at least time.end / 1e+08"]),
    ("energy_step = 1e-3", "energy_step = 1e-3\n[output]\nfield_interval = 1e-9", ["output.field_interval", "at least time.end / 1e+06"]),
    ('"energy-stepping"\nenergy_step = 1e-3', '"newmark"\ntime_step = 1e30', ["integrator.time_step: expected", "at most time.end =", "1e+30"]),
    ('"energy-stepping"\nenergy_step = 1e-3', '"newmark"', ["time.end: expected at least one time step,", "without integrator.time_step", "1e-09"], ["time.end=1e-9"]),
    ('kind = "bodies"', 'kind = "metis"\nparts = 1000', ["localization.parts: expected at most as many parts as the largest body has tetrahedra, 24", "found 1000"]),
    ("", "", ["deck.toml:22", 'at most 20000 pairs of bodies whose contact is on a terrace from the start to the end: localization.kind = "bodies" with localization.contact = "touching" or "own" for more', "more, of 201 bodies"],
     ["localization.kind=global", "bodies.0.repeat={count=200,offset=[0,1,0]}"]),
    (BALL, 'shape = "ball"\nradius = 0.01\nsize = 0.005\nrefine = [{point = [1.01, 0, 0], size = 0.001, radius = 0.5}]',
     ["deck.toml:14", "a refinement that reaches the body, in its own frame: less than 0.5 from it", "found 1"]),
    (BALL, 'shape = "block"\nextent = [0.02, 0.02, 0.02]\nsize = 0.005\nrefine = [{point = [0.04, 0.05, 0], size = 0.001, radius = 0.05}]',
     ["a refinement that reaches the body", "less than 0.05 from it", "found 0.05"]),
    ("cells = [1, 1, 1]", "cells = [400, 400, 400]", ["deck.toml:8", "left", "a number of cells that gives at most", "about 2e+09"]),
    (BALL, 'shape = "ball"\nradius = 0.01\nsize = 1e-9', ["deck.toml:8", "left", "an element size that gives at most"]),
    (BALL, 'shape = "file"\nfile = "script.geo"\nsize = 0.1', ["deck.toml:8", "left", "script.geo:2", '"SystemCall"', 'a geometry, which starts no program and reads and writes no files (but "Merge" of a STEP, IGES, BREP or STL file), nor says so in a comment']),
    (BALL, 'shape = "file"\nfile = "script.StEp"', ["deck.toml:8", "left", "a file ending in .msh, .geo, .step or .stp"]),
    (BALL, 'shape = "file"\nfile = "script.msh"', ["deck.toml:8", "left", "script.msh: expected $MeshFormat"]),
    (BALL, 'shape = "file"\nfile = "two.msh"', ["deck.toml:8", "left", "two.msh", "pieces that share no node"]),
    ("end = 0.01", "end = " + 10000 * "[", ["deck.toml:3", "tables and arrays at most 200 deep", "deeper ones"]),
    ("end = 0.01", 10000 * "a." + "b = 1", ["deck.toml:3", "tables and arrays at most 200 deep", "deeper ones"]),
    ("", "", ["--set", "at most 200 deep"], [300 * "a." + "b=1"]),
    ("", "", ["--set time.end=soon", "a number > 0", "soon"], ["time.end=soon"]),
]


def write_meshes(directory: pathlib.Path) -> None:
    """Writes mesh files for the decks: a sound mesh, triangles, zero volume, no mesh, two pieces, and files that would start a program."""
    good = TETRAHEDRON.format(kind=4, nodes="1 2 3 4")
    (directory / "good.msh").write_text(good)
    (directory / "triangle.msh").write_text(TETRAHEDRON.format(kind=2, nodes="1 2 3"))
    (directory / "flat.msh").write_text(good.replace("4 0 0 1", "4 1 1 0"))
    (directory / "noise.msh").write_text("this is no mesh\n" * 10)
    (directory / "two.msh").write_text(good.replace("\n4\n1 0", "\n8\n1 0").replace(
        "$EndNodes", "5 5 0 0\n6 6 0 0\n7 5 1 0\n8 5 0 1\n$EndNodes").replace(
            "$Elements\n1\n", "$Elements\n2\n").replace("$EndElements", "2 4 2 1 1 5 6 7 8\n$EndElements"))
    (directory / "script.geo").write_text('x = 1;\nSystemCall "touch left_behind";\n')
    (directory / "script.StEp").write_text('SystemCall "touch left_behind";\n')
    (directory / "script.msh").write_text('SystemCall "touch left_behind";\n$End\n')


def check(program: str, ranks: int | None, deck_text: str | None, fragments: list[str],
          settings: list[str]) -> list[str]:
    """Runs one deck (None: a path that does not exist). Returns the complaints; none if all is as it must be."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        write_meshes(directory)
        deck, output = directory / "deck.toml", directory / "output"
        if deck_text is not None:
            deck.write_text(deck_text)
        arguments = ["run", str(deck), "--output", str(output)]
        for setting in settings:
            arguments += ["--set", setting]
        before = sorted(directory.iterdir())
        # A run that does not end at once has accepted its deck.
        try:
            run = call(program, *arguments, ranks=ranks, timeout=60, directory=directory)
        except subprocess.TimeoutExpired:
            return ["the deck was accepted: still running after 60 s"]
        problems = []
        if run.returncode != 2:
            problems.append(f"exit status {run.returncode}, not 2")
        if ranks is None:
            checked = call(program, "check", str(deck), *(word for setting in settings for word in ("--set", setting)),
                           timeout=60, directory=directory)
            if (checked.returncode, checked.stderr) != (run.returncode, run.stderr):
                problems.append(f"terrace check ended with {checked.returncode} and {checked.stderr!r}")
        problems += [f"the message lacks {fragment!r}" for fragment in fragments if fragment not in run.stderr]
        if run.stderr.count(": expected ") != 1:
            problems.append(f"the message appears {run.stderr.count(': expected ')} times, not once")
        new = [path.name for path in sorted(directory.iterdir()) if path not in before]
        if new:
            problems.append(f"the run left {new} behind")
        return problems + ([f"stderr was:\n{run.stderr}"] if problems else [])


def main() -> int:
    """Tries every case on one rank, and every fourth on two."""
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    program = str(pathlib.Path(sys.argv[1]).resolve())
    jobs = [(None, ["deck.toml", "no such file"], [])]
    for old, new, fragments, *settings in CASES:
        if old not in VALID:
            print(f"FAILED: the valid deck does not contain {old!r}")
            return 1
        jobs.append((VALID.replace(old, new, 1), fragments, settings[0] if settings else []))
    failures = 0
    for ranks, selection in ((None, jobs), (2, jobs[::4])):
        with ThreadPoolExecutor(len(os.sched_getaffinity(0)) // (ranks or 1) or 1) as pool:
            results = list(pool.map(lambda job: check(program, ranks, *job), selection))
        for number, problems in enumerate(results):
            if problems:
                failures += 1
                print(f"FAILED on {ranks or 1} rank(s), case {number}, expecting {selection[number][1]}: "
                      + "; ".join(problems))
    print(f"{len(jobs)} broken decks on 1 rank, {len(jobs[::4])} on 2 ranks: {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
