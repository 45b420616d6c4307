"""The layout "windows", in which ranks work without messages for a span of time.

Usage: windows.py TERRACE [OPTION of unittest]...

A run must write what a run without windows writes. An error that one rank meets in a window must end all ranks. Decks for which the
layout is not meant are refused. (mpi/same_bits.py windows: the same bits on many ranks, stopped and resumed.)
"""

import csv
import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mpi"))
from program import call, run_deck  # noqa: E402
from same_bits_decks import GAS  # noqa: E402

PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")
DECK = GAS.replace("end = 1.0\nevents = 1500", "end = 0.006").replace(
    'method = "energy-stepping"\nenergy_step_fraction = 1.0e-4', 'method = "clocked-energy-stepping"').replace(
    "[layout]", '[localization]\nkind = "bodies"\n[layout]')
WINDOWS = ("--set", "layout.kind=windows")
TEAMS = (*WINDOWS, "--set", "layout.teams=always")
ROWS = ("--set", "output.history_interval=5e-4")
# Without helpers, plans depend on the deck alone, not on the speed of ranks.
PLANNED = ("--set", "layout.helpers=never")


class Windows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="terrace-windows-")
        cls.addClassCleanup(scratch.cleanup)
        cls.home = Path(scratch.name).resolve()
        (cls.home / "gas.toml").write_text(DECK, encoding="utf-8")
        cls.without_windows = run_deck(PROGRAM, cls.home / "gas.toml", cls.home / "plain", *ROWS, ranks=1)

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(dir=self.home)
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)
        self.deck = self.directory / "gas.toml"
        self.deck.write_text(DECK, encoding="utf-8")

    def run_in(self, name, *options, ranks=1):
        return run_deck(PROGRAM, self.deck, self.directory / name, *ROWS, *options, ranks=ranks)

    def plain(self):
        """The summary of the run of DECK without windows; its output appears as "plain" in this test's directory."""
        (self.directory / "plain").symlink_to(self.home / "plain")
        return self.without_windows

    def compare(self, name, summary, plain):
        """Compares a run with the one in "plain": tables, and entries of the summary."""
        for table in ("history.csv", "bodies.csv", "subdomains.csv", "steps.csv"):
            rows, expected = ((self.directory / directory / table).read_text(encoding="utf-8").splitlines()
                              for directory in (name, "plain"))
            self.assertEqual(rows, expected, f"{table} of {name}")
        for key in ("state_hash", "events", "energy_drift", "momentum_change", "angular_momentum_drift", "average_step", "monitors",
                    "warnings"):
            self.assertEqual(summary[key], plain[key], f"{key} of {name}")

    def test_rows_are_those_of_a_run_without_windows(self):
        plain = self.plain()
        self.assertGreater(plain["events"], 2000)
        self.check_events_of_bodies_and_of_groups(plain)  # compare() requires the same rows of the other runs
        cut, searches = 0, {}
        for name, options, ranks in (("one", WINDOWS, 1), ("two", WINDOWS, 2), ("three", WINDOWS, 3), ("teams", TEAMS, 2), ("more-teams", TEAMS, 3)):
            summary = self.run_in(name, *options, *PLANNED, ranks=ranks)
            self.compare(name, summary, plain)
            # A search that all ranks of a team make counts once. Plans with teams have other windows, and so a few more searches.
            self.assertLess(summary["searches"], 1.25 * searches.setdefault(ranks, summary["searches"]), name)
            self.check_record(summary, ranks)
            self.check_teams(summary, options is TEAMS)
            cut += summary["windows"]["cut_windows"]
        self.assertGreater(cut, 0, "some ball must have left its flight, for ranks to have gone back")

    def check_events_of_bodies_and_of_groups(self, plain):
        """The events of bodies and groups add up to those of the run."""
        with open(self.directory / "plain" / "subdomains.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 27 + 1)
        self.assertEqual(rows[-1]["name"], "touching bodies")
        self.assertGreater(int(rows[-1]["events"]), 0)
        self.assertEqual(sum(int(row["events"]) for row in rows), plain["events"])

    def test_supports_receive_once_what_ranks_of_a_team_push_together(self):
        # A support moves half of a ball, which other balls and walls push.
        self.deck.write_text(DECK + """
[[supports]]
name = "hand"
body = "ball-1"
box = [[-9.0, -9.0, -9.0], [9.0, 9.0, 0.0125]]
velocity = [1.0, 0.5, 0.0]
""", encoding="utf-8")
        plain = self.run_in("plain")
        self.assertEqual(plain["momentum_change"], 0)
        self.assertLess(plain["energy_drift"], 1e-14)
        team_events = 0
        for name, options, ranks in (("two", WINDOWS, 2), ("teams", TEAMS, 2), ("more-teams", TEAMS, 3)):
            summary = self.run_in(name, *options, ranks=ranks)
            self.compare(name, summary, plain)
            team_events += summary["windows"]["team_events"]
        self.assertGreater(team_events, 100)
        with open(self.directory / "plain" / "bodies.csv", newline="", encoding="utf-8") as file:
            received = [abs(float(row["momentum_x"])) for row in csv.DictReader(file) if row["body"] == "hand"]
        self.assertGreater(received[-1], 0)

    def test_a_later_end_with_more_rows(self):
        plain = self.plain()
        for ranks in (1, 3):
            self.run_in(f"later-{ranks}", *WINDOWS, "--set", "time.end=0.00301", ranks=ranks)
            # A row is due at 0.003008, before the time that was reached: the first window has no length.
            later = self.run_in(f"later-{ranks}", *WINDOWS, "--resume", "--set", "output.history_interval=1.6e-5", ranks=ranks)
            self.assertEqual(later["state_hash"], plain["state_hash"], ranks)

    def check_record(self, summary, ranks):
        windows = summary["windows"]
        self.assertGreaterEqual(windows["windows"], 12, "every row ends one")
        self.assertLess(windows["cut_windows"], windows["windows"])
        self.assertTrue(1 < windows["clusters"] <= 27, windows["clusters"])
        self.assertTrue(1 / ranks <= windows["balance"] <= 1 + 1e-12, windows["balance"])
        self.assertEqual(windows["moved_bodies"] > 0, ranks > 1)
        # There are some collectives for each window and each row, and many events in a window.
        collectives = summary["collectives_per_event"] * summary["events"]
        self.assertLess(collectives, 8 * windows["windows"] + 4 * windows["cut_windows"] + 80)
        self.assertGreater(collectives, 7.99 * windows["windows"], "also of one rank")
        self.assertGreater(summary["events"] / windows["windows"], 20)

    def check_teams(self, summary, are_used):
        windows = summary["windows"]
        if not are_used:
            self.assertLess(windows["teams"], 0.2, "of balls of some forty tetrahedra few groups are large enough")
            self.assertEqual(windows["teams"] > 0, windows["team_events"] > 0)
            return
        self.assertTrue(0.5 < windows["teams"] <= windows["clusters"], windows)
        self.assertTrue(100 < windows["team_events"] < summary["events"], windows)
        # An event of touching bodies takes one message to all, an event of others none. Some more are needed to confirm the team's last
        # event, where bodies meet and part, and where grids are made.
        self.assertGreater(windows["team_collectives"], max(100, 0.5 * windows["team_events"]))
        self.assertLess(windows["team_collectives"], 1.1 * windows["team_events"])

    def test_teams_are_where_the_deck_says(self):
        # With eight balls of some thousand tetrahedra each, a single group is more than a rank's share: it needs a team.
        packing = Path(__file__).resolve().parents[2] / "inputs" / "packing.toml"
        large = ("--set", "bodies.0.repeat.counts=[2,2,2]", "--set", "bodies.0.size=0.0025", "--set", "time.end=0.003")
        for teams, are_used in (("auto", True), ("never", False)):
            summary = run_deck(PROGRAM, packing, self.directory / teams, *large, *WINDOWS, *PLANNED, "--set", f"layout.teams={teams}", ranks=2)
            windows = summary["windows"]
            self.assertEqual(windows["team_events"] > 50, are_used, teams)
            if not are_used:
                self.assertEqual([windows[key] for key in ("teams", "team_events", "team_collectives")], [0, 0, 0])
        for option, value, expected in (("layout.kind", "slice", 'layout.kind = "windows" or "auto", whose clusters ranks share'),
                                        ("layout.teams", "sometimes", '"never"')):
            done = call(PROGRAM, "run", self.deck, "--output", self.directory / "refused", *TEAMS, "--set", f"{option}={value}")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(expected, done.stderr)

    def test_clusters_go_to_ranks_that_are_done(self):
        plain, cut = self.plain(), 0
        for helpers, teams, ranks in (("never", "auto", 2), ("auto", "auto", 1), ("always", "auto", 2), ("always", "always", 3),
                                      ("always", "never", 5)):
            name = f"{helpers}-{teams}-{ranks}"
            summary = self.run_in(name, *WINDOWS, "--set", f"layout.helpers={helpers}", "--set", f"layout.teams={teams}", ranks=ranks)
            self.compare(name, summary, plain)
            self.check_record(summary, ranks)
            windows = summary["windows"]
            self.assertEqual(windows["helped_clusters"] > 0, helpers == "always", name)
            cut += windows["cut_windows"] if helpers == "always" else 0
        self.assertGreater(cut, 0, "some ball must have left its flight while clusters went from rank to rank")
        # With many clusters some rank is done before another, if only because the plan foresees their work only roughly.
        packing = Path(__file__).resolve().parents[2] / "inputs" / "packing.toml"
        for helpers in ("never", "auto"):
            summary = run_deck(PROGRAM, packing, self.directory / f"many-{helpers}", *WINDOWS, "--set", "time.end=0.003",
                               "--set", f"layout.helpers={helpers}", "--set", "output.field_interval=-1", ranks=3)
            self.assertEqual(summary["windows"]["helped_clusters"] > 0, helpers == "auto", helpers)
        for options, expected in ((("layout.kind=own", "layout.helpers=auto"), "whose clusters ranks share"),
                                  (("layout.kind=windows", "layout.helpers=sometimes"), '"never"')):
            settings = [word for option in options for word in ("--set", option)]
            done = call(PROGRAM, "run", self.deck, "--output", self.directory / "refused", *settings)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(expected, done.stderr)

    def test_windows_get_no_shorter_than_is_worth_while_where_balls_of_different_ranks_meet(self):
        # There would be ten events in a window if the cost of bringing balls together had to pay within that window; in other packings
        # windows would become shorter for ever.
        packing = Path(__file__).resolve().parents[2] / "inputs" / "packing.toml"
        side, options = 3 * 0.022, []
        for key, value in {"bodies.0.size": 0.005, "bodies.0.position": "[0.011,0.011,0.011]", "bodies.0.repeat.counts": "[3,3,3]",
                           "bodies.0.repeat.spacing": "[0.022,0.022,0.022]", "bodies.0.repeat.random_speed": 3.0,
                           "bodies.0.repeat.seed": 1, "contact.close_start": "reduce", "time.end": 0.008, "walls.1.point": f"[{side},0,0]",
                           "walls.3.point": f"[0,{side},0]", "walls.5.point": f"[0,0,{side}]"}.items():
            options += ["--set", f"{key}={value}"]
        summary = run_deck(PROGRAM, packing, self.directory / "dense", *options, "--set", "output.history_interval=1", *PLANNED, ranks=2)
        self.assertGreater(summary["events"] / summary["windows"]["windows"], 20)

    def test_balls_that_spin_beside_each_other_are_clusters_of_their_own(self):
        # Nodes of spinning balls go round, but hardly leave their straight lines within a window. If the balls' whole extents were reserved
        # instead, most balls would be one cluster, and one rank would have most of the work.
        packing = Path(__file__).resolve().parents[2] / "inputs" / "packing.toml"
        options = ["--set", "output.field_interval=-1"]
        for key, value in {"bodies.0.repeat.counts": "[2,2,2]", "bodies.0.repeat.spacing": "[0.0225,0.0225,0.0225]",
                           "bodies.0.repeat.random_speed": 0.02, "bodies.0.spin": "[0,0,100]", "time.end": 0.04}.items():
            options += ["--set", f"{key}={value}"]
        plain = run_deck(PROGRAM, packing, self.directory / "spinning", *options, "--set", "layout.kind=own")
        for helpers, ranks in (("never", 2), ("always", 3)):
            summary = run_deck(PROGRAM, packing, self.directory / f"spinning-{helpers}", *options, *WINDOWS,
                               "--set", f"layout.helpers={helpers}", ranks=ranks)
            windows = summary["windows"]
            self.assertEqual([summary[key] for key in ("state_hash", "events")], [plain[key] for key in ("state_hash", "events")])
            self.assertGreater(windows["clusters"], 7, helpers)
            self.assertGreater(windows["balance"], 0.9 if ranks == 2 else 0.6, helpers)
            self.assertLess(windows["cut_windows"], 5, helpers)
            self.assertEqual(windows["helped_clusters"] > 0, helpers == "always", helpers)

    def test_what_a_team_did_ahead_of_an_objection_is_done_again(self):
        # Balls fly at twice their wave speed, with steps as long as allowed. Some kick's step turns out too long, and a rank objects after
        # it has processed events of balls that no other rank needs to know of.
        packing = Path(__file__).resolve().parents[2] / "inputs" / "packing.toml"
        options = ["--trace"]
        for key, value in {"bodies.0.size": 0.008, "bodies.0.repeat.counts": "[3,3,3]", "bodies.0.repeat.random_speed": 24.0,
                           "bodies.0.repeat.seed": 1, "time.end": 0.002, "integrator.time_step_factor": 0.95,
                           "integrator.debt_tolerance": 1.0, "output.field_interval": -1.0, "walls.1.point": "[0.075,0,0]",
                           "walls.3.point": "[0,0.075,0]", "walls.5.point": "[0,0,0.075]"}.items():
            options += ["--set", f"{key}={value}"]
        alone = run_deck(PROGRAM, packing, self.directory / "fast", *options[1:], "--set", "layout.kind=own")
        team = run_deck(PROGRAM, packing, self.directory / "fast-team", *options, *TEAMS, *PLANNED, ranks=2)
        self.assertEqual(team["state_hash"], alone["state_hash"])
        rows, clusters = ([*csv.DictReader((self.directory / "fast-team" / table).read_text(encoding="utf-8").splitlines())]
                          for table in ("trace_ranks.csv", "trace.csv"))
        rows = [row for row in rows if row["rank"] == "0"]
        # Windows that a ball cut by leaving its flight are also done again, so they are left out.
        cut = {row["window"] for row in clusters if row["cut"] == "1"}
        self.assertEqual(len(cut), team["windows"]["cut_windows"])
        self.assertTrue({row["window"] for row in rows if float(row["redoing"]) > 0} - cut)
        # The trace counts the collectives that come before each plan, too.
        self.assertGreaterEqual(min(int(row["collectives"]) for row in rows), 8)

    def test_the_hash_is_that_of_one_rank_wherever_the_run_ends(self):
        # A rank that looks far ahead knows of clocks that have not begun. These must not be part of the state.
        clocked = ("--set", "integrator.method=clocked-energy-stepping", "--set", "localization.contact=touching")
        gas = self.directory / "gas-by-events.toml"
        gas.write_text(GAS, encoding="utf-8")
        for events in (600, 640):
            options = (*clocked, "--set", f"time.events={events}", "--set", "output.field_interval=-1.0")
            hashes = {name: run_deck(PROGRAM, gas, self.directory / f"{name}-{events}", *options, *layout, ranks=ranks)["state_hash"]
                      for name, layout, ranks in (("own", ("--set", "layout.kind=own"), 1), ("three", WINDOWS, 3), ("team", TEAMS, 2))}
            self.assertEqual(len(set(hashes.values())), 1, (events, hashes))

    def test_balls_that_touch_on_one_rank_part_on_all(self):
        # Layout "own", without windows. Neighbours along y belong to one rank, which tells the others whether they still touch.
        packing = Path(__file__).resolve().parents[2] / "inputs" / "packing.toml"
        options = ("--set", "bodies.0.repeat.counts=[2,2,1]", "--set", "bodies.0.repeat.spacing=[0.03,0.0206,0.025]", "--set",
                   "bodies.0.repeat.random_speed=1.0", "--set", "bodies.0.repeat.seed=65", "--set", "bodies.0.size=0.006", "--set",
                   "contact.close_start=reduce", "--set", "layout.kind=own", "--set", "time.end=0.01", "--set", "output.field_interval=1")
        hashes = {run_deck(PROGRAM, packing, self.directory / f"own-{ranks}", *options, ranks=ranks)["state_hash"] for ranks in (1, 2)}
        self.assertEqual(len(hashes), 1)

    def test_balls_that_touched_in_the_window_are_divided_when_they_meet_a_divided_group(self):
        # At 8 m/s two balls touch, each whole on its rank, and together meet a divided group before the window ends.
        self.deck.write_text(DECK.replace("random_speed = 4.0", "random_speed = 8.0"), encoding="utf-8")
        options = ("--set", "output.history_interval=1", "--set", "time.end=0.0056")
        plain = self.run_in("plain", *options)
        self.assertEqual(self.run_in("teams", *options, *TEAMS, ranks=2)["state_hash"], plain["state_hash"])

    def test_what_kicks_leave_unbalanced_is_counted_once(self):
        # Most kicks are clipped. With these velocities some of them are in passages that are done again, and some before and some after
        # the state is saved.
        self.deck.write_text(DECK.replace("random_speed = 4.0, seed = 8", "random_speed = 8.0, seed = 3"), encoding="utf-8")
        clipping = ("--set", "integrator.largest_correction=1e-4", "--set", "integrator.debt_tolerance=1", "--set", "output.restart_interval=0.01")
        plain = self.run_in("plain", *clipping)["balance"]
        self.assertGreater(plain["clipped_kicks"], 1000)
        for name, options, ranks in (("one", WINDOWS, 1), ("two", WINDOWS, 2), ("three", WINDOWS, 3), ("teams", TEAMS, 3)):
            summary = self.run_in(name, *clipping, *options, ranks=ranks)
            self.assertEqual(summary["balance"], plain, f"{name}, on {ranks} ranks")
            if options is WINDOWS:
                self.assertGreater(summary["windows"]["cut_windows"], 0, name)

    def test_what_was_counted_before_a_run_goes_on_is_counted_once(self):
        clipping = ("--set", "integrator.largest_correction=1e-4", "--set", "integrator.debt_tolerance=1", "--set", "output.restart_interval=0.01")
        plain = self.run_in("plain", *clipping)
        self.assertGreater(plain["balance"]["clipped_kicks"], 500)
        half = f"time.events={plain['events'] // 2}"
        for name, first, ranks, second, ranks_later in (("on", WINDOWS, 2, WINDOWS, 2), ("into", (), 2, TEAMS, 3), ("out", TEAMS, 2, (), 1)):
            self.assertGreater(self.run_in(name, *clipping, *first, "--set", half, ranks=ranks)["balance"]["clipped_kicks"], 0)
            summary = self.run_in(name, *clipping, *second, "--resume", ranks=ranks_later)
            for key in ("state_hash", "events", "balance"):
                self.assertEqual(summary[key], plain[key], f"{key} of {name}")
            for table in ("subdomains.csv", "steps.csv"):
                rows, expected = ((self.directory / directory / table).read_text(encoding="utf-8").splitlines() for directory in (name, "plain"))
                self.assertEqual(rows, expected, f"{table} of {name}")

    def test_many_bodies_have_windows_if_the_deck_does_not_say(self):
        packing = Path(__file__).resolve().parents[2] / "inputs" / "packing.toml"
        for choice, ranks, expected in (("auto", 1, "windows"), ("auto", 2, "windows"), ("own", 1, "own")):
            summary = run_deck(PROGRAM, packing, self.directory / "output", "--set", f"layout.kind={choice}", "--set", "time.end=1e-4",
                               "--set", "output.overwrite=true", "--set", "output.history_interval=1e-4", ranks=ranks)
            self.assertEqual(summary["layout"], expected)
            self.assertEqual(summary["windows"] is not None, expected == "windows")
        checking = ("--set", "layout.kind=auto", "--set", "integrator.executor=checking", "--set", "time.end=1e-4", "--set",
                    "output.overwrite=true", "--set", "output.history_interval=1e-4")
        self.assertEqual(run_deck(PROGRAM, packing, self.directory / "output", *checking)["layout"], "slice")

    def test_an_error_in_a_window_is_told_once_and_ends_all_ranks(self):
        strict = ("--set", "integrator.debt_tolerance=1e-17", "--set", "integrator.largest_correction=1e-9")
        said, reached, rows = [], [], []
        for name, options, ranks in (("plain", (), 1), ("one", WINDOWS, 1), ("two", WINDOWS, 2), ("three", WINDOWS, 3), ("teams", TEAMS, 2)):
            output = self.directory / name
            done = call(PROGRAM, "run", self.deck, "--output", output, *strict, *options, ranks=ranks)
            self.assertEqual(done.returncode, 1, done.stderr)
            lines = [line for line in done.stderr.splitlines() if line.startswith("terrace: error")]
            self.assertEqual(len(lines), 1, done.stderr)
            said.append(lines[0])
            summary = json.loads((output / "summary.json").read_text(encoding="utf-8"))
            self.assertTrue(summary["status"].startswith("failed: "), summary["status"])
            self.assertEqual(summary["momentum_change"], 0)
            reached.append([summary[key] for key in ("state_hash", "events", "final_time", "average_step")])
            rows.append((output / "history.csv").read_text(encoding="utf-8"))
        self.assertIn("a step whose energy balances to 1e-17", said[0])
        self.assertEqual(set(said), {said[0]})
        for state, table in zip(reached, rows):
            self.assertEqual(state[:3], reached[0][:3], "what is left is the state at the error")
            self.assertAlmostEqual(state[3] / reached[0][3], 1, delta=1e-12)
            self.assertEqual(table, rows[0])

    def test_where_several_fail_at_once_the_first_ends_the_run(self):
        # Equal cubes have their events at the same instants, and all would fail at one of them. Only the first failure counts; later events
        # are not processed.
        cube = Path(__file__).resolve().parents[2] / "inputs" / "a1_spinning_cube.toml"
        options = ["--set", "integrator.method=clocked-energy-stepping"]
        for key, value in {"bodies.0.cells": "[2,2,2]", "bodies.0.repeat.counts": "[3,1,1]", "bodies.0.repeat.spacing": "[3,3,3]",
                           "contact.model": "barrier", "localization.kind": "bodies", "localization.contact": "touching",
                           "integrator.largest_correction": 1e-9, "integrator.debt_tolerance": 1e-12, "output.field_interval": -1}.items():
            options += ["--set", f"{key}={value}"]
        left = []
        for name, layout, ranks in (("own", ("--set", "layout.kind=own"), 2), ("one", WINDOWS, 1), ("three", WINDOWS, 3)):
            output = self.directory / f"at-once-{name}"
            done = call(PROGRAM, "run", cube, "--output", output, *options, *layout, ranks=ranks)
            self.assertEqual(done.returncode, 1, done.stderr)
            summary = json.loads((output / "summary.json").read_text(encoding="utf-8"))
            self.assertIn("failed: cube-1, time", summary["status"])
            left.append([summary[key] for key in ("status", "state_hash", "events", "final_time")])
        self.assertEqual(left[1:], [left[0], left[0]])

    def test_decks_it_is_not_for_are_refused(self):
        # One case runs on two ranks, to see that only one of them reports the error.
        for ranks, setting, expected in (
                (2, "integrator.method=newmark", 'integrator.method = "clocked-energy-stepping", found "newmark"'),
                (1, "localization.kind=global", 'localization.kind = "bodies"'),
                (1, "localization.contact=own", 'localization.contact = "touching"'),
                (1, "contact.model=none", 'contact of bodies, found contact.model = "none"'),
                (1, "integrator.executor=checking", 'integrator.executor = "sequential", found "checking"')):
            done = call(PROGRAM, "run", self.deck, "--output", self.directory / "refused", *WINDOWS, "--set", setting, ranks=ranks)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn('layout.kind = "windows" with ' + expected, done.stderr)
            self.assertEqual(done.stderr.count("terrace: error"), 1, done.stderr)
            self.assertFalse((self.directory / "refused").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
