"""Base class of tests in which something makes a run fail: what the run must leave behind, and that it can be resumed and then ends with
the same bits as the run that never failed.

The first argument of the importing script is the program.
"""

import csv
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from decks import SOFT_CUBE  # noqa: E402
from program import call  # noqa: E402

PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")

DECK = """title = "Spinning cube, coarse"
[time]
end = 6.0
""" + SOFT_CUBE + """spin = [0.0, 0.1, 1.0]
[[probes]]
name = "corner"
body = "cube"
point = [0.5, 0.5, 0.5]
[integrator]
method = "energy-stepping"
energy_step = 2.5e-6
[output]
field_interval = 1.0
history_interval = 0.3
restart_time = 1.0
"""
BODIES_APART = DECK.replace("[output]", '[output]\nbodies = "hdf5"')
TABLES = ("history.csv", "probes.csv", "bodies.csv", "subdomains.csv", "steps.csv")


class Case(unittest.TestCase):
    """Each test has an output directory of its own (`output`). All tests share the output of the undisturbed run (`whole`)."""

    content = DECK

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="terrace-faults-")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.home = Path(cls.scratch.name).resolve()
        cls.home.chmod(0o755)  # runs of another user read the deck
        cls.deck = cls.home / "cube.toml"
        cls.deck.write_text(cls.content, encoding="utf-8")
        cls.whole = cls.home / "whole" / "output"
        done = call(PROGRAM, "run", cls.deck, "--output", cls.whole)
        assert done.returncode == 0, done.stderr

    @classmethod
    def compiled(cls, source, *options):
        """Compiles a source file of this folder into a library that is loaded before the program (LD_PRELOAD); returns its path."""
        library = cls.home / f"{Path(source).stem}.so"
        compiler = "c++" if source.endswith(".cpp") else "cc"
        subprocess.run([compiler, *options, "-O1", "-shared", "-fPIC", "-o", library, Path(__file__).with_name(source), "-ldl"],
                       check=True)
        return library

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(dir=self.home)
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)
        self.directory.chmod(0o755)
        self.output = self.directory / "output"

    def shared_memory(self):
        """Environment that keeps Open MPI's shared memory in the scratch directory, so that a killed mpirun leaves nothing behind."""
        return {"OMPI_MCA_btl_vader_backing_directory": str(self.home)}

    def run_deck(self, *arguments, ranks=None, wrapper=()):
        """Runs the deck; returns the CompletedProcess. A run that takes more than 60 s is an error."""
        command = [*wrapper, PROGRAM, "run", self.deck, "--output", self.output, *arguments]
        return call(*command, ranks=ranks if ranks != 1 else None, timeout=60, environment=self.shared_memory())

    def summary(self, output=None):
        return json.loads(((output or self.output) / "summary.json").read_text(encoding="utf-8"))

    def assert_told_once(self, done, names, reason, status=1):
        """There is exactly one error message. It begins with the file (`names`); the reason may be part of a library's text of several
        lines."""
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, status, said)
        _, *errors = done.stderr.split("terrace: error: ")
        self.assertEqual(len(errors), 1, said)
        self.assertIn(names, errors[0].partition(": expected")[0], said)
        self.assertIn(reason, errors[0], said)
        self.assertNotIn("are incomplete: " + errors[0].strip(), said)  # not as a warning as well

    def assert_table_whole(self, path):
        text = path.read_text(encoding="utf-8")
        self.assertTrue(text.endswith("\n"), f"{path.name} ends in the middle of a row")
        header, *rows = csv.reader(text.splitlines())
        for number, row in enumerate(rows, 2):
            self.assertEqual(len(row), len(header), f"{path.name}, line {number}")

    def assert_frames_whole(self):
        """Every file of the frames is well-formed XML, and every file that an index names exists."""
        for path in [*self.output.rglob("*.vtu"), *self.output.rglob("*.pvtu"), *self.output.glob("*.pvd")]:
            tree = xml.etree.ElementTree.parse(path)
            for entry in [*tree.iter("DataSet"), *tree.iter("Piece")]:
                file = entry.get("file") or entry.get("Source")
                if file:
                    self.assertTrue((path.parent / file).exists(), f"{path.name} names {file}")

    def assert_whole_files_only(self):
        self.assertEqual([], sorted(path.name for path in self.output.rglob("*.part*")))
        for name in TABLES:
            if (self.output / name).exists():
                self.assert_table_whole(self.output / name)
        if (self.output / "summary.json").exists():
            self.summary()
        self.assert_frames_whole()

    def status(self):
        """The status in the summary, or a text that there is no summary."""
        there = (self.output / "summary.json").exists()
        return self.summary()["status"] if there else "no summary.json, though there is room for it"

    def assert_says_that_it_failed(self, status):
        self.assertRegex(status, "^failed(: |$)")

    def assert_as_never_failed(self):
        found, expected = self.summary(), self.summary(self.whole)
        for key in ("status", "state_hash", "events", "reflections", "momentum_change", "energy_drift"):
            self.assertEqual(found[key], expected[key], key)
        for name in (*TABLES, "fields.pvd"):
            self.assertEqual((self.output / name).read_bytes(), (self.whole / name).read_bytes(), name)
        self.assert_whole_files_only()

    def assert_goes_on(self, saved, other_file=True):
        """The run goes on to the same end from restart.h5; in a copy of the directory also from restart-before.h5. Where it had not saved
        itself, it says that it cannot go on."""
        before = self.output / "restart-before.h5"
        if other_file and before.exists() and not before.samefile(self.output / "restart.h5"):
            kept = self.output
            with tempfile.TemporaryDirectory(dir=self.home) as own:
                self.output = Path(own) / "output"
                shutil.copytree(kept, self.output)
                (self.output / "restart-before.h5").replace(self.output / "restart.h5")
                self.assert_ends_well(self.run_deck("--resume"))
            self.output = kept
        done = self.run_deck("--resume")
        if saved:
            self.assert_ends_well(done)
        else:
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("found none that can be read", done.stderr)

    def assert_ends_well(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("going on from", done.stderr, "restart.h5 is not whole")
        self.assert_as_never_failed()
