"""Mutation run: makes one wrong line at a time in a copy of the sources and names those that no test notices.

Usage: run.py --scratch DIRECTORY [--only PATTERN...] [--shard K/N] [--jobs N] [--log FILE] [--list]

The wrong lines are MUTATIONS = [(name, file, original, replacement), ...] of the other modules of this folder. Each is
built and the unit tests run in one process, up to the first failure; a mutant that lives is shown to the scripts that drive
the program, the fastest first, until one fails. A test that hangs has noticed. Names and killers go to a log of JSON lines;
an interrupted run goes on from it, and survivors are tried again when sources or tests have changed.

Exit status: 0 if every mutant is killed or explained (EXPLAINED = {name: reason} of the modules); 1 if one lives unexplained,
its original is not found exactly once (stale) or it does not compile (invalid); 2 if the tests fail without any mutation.
"""

import argparse
import fnmatch
import hashlib
import importlib
import json
import os
import re
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from working_copy import WorkingCopy, call

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SLOWEST_SCRIPT = 60.0  # seconds without a mutation


@dataclass(frozen=True)
class Mutation:
    name: str
    file: str
    original: str
    replacement: str

    def digest(self):
        return hashlib.sha256("\0".join((self.file, self.original, self.replacement)).encode()).hexdigest()[:16]


@dataclass
class Catalogue:
    """The mutations of all modules of this folder, and the reasons why some may live."""
    mutations: list = field(default_factory=list)
    explained: dict = field(default_factory=dict)

    @staticmethod
    def read():
        catalogue = Catalogue()
        sys.path.insert(0, str(HERE))
        for path in sorted(HERE.glob("*.py")):
            if path.name in ("run.py", "working_copy.py"):
                continue
            module = importlib.import_module(path.stem)
            catalogue.mutations += [Mutation(*entry) for entry in getattr(module, "MUTATIONS", [])]
            catalogue.explained.update(getattr(module, "EXPLAINED", {}))
        names = [mutation.name for mutation in catalogue.mutations]
        twice = sorted({name for name in names if names.count(name) > 1})
        unknown = sorted(set(catalogue.explained) - set(names))
        if twice or unknown:
            sys.exit(f"names used twice: {twice}; explained but not in any list: {unknown}")
        return catalogue


class Suite:
    """The tests, and what they take without a mutation: measured before the first mutant that asks for them."""

    def __init__(self, copy, log):
        self.copy, self.log, self.order = copy, log, None
        self._stop_unless_built()
        self.scripts = copy.scripts()
        self._measure("unit_tests")

    def _stop_unless_built(self):
        for target in ("unit_tests", "terrace"):
            complaint = self.copy.make(target)
            if complaint:
                self._stop(f"the build of {target}", complaint)

    def _measure(self, name):
        if name in self.log.seconds:
            return
        start = time.monotonic()
        failed, output = self.run(name, 1800)
        if failed:
            self._stop(name, output)
        self.log.add_duration(name, round(time.monotonic() - start, 2))
        print(f"without a mutation: {name} {self.log.seconds[name]} s", flush=True)

    def _order_scripts(self, mutated, text):
        """The faster scripts in increasing order of duration, measured on the sources as they are."""
        if self.order is None:
            if any(name not in self.log.seconds for name in self.scripts):
                changed = mutated.read_text(encoding="utf-8")
                mutated.write_text(text, encoding="utf-8")
                self._stop_unless_built()
                for name in self.scripts:
                    self._measure(name)
                mutated.write_text(changed, encoding="utf-8")
            seconds = self.log.seconds
            self.order = sorted((name for name in self.scripts if seconds[name] <= SLOWEST_SCRIPT), key=seconds.get)
        return self.order

    @staticmethod
    def _stop(what, output):
        print(f"without any mutation {what} fails:\n{output[-3000:]}")
        sys.exit(2)

    def run(self, name, timeout=None):
        """(what failed or None, output) of the unit tests or a script."""
        # A machine that others use may be slower now than it was then.
        timeout = timeout or 30 + 6 * self.log.seconds[name]
        if name == "unit_tests":
            command, environment = [self.copy.build / "tests/unit_tests", "--gtest_fail_fast", "--gtest_brief=1"], None
        else:
            command, environment = self.scripts[name]
        status, output = call(command, timeout, self.copy.build, environment)
        if status == 0:
            return None, output
        if status is None:
            return f"{name} (no end)", output
        failure = re.search(r"^\[  FAILED  \] (\S+?),? ", output, re.M) or re.search(r"^FAILS +(.{0,80})", output, re.M)
        return f"{name}: {failure[1]}" if failure else f"{name} (status {status})", output

    def judge(self, mutated, text):
        """(verdict, killer) of the mutant that lies in the copy's sources, in a file that had this text."""
        complaint = self.copy.make("unit_tests")
        if complaint:
            return "invalid", complaint
        killer, _ = self.run("unit_tests")
        if killer:
            return "killed", killer
        order = self._order_scripts(mutated, text)
        complaint = self.copy.make("terrace") or self.copy.make("unit_tests")
        if complaint:
            return "invalid", complaint
        for name in order:
            killer, _ = self.run(name)
            if killer:
                return "killed", killer
        return "survived", ""


def try_mutation(mutation, copy, suite):
    """(verdict, killer)."""
    path = copy.source / mutation.file
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if text.count(mutation.original) != 1 or mutation.original == mutation.replacement:
        return "stale", f"the original is found {text.count(mutation.original)} times in {mutation.file}"
    try:
        path.write_text(text.replace(mutation.original, mutation.replacement), encoding="utf-8")
        return suite.judge(path, text)
    finally:
        path.write_text(text, encoding="utf-8")


class Log:
    """JSON lines: the durations without a mutation, and a line for each verdict; the last of a name counts."""

    def __init__(self, path, tree):
        self.path, self.tree, self.verdicts, self.seconds = path, tree, {}, {}
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        for entry in map(json.loads, lines):
            if "name" in entry:
                self.verdicts[entry["name"]] = entry
            elif entry["tree"] == tree:
                self.seconds[entry["test"]] = entry["seconds"]

    def add(self, **entry):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps({**entry, "tree": self.tree}) + "\n")
        if "name" in entry:
            self.verdicts[entry["name"]] = entry

    def add_duration(self, test, seconds):
        self.seconds[test] = seconds
        self.add(test=test, seconds=seconds)

    def settled(self, mutation):
        """Killed, or tried on this very tree."""
        entry = self.verdicts.get(mutation.name)
        return entry and entry["digest"] == mutation.digest() and (entry["verdict"] == "killed" or
                                                                   entry["tree"] == self.tree)


def report(mutations, explained, log):
    """Prints the figures; the exit status."""
    named = {verdict: [m.name for m in mutations if log.verdicts[m.name]["verdict"] == verdict]
             for verdict in ("killed", "survived", "stale", "invalid")}
    alive = [name for name in named["survived"] if name not in explained]
    for name in named["survived"]:
        print(f"SURVIVED {name}" + (f": explained: {explained[name]}" if name in explained else ""))
    for verdict in ("stale", "invalid"):
        for name in named[verdict]:
            print(f"{verdict.upper()} {name}: {log.verdicts[name]['killer']}")
    print(f"{len(mutations)} mutations: {len(named['killed'])} killed, {len(named['survived'])} survived "
          f"({len(named['survived']) - len(alive)} explained), {len(named['stale'])} stale, {len(named['invalid'])} invalid")
    return 1 if alive or named["stale"] or named["invalid"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scratch", type=Path, help="a directory for the copy, its build and the log")
    parser.add_argument("--only", nargs="+", default=["*"], metavar="PATTERN", help="names like these, with * and ?")
    parser.add_argument("--shard", default="1/1", metavar="K/N", help="every Nth mutation, from the Kth on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--log", type=Path)
    parser.add_argument("--list", action="store_true", help="names them and says which are stale")
    options = parser.parse_args()
    catalogue = Catalogue.read()
    shard, shards = map(int, options.shard.split("/"))
    mutations = [m for m in catalogue.mutations
                 if any(fnmatch.fnmatch(m.name, pattern) for pattern in options.only)][shard - 1::shards]
    if options.list:
        stale = [m for m in mutations if (ROOT / m.file).read_text(encoding="utf-8").count(m.original) != 1]
        for m in mutations:
            print(f"{m.name}  {m.file}{'  STALE' if m in stale else ''}")
        sys.exit(1 if stale else 0)
    if options.scratch is None:
        parser.error("--scratch is missing")
    options.scratch.mkdir(parents=True, exist_ok=True)
    copy = WorkingCopy(ROOT, options.scratch.resolve(), options.jobs)
    log = Log(options.log or options.scratch / "log.jsonl", copy.digest())
    pending = [m for m in mutations if not log.settled(m)]
    suite = None
    for mutation in pending:
        if suite is None:
            suite = Suite(copy, log)
        start = time.monotonic()
        verdict, killer = try_mutation(mutation, copy, suite)
        seconds = round(time.monotonic() - start, 1)
        log.add(name=mutation.name, digest=mutation.digest(), verdict=verdict, killer=killer, seconds=seconds)
        print(f"{verdict:9}{mutation.name} ({seconds:.0f} s) {killer.splitlines()[0] if killer else ''}", flush=True)
    sys.exit(report(mutations, catalogue.explained, log))


if __name__ == "__main__":
    main()
