"""Kills runs at random moments, some repeatedly, and resumes them: they must end with the bits and rows of a run that was never killed.

Usage: kills.py TERRACE [--kills N] [--seed S] [--keep DIRECTORY]

Kills the program, one of two ranks, or their mpirun (SIGKILL), half of the times during the writing of a restart file, and resumes with
the other number of ranks. Exit status 1 if anything differs; --keep then keeps that output directory. N: 6 by default; a kill takes
some seconds.
"""

import argparse
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from program import call, quick_start  # noqa: E402
from restarted_run import DECK, TABLES  # noqa: E402

INPUTS = Path(__file__).resolve().parents[2] / "inputs"
LAYOUTS = ("own", "slice", "auto")
END = 60  # [s] after which a run counts as hanging; ranks have as long to notice that mpirun is gone


class Problem(NamedTuple):
    name: str
    text: str
    end: float
    settings: tuple

    def options(self):
        return [word for setting in (f"time.end={self.end}", *self.settings) for word in ("--set", setting)]


PROBLEMS = (
    Problem("cube", DECK, 20, ()),
    Problem("two balls", (INPUTS / "two_balls.toml").read_text(encoding="utf-8"), 0.025,
            ("bodies.0.size=0.02", "bodies.1.size=0.02")),
    # In slices: windows, which the deck asks for, have all groups in one row of the tables.
    Problem("packing", (INPUTS / "packing.toml").read_text(encoding="utf-8"), 0.02,
            ("bodies.0.repeat.counts=[2, 2, 2]", "layout.kind=slice")),
)


def processes_of(output):
    """Process ids of runs with this output directory, whoever their parent is: ranks outlive a killed mpirun for a while."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(output).encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
        except OSError:
            continue  # it has ended
    return found


class Killer:
    def __init__(self, program, home, choice):
        self.program, self.home, self.choice = program, home, choice
        self.counts = collections.Counter()
        self.whole = {}
        self.seconds = {}
        self.slowest_ranks = 0.0

    def prepare(self, problem):
        """Makes the undisturbed runs on one rank and on two, and measures their seconds."""
        deck = self.deck(problem)
        deck.write_text(problem.text, encoding="utf-8")
        for ranks in (1, 2):
            self.whole[problem] = self.home / f"{problem.name}-whole-{ranks}"
            begin = time.monotonic()
            done = self.run(problem, self.whole[problem], ranks)
            self.seconds[problem, ranks] = time.monotonic() - begin
            if done.returncode != 0:
                raise SystemExit(done.stderr)

    def deck(self, problem):
        return self.home / f"{problem.name}.toml"

    def command(self, problem, output, *options):
        return ["run", self.deck(problem), "--output", output, *problem.options(), *options]

    def run(self, problem, output, ranks, *options):
        return call(self.program, *self.command(problem, output, *options), ranks=None if ranks == 1 else ranks, timeout=END)

    def start(self, problem, output, ranks, own, *options):
        """Starts a run that saves itself two hundred times; returns the process (mpirun's where there are two ranks)."""
        saves = ("--set", f"output.restart_time={problem.end / 200}")
        command = [self.program, *self.command(problem, output, *saves, *options)]
        if ranks > 1:
            command = ["mpirun", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", ranks, *command]
        environment = {**quick_start(own), "OMPI_MCA_btl_vader_backing_directory": own}  # nothing of it stays in /dev/shm
        return subprocess.Popen(list(map(str, command)), env=environment, stdin=subprocess.DEVNULL, text=True,
                                errors="replace", stdout=subprocess.DEVNULL, stderr=(Path(own) / "stderr").open("w"))

    def victim(self, process, output, ranks):
        """(name, process id) to kill: the program; or one of two ranks, or mpirun, whose ranks then have to notice."""
        names = ("the program",) if ranks == 1 else ("a rank", "mpirun")
        name = self.choice.choice(names)
        own = [number for number in processes_of(output) if number != process.pid]
        if name == "a rank" and own:
            return name, self.choice.choice(own)
        return names[-1], process.pid  # also where mpirun has not started a rank yet

    def kill(self, process, output, ranks, seconds):
        """Kills at a random moment, half of the times during the writing of a restart file. Returns words that describe the kill; none
        where the run ended before."""
        part, writing, early = output / "restart.h5.part", self.choice.random() < 0.5, self.choice.random() < 0.2
        while not early and process.poll() is None and not (output / "restart.h5").exists():
            time.sleep(0.002)
        time.sleep(self.choice.uniform(0, 0.9 * seconds))
        name, number = self.victim(process, output, ranks)
        while writing and process.poll() is None:
            if part.exists():
                time.sleep(self.choice.uniform(0, 0.002))
                if part.exists():
                    break
            time.sleep(0.0001)
        if process.poll() is not None:
            return []
        inside = part.exists()
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            return []  # over just now
        return ["kills", name, f"{ranks} ranks", *["inside"] * inside]

    def await_end(self, process, output):
        """Waits until all processes of the run have ended; kills and reports those that do not end by themselves."""
        begin = time.monotonic()
        process.wait(timeout=END)
        while processes_of(output) and time.monotonic() - begin < END:
            time.sleep(0.01)
        left = processes_of(output)
        for number in left:
            os.kill(number, signal.SIGKILL)
        self.slowest_ranks = max(self.slowest_ranks, time.monotonic() - begin)
        return [f"{len(left)} ranks go on {END} s after mpirun was killed"] if left else []

    def start_and_kill(self, problem, output, ranks, *options):
        """Starts a run and kills it. Returns whether it was killed before its end, and the complaints."""
        with tempfile.TemporaryDirectory(dir=self.home, ignore_cleanup_errors=True) as own:
            process = self.start(problem, output, ranks, own, *options)
            killed = self.kill(process, output, ranks, self.seconds[problem, ranks])
            faults = self.await_end(process, output)
            said = (Path(own) / "stderr").read_text(encoding="utf-8", errors="replace")
        if not killed and process.returncode != 0:
            faults.append(f"ended with {process.returncode} before it was killed: {said[-1000:]}")
        if "going on from" in said:
            faults.append(f"restart.h5 was not accepted: {said[-1000:]}")
        self.counts.update([*killed, problem.name] if killed else [])
        return bool(killed), faults

    def go_on(self, problem, output, ranks):
        """Resumes the run to its end; begins anew where nothing was saved, which --resume must say. Returns the complaints."""
        saved = (output / "restart.h5").exists()
        layout = ("--set", f"layout.kind={self.choice.choice(LAYOUTS)}")
        done = self.run(problem, output, ranks, "--resume", *layout)
        if not saved:
            self.counts.update(["nothing saved"])
            if done.returncode != 2 or "found none that can be read" not in done.stderr:
                return [f"without a restart file --resume ends with {done.returncode}: {done.stderr[-1000:]}"]
            done = self.run(problem, output, ranks, "--set", "output.overwrite=true", *layout)
        if done.returncode != 0:
            return [f"cannot go on, status {done.returncode}: {done.stderr[-1000:]}"]
        if "going on from" in done.stderr:
            return [f"restart.h5 was not accepted: {done.stderr[-1000:]}"]
        return self.differences(problem, output)

    def differences(self, problem, output):
        found, expected = (json.loads((path / "summary.json").read_text(encoding="utf-8"))
                           for path in (output, self.whole[problem]))
        faults = [f"{key} is {found[key]}, expected {expected[key]}"
                  for key in ("status", "state_hash", "events", "reflections", "momentum_change", "energy_drift")
                  if found[key] != expected[key]]
        faults += [f"{name} differs" for name in TABLES
                   if (output / name).read_bytes() != (self.whole[problem] / name).read_bytes()]
        if (output / "restart.h5.part").exists():
            faults.append("restart.h5.part is left")
        return faults

    def try_run(self, problem, output):
        """A run that is killed once or more, and then goes on to its end; returns the complaints."""
        ranks = self.choice.choice((1, 2))
        killed, faults = self.start_and_kill(problem, output, ranks)
        ranks = 3 - ranks
        while killed and not faults and (output / "restart.h5").exists() and self.choice.random() < 0.35:
            killed, faults = self.start_and_kill(problem, output, ranks, "--resume")
            self.counts.update(["again"] * killed)
            ranks = 3 - ranks
        return faults or self.go_on(problem, output, ranks)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--keep", type=Path, help="directory for the output of runs that end differently")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    begin, wrong, number = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory(prefix="terrace-kills-") as home:
        killer = Killer(options.program.resolve(), Path(home).resolve(), random.Random(options.seed))
        while killer.counts["kills"] < options.kills:
            problem = PROBLEMS[number % len(PROBLEMS)]
            if problem not in killer.whole:
                killer.prepare(problem)
            output = killer.home / f"run-{number}"
            faults = killer.try_run(problem, output)
            if faults:
                print(f"run {number}, {problem.name}: " + "\n  ".join(faults), flush=True)
                wrong += 1
                if options.keep is not None:
                    shutil.copytree(output, options.keep / output.name)
            shutil.rmtree(output, ignore_errors=True)
            number += 1
    counts = killer.counts
    print(f"{counts['kills']} kills, {counts['inside']} while restart.h5.part was there, in {number} runs: "
          + ", ".join(f"{counts[name]} of {name}" for name in ("the program", "a rank", "mpirun"))
          + "; " + ", ".join(f"{counts[problem.name]} of {problem.name}" for problem in PROBLEMS)
          + f"; {counts['again']} of runs that went on, {counts['nothing saved']} runs with nothing saved; at most "
          f"{killer.slowest_ranks:.1f} s until all ranks were gone; {wrong} runs differ; {time.monotonic() - begin:.0f} s")
    if counts["kills"] >= 50 and counts["inside"] < counts["kills"] // 5:
        print(f"too few kills inside the writing of a restart file: {counts['inside']}, as many as half were meant to be")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
