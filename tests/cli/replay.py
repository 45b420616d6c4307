"""Tests of cluster/replay.py, which replays a trace of windows on other numbers of ranks, and of what the scripts of cluster/ share.

Usage: replay.py TERRACE [OPTION of unittest]...
"""

import json
import subprocess
import sys
import unittest

from scaling import ENVIRONMENT, NO_PLOT, ROOT, Scratch, run_script, table, without_matplotlib

sys.path.append(str(ROOT / "cluster"))
from tables import write_table  # noqa: E402

# Two windows of 4 clusters, planned for 4 ranks; the second is cut half-way by cluster 0.
CLUSTERS = """\
window,begin,end,reached,cut,cluster,rank,team,bodies,elements,contact,leaves,foreseen,events,element_evaluations,seconds,critical_seconds,news_bytes
0,0,1,1,0,0,3,3,1,50,0,1,4,10,100,4.0,4.0,1000
0,0,1,1,0,1,2,2,1,50,0,1,3,10,100,3.0,3.0,0
0,0,1,1,0,2,1,1,1,50,0,1,2,10,100,2.0,2.0,0
0,0,1,1,0,3,1,1,1,50,0,1,1,10,100,1.0,1.0,0
1,1,2,1.5,1,0,0,0,1,50,0,1.5,4,10,100,2.0,2.0,0
1,1,2,1.5,1,1,1,1,1,50,0,2,4,10,100,2.0,2.0,0
"""
RANKS = """\
window,rank,planned_for,events,element_evaluations,news_bytes,collectives,fetched_bytes,coming_elements,coming_contact,planning,beginning,working,redoing,telling,exchanging,learning,divided_planning
0,0,4,40,400,1000,3,500,0,0,0.5,0.8,10.0,0,0.4,0,0.25,0.4
1,0,4,20,200,0,4,0,100000,2000.0,0.5,0.0,4.0,0,0.0,0,0.25,0.0
"""


class Replay(Scratch):
    def write(self, clusters=CLUSTERS, ranks=RANKS):
        (self.directory / "trace.csv").write_text(clusters, encoding="utf-8")
        (self.directory / "trace_ranks.csv").write_text(ranks, encoding="utf-8")

    def replay(self, *options, environment=ENVIRONMENT):
        return run_script("replay.py", self.directory, *options, environment=environment)

    def test_a_trace_of_another_layout_is_sent_elsewhere(self):
        (self.directory / "trace_operations.csv").write_text("rank,operation\n", encoding="utf-8")
        done = self.replay()
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("trace.csv: expected a trace of a run in windows, found ", done.stderr)
        self.assertIn("trace_operations.csv of another layout, which teams.py reads", done.stderr)

    def test_a_plot_that_is_not_drawn_is_told_of(self):
        self.write()
        done = self.replay(environment=without_matplotlib(self.directory))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.endswith(f"table: {self.directory}/replay.csv\n{NO_PLOT}"), done.stdout)

    def test_it_ends_without_a_word_where_nobody_reads_on(self):
        self.write()
        script = subprocess.Popen([sys.executable, str(ROOT / "cluster" / "replay.py"), str(self.directory)], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        script.stdout.close()
        self.assertEqual(script.stderr.read(), "")
        script.stderr.close()
        script.wait(timeout=60)

    def test_numbers_are_those_by_hand(self):
        self.write()
        done = self.replay("--ranks", "1,2,4", "--latency", "0.125", "--bandwidth", "2000")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {int(row["ranks"]): {key: float(value) for key, value in row.items()} for row in table(self.directory / "replay.csv")}
        # Seconds per foreseen element: (10 + 4) / (10 + 4) = 1.
        # Of planning, ranks do not divide 0.1 + 0.5 s.
        expected = {
            # One rank does all the work in turn. It cut the window itself, so it does nothing again.
            1: {"work": 14, "imbalance": 0, "redone": 0, "planning": 1, "beginning": 0.8, "exchange": 0.4, "learning": 0.5},
            # Ranks have 4 + 1 s and 3 + 2 s in window 0, 2 s each in window 1. There one goes 2 s beyond the cut and does 2 s again: 4 + 2
            # instead of 2.
            2: {"work": 7, "imbalance": 0, "redone": 4, "planning": 0.6 + 0.2, "beginning": 0.4 + 0.03 + 0.01, "exchange": 0.2 + 7 * 0.125 + 0.5 + 0.25,
                "learning": 0.5},
            # By the plan ranks have 4, 3, 2 + 1 and 0 s in window 0; in window 1 ranks 0 and 1 have 2 s each.
            4: {"work": 3.5, "imbalance": 1.5 + 1, "redone": 4, "planning": 0.6 + 0.1, "beginning": 0.2 + 0.03 + 0.01,
                "exchange": 0.1 + 2 * 7 * 0.125 + 0.5 + 0.25, "learning": 0.5},
        }
        for ranks, parts in expected.items():
            for part, seconds in parts.items():
                self.assertAlmostEqual(rows[ranks][part], seconds, places=12, msg=f"{part} on {ranks}")
            self.assertAlmostEqual(rows[ranks]["seconds"], sum(parts.values()), places=12)
            self.assertAlmostEqual(rows[ranks]["speed_up"], sum(expected[1].values()) / sum(parts.values()), places=12)
            self.assertAlmostEqual(rows[ranks]["efficiency"], rows[ranks]["speed_up"] / ranks, places=12)
        # Cluster 1 leaves its flight half-way between cut and end: its rank goes on for 1 s, and does 2 s again.
        self.write(clusters=CLUSTERS.replace("0,2,4,10,100,2.0", "0,1.75,4,10,100,2.0"))
        self.assertEqual(self.replay("--ranks", "2").returncode, 0)
        self.assertAlmostEqual(float(table(self.directory / "replay.csv")[0]["redone"]), 3, places=12)
        self.write()
        self.assertEqual(self.replay("--ranks", "2", "--take-over", "2e-6", "--take-over-contact", "3e-5").returncode, 0)
        self.assertAlmostEqual(float(table(self.directory / "replay.csv")[0]["beginning"]), 0.4 + 0.2 + 0.06, places=12)
        # All six clusters had the same number of evaluations: 14 / 6 s each. By the plan rank 1 has two of the four of window 0.
        self.assertEqual(self.replay("--ranks", "4", "--by-elements").returncode, 0)
        row, = table(self.directory / "replay.csv")
        self.assertAlmostEqual(float(row["work"]), 3.5, places=12)
        self.assertAlmostEqual(float(row["imbalance"]), 3 * 14 / 6 - 3.5, places=12)
        self.assertIn("efficiency falls below 50 % at 4 ranks", done.stdout)
        self.assertIn("2 windows, planned for 4 ranks", done.stdout)
        # Ranks 0 and 3 share the first cluster: its 4 s become 2.5 s on each (critical_seconds), plus messages of 10 events.
        divided = CLUSTERS.replace("0,0,1,1,0,0,3,3,1,50,0,1,4,10,100,4.0,4.0", "0,0,1,1,0,0,0,0 3,2,100,0,1,4,10,100,4.0,2.5")
        self.write(clusters=divided)
        self.assertEqual(self.replay("--ranks", "4", "--latency", "0.125").returncode, 0)
        row, = table(self.directory / "replay.csv")
        for part, seconds in {"work": 3.5, "sums": 1.5, "imbalance": 1}.items():
            self.assertAlmostEqual(float(row[part]), seconds, places=12, msg=part)
        self.assertIn("for other numbers P trace again with --trace-for P", done.stdout)

    def test_cores_that_are_not_alike(self):
        self.write()
        done = self.replay("--ranks", "1,2", "--latency", "0.125", "--bandwidth", "2000", "--slowness", "1,2,7")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {int(row["ranks"]): {key: float(value) for key, value in row.items()} for row in table(self.directory / "replay.csv")}
        # The two ranks do as much as 1.5 traced cores. In window 0 the first takes 4 + 2 + 1 s, the second twice 3; in window 1 the first 2,
        # the second twice 2. The first cuts that window: the second goes twice 2 s beyond the cut and does twice 2 again. Work that both do
        # alike takes twice as long; messages take as long as before.
        expected = {"work": 14 / 1.5, "imbalance": 7 + 4 - 14 / 1.5, "sums": 0, "redone": 4 + 4, "planning": 2 * (0.6 + 0.2),
                    "beginning": 2 * (0.4 + 0.03 + 0.01), "exchange": 2 * 0.2 + 7 * 0.125 + 0.5 + 0.25, "learning": 2 * 0.5}
        for part, seconds in expected.items():
            self.assertAlmostEqual(rows[2][part], seconds, places=12, msg=part)
        self.assertAlmostEqual(rows[1]["seconds"], 14 + 1 + 0.8 + 0.4 + 0.5, places=12)  # alone it is as it was traced
        self.assertAlmostEqual(rows[2]["efficiency"], rows[1]["seconds"] / rows[2]["seconds"] / 2, places=12)
        for slowness, words in (("1,0", "positive numbers, comma-separated, found 1,0"), ("1,inf", "positive numbers, comma-separated, found 1,inf"),
                                ("", "positive numbers, comma-separated, found "), ("1,two", "positive numbers, comma-separated, found 1,two")):
            done = self.replay("--slowness", slowness)
            self.assertEqual((done.returncode, done.stderr.splitlines()[-1]),
                             (2, f"replay.py: error: argument --slowness: expected {words}"))
        (self.directory / "replay.csv").unlink()
        self.refused("--slowness: expected a number for each of 4 ranks, found 2", "--ranks", "2,4", "--slowness", "1,2")
        self.write(ranks=RANKS + "1,1,4,0,0,0,4,0,0,0.0,0.0,0.0,0.0,0,0.0,0,0.0,0.0\n")
        self.refused("--slowness: expected a trace on one rank, with --trace-for P, found one of several", "--ranks", "2", "--slowness", "1,2")

    def test_ranks_that_are_done_take_clusters_of_others(self):
        header = CLUSTERS.splitlines(keepends=True)[0]
        rows = ("0,0,1,1,0,0,0,0,1,50,0,1,4000,10,100,6.0,6.0,0", "0,0,1,1,0,1,0,0,1,50,0,1,2000,10,100,2.0,2.0,0",
                "0,0,1,1,0,2,0,0,1,50,0,1,1000,10,100,1.0,1.0,0", "0,0,1,1,0,3,1,1,1,50,0,1,6900,10,100,3.0,3.0,0")
        of_rank = f"{RANKS.splitlines(keepends=True)[0]}0,0,2,40,400,0,0,0,0,0,0,0,12.0,0,0,0,0,0\n"
        options = ("--ranks", "2", "--latency", "0.005", "--take-over", "1e-3", "--take-over-contact", "1e-2")
        # Rank 1 is done at 3 s, when half of rank 0's first cluster is left, 2000 elements, and 5000 in all. If rank 1 takes the cluster of
        # 2000, each has 3000 at most. At 5.06 s rank 0 has 4000 · 0.94 / 6 = 627 and 1000 left: 1000 and 400 for taking it over are less.
        for contact, more, expected in ((0, (), 3 + 2 * (0.05 + 0.01) + 2 + 1 - 6), (0, ("--without-helpers",), 9 - 6),
                                        # 4 nodes in contact cost 240 more: 1640 are more than 1627, so the last cluster stays.
                                        (4, (), 6 + 1 - 6)):
            text = header + "".join(row.replace(",50,0,", f",50,{contact},") + "\n" for row in rows)
            self.write(clusters=text, ranks=of_rank)
            done = self.replay(*options, *more)
            self.assertEqual(done.returncode, 0, done.stderr)
            row, = table(self.directory / "replay.csv")
            self.assertAlmostEqual(float(row["work"]), 6, places=12)
            self.assertAlmostEqual(float(row["imbalance"]), expected, places=9, msg=(contact, more))
        # On cores half as fast everything but messages takes twice as long.
        self.write(clusters=header + "".join(row + "\n" for row in rows), ranks=of_rank)
        self.assertEqual(self.replay(*options, "--slowness", "2,2").returncode, 0)
        row, = table(self.directory / "replay.csv")
        self.assertAlmostEqual(float(row["work"]) + float(row["imbalance"]), 2 * (3 + 2 * 0.05 + 2 + 1) + 2 * 0.01, places=9)
        # The trace of a run on both ranks says itself which rank took which cluster: no helpers are simulated.
        self.write(clusters=header + "".join(row + "\n" for row in rows), ranks=of_rank + "0,1,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n")
        self.assertEqual(self.replay(*options).returncode, 0)
        self.assertAlmostEqual(float(table(self.directory / "replay.csv")[0]["imbalance"]), 9 - 6, places=12)

    def test_ranks_without_work_cost_nothing_to_replay(self):
        self.write()
        done = run_script("replay.py", self.directory, "--ranks", "6,1000000")
        self.assertEqual(done.returncode, 0, done.stderr)
        few, many = table(self.directory / "replay.csv")
        self.assertAlmostEqual(float(few["work"]) + float(few["imbalance"]), float(many["work"]) + float(many["imbalance"]), places=12)
        self.assertEqual(few["redone"], many["redone"])

    def test_teams_that_ran_have_no_speed_up(self):
        """The rows of teams include waiting for each other: their sum would be several times what one rank needs."""
        row = "0,0,1,1,0,0,0,0 3,2,100,0,1,4,10,100,4.0,4.0,1000\n"
        team = CLUSTERS.replace("0,0,1,1,0,0,3,3,1,50,0,1,4,10,100,4.0,4.0,1000\n",
                                row + row.replace("0,0,0 3,2,100,0,1,4,10", "0,3,0 3,2,100,0,1,4,0"))
        self.assertEqual(len(team.splitlines()), len(CLUSTERS.splitlines()) + 1)
        self.write(clusters=team, ranks=RANKS.replace("10.0,0,0.4", "14.0,0,0.4"))
        words = "teams ran themselves here: speed-ups need a trace on one rank with --trace-for P"
        for ranks in ("1", "1,4", "8"):
            self.refused(f"--ranks: expected 4, found {ranks}; {words}", "--ranks", ranks)
        for options in (("--ranks", "4"), ()):
            done = self.replay("--latency", "0.125", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(words, done.stdout)
            self.assertNotIn("efficiency stays", done.stdout)
            row, = table(self.directory / "replay.csv")
            self.assertEqual((row["ranks"], row["speed_up"], row["efficiency"], float(row["sums"])), ("4", "", "", 0))
            # In window 0 ranks 0 and 3 had 4 s each, waiting included, ranks 2 and 1 had 3 s; in window 1 ranks 0 and 1 had 2 s each.
            self.assertAlmostEqual(float(row["work"]) + float(row["imbalance"]), 4 + 2, places=12)
            (self.directory / "replay.csv").unlink()

    def refused(self, words, *options):
        done = self.replay(*options)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertFalse((self.directory / "replay.csv").exists())

    def test_traces_that_are_none_are_refused(self):
        self.refused("expected a table of terrace run --trace, found none that can be read")
        self.write()
        done = run_script("replay.py", self.directory / "nowhere")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("nowhere/trace.csv: expected a table of terrace run --trace", done.stderr)
        self.write(clusters=CLUSTERS[:-10])
        self.refused("trace.csv:7: expected a whole row of 18 numbers, found '1,1,2,1.5,1,1,1,1,1,50,0,2,4,10,100,'")
        self.write(clusters=CLUSTERS[:-1])
        self.refused("trace.csv:7: expected a whole row of 18 numbers")
        self.write(ranks=RANKS.replace("0.25", "nan"))
        self.refused("trace_ranks.csv:2: expected a whole row of 18 numbers")
        for team in ("", "one", "4", "0 -1"):
            self.write(clusters=CLUSTERS.replace("0,0,1,1,0,0,3,3,", f"0,0,1,1,0,0,3,{team},"))
            self.refused(f"trace.csv: expected a team of ranks below 4, found '{team}'")
        for broken, words in ((CLUSTERS.replace("2.0,2.0,0\n1,1", "-2.0,2.0,0\n1,1"), "no number below 0, found seconds = -2.0 in window 1"),
                              (CLUSTERS.replace("0,0,1,1,0,1,2,", "0,0,1,1,0,1,70,"), "ranks below 4, found 70 in window 0"),
                              (CLUSTERS.replace("1,1,2,1.5,", "1,1,2,2.5,"), "windows reached between their begin and end, found another, 1")):
            self.write(clusters=broken)
            self.refused(f"trace.csv: expected {words}")
        for broken in (RANKS.replace("0,0,4,40", "0,0,4,41"), RANKS.replace("10.0,0,0.4", "9.0,0,0.4")):
            self.write(ranks=broken)
            self.refused("expected trace.csv and trace_ranks.csv of one run, found others in window 0")
        self.write(clusters="time,kinetic\n0,1\n")
        self.refused("trace.csv:1: expected the columns window,begin,end")
        self.write(clusters=CLUSTERS.splitlines()[0] + "\n")
        self.refused("trace.csv: expected a row for each window, found none")
        self.write(ranks="".join(RANKS.splitlines(keepends=True)[:2]))
        self.refused("expected the same windows in trace.csv and trace_ranks.csv, found 2 and 1")
        self.write()
        self.refused("argument --ranks: expected numbers of ranks, found two", "--ranks=two")
        for option, value, words in (("--ranks", "0", "numbers of ranks, found 0"), ("--ranks", "2000000", "numbers of ranks, found 2000000"), ("--latency", "-1", "0 or more, found -1"),
                                     ("--latency", "x", "0 or more, found x"), ("--bandwidth", "0", "a positive number, found 0"),
                                     ("--bandwidth", "x", "a positive number, found x")):
            self.refused(f"argument {option}: expected {words}", f"{option}={value}")


class Shared(Scratch):
    def test_a_table_that_is_not_finished_leaves_the_former(self):
        def rows():
            yield {"ranks": 1}
            raise KeyboardInterrupt

        path = self.directory / "runs.csv"
        write_table([{"ranks": 1}, {"ranks": 2}], path, ["ranks"])
        before = path.read_bytes()
        with self.assertRaises(KeyboardInterrupt):
            write_table(rows(), path, ["ranks"])
        self.assertEqual(path.read_bytes(), before)

    def test_every_plot_has_numbers_on_its_axes(self):
        """By itself matplotlib writes no numbers on an axis that is shorter than a decade."""
        program = """if True:
            import json
            from tables import load_pyplot, plot_over_ranks
            for seconds in json.loads(input()):
                figure, axes = load_pyplot().subplots()
                rows = [{"ranks": 2**i, "seconds": value} for i, value in enumerate(seconds)]
                plot_over_ranks(axes, rows, "seconds", seconds, "measured", "seconds")
                figure.canvas.draw()
                labels = [[label.get_text() for label in axis.get_ticklabels()] for axis in (axes.xaxis, axes.yaxis)]
                print(json.dumps([*labels, *axes.get_ylim()]))"""
        plotted = ((0.9, 0.61), (3.1,), (0.02, 0.004, 0.0001), (2.0, 2.0, 0))
        done = subprocess.run(["/usr/bin/python3", "-c", program], capture_output=True, text=True, check=False, cwd=ROOT / "cluster",
                              input=json.dumps(plotted) + "\n", timeout=120)
        if "'NoneType' object has no attribute 'subplots'" in done.stderr:
            self.skipTest(NO_PLOT)
        self.assertEqual(done.returncode, 0, done.stderr)
        for seconds, line in zip(plotted, done.stdout.splitlines(), strict=True):
            ranks, numbers, low, high = json.loads(line)
            self.assertEqual(ranks, [str(2**i) for i in range(len(seconds))])
            self.assertGreaterEqual(len([number for number in numbers if low <= float(number) <= high]), 2, numbers)
            self.assertTrue(low < min(value for value in seconds if value > 0) and max(seconds) < high, (low, high))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
