"""Checks that a trajectory depends on the deck alone: it has the same bits on any number of ranks, with every layout and on every
processor.

Usage: same_bits.py TERRACE [--rewrite] [--full] [CASE]...      cases: the keys of CASES (default: all)

Each case runs on several numbers of ranks and with several layouts, and is stopped half way and resumed. With its first localization,
and with each method, every event is also undone and done again. The first localization also runs with the kernels of every level of
x86-64 that the machine has (TERRACE_SIMD), with ranks of different levels, and with the C library's other elementary functions. All runs
must end in the state that same_bits.json lists, which is that of every machine. --full tests later localizations as thoroughly as the
first. --rewrite writes the table anew; use it only after an intended change of the trajectories.
"""

import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from program import call, differences, run_deck  # noqa: E402
from same_bits_decks import ABREAST, ARGON, BALLS, BARRIER, CUBE, FORK, FORK_GEOMETRY, GAP, GAS, HELD, HERTZ, PACKING, PAIR_OF_TETRAHEDRA, PARTICLES, RIGID, ROOM, STEPS, TETRAHEDRA  # noqa: E402

# (ranks, layout). More ranks than cores are slow, so only the first localization of a case runs on all of these. Kernels and elementary
# functions do not depend on localizations: levels are tested with the first, and with --full with those that name another method.
RANKS = ((1, "own"), (2, "own"), (2, "slice"), (3, "slice"), (4, "own"), (7, "slice"))
FEWER_RANKS = RANKS[:4]
OF_LATER_LOCALIZATIONS = (RANKS[0], RANKS[1])
WHOLE = tuple((ranks, layout) for ranks, layout in RANKS if layout == "own")  # particles have no slices
# Ranks that work in windows, compared with one rank that does not.
WINDOWS = ((1, "own"), (1, "windows"), (2, "windows"), (2, "slice"), (3, "windows"), (7, "windows"), (8, "windows"))
# The same with teams: several ranks work on a cluster together wherever they can.
TEAMS = ((1, "own"), (2, "teams"), (3, "teams"))
FAR_SIDES = ((1, "own"), (2, "own"), (3, "own"))
# More ranks than there are cores, subdomains, elements, balls or clusters, so many ranks have nothing.
SIXTEEN = ((1, "own"), (16, "own"), (16, "slice"))
SIXTEEN_WINDOWS = ((1, "own"), (16, "windows"))
LEVELS = ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4")
# The program makes the C library ignore fused operations, unless GLIBC_TUNABLES is set already. With this setting the elementary
# functions are the processor's own. (RTM itself has nothing to do with them.)
PROCESSORS_OWN_LIBM = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-RTM"}
TABLE = Path(__file__).with_suffix(".json")
# The most collectives of an event, however many ranks and subdomains there are: one for each sample of its search. This many are needed
# as groups of touching bodies are spread over ranks, and the face penalty needs many samples.
MOST_COLLECTIVES_PER_EVENT = 10

METIS_PARTS = ["--set", "localization.kind=metis", "--set", "localization.parts=4"]
GLOBAL = ["--set", "localization.kind=global"]
BODIES = ["--set", "localization.kind=bodies", "--set", "localization.contact=own"]
TOUCHING = ["--set", "localization.contact=touching"]

NEWMARK = ["--set", "integrator.method=newmark"]
CLUSTERS = ["--set", "localization.kind=clusters", "--set", "localization.parts=4"]
PAIRS = ["--set", "localization.kind=pairs"]
FORCE_STEPPING = ["--set", "integrator.method=force-stepping", "--set", "integrator.grid_offset=0.618"]
ADAPTIVE = ("time-transformed-splitting", "step-density", "adaptive-variational")
CLOCKED = ["--set", "integrator.method=clocked-energy-stepping"]
THIRD = CLOCKED + TOUCHING + ["--set", "time.end=0.05", "--set", "time.events=3500", "--set", "output.history_interval=1"]


@dataclass
class Case:
    deck: str
    localizations: dict  # {name: options}
    ranks: tuple = RANKS
    ranks_of_full: tuple = ()  # with --full; empty: the same as `ranks`
    newmark: bool = False  # the method has steps only, no events of subdomains
    touching: bool = False  # smooth contact must have come about
    whole: bool = False  # the method cannot divide a system
    ranks_alone: bool = False  # a case of few events, for numbers of ranks only; levels, replays and resumes are tested by other cases
    known_kernels: bool = False  # the kernels are those of other cases, with which levels are tested
    exchanges: float = 0  # least number of exchanges between neighbours alone per event on two ranks, where ranks leave out far sides


CASES = {
    "cube": Case(CUBE, {"synchronous": GLOBAL, "4 parts": METIS_PARTS}),
    "balls": Case(BALLS, {"synchronous": GLOBAL, "body, body, contact": BODIES, "touching": TOUCHING}, FEWER_RANKS, RANKS),
    "rigid": Case(RIGID, {"body, body, contact": BODIES}, (*FEWER_RANKS, (1, "slice"))),
    "barrier": Case(PACKING, {"ball by ball": BODIES, "synchronous": GLOBAL, "touching": TOUCHING}, FEWER_RANKS, RANKS),
    "gap": Case(GAP, {"body, body, contact": BODIES}, FEWER_RANKS, touching=True),
    "gap_touching": Case(GAP, {"touching": TOUCHING}, FEWER_RANKS, touching=True, known_kernels=True),
    "hertz": Case(HERTZ, {"body, body, contact": BODIES, "touching": TOUCHING}, FEWER_RANKS, touching=True),
    "hertz_clocked": Case(HERTZ, {"touching": CLOCKED}, FEWER_RANKS, touching=True, known_kernels=True),
    "hertz_newmark": Case(HERTZ, {"touching": NEWMARK}, FEWER_RANKS, newmark=True, touching=True, known_kernels=True),
    "parts": Case(BARRIER, {"4 parts, contact": METIS_PARTS + BODIES[2:], "4 parts, touching": METIS_PARTS + TOUCHING},
                  FEWER_RANKS, touching=True),
    "self": Case(FORK, {"body, contact, wall": BODIES, "synchronous": GLOBAL}, FEWER_RANKS, touching=True),
    "supports": Case(HELD, {"synchronous": GLOBAL, "4 parts, touching": METIS_PARTS + TOUCHING}, FEWER_RANKS, touching=True),
    "clocked": Case(CUBE, {"clocked": CLOCKED + ["--set", "time.end=12"]}, FEWER_RANKS),
    "clocked_balls": Case(GAP, {"touching": CLOCKED + ["--set", "localization.contact=touching"],
                                "own": CLOCKED + ["--set", "localization.contact=own"]}, FEWER_RANKS, RANKS, touching=True),
    "clocked_held": Case(HELD, {"touching": CLOCKED + TOUCHING, "4 parts, contact": CLOCKED + METIS_PARTS + BODIES[2:]}, FEWER_RANKS,
                         touching=True, known_kernels=True),
    # Where ranks object to a step, the next gradient, which has begun already, must have no effect. There are no rows, as these would ask
    # all ranks before it begins.
    "clocked_barrier": Case(BARRIER, {"long steps": CLOCKED + TOUCHING + [
        "--set", "integrator.time_step_factor=1", "--set", "contact.distance=3e-4", "--set", "bodies.0.velocity=[3.0,0.0,0.0]",
        "--set", "time.events=1500", "--set", "output.history_interval=1"]}, RANKS[:4], touching=True, ranks_alone=True,
                            exchanges=0.5),
    # Several groups, pairs that wait, lists that are used up. Without rows, for which all ranks receive all nodes.
    "far_sides": Case(PACKING, {"touching": CLOCKED + TOUCHING + [
        "--set", "bodies.0.size=0.006", "--set", "time.events=4000", "--set", "output.history_interval=1"]}, FAR_SIDES, touching=True,
        ranks_alone=True, exchanges=0.03),
    # The balls spin, so the side that is near contact changes soon.
    "spinning": Case(BARRIER, {"touching": CLOCKED + TOUCHING + [
        "--set", "bodies.0.spin=[0.0,100.0,600.0]", "--set", "bodies.0.velocity=[2.0,0.0,0.0]", "--set", "bodies.0.size=0.008",
        "--set", "bodies.1.size=0.008", "--set", "time.events=2500", "--set", "output.history_interval=1"]}, ((1, "own"), (2, "own"), (2, "slice")), touching=True,
        ranks_alone=True, exchanges=0.05),
    "abreast": Case(ABREAST, {"to a third": THIRD, "to meet the first": THIRD + [
        "--set", "bodies.0.velocity=[-3.0,0.0,0.0]", "--set", "bodies.0.position=[0.25,0.055,0.0]",
        "--set", "bodies.2.velocity=[6.0,0.2,0.0]", "--set", "bodies.2.position=[0.0,0.0,0.0]"]}, FAR_SIDES[:2], touching=True,
        ranks_alone=True, exchanges=0.05),
    "sixteen": Case(CUBE, {"4 parts": METIS_PARTS + ["--set", "time.events=100"]}, SIXTEEN, ranks_alone=True),
    "sixteen_tetrahedra": Case(TETRAHEDRA, {"synchronous": GLOBAL}, SIXTEEN, ranks_alone=True),
    "sixteen_balls": Case(GAP, {"touching": CLOCKED + TOUCHING + ["--set", "time.events=40"]}, SIXTEEN[:2], touching=True, ranks_alone=True),
    "sixteen_windows": Case(GAS, {"touching": CLOCKED + TOUCHING}, SIXTEEN_WINDOWS, touching=True, ranks_alone=True),
    "windows": Case(GAS, {"touching": CLOCKED + TOUCHING}, WINDOWS, touching=True, known_kernels=True),
    "teams": Case(GAS, {"touching": CLOCKED + TOUCHING + ["--set", "time.events=2500"]}, TEAMS, touching=True, known_kernels=True),
    "particles": Case(PARTICLES, {"4 clusters": CLUSTERS, "synchronous": GLOBAL, "bodies": [], "pairs": PAIRS}, WHOLE),
    "rigid_particles": Case(ROOM, {"synchronous": GLOBAL, "pairs": PAIRS}, WHOLE[:2]),
    "particles_smooth": Case(PARTICLES, {"newmark": NEWMARK + ["--set", "time.end=4"]}, WHOLE[:2], newmark=True),
    "particles_clocked": Case(PARTICLES, {"synchronous": CLOCKED + GLOBAL}, WHOLE[:2], known_kernels=True),
    "newmark": Case(CUBE, {"newmark": NEWMARK + ["--set", "time.end=12"]}, FEWER_RANKS, newmark=True),
    "newmark_contact": Case(GAP, {"newmark": NEWMARK}, FEWER_RANKS, newmark=True, touching=True, known_kernels=True),
    "newmark_walls": Case(PACKING, {"newmark": NEWMARK}, FEWER_RANKS, newmark=True, touching=True, known_kernels=True),
    "force_stepping": Case(CUBE, {"cube": FORCE_STEPPING + ["--set", "integrator.grid_spacing=0.02"]}, FEWER_RANKS, whole=True),
    "whole_particles": Case(ARGON, {
        "LaBudde-Greenspan": [],
        "force-stepping": FORCE_STEPPING + ["--set", "integrator.grid_spacing=0.02", "--set", "integrator.coordinates=jacobi"],
    }, FEWER_RANKS, newmark=True, whole=True),
    "steps": Case(STEPS, {name: ["--set", f"integrator.variant={name}"] for name in ("dp4", "dp1")}, FEWER_RANKS, newmark=True,
                  whole=True),
    "adaptive": Case(CUBE, {method: ["--set", f"integrator.method={method}", "--set", "time.end=8"] for method in ADAPTIVE}, FEWER_RANKS,
                     newmark=True, known_kernels=True),
    "adaptive_contact": Case(GAP, {method: ["--set", f"integrator.method={method}"] for method in ADAPTIVE[:1]}, FEWER_RANKS, newmark=True,
                             touching=True, known_kernels=True),
    "newmark_supports": Case(HELD, {"newmark": NEWMARK}, FEWER_RANKS, newmark=True, touching=True, known_kernels=True),
}


def levels_here(program):
    """The levels that this machine can run, in ascending order; none on another architecture, which has one level only."""
    return [level for level in LEVELS
            if call(program, "--version", environment={"TERRACE_SIMD": level}).returncode == 0]


def check_run(summary, reference, case, name):
    """The complaints about one run, compared with the one on a single rank: ranks, layouts and processors must not change anything that is
    written of the motion."""
    complaints = [f"{name}: {difference}, as on 1 rank with the layout 'own'"
                  for difference in differences(summary["written_to"], reference["written_to"])]
    if summary["momentum_change"] != 0 and not case.whole:
        complaints.append(f"{name}: momentum changed by {summary['momentum_change']} quanta")
    felt = summary["monitors"]["least_distance"] is not None or summary["monitors"]["widest_contact"] > 0
    if case.touching and not felt:
        complaints.append(f"{name}: no contact came about")
    if not case.newmark:
        if summary["ranks"] > 1 and summary["collectives_per_event"] > MOST_COLLECTIVES_PER_EVENT:
            complaints.append(f"{name}: {summary['collectives_per_event']} collectives per event")
        if summary["ranks"] == 2 and summary["exchanges_per_event"] < case.exchanges:
            complaints.append(f"{name}: {summary['exchanges_per_event']} exchanges between neighbours per event")
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

    def __init__(self, program, case, localization, directory, full):
        self.full = full
        self.program, self.name, self.directory = program, f"{case}, {localization}", directory
        self.case = CASES[case]
        self.is_first = localization == next(iter(self.case.localizations))
        ranks = (self.case.ranks_of_full if full else ()) or self.case.ranks
        self.ranks = tuple(each for each in ranks if full or self.is_first or each in OF_LATER_LOCALIZATIONS)
        self.deck = directory / f"{case}.toml"
        self.deck.write_text(self.case.deck, encoding="utf-8")
        (directory / "fork.geo").write_text(FORK_GEOMETRY, encoding="utf-8")
        (directory / "pair.msh").write_text(PAIR_OF_TETRAHEDRA, encoding="utf-8")
        self.options = self.case.localizations[localization]
        self.has_own_method = self.is_first or any(option.startswith("integrator.") for option in self.options)

    def run(self, name, *options, **call_options):
        output = self.directory / name.replace(", ", "-").replace(" ", "_")
        return self.run_program(self.program, output, *options, **call_options)

    def run_program(self, program, output, *options, **call_options):
        summary = run_deck(program, self.deck, output, *self.options, *options, **call_options)
        return {**summary, "written_to": output}

    def laid_out(self, layout):
        if layout == "teams":
            return ["--set", "layout.kind=windows", "--set", "layout.teams=always"]
        return ["--set", f"layout.kind={layout}"] if "[[bodies]]" in self.case.deck else []

    def check_ranks(self):
        """Runs on the case's ranks and layouts; returns the first summary and the complaints."""
        reference, complaints = None, []
        for ranks, layout in self.ranks:
            name = f"{self.name}, layout {layout}, {ranks} ranks"
            # The reference is started as by a user.
            summary = self.run(name, *self.laid_out(layout), ranks=ranks, plain=reference is None)
            expected = "one rank" if self.case.whole else {"teams": "windows"}.get(layout, layout)
            if summary["ranks"] != ranks or summary["layout"] != expected:
                complaints.append(f"{name}: ran on {summary['ranks']} ranks with the layout {summary['layout']}")
            if layout == "teams" and not summary["windows"]["team_events"] > 100:
                complaints.append(f"{name}: {summary['windows']['team_events']} events of teams")
            if reference is None:
                reference = summary
                # Equal bits prove nothing if nothing happens.
                if summary["events"] < (40 if self.case.ranks_alone else 100):
                    complaints.append(f"{name}: only {summary['events']} events")
            complaints += check_run(summary, reference, self.case, name)
        if self.case.ranks_alone:
            return reference, complaints
        complaints += self.check_resumed(reference)
        if not self.has_own_method:
            return reference, complaints
        replayed = self.run(f"{self.name}, replayed", "--set", "integrator.executor=checking", ranks=2)
        complaints += check_run({**replayed, "collectives_per_event": 0}, reference, self.case,
                                f"{self.name}, every event done twice")
        return reference, complaints

    def check_resumed(self, reference):
        """Stops runs half way on two ranks and resumes them on one; in cases of windows, with each layout before and after."""
        layouts = {layout for _, layout in self.ranks} - {"slice"}
        layouts = sorted(layouts) if layouts & {"windows", "teams"} else ["own"]
        return [complaint for first in layouts for then in layouts
                for complaint in self.check_resumed_from(reference, self.laid_out(first), self.laid_out(then), f"resumed, {first}, {then}")]

    def check_resumed_from(self, reference, first, then, name):
        name = f"{self.name}, {name}"
        self.run(name, *first, "--set", f"time.events={reference['events'] // 2}", ranks=2)
        summary = self.run(name, *then, "--resume")
        return check_run(summary, reference, self.case, name)

    def check_levels(self, reference, levels):
        """Runs on one rank with every level but the best, which the reference had, and with the other elementary functions; then on two
        ranks, of the plainest and the best level."""
        environments = {level: {"TERRACE_SIMD": level} for level in levels[:-1]}
        environments["the processor's own libm"] = PROCESSORS_OWN_LIBM
        # Each run is one process on one core.
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
        """Runs two ranks of different levels: a shell script sets the level by rank and starts the program."""
        name = f"{self.name}, {plainest} and {best}"
        wrapper = self.directory / "by_rank.sh"
        wrapper.write_text("#!/bin/sh\n"
                           f'if [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then TERRACE_SIMD={plainest}; else TERRACE_SIMD={best}; fi\n'
                           f'export TERRACE_SIMD\nexec "{self.program}" "$@"\n', encoding="utf-8")
        wrapper.chmod(0o755)
        output = self.directory / "mixed"
        summary = self.run_program(wrapper, output, *self.laid_out("slice"), ranks=2)
        complaints = check_run(summary, reference, self.case, name)
        if summary["simd"] != f"{plainest}, {best}":
            complaints.append(f"{name}: ran the kernels for {summary['simd']}")
        return complaints


def rewritten(runs, table):
    """Makes a run on one rank and puts it into the table."""
    summary = runs.run(runs.name)
    table[runs.name] = {key: summary[key] for key in ("mesh_hash", "state_hash", "events")}
    print(f"{runs.name}: {table[runs.name]}", flush=True)
    return []


def checked(runs, table, levels):
    """Makes all runs of a case with one localization; returns the complaints."""
    reference, complaints = runs.check_ranks()
    complaints += check_table(reference, table[runs.name], runs.name)
    print(f"{runs.name}: state {reference['state_hash']}, {reference['events']} events", flush=True)
    with_levels = (runs.has_own_method if runs.full else runs.is_first) and not runs.case.ranks_alone and not runs.case.known_kernels
    return complaints + runs.check_levels(reference, levels) if with_levels else complaints


def main():
    program, arguments = Path(sys.argv[1]).resolve(), sys.argv[2:]
    rewrite, full = "--rewrite" in arguments, "--full" in arguments
    cases = [argument for argument in arguments if not argument.startswith("--")] or list(CASES)
    table = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}
    levels, complaints = levels_here(program), []
    print(f"levels: {', '.join(levels)}", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        for case in cases:
            for localization in CASES[case].localizations:
                directory = Path(scratch) / case / localization.replace(", ", "-").replace(" ", "_")
                directory.mkdir(parents=True)
                runs = Runs(program, case, localization, directory, full)
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
