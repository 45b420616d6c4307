"""Memory that runs out on one of two ranks, anywhere in a run, in every executor.

Usage: memory.py TERRACE [OPTION of unittest]...

Whichever request of the program's own code fails: the run ends with one message and status 1 (2 while decks and meshes are
read), not by a signal, and leaves whole files only; or it ends as if nothing had failed, where what failed is done again or can
be done without (std::vector::shrink_to_fit).
TERRACE_FAULTS: how many requests of each executor are tried (2); TERRACE_SEED: which ones.
"""

import os
import random
import sys
import unittest
from pathlib import Path

from failing_run import PROGRAM, Case

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mpi"))
from program import call  # noqa: E402
from same_bits_decks import BALLS, CUBE, GAP, GAS  # noqa: E402

SEED = int(os.environ.get("TERRACE_SEED", "20261124"))
COUNT = int(os.environ.get("TERRACE_FAULTS", "2"))
CLOCKED = ("integrator.method=clocked-energy-stepping", "localization.contact=touching")
EXECUTORS = {
    "windows": (GAS, (*CLOCKED, "layout.kind=windows", "time.events=1000")),
    "windows of teams": (GAS, (*CLOCKED, "layout.kind=windows", "layout.teams=always", "time.events=600")),
    "windows with helpers": (GAS, (*CLOCKED, "layout.kind=windows", "layout.helpers=always", "time.events=600")),
    "teams": (GAP, (*CLOCKED, "layout.kind=slice", "time.events=100")),
    "one after the other": (BALLS, ("time.events=100",)),
    "at once": (CUBE, ("integrator.executor=concurrent", "localization.kind=metis", "localization.parts=8")),
    "newmark": (GAP, ("integrator.method=newmark", "time.events=50")),
}


class Memory(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shim = cls.compiled("failing_memory.cpp", "-std=c++20")

    def run_with(self, options, ranks=2, **settings):
        settings = {"LD_PRELOAD": self.shim, "FAIL_LOG": self.home / "calls", **settings}
        words = [word for option in (*options, "output.field_interval=-1.0") for word in ("--set", option)]
        return call("env", *(f"{name}={value}" for name, value in settings.items()), PROGRAM, "run", self.deck, "--output",
                    self.output, *words, ranks=ranks, timeout=60, environment=self.shared_memory())

    def try_one(self, done, expected):
        """`expected`: where the same run's output is that nothing happened to."""
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

    def test_that_no_request_is_one_to_crash_on(self):
        choice = random.Random(SEED)
        for name, (deck, options) in EXECUTORS.items():
            self.deck = self.directory / f"{name}.toml"
            self.deck.write_text(deck, encoding="utf-8")
            for rank in (0, 1):
                self.output = self.directory / f"{name}-{rank}"
                done = self.run_with(options, FAIL_RANK=rank)
                self.assertEqual(done.returncode, 0, f"{name}: {done.stderr}")
                whole = self.output
                calls = int((self.home / "calls").read_text(encoding="utf-8"))
                for number in (choice.randint(1, calls) for _ in range(COUNT // 2)):
                    self.output = self.directory / f"{name}-{rank}-{number}"
                    with self.subTest(f"{name}: request {number} of {calls} on rank {rank}, seed {SEED}"):
                        self.try_one(self.run_with(options, FAIL_RANK=rank, FAIL_NUMBER=number), whole)

    def test_what_failed_once_as_the_last_events_were_done_again_leaves_no_trace(self):
        # In the last window what comes before the last event is done once more, and then perhaps not as far as that event: after some
        # 86 of 100 requests.
        self.deck, options = self.directory / "last.toml", (*CLOCKED, "layout.kind=windows", "layout.teams=never", "time.events=600")
        self.deck.write_text(GAS, encoding="utf-8")
        self.output = self.directory / "last"
        done = self.run_with(options, ranks=1, FAIL_RANK=0)
        self.assertEqual(done.returncode, 0, done.stderr)
        whole = self.output
        calls = int((self.home / "calls").read_text(encoding="utf-8"))
        for share in (0.84, 0.85, 0.86, 0.865, 0.87, 0.88, 0.89):
            number = int(share * calls)
            self.output = self.directory / f"last-{number}"
            with self.subTest(f"request {number} of {calls}"):
                self.try_one(self.run_with(options, ranks=1, FAIL_RANK=0, FAIL_NUMBER=number), whole)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
