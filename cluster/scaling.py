#!/usr/bin/env python3
"""Strong-scaling study: one deck on more and more ranks.

Runs `terrace run DECK` on each number of ranks, prints a table, and writes scaling.csv and (where matplotlib is
installed) scaling.png. The state_hash of all runs must agree: ranks decide the speed, never the result.

  cluster/scaling.py inputs/cube_eight_parts.toml --ranks 1,2,4,8 --set time.end=2.0
  cluster/scaling.py inputs/a6_bead_chain.toml --launcher 'srun --mpi=pmix -n {ranks}'      (inside a Slurm job)
"""

import argparse
import csv
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COLUMNS = ("ranks", "wall_seconds", "speed_up", "efficiency", "events", "events_per_second", "collectives_per_event",
           "layout", "state_hash")


def powers_of_two_up_to(most):
    return [2**i for i in range(most.bit_length()) if 2**i <= most]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deck", type=Path)
    parser.add_argument("--ranks", type=lambda text: [int(n) for n in text.split(",")],
                        default=powers_of_two_up_to(len(os.sched_getaffinity(0))),
                        help="numbers of ranks, comma-separated (default: 1,2,4,... up to this machine's cores)")
    parser.add_argument("--repeats", type=int, default=1, help="runs per number of ranks, of which the fastest counts")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="passed on to terrace run")
    parser.add_argument("--launcher", default="mpirun -n {ranks}", help="command that starts the ranks")
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "terrace")
    parser.add_argument("--output", type=Path, help="directory to make (default: results/scaling-DECKNAME)")
    arguments = parser.parse_args()
    if arguments.output is None:
        arguments.output = ROOT / "results" / f"scaling-{arguments.deck.stem}"
    for path in (arguments.deck, arguments.program):
        if not path.is_file():
            parser.error(f"no such file: {path}")
    if arguments.repeats < 1 or not arguments.ranks or min(arguments.ranks) < 1:
        parser.error("--ranks and --repeats must be positive")
    if arguments.output.exists():
        parser.error(f"{arguments.output} exists; choose another --output or remove it")
    return arguments


def run_once(arguments, ranks, repeat):
    """One run; returns its summary.json. Exits with the program's status if it failed."""
    output = arguments.output / f"ranks-{ranks}-{repeat + 1}"
    command = shlex.split(arguments.launcher.format(ranks=ranks))
    command += [arguments.program, "run", arguments.deck, "--output", output]
    for setting in arguments.set:
        command += ["--set", setting]
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run([str(word) for word in command], env=environment, stdin=subprocess.DEVNULL, text=True,
                          errors="replace", capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"scaling: the run on {ranks} ranks ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return json.loads((output / "summary.json").read_text(encoding="utf-8"))


def measure(arguments):
    """The fastest run on each number of ranks, as rows of COLUMNS; speed-up is relative to the fewest ranks."""
    rows = []
    for ranks in sorted(set(arguments.ranks)):
        runs = [run_once(arguments, ranks, repeat) for repeat in range(arguments.repeats)]
        best = min(runs, key=lambda summary: summary["wall_seconds"])
        row = {key: best[key] for key in COLUMNS if key in best}
        first = rows[0] if rows else row
        row["speed_up"] = first["wall_seconds"] / row["wall_seconds"]
        row["efficiency"] = row["speed_up"] * first["ranks"] / ranks
        row["events_per_second"] = row["events"] / row["wall_seconds"]
        rows.append(row)
        print(f"{ranks:6d} ranks {row['wall_seconds']:10.3f} s   speed-up {row['speed_up']:6.2f}   "
              f"{row['events']} events, {row['events_per_second']:.0f} per second, "
              f"{row['collectives_per_event']:.2f} collectives per event", flush=True)
        write_table(rows, arguments.output / "scaling.csv")
    return rows


def write_table(rows, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def plot(rows, title, path):
    """Speed-up and collectives per event against ranks; False where matplotlib is missing."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        return False
    ranks = [row["ranks"] for row in rows]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4), layout="constrained")
    left.loglog(ranks, [row["wall_seconds"] for row in rows], "o-", label="measured")
    left.loglog(ranks, [rows[0]["wall_seconds"] * ranks[0] / n for n in ranks], "--", label="ideal")
    left.set(xlabel="ranks", ylabel="wall time [s]", title=title)
    left.legend()
    right.plot(ranks, [row["collectives_per_event"] for row in rows], "o-")
    right.set(xlabel="ranks", ylabel="collectives per event", ylim=(0, None), xscale="log")
    for axes in (left, right):
        axes.set_xticks(ranks, [str(n) for n in ranks])
        axes.minorticks_off()
    figure.savefig(path, dpi=150)
    return True


def main():
    arguments = parse_arguments()
    arguments.output.mkdir(parents=True)
    rows = measure(arguments)
    print(f"table: {arguments.output / 'scaling.csv'}")
    if plot(rows, arguments.deck.stem, arguments.output / "scaling.png"):
        print(f"plot:  {arguments.output / 'scaling.png'}")
    hashes = {row["state_hash"] for row in rows}
    if len(hashes) > 1:
        sys.exit(f"scaling: the runs ended in {len(hashes)} different states; they must agree to the last bit")


if __name__ == "__main__":
    main()
