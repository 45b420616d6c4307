"""Base class of tests in which a run is stopped in some way and goes on: it must end as the run that was never stopped, with the same
bits, rows and frames.

The first argument of the importing script is the program.
"""

import json
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from decks import SOFT_CUBE  # noqa: E402
from program import call, quick_start  # noqa: E402

PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")

DECK = """title = "Spinning cube, coarse"
[time]
end = 40.0
""" + SOFT_CUBE + """spin = [0.0, 0.1, 1.0]
[integrator]
method = "energy-stepping"
energy_step = 2.5e-6
[output]
field_interval = 4.0
history_interval = 0.7
"""
TABLES = ("history.csv", "bodies.csv", "subdomains.csv", "steps.csv", "fields.pvd")


class RestartedRun(unittest.TestCase):
    """Each test has an output directory of its own (`output`). All share a run that was never stopped (`whole`) and one that ended half
    way (`half`)."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.home = Path(cls.scratch.name)
        cls.deck = cls.home / "cube.toml"
        cls.deck.write_text(DECK, encoding="utf-8")
        cls.whole = cls.home / "whole"
        done = call(PROGRAM, "run", cls.deck, "--output", cls.whole)
        assert done.returncode == 0, done.stderr
        cls.half = cls.home / "half"
        done = call(PROGRAM, "run", cls.deck, "--output", cls.half, "--set", "time.events=1000")
        assert done.returncode == 0, done.stderr

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)
        self.output = self.directory / "output"

    def run_deck(self, *arguments, status=0, ranks=None):
        done = call(PROGRAM, "run", self.deck, "--output", self.output, *arguments, ranks=ranks)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def summary(self, output=None):
        return json.loads(((output or self.output) / "summary.json").read_text(encoding="utf-8"))

    def assert_as_never_stopped(self, frames=True):
        found, expected = self.summary(), self.summary(self.whole)
        for key in ("status", "state_hash", "mesh_hash", "events", "reflections", "final_time", "momentum_change",
                    "energy_drift", "angular_momentum_drift", "average_step", "warnings"):
            self.assertEqual(found[key], expected[key], key)
        self.assertEqual(found["status"], "done")
        for name in TABLES:
            self.assertEqual((self.output / name).read_bytes(), (self.whole / name).read_bytes(), name)
        self.assertEqual([], [path.name for path in self.output.rglob("*.part")])
        if frames:
            names = sorted(path.name for path in (self.whole / "fields").iterdir())
            self.assertEqual(sorted(path.name for path in (self.output / "fields").iterdir()), names)
            for name in names:
                self.assertEqual((self.output / "fields" / name).read_bytes(), (self.whole / "fields" / name).read_bytes(), name)

    def start(self, *arguments, preexec=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)):
        # By default reacts to SIGINT: processes that a shell starts in the background, and their children, would ignore it.
        return subprocess.Popen([str(PROGRAM), "run", str(self.deck), "--output", str(self.output), *arguments],
                                env=quick_start(self.directory), stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=preexec)

    def wait_for(self, name, process):
        """Waits until the output has this file; fails if the run ends before."""
        while not (self.output / name).exists():
            self.assertIsNone(process.poll(), f"over before there was {name}")
            time.sleep(0.005)
