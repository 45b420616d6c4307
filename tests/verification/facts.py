"""Functions that the verification scripts share: running a deck in a scratch directory, reading tables, stating facts."""

import csv
import math
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from program import MOST_MISMATCH, call, run_deck  # noqa: E402,F401

INPUTS = Path(__file__).resolve().parents[2] / "inputs"
NO_FIELDS = ("--set", "output.field_interval=-1")


class Facts:
    """States facts and counts those that fail; `python3 verify_X.py TERRACE [--full]` ends with status 1 if any does."""

    def __init__(self):
        arguments = [word for word in sys.argv[1:] if word != "--full"]
        self.full = "--full" in sys.argv[1:]
        if len(arguments) != 1:
            sys.exit(f"usage: {Path(sys.argv[0]).name} TERRACE [--full]")
        self.program = Path(arguments[0]).resolve()
        self.failed = 0
        self.most_mismatch = MOST_MISMATCH  # the farthest that V may be outside its terrace [energy steps]
        self._scratch = tempfile.TemporaryDirectory()
        self._runs = 0

    def run(self, deck, **settings):
        """Runs a deck, given by its path or its text; returns (summary, output directory).

        `settings` are keys of the deck, with __ instead of the dot: integrator__energy_step=1e-5. Raises AssertionError if the run failed.
        """
        output, options = self.prepare(settings)
        return run_deck(self.program, self.path_of(deck), output, *options, timeout=7000,
                        most_mismatch=self.most_mismatch), output

    def prepare(self, settings):
        """A fresh output directory and the --set options of the settings."""
        self._runs += 1
        options = []
        for key, value in settings.items():
            options += ["--set", f"{key.replace('__', '.')}={value}"]
        return Path(self._scratch.name) / f"run-{self._runs}", options

    def path_of(self, deck):
        if isinstance(deck, Path):
            return deck
        path = Path(self._scratch.name) / f"deck-{self._runs}.toml"
        path.write_text(deck, encoding="utf-8")
        return path

    def state(self, holds, fact):
        """Prints a fact with its figures and whether it holds; counts it as failed if not."""
        print(("holds  " if holds else "FAILS  ") + fact, flush=True)
        self.failed += not holds

    def near(self, name, found, expected, tolerance):
        """States that |found - expected| <= tolerance."""
        self.state(abs(found - expected) <= tolerance, f"{name}: {found:.6g}, expected {expected:.6g} ± {tolerance:.2g}")

    def median(self, name, found, expected, deviation):
        """For several equally good runs of something chaotic: states that their median is within three of its standard deviations.

        `deviation`: standard deviation of a single run. That of the median of n normally distributed values is 1.25 / sqrt(n) of it.
        """
        values = ", ".join(f"{value:.4g}" for value in found)
        self.near(f"{name}, median of {values}", statistics.median(found), expected,
                  3 * 1.25 * deviation / math.sqrt(len(found)))

    def between(self, name, found, low, high):
        """States that a count or figure is from `low` to `high`."""
        self.state(low <= found <= high, f"{name}: {found:.6g}, expected {low:g} to {high:g}")

    def at_most(self, name, found, bound):
        self.state(abs(found) <= bound, f"{name}: {found:.3g}, at most {bound:.2g}")

    def conserves(self, name, summary, walls=False):
        """States what energy-stepping keeps at any energy step: energy, momentum, V within its terrace, and, without walls, which may
        take it, angular momentum."""
        self.at_most(f"{name}: energy drift", summary["energy_drift"], 1e-12)
        if not walls:
            self.at_most(f"{name}: angular momentum drift", summary["angular_momentum_drift"], 1e-12)
        self.at_most(f"{name}: V outside its terrace, in energy steps", summary["monitors"]["largest_energy_mismatch"],
                     self.most_mismatch)
        self.state(summary["momentum_change"] == 0,
                   f"{name}: momentum changed by {summary['momentum_change']} quanta in {summary['events']} events")

    def finish(self):
        print("all facts hold" if not self.failed else f"{self.failed} facts fail")
        sys.exit(1 if self.failed else 0)


def table(directory, name):
    """The rows of NAME.csv as dictionaries of numbers; names stay text."""
    with open(directory / f"{name}.csv", newline="", encoding="utf-8") as file:
        return [{key: value if key in ("body", "name", "probe") else float(value) for key, value in row.items()}
                for row in csv.DictReader(file)]


def history_of(directory, body):
    """The rows of bodies.csv that belong to one body or wall."""
    return [row for row in table(directory, "bodies") if row["body"] == body]


def vector(row, name):
    return [row[f"{name}_{axis}"] for axis in "xyz"]


def distance(a, b):
    return math.dist(a, b)
