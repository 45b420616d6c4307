"""The scripts of postprocess/ draw pictures of a tiny run; cluster/local.sh runs a deck.

Usage: pictures.py TERRACE [OPTION of unittest]...
"""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from decks import SOFT_CUBE  # noqa: E402
from program import ENVIRONMENT, run_deck  # noqa: E402

PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")
SCRIPTS = Path(__file__).resolve().parents[2] / "postprocess"
DECK = """title = "Spinning cube, coarse"
[time]
end = 0.5
""" + SOFT_CUBE + """spin = [0.0, 0.0, 1.0]
[[probes]]
name = "corner"
body = "cube"
point = [0.5, 0.5, 0.5]
[integrator]
method = "energy-stepping"
energy_step = 1.0e-5
[output]
field_interval = 0.25
history_interval = 0.01
"""


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.directory = Path(scratch.name)
        deck = cls.directory / "cube.toml"
        deck.write_text(DECK, encoding="utf-8")
        cls.outputs = [cls.directory / name for name in ("energy-stepping", "newmark")]
        for output in cls.outputs:
            run_deck(PROGRAM, deck, output, "--set", f"integrator.method={output.name}")

    def draw(self, script, *arguments):
        picture = self.directory / f"{Path(script).stem}.png"
        done = subprocess.run(["/usr/bin/python3", str(SCRIPTS / script), *map(str, arguments), "--output", str(picture)],
                              capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        content = picture.read_bytes()
        self.assertTrue(content.startswith(b"\x89PNG"), script)
        # An empty page would compress to next to nothing.
        self.assertGreater(len(content), 10000, script)

    def reproduce(self, *arguments):
        done = subprocess.run(["/usr/bin/python3", str(SCRIPTS / "reproduce.py"), *arguments, "--program", str(PROGRAM), "--results",
                               str(self.directory)], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_histories(self):
        self.draw("plot_histories.py", self.outputs[0])

    def test_rendered_frames(self):
        self.draw("render.py", self.outputs[0])

    def test_what_weighs_is_drawn_upright(self):
        for gravity, up in (("", None), ("[gravity]  # of another planet\nacceleration = [0.0, 3.7, -0.1]\n", [0, -1, 0])):
            (self.directory / "summary.json").write_text(json.dumps({"deck": 'title = "a"\n' + gravity}), encoding="utf-8")
            found = self.evaluate(["import json, sys", f"sys.path.insert(0, {str(SCRIPTS)!r})", "import render",
                                   f"(lambda up: None if up is None else up.tolist())(render.upwards({str(self.directory)!r}))"])
            self.assertEqual(found, up)

    def test_rendered_particles(self):
        output = self.directory / "kepler"
        run_deck(PROGRAM, SCRIPTS.parent / "inputs" / "c3_kepler.toml", output, "--set", "time.end=3")
        self.draw("render.py", output, "--frame", "-1")
        # Counts coloured pixels above the colour bar, which begins at two thirds of the height.
        coloured = self.evaluate(["import json", "import matplotlib.image", f"image = matplotlib.image.imread({str(self.directory / 'render.png')!r})[:, :, :3]",
                                  "upper = image[:6 * len(image) // 10]", "int(((upper.max(axis=2) - upper.min(axis=2)) > 0.1).sum())"])
        self.assertGreater(coloured, 50)

    def test_reproduced_experiment(self):
        self.reproduce("restitution", "--coarse", "--only", "^hertz: (8.4|10) m/s")
        pictures = self.directory / "restitution-coarse" / "pictures"
        self.assertGreater((pictures / "restitution.png").stat().st_size, 10000)
        losses = [float(line.split("=")[1]) for line in (pictures / "figures.txt").read_text(encoding="utf-8").splitlines() if "1 − e =" in line]
        self.assertEqual(len(losses), 2, losses)
        # Theory of two free elastic spheres: 8e-5 and 9e-5 in the mean over the phase of their vibration, and at most twice that.
        self.assertLess(max(losses), 1.9e-4, losses)

    def test_experiments_are_drawn_from_runs_that_are_there(self):
        self.reproduce("D12", "--only", "semi")  # without the run that errors are measured against
        self.reproduce("D12", "--only", "exact|theta 0.5")
        # Without its summary the run looks as if it still went on.
        (self.directory / "D12" / "theta_0.5" / "summary.json").unlink()
        said = self.reproduce("D12", "--draw")
        self.assertRegex(said, r"(?m)^theta 0\.5 +failed or not finished; last row at t = 40$")
        self.assertIn("semi-explicit: largest error of q_1", said)
        self.assertNotIn("theta 0.5: largest error of q_1", said)
        self.reproduce("B1", "--coarse", "--only", "none")
        self.reproduce("C3", "--coarse", "--only", "e = 0.99, LaB")  # equal steps: no histogram

    def test_runs_that_ended_by_their_number_of_events_are_there(self):
        for said in ("running into", "already in"):
            self.assertIn(f"SEM, q = 1: {said} ", self.reproduce("D1", "--coarse", "--only", "^SEM, q = 1$"))
        same = self.evaluate(["import json, sys", f"sys.path.insert(0, {str(SCRIPTS.parent / 'cluster')!r})", "import scaling, terrace_output",
                              "scaling.COMPLETE == terrace_output.COMPLETE"])
        self.assertTrue(same)

    def test_a_small_system_is_drawn_or_named_and_a_missing_directory_is_named(self):
        small = self.directory / "small"
        small.mkdir()
        (small / "history.csv").write_text("time,step,energy,kinetic,potential,q_1,p_1\n0,0,1,1,0,0,1\n", encoding="utf-8")
        self.draw("plot_histories.py", small)
        for script, directory, found in ((script, *case) for script in ("plot_histories.py", "compare_runs.py", "render.py") for case in (
                (small, "a small system: postprocess/plot_histories.py draws it"), (self.directory / "absent", "no such directory"))):
            if (script, directory) != ("plot_histories.py", small):
                done = subprocess.run(["/usr/bin/python3", str(SCRIPTS / script), str(directory)], capture_output=True, text=True, timeout=300,
                                      stdin=subprocess.DEVNULL)
                self.assertNotEqual(done.returncode, 0, script)
                self.assertRegex(done.stderr, f"{directory}: expected .*, found {found}\n")

    def test_equal_steps_are_off_the_frame(self):
        top = self.evaluate(["import json", "import numpy, plot_histories", "columns = {name: numpy.arange(3.0) for name in "
                             "('time', 'step', 'energy', 'kinetic', 'potential', 'q_1', 'p_1')}",
                             "plot_histories.draw_small_system(columns).axes[5].get_ylim()"])
        self.assertEqual(top[0], 0)
        self.assertGreater(top[1], 1.05)

    def test_local_names_the_files_that_are_there(self):
        root = self.directory / "local"
        (root / "cluster").mkdir(parents=True)
        (root / "build").mkdir()
        (root / "build" / "terrace").symlink_to(PROGRAM)
        for name in ("inputs", "postprocess"):
            (root / name).symlink_to(SCRIPTS.parent / name)
        for name in ("local.sh", "cores.py"):
            shutil.copy(SCRIPTS.parent / "cluster" / name, root / "cluster")
        for name in ("install.sh", "build.sh"):  # nothing to install or build
            (root / "cluster" / name).write_text("#!/bin/sh\n", encoding="utf-8")
            (root / "cluster" / name).chmod(0o755)
        done = subprocess.run([root / "cluster" / "local.sh", "d3_pendulum"], capture_output=True, text=True, timeout=300, check=False,
                              stdin=subprocess.DEVNULL, env={**ENVIRONMENT, "TERRACE_RANKS": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("local: ", done.stderr)
        output = (root / "results" / "d3_pendulum").resolve()
        self.assertRegex(done.stdout, r"(?m)^  energy error +0\.045")
        self.assertTrue(done.stdout.endswith(f"look at:\n  numbers:   {output}/history.csv, summary.json\n  picture:   {output}/histories.png\n"), done.stdout)

    def test_local_tells_how_it_is_called_before_it_installs(self):
        for arguments, status, said in ((["--help"], 0, "Installs what is missing, .*\\nUsage: cluster/local.sh .*\\n(.*\\n){2}"),
                                        (["--trace"], 2, "local: expected a deck before the options, found --trace; --help tells more\\n"),
                                        (["d3_pendulum", "--output", "a"], 2, "local: chooses the output directory itself; .*\\n"),
                                        (["d3_pendulum", "--resume"], 2, "local: begins anew, in a directory of its own; .*\\n")):
            done = subprocess.run([SCRIPTS.parent / "cluster" / "local.sh", *arguments], capture_output=True, text=True, timeout=300, check=False,
                                  stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertRegex(done.stdout + done.stderr, f"\\A{said}\\Z")

    def test_comparison_of_runs(self):
        self.draw("compare_runs.py", *self.outputs)

    def evaluate(self, lines):
        """Runs lines of Python in postprocess/; returns the value of the last one, an expression."""
        *before, last = lines
        done = subprocess.run(["/usr/bin/python3", "-c", "\n".join([*before, f"print(json.dumps({last}))"])], capture_output=True,
                              text=True, timeout=300, stdin=subprocess.DEVNULL, cwd=SCRIPTS)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_what_is_compared_is_one_body_and_walls_too(self):
        runs = []
        for name, bodies in (("one", "ab"), ("two", "ba")):
            runs.append(self.directory / name)
            runs[-1].mkdir()
            rows = ["time,body," + ",".join(f"{of}_{axis}" for of in ("velocity", "momentum") for axis in "xyz")]
            rows += [f"{time},{body},0,0,0,0,0,{time if body == 'a' else 0}" for time in (0, 1) for body in bodies]
            (runs[-1] / "bodies.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        found = self.evaluate(["import json", "import compare_runs", f"runs = compare_runs.read_runs({list(map(str, runs))}, '')",
                               "[[run[3] for run in runs], compare_runs.main_axis(runs[1][2])]"])
        self.assertEqual(found, [["a", "a"], 2])

    def test_the_width_of_the_mean_force_is_that_of_the_rows_there_are(self):
        widths = self.evaluate(["import json", "import compare_runs", "[compare_runs.width_of_mean(range(rows)) for rows in (1, 7, 1001)]"])
        self.assertEqual(widths, ["1/1 of the run", "1/6 of the run", "1/100 of the run"])

    def test_names_are_drawn_as_they_stand(self):
        odd = self.directory / "$a_$"
        shutil.copytree(self.outputs[0], odd)
        for name, drawn in (("bodies.csv", "cube"), ("steps.csv", "cube"), ("probes.csv", "corner")):
            text = (odd / name).read_text(encoding="utf-8")
            self.assertIn(drawn, text)
            (odd / name).write_text(text.replace(drawn, "$\\nope$"), encoding="utf-8")
        self.draw("plot_histories.py", odd)
        self.draw("compare_runs.py", odd, odd, "--labels", "$x_$,_y")
        drawn = self.evaluate(["import json", "import terrace_output", "[terrace_output.plain(name) for name in ('_left', '$a_$', 'plain_')]"])
        self.assertEqual(drawn, ["\u200b_left", "\\$a_\\$", "plain_"])

    def test_steps_of_length_0_take_no_room(self):
        zero = self.directory / "zero"
        zero.mkdir()
        rows = ["0,ball,1.0e-20,1.2e-20,3", "0,ball,1e-06,1.2e-06,7", "1,wall,1e-20,1.2e-20,2000", "1,wall,1e-05,1.2e-05,1"]
        (zero / "steps.csv").write_text("subdomain,name,step_from,step_to,count\n" + "\n".join(rows) + "\n", encoding="utf-8")
        title, low = self.evaluate(["import json", "import plot_histories", "_, axes = plot_histories.pyplot.subplots()",
                                    f"plot_histories.plot_steps(axes, {str(zero)!r})", "[axes.get_title(), axes.get_xlim()[0]]"])
        self.assertEqual(title, "Time between events of a subdomain (2,003 of length 0)")
        self.assertGreater(low, 1e-7)

    def test_options_that_are_none_are_refused(self):
        for script, options, status, words in (
                ("reproduce.py", ("D1", "--only", "["), 2, "argument --only: expected a regular expression, found '['"),
                ("reproduce.py", ("D1", "--program", "no-such-program"), 1, "error: expected the program no-such-program, found nothing"),
                ("render.py", (self.outputs[0], "--snapshots", "0"), 2, "argument --snapshots: expected 1 or more, found 0"),
                ("render.py", (self.outputs[0], "--time", "0.1", "nan"), 2, "argument --time: expected finite times, found 0.1 nan"),
                ("render.py", (self.outputs[0], "--range", "2", "1"), 2, "argument --range: expected LOW below HIGH, found 2 1"),
                ("plot_histories.py", (self.outputs[0], "--output", "a.nothing"), 1, "error: a.nothing: expected a picture that can be written, found"),
                ("plot_histories.py", (self.outputs[0], "--output", self.directory / "absent" / "a.png"), 1, "a.png: expected a picture that can be written")):
            done = subprocess.run(["/usr/bin/python3", str(SCRIPTS / script), *map(str, options)], capture_output=True, text=True, timeout=300,
                                  stdin=subprocess.DEVNULL, cwd=self.directory)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_a_program_in_the_path_is_found(self):
        done = subprocess.run(["/usr/bin/python3", str(SCRIPTS / "reproduce.py"), "D1", "--coarse", "--only", "^SEM, q = 0.74$", "--program", PROGRAM.name,
                               "--results", str(self.directory / "path")], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
                              env={**ENVIRONMENT, "PATH": f"{PROGRAM.parent}:{ENVIRONMENT['PATH']}"})
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_became_of_a_run_is_told(self):
        told = self.evaluate(["import json", "from plot_histories import state_of", "run = {'events': 1, 'ranks': 1}",
                              "[state_of({**run, 'status': status}) for status in ('done', 'stopped')] + [state_of({'events': 2000, 'ranks': 2, 'status': 'failed: it'}), state_of({})]"])
        self.assertEqual(told, ["1 event on 1 rank", "1 event on 1 rank; stopped", "2,000 events on 2 ranks; failed: it", "still running"])

    def test_rows_of_bodies_are_found_at_once(self):
        (self.directory / "bodies.csv").write_text("time,body,mass\n" + "".join(f"{row},b{(7 * row) % 5},{row}.5\n" for row in range(25000)), encoding="utf-8")
        found = self.evaluate(["import json", "from terrace_output import Run, rows_of_bodies, take_rows", f"run = Run('many', {str(self.directory)!r})",
                               "table, rows = run.table('bodies'), run.rows_of_bodies()",
                               "[run.body_names(), all((rows[name] == (table['body'] == name).nonzero()[0]).all() for name in rows), "
                               "run.body('b2')['mass'][:2].tolist(), list(take_rows(table, rows['b1'], ['mass'])), len(table['time'])]"])
        self.assertEqual(found, [["b0", "b2", "b4", "b1", "b3"], True, [1.5, 6.5], ["mass"], 25000])

    def test_files_that_are_broken_are_named(self):
        broken = self.directory / "broken"
        broken.mkdir()
        table = "time,energy\n0,1\n"
        for name, text, words in (("history.csv", "", "history.csv: expected a table with a header, found nothing"),
                                  ("history.csv", table + "1,two\n", "history.csv: column energy: expected numbers, found could not convert string to float: 'two'"),
                                  ("history.csv", table + "1\n", "history.csv:3: expected 2 columns, found 1"),
                                  ("history.csv", table, "history.csv: expected a column kinetic, found time, energy"),
                                  ("fields.pvd", '<VTKFile><DataSet file="a.vtu"/></VTKFile>', "fields.pvd: expected a ParaView collection, found"),
                                  ("summary.json", "{", "summary.json: expected a summary, found")):
            (broken / "bodies.csv").write_text("time,body\n", encoding="utf-8")
            if name == "summary.json":
                shutil.copytree(self.outputs[0], broken, dirs_exist_ok=True)
            (broken / name).write_text(text, encoding="utf-8")
            script = "render.py" if name == "fields.pvd" else "plot_histories.py"
            done = subprocess.run(["/usr/bin/python3", str(SCRIPTS / script), str(broken)], capture_output=True, text=True, timeout=300,
                                  stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(f"error: {broken}/{words}", done.stderr)

    def test_the_mean_so_far_is_of_as_many_rows_as_there_are(self):
        means = self.evaluate(["import json", "import stepping_figures", "list(stepping_figures.mean_so_far([3, 5, 10]))"])
        self.assertEqual(means, [3, 4, 6])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
