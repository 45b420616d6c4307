#!/usr/bin/env python3
"""Gives mutated decks and meshes to the real program.

Valid decks and meshes are broken at random places. `terrace run` and `terrace check` must then refuse them (status 2, one message,
nothing written), or fail with an error of the run (status 1, a summary that says so), or do what they ask for (status 0, finite numbers
everywhere); always within a time limit, and never by a signal. A mesh that the program accepts must be sound, which mesh_soundness.py
judges independently. A case depends on the seed, its kind and its number alone: --only decks:17 repeats a single one. The full version
of ctest is --decks 1000 --meshes 1000.
"""
import argparse
import collections
import csv
import dataclasses
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from mesh_soundness import flaw_of, read_mesh  # noqa: E402
from mutated_decks import DECKS, mutated_deck  # noqa: E402
from mutated_meshes import GROUPS, MESH_DECK, WRITERS, joined, mutated_mesh, sound_mesh, version_2  # noqa: E402
from program import call  # noqa: E402

SANITIZED = "ASAN_OPTIONS" in os.environ
LONGEST = 200 if SANITIZED else 20  # time limit [s]; the unmutated decks take half a second
# A mutated deck may ask for a million events or more work per event. A run hangs if it completes neither MOST_EVENTS nor FEW_EVENTS
# within LONGEST.
MOST_EVENTS, FEW_EVENTS = 200, 3
MOST_MEMORY = 8 << 30  # bytes of address space: a mutated count must not use up the machine's memory
# Words that the program must never print. "expected no failure" is the message of an exception that no code handled.
NEVER_TOLD = ("terminate called", "Segmentation", "Assertion", "std::", "expected no failure, found", "Sanitizer", "runtime error:")


@dataclasses.dataclass
class Verdict:
    outcome: str  # "refused", "failed with an error", "ran", "hung", "crashed", "taken", "taken as another mesh"
    wrong: list[str]  # complaints
    said: str = ""  # what the program printed on stderr
    mutation: str = ""


def no_constant(word: str) -> float:
    raise ValueError(f"{word} in JSON")


def read_summary(output: pathlib.Path) -> dict:
    return json.loads((output / "summary.json").read_text(encoding="utf-8"), parse_constant=no_constant)


def odd_numbers(path: pathlib.Path) -> list[str]:
    """Complaints about the columns of a table with numbers that are not finite; the column of names is left out."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        odd = {column for row in rows for column, word in row.items() if column != "body" and not math.isfinite(float(word))}
    return [f"{path.name}: {column} is not finite" for column in sorted(odd)]


def wrong_in_output(output: pathlib.Path, status: int) -> list[str]:
    wrong = [f"{path.name} was left behind" for path in output.rglob("*.part")]
    try:
        summary = read_summary(output)
        if status == 1:
            return wrong + ([] if summary["status"].startswith("failed") else [f'the status is {summary["status"]!r}'])
        if summary["status"] not in ("done", "stopped after time.events events"):
            wrong.append(f'the status is {summary["status"]!r}')
        # A system with losses or loads has an energy change instead of a drift.
        drift = summary.get("energy_change") if summary["energy_drift"] is None else summary["energy_drift"]
        if not isinstance(drift, float) or not math.isfinite(drift):
            wrong.append(f"the energy drift is {drift}")
        tables = [table for table in (output / "history.csv", output / "bodies.csv") if table.exists()]
        if not tables:
            wrong.append("no tables")
        return wrong + [words for table in tables for words in odd_numbers(table)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        return [*wrong, f"{type(error).__name__}: {error}"]


def wrong_in_message(run: subprocess.CompletedProcess) -> list[str]:
    wrong = [f"{words!r} on stderr" for words in NEVER_TOLD if words in run.stderr]
    if run.returncode not in (0, 1, 2):
        return [*wrong, f"exit status {run.returncode}"]
    if run.returncode and run.stderr.count("terrace: error:") != 1:
        wrong.append(f"{run.stderr.count('terrace: error:')} messages, not one")
    if run.returncode == 2 and run.stderr.count(": expected ") != 1:
        wrong.append(f"{run.stderr.count(': expected ')} messages that say what was expected, not one")
    return wrong


def everything_in(directory: pathlib.Path) -> set[pathlib.Path]:
    return set(directory.rglob("*"))


def attempt(program: str, directory: pathlib.Path, *arguments: str) -> tuple[subprocess.CompletedProcess | None, Verdict]:
    """Starts the program in `directory`, where it may write into "output" alone. Returns the CompletedProcess (None if it hung), and the
    verdict."""
    before = everything_in(directory)
    try:
        run = call(program, *arguments, timeout=LONGEST, directory=directory)
    except subprocess.TimeoutExpired:
        return None, Verdict("hung", [f"still running after {LONGEST} s"])
    output = directory / "output"
    wrong = wrong_in_message(run)
    new = everything_in(directory) - before
    if run.returncode != 2:
        new = {path for path in new if output not in (path, *path.parents)}
    if new:
        wrong.append(f"left behind: {', '.join(sorted(str(path.relative_to(directory)) for path in new))}")
    if run.returncode in (0, 1) and (output.exists() or (arguments[0] == "run" and run.returncode == 0)):
        wrong += wrong_in_output(output, run.returncode)
    outcome = {0: "ran", 1: "failed with an error", 2: "refused"}.get(run.returncode, "crashed")
    return run, Verdict(outcome, wrong, run.stderr)


def try_deck(program: str, directory: pathlib.Path, content: bytes) -> Verdict:
    (directory / "deck.toml").write_bytes(content)
    (directory / "solid.msh").write_bytes(joined(version_2(sound_mesh())))
    command = ("run", "deck.toml", "--output", "output", "--set")
    verdict = attempt(program, directory, *command, f"time.events={MOST_EVENTS}")[1]
    if verdict.outcome == "hung":  # the deck may just ask for very much work
        shutil.rmtree(directory / "output", ignore_errors=True)
        verdict = attempt(program, directory, *command, f"time.events={FEW_EVENTS}")[1]
    return verdict


def hash_from(run: subprocess.CompletedProcess, output: pathlib.Path) -> str:
    if output.exists():
        return read_summary(output)["mesh_hash"]
    found = re.search(r"^mesh hash (\w+)$", run.stdout, re.MULTILINE)
    return found[1] if found else ""


def try_mesh(program: str, directory: pathlib.Path, content: bytes, group: str, runs: bool, sound_hash: str) -> Verdict:
    (directory / "solid.msh").write_bytes(content)
    (directory / "deck.toml").write_text(MESH_DECK.format(group=group), encoding="utf-8")
    command = ("run", "deck.toml", "--output", "output", "--set", "time.events=20") if runs else ("check", "deck.toml")
    run, verdict = attempt(program, directory, *command)
    if run is None or run.returncode != 0 or verdict.wrong:
        return verdict
    verdict.outcome = "taken"
    found = hash_from(run, directory / "output")
    if found == sound_hash:
        return verdict
    verdict.outcome = "taken as another mesh"
    written = call(program, "mesh", "deck.toml", "--output", "taken.msh", timeout=LONGEST, directory=directory)
    if written.returncode != 0:
        verdict.wrong.append(f"terrace mesh ended with {written.returncode}: {written.stderr}")
    elif flaw := flaw_of(*read_mesh(directory / "taken.msh")):
        verdict.wrong.append(f"a broken mesh was taken: {flaw}")
    return verdict


def scratch() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="terrace-mutated-")


def check_unmutated(program: str, pool: ThreadPoolExecutor) -> tuple[str, list[str]]:
    """The hash of the sound mesh, which must be the same in all four formats, and complaints about the decks and meshes before any
    mutation."""
    def deck(name: str) -> list[str]:
        with scratch() as directory:
            verdict = try_deck(program, pathlib.Path(directory), DECKS[name].encode())
            return [] if verdict.outcome == "ran" and not verdict.wrong else [f"deck {name}: {verdict}"]

    def mesh(number: int) -> tuple[str, list[str]]:
        name = list(WRITERS)[number]
        with scratch() as place:
            directory = pathlib.Path(place)
            (directory / "solid.msh").write_bytes(joined(WRITERS[name](sound_mesh())))
            (directory / "deck.toml").write_text(MESH_DECK.format(group=GROUPS[number % len(GROUPS)]), encoding="utf-8")
            run, verdict = attempt(program, directory, "check", "deck.toml")
            found = hash_from(run, directory / "output") if run else ""
            return found, [] if found and not verdict.wrong else [f"mesh {name}: {verdict}"]

    wrong = [words for words_of_one in pool.map(deck, DECKS) for words in words_of_one]
    found, wrong_meshes = zip(*pool.map(mesh, range(len(WRITERS))))
    wrong += [words for words_of_one in wrong_meshes for words in words_of_one]
    if len(set(found)) != 1:
        wrong.append(f"the four formats of one mesh have the hashes {found}")
    nodes = [x for _, x in sound_mesh().nodes]
    if flaw := flaw_of(nodes, [[node - 1 for node in e.nodes] for e in sound_mesh().elements if e.dimension == 3]):
        wrong.append(f"the unmutated mesh: {flaw}")
    return found[0], wrong


def one_case(program: str, seed: int, kind: str, number: int, sound_hash: str, keep: str | None) -> Verdict:
    rng = random.Random(f"{seed}:{kind}:{number}")
    with scratch() as place:
        directory = pathlib.Path(place)
        if kind == "decks":
            content, mutation = mutated_deck(rng)
            verdict = try_deck(program, directory, content)
        else:
            content, mutation = mutated_mesh(rng)
            verdict = try_mesh(program, directory, content, rng.choice(GROUPS), number % 10 == 0, sound_hash)
        verdict.mutation = mutation
        if keep and verdict.wrong:
            shutil.copytree(directory, pathlib.Path(keep) / f"{kind}-{number}", dirs_exist_ok=True)
        return verdict


def report(kind: str, numbers: list[int], verdicts: list[Verdict], tells_all: bool) -> int:
    """Prints the outcomes and the complaints; returns the number of wrong cases."""
    wrong = 0
    for number, verdict in zip(numbers, verdicts, strict=True):
        wrong += bool(verdict.wrong)
        if verdict.wrong:
            print(f"WRONG {kind}:{number} ({verdict.outcome}), {verdict.mutation}:\n    " + "\n    ".join(verdict.wrong)
                  + f"\n    stderr: {verdict.said[-1000:]!r}")
        elif tells_all:
            print(f"{kind}:{number} {verdict.outcome}, {verdict.mutation}\n    {verdict.said[-300:].strip()}")
    counts = collections.Counter(verdict.outcome for verdict in verdicts)
    print(f"{len(numbers)} {kind}: " + "".join(f"{count} {outcome}, " for outcome, count in sorted(counts.items()))
          + f"{wrong} wrong", flush=True)
    return wrong


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("terrace")
    parser.add_argument("--decks", type=int, default=30)
    parser.add_argument("--meshes", type=int, default=30)
    parser.add_argument("--first", type=int, default=0, help="number of the first case of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="decks:NUMBER or meshes:NUMBER: try this case alone and report it in full")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--keep", help="directory for the files of wrong cases")
    parser.add_argument("--list", action="store_true", help="report every case")
    return parser.parse_args()


def main() -> int:
    """Tries all decks and meshes unmutated, then the mutated cases."""
    chosen = options()
    program = str(pathlib.Path(chosen.terrace).resolve())
    if "ASAN_OPTIONS" not in os.environ:  # AddressSanitizer's shadow memory takes terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    numbers = {kind: list(range(chosen.first, chosen.first + count))
               for kind, count in (("decks", chosen.decks), ("meshes", chosen.meshes))}
    if chosen.only:
        kind, number = chosen.only.split(":")
        numbers = {kind: [int(number)]}
    with ThreadPoolExecutor(chosen.jobs) as pool:
        sound_hash, problems = check_unmutated(program, pool)
        for problem in problems:
            print(f"WRONG unmutated: {problem}")
        wrong = len(problems)
        for kind, selection in numbers.items():
            verdicts = list(pool.map(lambda number: one_case(program, chosen.seed, kind, number, sound_hash, chosen.keep),
                                     selection))
            wrong += report(kind, selection, verdicts, chosen.list or chosen.only is not None)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
