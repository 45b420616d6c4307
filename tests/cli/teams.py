"""Tests of traces by operations (terrace run --trace with layouts other than windows), of terrace check --shares, and of predictions from
these by cluster/teams.py.

Usage: teams.py TERRACE [OPTION of unittest]...
"""

import csv
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests" / "mpi"))
from program import ENVIRONMENT, call  # noqa: E402
from same_bits_decks import PACKING  # noqa: E402

PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")
CUBE = ROOT / "inputs" / "a1_spinning_cube.toml"
SMALL = ("--set", "bodies.0.cells=[4,4,4]", "--set", "time.end=1", "--set", "output.history_interval=10", "--set",
         "output.field_interval=10")
CLOCKED = ("--set", "integrator.method=clocked-energy-stepping")
TRACE = "rank,operation,calls,seconds,collectives,messages,bytes,to_all,elements,nodes,surface_nodes\n"
HELD = "800,200,100\n"
ONE = TRACE + "".join(f"0,{row},{HELD}" for row in (
    "gradient,10,8.0,0,0,0,0", "line_set_up,10,1.0,0,0,0,0", "sampling,20,2.0,0,0,0,0", "exchange,12,0,0,0,0,0",
    "certificate,5,1.0,0,0,0,0", "impulse,10,2.0,0,0,0,0", "contact,30,3.0,0,0,0,0", "following,10,0.5,0,0,0,0",
    "reduction,15,0.25,15,0,4000,0", "rest,0,0.25,0,0,0,0"))
TWO = TRACE + "".join(f"{rank},{row},{held}" for rank, held in ((0, "500,160,100\n"), (1, "300,140,100\n")) for row in (
    "gradient,10,5.0,0,0,0,0", "line_set_up,10,0.5,0,0,0,0", "sampling,20,1.0,0,0,0,0", "exchange,12,3.0,12,20,9600,4",
    "certificate,5,0.5,0,0,0,0", "impulse,10,1.5,0,0,0,0", "contact,30,0.75,0,0,0,0", "following,10,0.5,0,0,0,0",
    "reduction,40,0.25,30,0,8000,0", "alone,3,0.5,0,0,0,0", "rest,0,0.25,0,0,0,0"))
SHARES = ("ranks,elements,mean_elements,largest_elements,event_elements,empty_ranks,nodes,boundary_nodes,mean_boundary_nodes,neighbours,"
          "sent_nodes,surface_nodes,surface_copies\n1,800,800,800,800,0,200,0,0,0,0,100,50\n"
          "4,800,200,230,250,0,150,20,15,3,30,100,60\n")


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Scratch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="terrace-teams-")
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name).resolve()

    def run_deck(self, name, *options, deck=CUBE, ranks=None, status=0):
        done = call(PROGRAM, "run", deck, "--output", self.directory / name, *options, ranks=ranks)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def summary(self, name):
        return json.loads((self.directory / name / "summary.json").read_text(encoding="utf-8"))

    def teams(self, *arguments, environment=ENVIRONMENT):
        return subprocess.run([sys.executable, str(ROOT / "cluster" / "teams.py"), *map(str, arguments)], capture_output=True,
                              text=True, check=False, env=environment, timeout=120)

    def write(self, name, text):
        (self.directory / name).mkdir(exist_ok=True)
        (self.directory / name / "trace_operations.csv").write_text(text, encoding="utf-8")


class Trace(Scratch):
    def rows(self, name, ranks):
        rows = {(int(row["rank"]), row["operation"]): row for row in table(self.directory / name / "trace_operations.csv")}
        self.assertEqual({rank for rank, _ in rows}, set(range(ranks)))
        return rows

    def check_sums(self, name, ranks):
        rows, summary = self.rows(name, ranks), self.summary(name)
        collectives = round(summary["collectives_per_event"] * summary["events"])
        for rank in range(ranks):
            of_rank = [row for (number, _), row in rows.items() if number == rank]
            self.assertEqual(sum(int(row["collectives"]) for row in of_rank), collectives, f"rank {rank} of {name}")
            self.assertEqual(int(rows[rank, "exchange"]["to_all"]), 0)
            # The operations make up the stepping; output is not part of it. Ranks begin and end it together, apart from waiting.
            seconds, stepping = sum(float(row["seconds"]) for row in of_rank), summary["wall_seconds_by_phase"]["stepping"]
            self.assertLessEqual(abs(seconds - stepping), 0.05 * stepping + 0.02 * ranks, f"rank {rank} of {name}")
            self.assertGreaterEqual(int(rows[rank, "impulse"]["calls"]), summary["events"])
        self.assertEqual(sum(int(rows[rank, "rest"]["elements"]) for rank in range(ranks)), 1536)
        return rows, summary

    def test_sums_are_those_of_the_summary_and_the_motion_is_the_same(self):
        for method, options in (("clocked", CLOCKED), ("terraces", ())):
            self.run_deck(method, *SMALL, *options)
            self.assertFalse((self.directory / method / "trace_operations.csv").exists())
            for ranks in (1, 2):
                name = f"{method}-{ranks}"
                self.run_deck(name, *SMALL, *options, "--trace", ranks=ranks)
                for key in ("state_hash", "events", "energy_drift"):
                    self.assertEqual(self.summary(name)[key], self.summary(method)[key], f"{key} of {name}")
                rows, summary = self.check_sums(name, ranks)
                self.assertEqual(int(rows[0, "gradient"]["calls"]), summary["events"], "one subdomain, nothing that joins")
                if method == "terraces":
                    # A search of one subdomain makes a sum for each sample, and a gradient one sum, or more where grids are made.
                    self.assertGreater(int(rows[0, "sampling"]["calls"]), summary["events"])
            one, two = self.rows(f"{method}-1", 1), self.rows(f"{method}-2", 2)
            # There is one exchange for each sum of a gradient.
            self.assertEqual(one[0, "exchange"]["calls"], two[0, "exchange"]["calls"])
            samples = int(one[0, "sampling"]["calls"])
            of_gradients = int(two[0, "reduction"]["calls"]) - samples
            self.assertGreaterEqual(of_gradients, int(one[0, "reduction"]["calls"]))
            self.assertLessEqual(of_gradients, int(one[0, "reduction"]["calls"]) + 0.1 * samples + 5, "but for grids that are made")

    def test_exchanges_send_what_the_shares_say(self):
        self.run_deck("two", *SMALL, *CLOCKED, "--trace", ranks=2)
        done = call(PROGRAM, "check", CUBE, *SMALL, "--shares", "1,2,1600")
        self.assertEqual(done.returncode, 0, done.stderr)
        shares = {row["ranks"]: row for row in csv.DictReader(done.stdout.splitlines())}
        rows = self.rows("two", 2)
        held = [rows[rank, "rest"] for rank in (0, 1)]
        self.assertEqual(max(int(row["elements"]) for row in held), int(shares["2"]["largest_elements"]))
        self.assertEqual(max(int(row["nodes"]) for row in held), int(shares["2"]["nodes"]))
        for rank in (0, 1):
            exchange = rows[rank, "exchange"]
            self.assertEqual(int(exchange["bytes"]), 24 * int(exchange["calls"]) * float(shares["2"]["sent_nodes"]))
            self.assertEqual(exchange["messages"], exchange["calls"])
        self.assertEqual([shares[ranks]["empty_ranks"] for ranks in ("1", "2", "1600")], ["0", "0", "64"])
        self.assertEqual(shares["1"]["sent_nodes"], "0")

    def test_contact_and_what_one_rank_does_alone_are_apart(self):
        deck = self.directory / "packing.toml"
        deck.write_text(PACKING.replace("end = 1.0\nevents = 400", "end = 0.004").replace('kind = "own"', 'kind = "slice"'),
                        encoding="utf-8")
        for ranks in (1, 2):
            self.run_deck(f"packing-{ranks}", "--trace", "--set", "localization.contact=own", deck=deck, ranks=ranks)
            rows, summary = self.rows(f"packing-{ranks}", ranks), self.summary(f"packing-{ranks}")
            self.assertEqual(sum(int(row["collectives"]) for (rank, _), row in rows.items() if rank == 0),
                             round(summary["collectives_per_event"] * summary["events"]))
            self.assertGreater(float(rows[0, "contact"]["seconds"]), 0)
            self.assertGreater(int(rows[0, "rest"]["surface_nodes"]), 0)
            self.assertEqual((0, "alone") in rows, ranks > 1)
        self.assertGreater(int(rows[0, "exchange"]["to_all"]), 0)
        done = self.teams(self.directory / "packing-1", "--and", self.directory / "packing-2", "--ranks", "1,2,8")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(table(self.directory / "packing-1" / "teams.csv")), 3)

    def test_what_cannot_be_traced_is_refused(self):
        said = self.run_deck("system", "--trace", deck=ROOT / "inputs" / "d3_pendulum.toml", status=2)
        self.assertIn("--trace: expected a deck of bodies or particles, whose ranks it follows, found a small system", said)
        for kind, found in (("auto", '"auto", which chooses for one rank: write "windows" instead'), ("own", "another layout")):
            said = self.run_deck("for", *SMALL, *CLOCKED, "--set", f"layout.kind={kind}", "--trace", "--trace-for", 4, status=2)
            self.assertIn(f'--trace-for: expected layout.kind = "windows", whose windows it plans, found {found}', said)
        said = self.run_deck("for", *SMALL, "--set", "layout.kind=auto", "--trace", "--trace-for", 4, status=2)
        self.assertIn('--trace-for: expected integrator.method = "clocked-energy-stepping", whose windows it plans, found "energy-stepping"', said)
        for deck, found in (("d3_pendulum", "a small system"), ("c1_argon", "particles")):
            done = call(PROGRAM, "check", ROOT / "inputs" / f"{deck}.toml", "--shares", "2")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"--shares: expected a deck of meshes, whose tetrahedra ranks share, found {found}", done.stderr)
        for shares in ("0", "two", "2,-1"):
            self.assertEqual(call(PROGRAM, "check", CUBE, "--shares", shares).returncode, 2, shares)
        self.assertEqual(list(self.directory.iterdir()), [])

    def test_an_overwritten_directory_keeps_no_trace(self):
        self.run_deck("again", *SMALL, *CLOCKED, "--trace")
        self.run_deck("again", *SMALL, *CLOCKED, "--set", "output.overwrite=true")
        self.assertEqual(sorted((self.directory / "again").glob("trace*.csv")), [])

    def test_operations_are_in_the_profile(self):
        done = call(PROGRAM, "run", CUBE, *SMALL, *CLOCKED, "--output", self.directory / "profile", "--", "-log_view")
        for operation in ("Gradient", "LineSetUp", "Sampling", "Certificate", "Impulse", "Following", "Reduction"):
            self.assertRegex(done.stdout, rf"(?m)^{operation} +\d")


class Prediction(Scratch):
    def setUp(self):
        super().setUp()
        self.write("one", ONE)
        self.write("two", TWO)
        (self.directory / "shares.csv").write_text(SHARES, encoding="utf-8")

    def predict(self, *options):
        done = self.teams(self.directory / "one", "--latency", "0.125", "--overhead", "0.01", "--bandwidth", "1000", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {int(row["ranks"]): {key: float(value) for key, value in row.items()} for row in table(self.directory / "one" / "teams.csv")}
        return rows, done.stdout

    def check(self, rows, expected):
        for ranks, parts in expected.items():
            for part, seconds in parts.items():
                self.assertAlmostEqual(rows[ranks][part], seconds, places=12, msg=f"{part} on {ranks}")
            self.assertAlmostEqual(rows[ranks]["seconds"], sum(parts.values()), places=12)
            self.assertAlmostEqual(rows[ranks]["speed_up"], sum(expected[1].values()) / sum(parts.values()), places=12)
            self.assertAlmostEqual(rows[ranks]["efficiency"], rows[ranks]["speed_up"] / ranks, places=12)

    def test_a_plot_that_is_not_drawn_is_told_of(self):
        (self.directory / "matplotlib.py").write_text("raise ImportError\n", encoding="utf-8")
        done = self.teams(self.directory / "one", environment={**ENVIRONMENT, "PYTHONPATH": str(self.directory)})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.endswith("no plot: python3-matplotlib is missing\n"), done.stdout)

    def test_one_number_of_ranks_has_its_shares_too(self):
        done = subprocess.run(["/usr/bin/python3", ROOT / "cluster" / "teams.py", self.directory / "one", "--ranks", "2"], capture_output=True, text=True,
                              check=False, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        if "no plot" in done.stdout:
            self.skipTest(done.stdout)
        count = ("import sys, matplotlib.image\nimage = matplotlib.image.imread(sys.argv[1])[:, :, :3]\n"
                 "half = image[:, image.shape[1] // 2:]\nprint((abs(half - [31 / 255, 119 / 255, 180 / 255]).max(axis=2) < 0.01).mean())")
        done = subprocess.run(["/usr/bin/python3", "-c", count, self.directory / "one" / "teams.png"], capture_output=True, text=True, check=True)
        self.assertGreater(float(done.stdout), 0.05, "the colour of the first part, work")

    def test_a_trace_of_windows_is_for_the_other_script(self):
        (self.directory / "windows").mkdir()
        (self.directory / "windows" / "trace.csv").touch()
        for name in ("windows", "windows/trace_operations.csv"):
            done = self.teams(self.directory / name)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"expected a trace of ranks that work on each event together, found {self.directory}/windows/trace.csv of a run in "
                          "windows: cluster/replay.py reads it", done.stderr)

    def test_numbers_of_one_trace_are_those_by_hand(self):
        rows, said = self.predict("--shares", self.directory / "shares.csv")
        # 12 s for 800 elements, and 2 s for 200 nodes, 100 of which every rank has. The largest share is 250 elements, the mean 200.
        work, share = 12 * 250 / 800, 200 / 250
        inner = 2 * 50 / 200
        self.check(rows, {
            1: {"work": 12 + 1, "imbalance": 0, "repeated": 1 + 3 + 0.5 + 0.25 + 0.25, "alone": 0, "sums": 0, "exchange": 0},
            # 15 sums of gradients and one for each of 20 samples; all 12 exchanges go to all ranks.
            4: {"work": (work + inner) * share, "imbalance": (work + inner) * (1 - share), "repeated": 1 + 3 + 0.5 + 0.25 + 0.25,
                "alone": 0, "sums": 35 * 0.125 * 2 + 4,
                "exchange": 12 * (0.125 + 0.06 + 24 * 30 / 1000) + 12 * (0.06 + 24 * 60 / 1000)}})
        self.assertIn("800 elements, 35 sums and 12 exchanges", said)
        self.assertIn("efficiency falls below 50 % at 4 ranks", said)

    def test_numbers_of_two_traces_are_those_by_hand(self):
        rows, said = self.predict("--and", self.directory / "two", "--shares", self.directory / "shares.csv")
        # Of the 3 s of contact on one rank, 1 s is done alone. Half the elements take 0.75 s: by that slope all would take 2.5 s, more than
        # the 2 s that are left, so these are all in proportion to elements, and none is done in whole by every rank.
        work, share, inner, repeated = (12 + 2) * 250 / 800, 200 / 250, 0.5, 1 + 0.5 + 0.25 + 0.25
        self.check(rows, {
            1: {"work": 12 + 2 + 1, "imbalance": 0, "repeated": repeated, "alone": 1, "sums": 0, "exchange": 0},
            4: {"work": (work + inner) * share, "imbalance": (work + inner) * (1 - share), "repeated": repeated, "alone": 1,
                "sums": 40 * 0.125 * 2 + 8,
                "exchange": 12 * (0.125 + 0.06 + 24 * 30 / 1000) + 4 * (0.06 + 24 * 60 / 1000)}})
        self.assertIn("40 sums and 12 exchanges", said)
        # Gradients take 8 s for 800 elements and 5 s for 400: 6 s in proportion to elements, 2 s in whole. Impulses: 2 s for 200 nodes,
        # 1.5 s for 150.
        rows, _ = self.predict("--and", self.directory / "two", "--shares", self.directory / "shares.csv", "--split", "all")
        work = (6 + 1 + 2 + 1 + 2) * 250 / 800
        self.assertAlmostEqual(rows[4]["work"], (work + inner) * share, places=12)
        self.assertAlmostEqual(rows[4]["repeated"], repeated + 2, places=12)
        self.assertAlmostEqual(rows[1]["seconds"], 18, places=12)

    def test_one_rank_takes_as_long_as_it_took(self):
        """Also where the others waited longer for work that one rank did alone than one rank needs for all contact."""
        for alone in ("0.5", "2.5", "9.0"):
            self.write("two", TWO.replace("alone,3,0.5", f"alone,3,{alone}"))
            rows, _ = self.predict("--and", self.directory / "two", "--ranks", "1,4")
            self.assertAlmostEqual(rows[1]["seconds"], 18, places=12)
            self.assertAlmostEqual(rows[4]["alone"], min(2 * float(alone), 3), places=12)

    def test_a_trace_of_several_events_at_once_is_refused(self):
        summary = self.directory / "one" / "summary.json"
        summary.write_text('{"concurrency": {"rounds": 9}}', encoding="utf-8")
        self.refused("expected a trace of ranks that work on each event together, found one of a concurrent executor")
        summary.write_text('{"concurrency": null}', encoding="utf-8")
        self.assertEqual(self.teams(self.directory / "one").returncode, 0)

    def test_a_larger_body_costs_what_its_elements_do(self):
        larger = SHARES.replace("1,800,800,800,800", "1,8000,8000,8000,8000").replace("4,800,200,230,250", "4,8000,2000,2300,2500")
        (self.directory / "larger.csv").write_text(larger, encoding="utf-8")
        rows, said = self.predict("--shares", self.directory / "larger.csv")
        self.assertAlmostEqual(rows[1]["work"], 120 + 1, places=12)
        self.assertAlmostEqual(rows[4]["work"], (12 * 2500 / 800 + 0.5) * 0.8, places=12)
        self.assertIn("8000 elements (traced: 800)", said)

    def test_without_shares_a_body_is_cut_into_cubes(self):
        rows, _ = self.predict("--ranks", "64")
        inside = 100 / 64
        faces = 6 * inside ** (2 / 3)
        self.assertAlmostEqual(rows[64]["work"] + rows[64]["imbalance"], 12 * 1.03 / 64 + 2 * (inside + faces / 2) / 200, places=12)
        self.assertAlmostEqual(rows[64]["exchange"], 12 * (0.125 + 0.02 * 14 + 0.024 * faces) + 12 * (0.02 * 63 + 2.4), places=9)

    def refused(self, words, *options):
        done = self.teams(self.directory / "one", *options)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertFalse((self.directory / "one" / "teams.csv").exists())

    def test_traces_and_shares_that_are_none_are_refused(self):
        shares, other = self.directory / "shares.csv", self.directory / "two"
        self.refused("expected a row for 8 ranks, found 1,4", "--shares", shares, "--ranks", "8")
        self.refused("nowhere.csv: expected a table of terrace check DECK --shares", "--shares", self.directory / "nowhere.csv")
        shares.write_text(SHARES.replace("230,250", "230,150"), encoding="utf-8")
        self.refused("expected shares of elements that make up all, found others on 4 ranks", "--shares", shares)
        shares.write_text(SHARES[:-3], encoding="utf-8")
        self.refused("shares.csv:3: expected a whole row of 13 numbers", "--shares", shares)
        self.refused("expected a run on another number of ranks than 1, found the same", "--and", self.directory / "one")
        self.write("two", TWO.replace("500,160", "501,160"))
        self.refused("expected a run of the same deck, 800 elements, found 801", "--and", other)
        self.write("two", TWO.replace("1,rest", "1,impulse"))
        self.refused("expected each operation of a rank once, and rest of every rank", "--and", other)
        for broken, words in (("", "expected the columns rank,operation"),
                              (TRACE, "expected a row for each rank and operation, found none"),
                              (ONE[:-1], "trace_operations.csv:11: expected a whole row of 11 numbers"),
                              (ONE.replace("8.0", "nan"), "trace_operations.csv:2: expected a whole row"),
                              (ONE.replace("8.0", "-8.0"), "expected no number below 0, found one for gradient"),
                              (ONE.replace("gradient", "planning"), "expected operations of ranks that work together, found 'planning'"),
                              (ONE.replace("800,", "0,"), "expected a run of tetrahedra, found none")):
            self.write("one", broken)
            self.refused(words)
        for option, value in (("--ranks", "0"), ("--latency", "-1"), ("--bandwidth", "0"), ("--overhead", "nan"), ("--split", "none")):
            self.refused(f"argument {option}", f"{option}={value}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
