#!/usr/bin/python3
"""Strong-scaling study: runs one deck on several numbers of ranks.

Runs `terrace run DECK` on each number of ranks, prints a table, and writes scaling.csv (medians of --repeats, and the fastest),
runs.csv (every run) and, where matplotlib is installed, scaling.png. Speed-up and efficiency are computed from the seconds of
stepping, without meshing, set-up and output, which are a larger part of a short run than of a long one. The state_hash of all runs
must agree: the number of ranks decides the speed, never the result. Implicit methods agree to their solver's tolerance only.

With --slurm the script runs nothing, but writes a job for each number of ranks. Once the jobs have run, the same command with
--collect instead of --slurm makes the tables and the plot. A study that ended half-way goes on when it is started again, or its jobs
are submitted again: finished runs are kept.

Cores of one machine may differ in speed and slow each other down. --capacity therefore also runs as many copies of the run on one
rank at once as there are ranks, each on a core of its own. The capacity is the throughput of these copies together, in multiples of
the run on one rank. It is what a speed-up is to be compared with, unless the share of a rank fits a cache and the whole does not.

  cluster/scaling.py inputs/cube_eight_parts.toml --ranks 1,2,4,8 --set time.end=2.0
  cluster/scaling.py inputs/a6_bead_chain.toml --launcher 'srun --mpi=pmix -n {ranks}'      (inside a Slurm job)
  cluster/scaling.py inputs/packing.toml --ranks 1,64,512 --repeats 3 --set layout.kind=windows --slurm; then sbatch each
"""

import argparse
import hashlib
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from cores import cores, physical_cores
from tables import NO_PLOT, load_pyplot, numbers_of_ranks, of_ranks, plot_over_ranks, read_json, run_script, write_table

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "build" / "terrace"  # missing where this script is installed
# Columns of runs with layout.kind = "windows", empty for others.
WINDOW_COLUMNS = ("windows", "cut_windows", "moved_bodies", "clusters", "balance", "teams", "team_events", "team_collectives",
                  "helped_clusters")
COLUMNS = ("ranks", "wall_seconds", "fastest_wall_seconds", "stepping_seconds", "speed_up", "efficiency",
           "capacity", "share_of_capacity", "events",
           "events_per_second", "collectives_per_event", *WINDOW_COLUMNS, "layout", "state_hash")
COMPLETE = ("done", "stopped after time.events events")  # the statuses of runs that did all they were asked to
# The keys of a summary.json that are used here, and their types.
SUMMARY = {"wall_seconds": (int, float), "wall_seconds_by_phase": dict, "events": int, "collectives_per_event": (int, float), "layout": str,
           "state_hash": str, "windows": (dict, type(None)), "steps": (dict, type(None))}
NAMES = {"deck": "deck", "set": "--set", "program_sha256": "program"}  # how messages call the keys of study.json
STUDY = "study.json"  # holds what all runs of a directory have in common
RUN_COLUMNS = ("ranks", "repeat", "wall_seconds", "stepping_seconds", "state_hash")
COPY_COLUMNS = ("copies", "repeat", "core", "stepping_seconds", "state_hash")
JOB = """#!/usr/bin/env bash
# {repeats} run(s) of {deck} on {ranks} rank(s), written by cluster/scaling.py. Submit it from the directory it was written from.
#SBATCH --job-name=terrace-scaling-{ranks}
#SBATCH --output={log}
# (*) The partition and account of your site.
##SBATCH --partition=compute
##SBATCH --account=project
#SBATCH --nodes={nodes}
#SBATCH --ntasks={ranks}
#SBATCH --ntasks-per-node={per_node}
#SBATCH --cpus-per-task=1
#SBATCH --threads-per-core=1
# Whatever shares the node with the job slows its ranks.
#SBATCH --exclusive
#SBATCH --time={time}
set -euo pipefail
export OMP_NUM_THREADS=1

# (*) The libraries of cluster/packages.txt, where they are not the system's own.
# module load openmpi petsc metis gmsh vtk hdf5 ginac

for repeat in {numbers}; do
  output={output}"$repeat"
  # Submitted again, a job does what is not done yet.
  if grep -qsxF {done} "$output/summary.json" && grep -qsxF {on_ranks} "$output/summary.json"; then continue; fi
  rm -rf -- "$output"
  {command}
done
"""


def powers_of_two_up_to(most):
    return [2**i for i in range(most.bit_length()) if 2**i <= most]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deck", type=Path)
    parser.add_argument("--ranks", type=numbers_of_ranks,
                        default=powers_of_two_up_to(physical_cores()),
                        help="numbers of ranks, comma-separated (default: 1,2,4,... up to this machine's physical cores)")
    parser.add_argument("--repeats", type=int, default=1, help="runs per number of ranks; the median counts (default: 1)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="passed on to terrace run")
    parser.add_argument("--launcher", help="command that starts the ranks (default: mpirun -n {ranks}, with --oversubscribe for more ranks "
                                           "than this machine has physical cores; with --slurm, srun --mpi=pmix --cpu-bind=cores)")
    parser.add_argument("--capacity", action="store_true", help="also measure what the cores do together without any message")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--slurm", action="store_true", help="write job files instead of running")
    what.add_argument("--collect", action="store_true", help="run nothing: make tables and plot of the finished runs in --output")
    parser.add_argument("--ranks-per-node", type=int, default=32, help="for --slurm: physical cores of a node (default: 32)")
    parser.add_argument("--time", default="1:00:00", help="for --slurm: time limit of a job (default: 1:00:00)")
    parser.add_argument("--program", type=Path, help="the program to run (default: build/terrace of this project, else terrace in PATH)")
    parser.add_argument("--output", type=Path,
                        help="directory of the study (default: results/scaling-DECKNAME, below the project if it was built there)")
    arguments = parser.parse_args()
    named = arguments.program is not None
    if not named:
        arguments.program = BUILT if BUILT.is_file() else Path(shutil.which("terrace") or BUILT)
    if arguments.output is None:
        arguments.output = (ROOT if BUILT.parent.is_dir() else Path()) / "results" / f"scaling-{arguments.deck.stem}"
    for path in (arguments.deck, *([arguments.program] if named or not arguments.collect else [])):
        if not path.is_file():
            parser.error(f"no such file: {path}")
    if arguments.repeats < 1 or arguments.ranks_per_node < 1:
        parser.error("--repeats and --ranks-per-node must be positive")
    if arguments.capacity and (arguments.slurm or arguments.launcher or 1 not in arguments.ranks or arguments.ranks[-1] > physical_cores()):
        parser.error(f"--capacity: expected runs here, by mpirun, on 1 and at most {physical_cores()} ranks, which are the physical cores")
    if arguments.collect:
        # A program that was built since does not invalidate runs. Where --program names one, the runs must be of that one.
        must = {"deck": deck_of(arguments), **({"set": arguments.set} if arguments.set else {}),
                **({"program_sha256": hash_of(arguments)} if named else {})}
        there = read_json(arguments.output / STUDY)
        if there is None:
            parser.error(f"--collect: expected the directory of a study, found no {arguments.output / STUDY}")
        for what, value in must.items():
            if there.get(what) != value:
                parser.error(f"--collect: expected a study of this {NAMES[what]} in {arguments.output}, found one of another")
    elif not is_free(arguments.output) and read_json(arguments.output / STUDY) != study(arguments):
        parser.error(f"{arguments.output} exists, and is no study of this deck, program and --set; choose another --output or remove it")
    return arguments


def is_free(path):
    """Whether `path` is missing, or a directory without runs. A study whose first run failed leaves study.json alone."""
    return not path.exists() or (path.is_dir() and all(entry.name == STUDY for entry in path.iterdir()))


def deck_of(arguments):
    return arguments.deck.read_text(encoding="utf-8")


def hash_of(arguments):
    return hashlib.sha256(arguments.program.read_bytes()).hexdigest()


def study(arguments):
    """What all runs of a study must have in common: finished runs of another deck, --set or program do not count."""
    return {"deck": deck_of(arguments), "set": arguments.set, "program_sha256": hash_of(arguments)}


def share_cores(ranks):
    """Whether ranks must share this machine's cores. Never inside a job: mpirun knows the cores of all the job's nodes."""
    return ranks > physical_cores() and not any(name in os.environ for name in ("SLURM_JOB_ID", "PBS_NODEFILE"))


def default_launcher(arguments, ranks):
    if arguments.slurm:
        return "srun --mpi=pmix --cpu-bind=cores"
    return "mpirun -n {ranks}" + (" --oversubscribe --mca mpi_yield_when_idle 1" if share_cores(ranks) else "")


def command_of(arguments, ranks, output, launcher=None):
    """The command that starts one run, as a list of words."""
    if launcher is None:
        launcher = arguments.launcher or default_launcher(arguments, ranks)
    command = shlex.split(launcher.replace("{ranks}", str(ranks)))
    command += [arguments.program, "run", arguments.deck, "--output", output]
    for setting in arguments.set:
        command += ["--set", setting]
    return [str(word) for word in command]


class NotDone(Exception):
    """The message says why a directory holds no finished run of the study."""


def summary_of(output, ranks):
    """The summary.json of a run on `ranks` ranks that did all it was asked to. Throws NotDone for any other."""
    summary = read_json(output / "summary.json")
    if summary is None:
        raise NotDone(f"expected a run that is done in {output}, found no summary.json that can be read")
    if "system" in summary:
        raise NotDone(f"expected a deck of bodies or particles, found the small system {summary['system']}, which one rank runs "
                      f"alone, in {output}")
    # A run that failed or was stopped did less than the others: its time says nothing.
    if summary.get("status") not in COMPLETE:
        raise NotDone(f"expected a run that is done in {output}, found one with status '{summary.get('status')}'")
    if summary.get("ranks") != ranks:
        raise NotDone(f"expected a run on {of_ranks(ranks)} in {output}, found one on {summary.get('ranks')}")
    others = [key for key, kinds in SUMMARY.items() if not isinstance(summary.get(key), kinds)]
    if others:
        raise NotDone(f"expected the summary.json of a run in {output}, found one with another {others[0]}")
    return summary


def run_once(arguments, ranks, repeat):
    """Returns the summary.json of one run, which it starts unless it is done already. Exits where the run failed."""
    output = arguments.output / f"ranks-{ranks}-{repeat + 1}"
    try:
        summary = summary_of(output, ranks)
        if not arguments.collect:
            print(f"{output} is done")
        return summary
    except NotDone as error:
        if arguments.collect:
            sys.exit(f"scaling: {error}")
    shutil.rmtree(output, ignore_errors=True)  # what a run that ended half-way left
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    command = command_of(arguments, ranks, output)
    try:
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, text=True, errors="replace", capture_output=True,
                              check=False)
    except OSError as error:
        sys.exit(f"scaling: cannot start {command[0]}: {error.strerror}; --launcher names another")
    if done.returncode != 0:
        sys.exit(f"scaling: the run on {of_ranks(ranks)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    try:
        return summary_of(output, ranks)
    except NotDone as error:
        sys.exit(f"scaling: {error}")


def copies_at_once(arguments, copies, repeat):
    """Starts `copies` copies of the run on one rank at the same time, each on a core of its own, unless all are done already. Returns
    their summaries. Exits where one failed."""
    outputs = [arguments.output / f"copies-{copies}-{repeat + 1}-core-{core}" for core in cores()[:copies]]
    try:
        return [summary_of(output, 1) for output in outputs]
    except NotDone as error:
        if arguments.collect:
            sys.exit(f"scaling: {error}")
    allowed, started = os.sched_getaffinity(0), []
    for core, output in zip(cores(), outputs):
        shutil.rmtree(output, ignore_errors=True)
        os.sched_setaffinity(0, {core})  # the copy inherits it
        try:
            started.append(subprocess.Popen(command_of(arguments, 1, output, launcher=""), stdin=subprocess.DEVNULL, text=True,
                                            errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
        finally:
            os.sched_setaffinity(0, allowed)
    said = [copy.communicate()[0] for copy in started]
    for copy, words in zip(started, said):
        if copy.returncode != 0:
            sys.exit(f"scaling: a run beside {copies - 1} others ended with {copy.returncode}:\n{words}")
    try:
        return [summary_of(output, 1) for output in outputs]
    except NotDone as error:
        sys.exit(f"scaling: {error}")


def capacity_of(arguments, copies, alone):
    """The throughput of `copies` copies at once in multiples of the run on one rank, which takes `alone` seconds (median of repeats);
    and the copies as rows of COPY_COLUMNS."""
    worth, rows = [], []
    for repeat in range(arguments.repeats):
        runs = copies_at_once(arguments, copies, repeat)
        rows += [{"copies": copies, "repeat": repeat + 1, "core": core, "stepping_seconds": stepping_seconds(run),
                  "state_hash": run["state_hash"]} for core, run in zip(cores(), runs)]
        worth.append(sum(alone / stepping_seconds(run) for run in runs if stepping_seconds(run) > 0))
    return statistics.median(worth), rows


def write_jobs(arguments):
    """Writes a job file for each number of ranks, and prints the commands that submit them."""
    for ranks in arguments.ranks:
        per_node = min(ranks, arguments.ranks_per_node)
        words = command_of(arguments, ranks, "OUTPUT")
        done = " ".join("-e " + shlex.quote(f'  "status": "{status}",') for status in COMPLETE)
        job = JOB.format(repeats=arguments.repeats, deck=arguments.deck, ranks=ranks,
                         log=shlex.quote(f"{arguments.output}/ranks-{ranks}-%j.log"),
                         nodes=-(-ranks // per_node), per_node=per_node, time=arguments.time,
                         numbers=" ".join(str(repeat + 1) for repeat in range(arguments.repeats)),
                         output=shlex.quote(f"{arguments.output}/ranks-{ranks}-"), done=done, on_ranks=shlex.quote(f'  "ranks": {ranks},'),
                         command=" ".join('"$output"' if word == "OUTPUT" else shlex.quote(word) for word in words))
        path = arguments.output / f"ranks-{ranks}.sh"
        path.write_text(job, encoding="utf-8")
        print(f"sbatch {shlex.quote(str(path))}")


def row_of(runs):
    """Runs on one number of ranks as a row of COLUMNS, without the columns that compare rows: medians of seconds, everything else from
    the first run."""
    row = {key: runs[0][key] for key in COLUMNS if key in runs[0]}
    row.update({key: value for key, value in (runs[0].get("windows") or {}).items() if key in WINDOW_COLUMNS})
    if not runs[0].get("windows"):
        row.update(dict.fromkeys(WINDOW_COLUMNS, ""))
    row["wall_seconds"] = statistics.median(run["wall_seconds"] for run in runs)
    row["fastest_wall_seconds"] = min(run["wall_seconds"] for run in runs)
    row["stepping_seconds"] = statistics.median(stepping_seconds(run) for run in runs)
    row["events_per_second"] = row["events"] / row["wall_seconds"] if row["wall_seconds"] > 0 else 0.0
    return row


def is_implicit(summary):
    """Whether the run's steps are solutions of equations. The solver's sums over ranks differ in the last digits, and so do the states."""
    return bool((summary.get("steps") or {}).get("newton_iterations"))


def stepping_seconds(summary):
    return summary["wall_seconds_by_phase"].get("stepping", 0.0)


def require_one_model(runs):
    """Exits where the runs (summaries by name) are of different decks or meshes. The meshes of one deck can differ where it names mesh
    files that have changed."""
    for key, what in (("mesh_hash", "mesh"), ("deck", "deck with what was --set")):
        name, value = next((name, run.get(key)) for name, run in runs.items())
        for other, run in runs.items():
            if run.get(key) != value:
                found = f"{name} with {value}, {other} with {run.get(key)}" if key == "mesh_hash" else f"another in {other} than in {name}"
                sys.exit(f"scaling: expected runs of one {what}, found {found}: remove what is of the former {key.split('_')[0]}")


def of_capacity(row):
    return f"{100 * row['share_of_capacity']:.0f} % of the {row['capacity']:.2f} of its cores   " if row["capacity"] else ""


def measure(arguments):
    """Runs the study and writes its tables after each number of ranks. Returns the rows of COLUMNS (speed-up is relative to the fewest
    ranks), the set of all runs' hashes, and whether their method is implicit."""
    rows, all_runs, copies, implicit, models = [], [], [], True, {}
    for ranks in arguments.ranks:
        if not arguments.collect and not arguments.launcher and share_cores(ranks):
            print(f"scaling: warning: {ranks} ranks share {physical_cores()} physical cores: this measures no scaling", file=sys.stderr)
        runs = [run_once(arguments, ranks, repeat) for repeat in range(arguments.repeats)]
        models.update({f"ranks-{ranks}-{repeat + 1}": run for repeat, run in enumerate(runs)})
        require_one_model(models)
        all_runs += [{**{key: run[key] for key in RUN_COLUMNS if key in run}, "repeat": repeat + 1,
                      "stepping_seconds": stepping_seconds(run)} for repeat, run in enumerate(runs)]
        implicit = implicit and all(is_implicit(run) for run in runs)
        row = row_of(runs)
        first = rows[0] if rows else row
        row["speed_up"] = first["stepping_seconds"] / row["stepping_seconds"] if row["stepping_seconds"] > 0 else 1.0
        row["efficiency"] = row["speed_up"] * first["ranks"] / ranks
        row["capacity"] = row["share_of_capacity"] = ""
        if arguments.capacity:
            row["capacity"] = 1.0
            if ranks > 1:
                row["capacity"], of_copies = capacity_of(arguments, ranks, first["stepping_seconds"])
                copies += of_copies
                write_table(copies, arguments.output / "copies.csv", COPY_COLUMNS)
            row["share_of_capacity"] = row["speed_up"] / row["capacity"] if row["capacity"] > 0 else 0.0
        rows.append(row)
        print(f"{ranks:6d} {'rank ' if ranks == 1 else 'ranks'} {row['wall_seconds']:10.3f} s, stepping {row['stepping_seconds']:10.3f} s   speed-up {row['speed_up']:6.2f}   "
              f"{of_capacity(row)}"
              f"{row['events']} events, {row['events_per_second']:.0f} per second, "
              f"{row['collectives_per_event']:.2f} collectives per event", flush=True)
        write_table(rows, arguments.output / "scaling.csv", COLUMNS)
        write_table(all_runs, arguments.output / "runs.csv", RUN_COLUMNS)
    return rows, {run["state_hash"] for run in (*all_runs, *copies)}, implicit


def plot(rows, title, path):
    """Draws seconds of stepping and speed-up with their ideals over ranks, log-log. Returns the line to print: the file, or that
    matplotlib is missing."""
    pyplot = load_pyplot()
    if pyplot is None:
        return NO_PLOT
    first, seconds = rows[0]["ranks"], rows[0]["stepping_seconds"]
    ideal = [row["capacity"] or row["ranks"] / first for row in rows]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4), layout="constrained")
    plot_over_ranks(left, rows, "stepping_seconds", [seconds / gain for gain in ideal], "measured", "stepping [s]")
    plot_over_ranks(right, rows, "speed_up", ideal, "measured", f"speed-up over {of_ranks(first)}")
    left.set_title(title)
    figure.savefig(path, dpi=150)
    return f"plot:  {path}"


def run(arguments):
    """Runs the study; or only writes its jobs, or collects its finished runs, where that is asked for."""
    if not arguments.collect:
        arguments.output.mkdir(parents=True, exist_ok=True)
        (arguments.output / STUDY).write_text(json.dumps(study(arguments), indent=2) + "\n", encoding="utf-8")
    if arguments.slurm:
        write_jobs(arguments)
        return
    rows, hashes, implicit = measure(arguments)
    print(f"table: {arguments.output / 'scaling.csv'}")
    print(plot(rows, arguments.deck.stem, arguments.output / "scaling.png"))
    if len(hashes) > 1 and implicit:
        print(f"note:  the runs ended in {len(hashes)} different states; implicit methods agree to their solver's tolerance")
    elif len(hashes) > 1:
        sys.exit(f"scaling: the runs ended in {len(hashes)} different states; they must agree to the last bit")


def main():
    try:
        run(parse_arguments())
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"scaling: {error}")


if __name__ == "__main__":
    run_script(main)
