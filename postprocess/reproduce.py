#!/usr/bin/python3
"""Runs a reference experiment and draws the figures of the thesis from terrace's own output.

    /usr/bin/python3 postprocess/reproduce.py A1 [--coarse] [--program build/terrace] [--results results]

Runs the decks of the experiment into RESULTS/A1/NAME, leaves out runs that are done already, and draws into RESULTS/A1/pictures, where
figures.txt holds the numbers. --coarse: a quick version, into RESULTS/A1-coarse. --draw: only draws, from the runs that are there,
finished or not. The experiments and the files that define them:

    A1 to A6, A8, A9, C1, C5                    experiments.py
    cost-A1, cost-A4, cost-A6, A7               cost_experiments.py: cost against accuracy
    C2 to C4, E1 to E4                          stepping_experiments.py
    D1 to D13, B1 to B3                         small_system_experiments.py
    which                                       which_experiments.py: every integrator of meshes side by side
    hertz, restitution, chain, chain-study, chains    bead_experiments.py: beads with Hertz's law
"""
import argparse
import json
import os
import re
import shutil
import subprocess

import figures
import particle_figures
import reference_figures
import small_system_figures
from bead_experiments import BEAD_EXPERIMENTS
from bead_figures import DRAW_BEADS
from cost_experiments import COST_EXPERIMENTS
from cost_figures import draw_cost
from experiments import EXPERIMENTS
from small_system_experiments import SMALL_SYSTEM_EXPERIMENTS
from stepping_experiments import STEPPING_EXPERIMENTS
from stepping_figures import DRAW_STEPPING
from terrace_output import OutputError, Run, is_complete, run_script
from which_experiments import WHICH_EXPERIMENTS
from which_figures import draw_which

ALL = {**EXPERIMENTS, **COST_EXPERIMENTS, **STEPPING_EXPERIMENTS, **BEAD_EXPERIMENTS, **SMALL_SYSTEM_EXPERIMENTS, **WHICH_EXPERIMENTS}
DRAW = {**reference_figures.DRAW, **particle_figures.DRAW, **DRAW_STEPPING, **small_system_figures.DRAW_SMALL_SYSTEMS,
        **dict.fromkeys(COST_EXPERIMENTS, draw_cost), **DRAW_BEADS, "which": draw_which}
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
# Where the scripts are installed, the decks lie beside them, but neither the program nor the user's results do.
INSTALLED = not os.path.exists(os.path.join(TOP, "CMakeLists.txt"))
PROGRAM = "terrace" if INSTALLED else os.path.join(TOP, "build", "terrace")
RESULTS = "results" if INSTALLED else os.path.join(TOP, "results")


def toml(value):
    """A setting's value in TOML, as --set takes it; strings are TOML already."""
    return value if isinstance(value, str) else json.dumps(value)


def settings_of(experiment, settings, coarse):
    own = settings.get("coarse", {})  # coarse settings of this run alone
    merged = {**experiment["all"], **settings, **({**experiment["coarse"], **own} if coarse else {})}
    for key in ("deck", "coarse"):
        merged.pop(key, None)
    return [word for key, value in merged.items() for word in ("--set", f"{key.replace('__', '.')}={toml(value)}")]


def simulate(program, deck, run, options):
    if is_complete(run.summary):
        print(f"{run.name}: already in {run.directory}")
        return
    print(f"{run.name}: running into {run.directory}", flush=True)
    command = [program, "run", os.path.join(TOP, "inputs", deck + ".toml"), "--output", run.directory,
               "--set", "output.overwrite=true", *options]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, check=False)
    if done.returncode == 2:
        raise OutputError(f"{' '.join(command)} ended with status 2")
    # A run that failed (status 1) is a result: Newmark is expected to blow up in some experiments.


def pattern(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"expected a regular expression, found {text!r}: {error}") from None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("experiment", choices=sorted(ALL))
    parser.add_argument("--coarse", action="store_true", help="a quick version on coarse meshes")
    parser.add_argument("--only", type=pattern, default=pattern(""), metavar="REGEX", help="start only the runs whose names match; draw all that are there")
    parser.add_argument("--draw", action="store_true", help="run nothing, draw what is there")
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--results", default=RESULTS)
    arguments = parser.parse_args()
    experiment = ALL[arguments.experiment]
    program = shutil.which(arguments.program)
    if not arguments.draw and not program:
        raise OutputError(f"expected the program {arguments.program}, found nothing: build it, or name it with --program")

    top = os.path.join(arguments.results, arguments.experiment + ("-coarse" if arguments.coarse else ""))
    runs = {}
    for name, settings in experiment["runs"]:
        if arguments.coarse and name in experiment.get("skip", []):
            continue
        runs[name] = Run(name, os.path.join(top, "".join(letter if letter.isalnum() or letter in ".-" else "_" for letter in name).replace("__", "_")))
        if not arguments.draw and arguments.only.search(name):
            simulate(program, settings.get("deck", experiment["deck"]), runs[name],
                     settings_of(experiment, settings, arguments.coarse))
    runs = {name: run for name, run in runs.items() if run.exists()}
    if not runs:
        raise OutputError(f"{top}: expected runs, found none")

    pictures = os.path.join(top, "pictures")
    os.makedirs(pictures, exist_ok=True)
    numbers = small_system_figures.numbers if arguments.experiment in SMALL_SYSTEM_EXPERIMENTS else figures.numbers
    lines = numbers(runs) + (DRAW[arguments.experiment](runs, pictures) or [])
    with open(os.path.join(pictures, "figures.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    print("\n".join(lines), f"pictures in {pictures}", sep="\n")


if __name__ == "__main__":
    run_script(main)
