"""Memory runs out on one of two ranks, anywhere in a run, with every executor.

Usage: memory.py TERRACE [OPTION of unittest]...

Whichever memory request of the program's own code fails, the run must end with one message and status 1 (2 while decks and meshes are
read), not by a signal, and leave whole files only. Or it ends as if nothing had failed, where the request is repeated or not essential
(std::vector::shrink_to_fit).
TERRACE_FAULTS: how many requests of each executor are tried (2, half of them on each rank); TERRACE_SEED: which ones.
"""

import csv
import os
import random
import sys
import unittest
from pathlib import Path

from failing_run import PROGRAM, Case

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mpi"))
from decks import PENDULUM  # noqa: E402
from program import call  # noqa: E402
from same_bits_decks import BALLS, CUBE, GAP, GAS, PARTICLES  # noqa: E402

SEED = int(os.environ.get("TERRACE_SEED", "20261124"))
COUNT = int(os.environ.get("TERRACE_FAULTS", "2"))
HUNDRED_STEPS = PENDULUM.replace("0.1", "0.01")
CLOCKED = ("integrator.method=clocked-energy-stepping", "localization.contact=touching")
EXECUTORS = {
    # Without helpers: which rank helps which differs from run to run, and so would the requests.
    "windows": (GAS, (*CLOCKED, "layout.kind=windows", "layout.helpers=never", "time.events=1000")),
    "windows of teams": (GAS, (*CLOCKED, "layout.kind=windows", "layout.helpers=never", "layout.teams=always", "time.events=600")),
    "windows with helpers": (GAS, (*CLOCKED, "layout.kind=windows", "layout.helpers=always", "time.events=600")),
    "teams": (GAP, (*CLOCKED, "layout.kind=slice", "time.events=100")),
    "one after the other": (BALLS, ("time.events=100",)),
    "at once": (CUBE, ("integrator.executor=concurrent", "localization.kind=metis", "localization.parts=8")),
    "newmark": (GAP, ("integrator.method=newmark", "time.events=50")),
    "particles": (PARTICLES, ("time.events=200",)),
    "small system": (HUNDRED_STEPS, ()),
}


class Memory(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shim = cls.compiled("failing_memory.cpp", "-std=c++20")

    def run_with(self, options, ranks=2, **settings):
        settings = {"LD_PRELOAD": self.shim, "FAIL_LOG": self.home / "calls", **settings}
        words = [word for option in options for word in ("--set", option)]
        return call("env", *(f"{name}={value}" for name, value in settings.items()), PROGRAM, "run", self.deck, "--output",
                    self.output, *words, ranks=ranks, timeout=60, environment=self.shared_memory())

    def calls(self, rank=0):
        """The number of memory requests that the rank made in the last run."""
        return int((self.home / f"calls.{rank}").read_text(encoding="utf-8"))

    def try_one(self, done, expected):
        """Checks a run in which a request failed. `expected`: output directory of the same run without failure."""
        said = done.stdout + done.stderr
        if done.returncode == 0:
            self.assertEqual(self.summary()["state_hash"], self.summary(expected)["state_hash"])
            for path in (path for kind in ("*.csv", "*.vtu") for path in expected.rglob(kind)):
                name = path.relative_to(expected)
                self.assertEqual((self.output / name).read_bytes(), path.read_bytes(), name)
            return
        self.assertIn(done.returncode, (1, 2), said)
        self.assertEqual(done.stderr.count("terrace: error: "), 1, said)
        self.assertIn("memory", done.stderr.partition("terrace: error: ")[2], said)
        if self.output.exists():
            self.assert_whole_files_only()
            self.assert_nothing_else_happened(expected)

    def assert_nothing_else_happened(self, expected):
        """The rows are those of the undisturbed run until the failure, and the summary says that the run failed."""
        if (self.output / "summary.json").exists():
            self.assert_says_that_it_failed(self.status())
        rows, whole = (self.rows(output) for output in (self.output, expected))
        if rows and whole[-1][0] > rows[-1][0]:
            self.assertEqual(rows[:-1], whole[:len(rows) - 1])  # the last row is of the moment of the failure

    @staticmethod
    def rows(output):
        path = output / "history.csv"
        if not path.exists():
            return []
        with path.open(encoding="utf-8", newline="") as file:
            return [(float(row["time"]), row) for row in csv.DictReader(file)]

    def test_that_no_request_is_one_to_crash_on(self):
        choice = random.Random(SEED)
        for name, (deck, options) in EXECUTORS.items():
            self.deck = self.directory / f"{name}.toml"
            self.deck.write_text(deck, encoding="utf-8")
            self.output = whole = self.directory / name
            done = self.run_with(options)
            self.assertEqual(done.returncode, 0, f"{name}: {done.stderr}")
            for rank, calls in enumerate([self.calls(rank) for rank in (0, 1)]):  # read before other runs overwrite them
                for number in (choice.randint(1, calls) for _ in range(COUNT // 2)):
                    self.output = self.directory / f"{name}-{rank}-{number}"
                    with self.subTest(f"{name}: request {number} of {calls} on rank {rank}, seed {SEED}"):
                        self.try_one(self.run_with(options, FAIL_RANK=rank, FAIL_NUMBER=number), whole)

    def test_what_failed_once_as_the_last_events_were_done_again_leaves_no_trace(self):
        # In the last window the events before the last one are done once more, and a failure there may stop short of the last event. This
        # is at about 86 % of the requests.
        self.deck, options = self.directory / "last.toml", (*CLOCKED, "layout.kind=windows", "layout.teams=never", "time.events=600")
        self.deck.write_text(GAS, encoding="utf-8")
        self.output = self.directory / "last"
        done = self.run_with(options, ranks=1, FAIL_RANK=0)
        self.assertEqual(done.returncode, 0, done.stderr)
        whole = self.output
        calls = self.calls()
        for share in (0.84, 0.85, 0.86, 0.865, 0.87, 0.88, 0.89):
            number = int(share * calls)
            self.output = self.directory / f"last-{number}"
            with self.subTest(f"request {number} of {calls}"):
                self.try_one(self.run_with(options, ranks=1, FAIL_RANK=0, FAIL_NUMBER=number), whole)

    def test_that_ends_again_while_what_was_reached_is_kept(self):
        choice = random.Random(SEED + 1)
        for ranks in (1, 2):
            self.deck, options = self.directory / "gap.toml", ("integrator.method=newmark", "time.events=10")
            self.deck.write_text(GAP, encoding="utf-8")
            self.output = whole = self.directory / f"whole-{ranks}"
            self.assertEqual(self.run_with(options, ranks=ranks, FAIL_RANK=0).returncode, 0)
            calls = self.calls()
            for also in choice.sample(range(1, 130), min(129, 2 * COUNT)):
                self.output = self.directory / f"again-{ranks}-{also}"
                with self.subTest(f"the request {also} after request {(number := int(0.9 * calls))} of {calls} on {ranks} ranks"):
                    self.try_one(self.run_with(options, ranks=ranks, FAIL_RANK=0, FAIL_NUMBER=number, FAIL_ALSO=also), whole)

    def test_that_ends_within_a_step_of_a_small_system(self):
        """A step is done in whole or not at all: the last row, at the failure, must be a row of the run with rows at every step."""
        self.deck, now_and_then = self.directory / "pendulum.toml", ("output.history_interval=0.1",)
        self.deck.write_text(HUNDRED_STEPS, encoding="utf-8")
        self.output = self.directory / "every step"
        self.assertEqual(self.run_with((), ranks=None).returncode, 0)
        every_step, found = self.rows(self.output), []
        calls = []
        for steps in (1, 99):
            self.output = self.directory / f"survey-{steps}"
            self.assertEqual(self.run_with((*now_and_then, f"time.events={steps}"), ranks=None, FAIL_RANK=0).returncode, 0)
            calls.append(self.calls())
        of_a_step = (calls[1] - calls[0]) // 98
        self.assertGreater(of_a_step, 0)
        for number in range(calls[0], calls[0] + 40 * of_a_step, 5 * of_a_step + 1):  # in the first forty steps, at varied places of a step
            self.output = self.directory / str(number)
            self.assertEqual(self.run_with(now_and_then, ranks=None, FAIL_RANK=0, FAIL_NUMBER=number).returncode, 1)
            found += [row for row in self.rows(self.output)[-1:] if 0 < row[0] < 1]
        self.assertGreater(len(found), 5)
        for row in found:
            self.assertIn(row, every_step)

    def test_that_ends_in_streams_of_the_library_which_say_nothing(self):
        # Streams of the C++ library read the numbers of a deck, and write the deck anew where settings change it. They hide failures.
        self.deck = self.directory / "cube.toml"
        self.deck.write_text(CUBE, encoding="utf-8")
        self.output = self.directory / "undisturbed"
        of_library = {"ranks": None, "FAIL_RANK": 0, "FAIL_OF": "libstdc++"}
        options = ("time.events=1",)
        self.assertEqual(self.run_with(options, **of_library).returncode, 0)
        expected, calls = self.summary(), self.calls()
        self.assertGreater(calls // 6, 10)
        for number in range(1, calls // 6):  # the first sixth of the requests
            self.output = self.directory / f"stream-{number}"
            with self.subTest(f"request {number} of {calls}"):
                done = self.run_with(options, FAIL_NUMBER=number, **of_library)
                if done.returncode != 0:
                    self.assertEqual(done.stderr.count("terrace: error: "), 1, done.stderr)
                    continue
                for key in ("deck", "state_hash", "end_time", "final_time"):
                    self.assertEqual(self.summary()[key], expected[key])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
