"""Runs of particles: frames and trajectories as VTK reads them, resumed and terminated runs, messages, pictures.

Usage: particles.py TERRACE [OPTION of unittest]...
Needs python3-vtk9 or python3-paraview, python3-numpy and python3-matplotlib: /usr/bin/python3.
"""

import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import VTK_POLY_LINE, VTK_VERTEX
from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader, vtkXMLUnstructuredGridReader

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from program import call, quick_start  # noqa: E402

PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")
TOP = Path(__file__).resolve().parents[2]
DECK = (TOP / "inputs" / "c1_argon.toml").read_text(encoding="utf-8")
SHORT = ["--set", "time.end=0.2", "--set", "output.field_interval=0.05", "--set", "output.history_interval=0.002"]


def grid_of(path):
    reader = vtkXMLPUnstructuredGridReader() if path.suffix == ".pvtu" else vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def types_of(grid):
    return {grid.GetCellType(cell) for cell in range(grid.GetNumberOfCells())}


class Particles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.home = Path(cls.scratch.name)
        cls.deck = cls.home / "argon.toml"
        cls.deck.write_text(DECK, encoding="utf-8")
        cls.whole = cls.home / "whole"
        done = call(PROGRAM, "run", cls.deck, "--output", cls.whole, *SHORT)
        assert done.returncode == 0, done.stderr

    def summary(self, output):
        return json.loads((output / "summary.json").read_text(encoding="utf-8"))

    def broken(self, text, *options):
        deck = self.home / "broken.toml"
        deck.write_text(text, encoding="utf-8")
        done = call(PROGRAM, "run", deck, "--output", self.home / "none", *options)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertFalse((self.home / "none").exists())
        return done.stderr

    def test_frames_are_points_with_velocities(self):
        frames = sorted((self.whole / "fields").glob("*.pvtu"))
        self.assertEqual(len(frames), 5)
        grid = grid_of(frames[0])
        self.assertEqual((grid.GetNumberOfPoints(), types_of(grid)), (7, {VTK_VERTEX}))
        points = vtk_to_numpy(grid.GetPoints().GetData())
        numpy.testing.assert_array_equal(points[2], [0.34, 0.17, 0])
        numpy.testing.assert_allclose(vtk_to_numpy(grid.GetPointData().GetArray("velocity"))[3], [90, 40, 0], rtol=1e-12)
        numpy.testing.assert_array_equal(vtk_to_numpy(grid.GetPointData().GetArray("particle")), range(7))
        self.assertEqual(grid.GetPointData().GetArray("mass").GetValue(0), 66.34e-27)

    def test_frames_of_two_ranks_hold_every_particle_once(self):
        output = self.home / "two"
        done = call(PROGRAM, "run", self.deck, "--output", output, *SHORT, "--set", "localization.kind=pairs", "--set",
                    "time.events=50", ranks=2)
        self.assertEqual(done.returncode, 0, done.stderr)
        frames = sorted((output / "fields").glob("*.pvtu"))
        self.assertGreaterEqual(len(frames), 2)
        for frame in frames:
            numbers = vtk_to_numpy(grid_of(frame).GetPointData().GetArray("particle"))
            self.assertEqual(sorted(numbers), list(range(7)))

    def test_trajectories_are_polylines_at_the_rows_of_bodies(self):
        grid = grid_of(self.whole / "trajectories.vtu")
        self.assertEqual((grid.GetNumberOfCells(), types_of(grid)), (7, {VTK_POLY_LINE}))
        times = vtk_to_numpy(grid.GetPointData().GetArray("time"))
        with open(self.whole / "bodies.csv", newline="", encoding="utf-8") as file:
            rows = [float(row["time"]) for row in csv.DictReader(file)]
        numpy.testing.assert_array_equal(times[:len(rows)], rows)
        points = vtk_to_numpy(grid.GetPoints().GetData()).reshape(7, len(rows), 3)
        last = grid_of(sorted((self.whole / "fields").glob("*.pvtu"))[-1])
        numpy.testing.assert_array_equal(points[:, -1], vtk_to_numpy(last.GetPoints().GetData()))
        # The centre of mass, which is the mean as all masses are equal, stays where it is.
        self.assertLess(numpy.abs(points.mean(axis=0) - points[:, 0].mean(axis=0)).max(), 1e-12)

    def test_a_run_that_is_stopped_goes_on_to_the_same_end(self):
        output = self.home / "stopped"
        done = call(PROGRAM, "run", self.deck, "--output", output, *SHORT, "--set", "time.events=1500")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = call(PROGRAM, "run", self.deck, "--output", output, *SHORT, "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.summary(output)["state_hash"], self.summary(self.whole)["state_hash"])
        for name in ("history.csv", "bodies.csv", "subdomains.csv", "steps.csv", "fields.pvd", "trajectories.vtu"):
            self.assertEqual((output / name).read_bytes(), (self.whole / name).read_bytes(), name)

    def test_a_run_that_is_terminated_saves_itself(self):
        output, long = self.home / "terminated", ["--set", "time.end=10", "--set", "output.history_interval=0.05"]
        with tempfile.TemporaryDirectory() as own:
            process = subprocess.Popen([PROGRAM, "run", self.deck, "--output", output, *long], env=quick_start(own),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            begun = time.monotonic()
            while not (output / "fields.pvd").exists() and time.monotonic() < begun + 60:
                time.sleep(0.02)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(60), 1)
        self.assertEqual(self.summary(output)["status"], "stopped")
        done = call(PROGRAM, "run", self.deck, "--output", output, *long, "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        whole = self.home / "not terminated"
        done = call(PROGRAM, "run", self.deck, "--output", whole, *long)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.summary(output)["state_hash"], self.summary(whole)["state_hash"])
        self.assertEqual((output / "trajectories.vtu").read_bytes(), (whole / "trajectories.vtu").read_bytes())

    def test_ways_of_a_run_before_are_not_taken_for_its_own(self):
        output = self.home / "overwritten"
        for options in ([], ["--set", "output.overwrite=true", "--set", "output.bodies_interval=3e-9", "--set", "time.events=10"]):
            done = call(PROGRAM, "run", self.deck, "--output", output, *SHORT, *options)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((output / "trajectories.vtu").exists(), "of the first run: the second has too many points")

    def test_ways_have_no_holes_where_intervals_change(self):
        output = self.home / "intervals"
        file, before = output / "trajectories.vtu", self.home / "before.vtu"
        for events, options in ((100, []), (110, ["--resume", "--set", "output.bodies_interval=2e-7"]), (140, ["--resume"])):
            done = call(PROGRAM, "run", self.deck, "--output", output, *SHORT, "--set", f"time.events={events}", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            if events == 100:
                before.write_bytes(file.read_bytes())
            elif events == 110:
                self.assertIn("trajectories.vtu is removed: with the present intervals it would have more than 5e+06 points", done.stderr)
                self.assertFalse(file.exists())
                file.write_bytes(before.read_bytes())
        times = [vtk_to_numpy(grid_of(path).GetPointData().GetArray("time")) for path in (before, file)]
        self.assertGreater(times[1].min(), times[0].max(), "they begin where the run went on")

    def test_the_last_row_and_frame_are_written_once(self):
        # Rounding makes 800 and 80 intervals a little less than the end.
        output, end, row, frame = self.home / "rounded", 8e-5, 1e-7, 1e-6
        self.assertLess(max(800 * row, 80 * frame), end)
        done = call(PROGRAM, "run", self.deck, "--output", output, "--set", f"time.end={end}", "--set",
                    f"output.history_interval={row}", "--set", f"output.field_interval={frame}")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(output / "history.csv", newline="", encoding="utf-8") as file:
            times = [float(row["time"]) for row in csv.DictReader(file)]
        self.assertGreater(times[-1] - times[-2], 0.9 * row)
        self.assertEqual(len(list((output / "fields").glob("*.pvtu"))), 81)

    def test_what_a_part_of_a_step_meets_on_its_way_back_is_no_reflection(self):
        deck = self.home / "well.toml"
        deck.write_text("""[time]
end = 8.0
[[particles]]
name = "a"
mass = 1.5
positions = [[-1.0]]
velocities = [[1.2]]
[[potentials]]
name = "well"
kind = "polynomial"
coefficients = [0.0, 0.0, 0.5, 0.0, 0.25]
[[potentials]]
name = "wall"
kind = "step"
wall = true
parts = [{ shape = "half-space", point = [0.5], normal = [-1.0] }]
[integrator]
method = "discontinuous-potential"
time_step = 0.005
[output]
field_interval = -1
""", encoding="utf-8")
        for variant in ("dp2", "dp4"):
            output = self.home / variant
            done = call(PROGRAM, "run", deck, "--output", output, "--set", f"integrator.variant={variant}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.summary(output)["reflections"], 3, variant)

    def test_the_potential_of_a_group_is_that_of_uniform_gravity_alone(self):
        for gravity, there in ((), False), (("--set", "gravity.acceleration=[0, -10, 0]"), True):
            output = self.home / f"potentials-{there}"
            done = call(PROGRAM, "run", self.deck, "--output", output, *SHORT, *gravity)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(output / "bodies.csv", newline="", encoding="utf-8") as file:
                rows = [row for row in csv.DictReader(file) if row["body"] != "gravity"]
            masses = 7 * 66.34e-27
            start = float(rows[0]["position_y"])
            for row in rows:
                weight = masses * 10 * (float(row["position_y"]) - start) if there else 0
                self.assertAlmostEqual(float(row["potential"]) / masses, weight / masses, delta=1e-9)

    def test_check_tells_energies_and_steps(self):
        done = call(PROGRAM, "check", self.deck)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("7 particles in 2 dimensions", done.stdout)
        self.assertIn("together -1.7399", done.stdout)
        self.assertIn("suggested energy step 1.73e-22", done.stdout)
        still = self.home / "still.toml"
        still.write_text('[time]\nend = 1\n[[particles]]\nname = "a"\nmass = 1\npositions = [[0], [1]]\n'
                         '[integrator]\nmethod = "newmark"\ntime_step = 0.1\n', encoding="utf-8")
        done = call(PROGRAM, "check", still)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("together 0", done.stdout)
        self.assertNotIn("suggested energy step", done.stdout)

    def test_check_counts_each_particle_of_a_subdomain_once(self):
        deck = self.home / "counted.toml"
        deck.write_text("[time]\nend = 1\n"
                        '[[particles]]\nname = "pair"\nmass = 1\npositions = [[0, 0, 3], [1, 0, 3]]\n'
                        '[[particles]]\nname = "lone"\nmass = 1\npositions = [[5, 0, 4]]\n'
                        '[[potentials]]\nname = "spring"\nkind = "spring"\nstiffness = 1\nlength = 1\n'
                        '[[walls]]\nname = "floor"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nstiffness = 1\n'
                        "[gravity]\nacceleration = [0, 0, -1]\n"
                        '[integrator]\nmethod = "newmark"\n', encoding="utf-8")
        done = call(PROGRAM, "check", deck)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, count in (("pair", 2), ("pair/lone", 3), ("lone", 1)):
            self.assertRegex(done.stdout, rf"(?m)^  {name} +{count} particles ")

    def test_list_says_which_methods_move_particles(self):
        done = call(PROGRAM, "list")
        methods = [line for line in done.stdout.splitlines() if line.startswith("particles ")]
        self.assertEqual(len(methods), 1, done.stdout)
        self.assertIn("newmark", methods[0])

    def test_mistakes_are_told_with_their_line(self):
        twice = DECK.replace("[0.02, 0.39]", "[0.00, 0.00]")
        self.assertIn("broken.toml:17: expected particles apart from each other for argon-argon, found argon.1 and argon.2 "
                      "both at (0, 0, 0)", self.broken(twice))
        self.assertIn("expected particles[0].mass to be a number > 0, found 0", self.broken(DECK, "--set", "particles.0.mass=0"))
        self.assertIn("to be an array of 2 numbers", self.broken(DECK.replace("[0.34, 0.17]", "[0.34, 0.17, 0.0]")))
        self.assertIn("at most the diagonal of the particles' box", self.broken(DECK, "--set", "potentials.0.cutoff=3"))
        clusters = DECK.replace('kind = "global"', 'kind = "clusters"\nparts = 8')
        self.assertRegex(self.broken(clusters), r"broken\.toml:\d+: localization\.parts: expected at most as many clusters as there are particles, 7, found 8")
        done = call(PROGRAM, "mesh", self.deck, "--output", self.home / "mesh.vtu")
        self.assertEqual(done.returncode, 2)
        self.assertIn("expected a deck of meshes for terrace mesh, found particles: fields.pvd of a run has them", done.stderr)

    def test_pictures_and_an_animation_are_drawn(self):
        gif = self.home / "argon.gif"
        done = subprocess.run(["/usr/bin/python3", TOP / "postprocess" / "particles.py", self.whole, "--animation", gif, "--to", "0.05"],
                              env={**os.environ, "MPLCONFIGDIR": str(self.home)}, text=True, capture_output=True, timeout=200,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.whole / "particles.png").read_bytes().startswith(b"\x89PNG"))
        self.assertTrue(gif.read_bytes().startswith(b"GIF"))

    def test_what_cannot_be_drawn_is_told(self):
        empty = self.home / "empty"
        empty.mkdir()
        for arguments, status, words in (((self.whole, "--animation", "a.mp4"), 2, "expected a name that ends in .gif, found 'a.mp4'"),
                                         ((empty,), 1, f"{empty}/trajectories.vtu: expected trajectories, found nothing: a run of particles")):
            done = subprocess.run(["/usr/bin/python3", TOP / "postprocess" / "particles.py", *arguments],
                                  env={**os.environ, "MPLCONFIGDIR": str(self.home)}, text=True, capture_output=True, timeout=60, check=False)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


class Impacts(unittest.TestCase):
    """Particles that meet now and then, or fly far."""

    def run_deck(self, text):
        with tempfile.TemporaryDirectory() as scratch:
            deck, output = Path(scratch) / "deck.toml", Path(scratch) / "run"
            deck.write_text(text + "[output]\nfield_interval = -1\n", encoding="utf-8")
            done = call(PROGRAM, "run", deck, "--output", output)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(output / "bodies.csv", newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            with open(output / "history.csv", newline="", encoding="utf-8") as file:
                history = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
            return json.loads((output / "summary.json").read_text(encoding="utf-8")), rows, history

    def test_beads_that_part_with_a_debt_fly_on(self):
        # The run is two hundred times as long as the contact. Nothing pays the debt that the contact's last kick left.
        beads = """[time]
end = 0.01
[[particles]]
name = "one"
mass = 3.5147e-3
positions = [[0.0]]
velocities = [[0.4]]
[[particles]]
name = "other"
mass = 3.5147e-3
positions = [[0.00952]]
[[potentials]]
name = "contact"
kind = "hertz"
stiffness = 7.612e9
length = 0.00952
[integrator]
method = "clocked-energy-stepping"
"""
        summary, rows, history = self.run_deck(beads)
        self.assertEqual(history[-1]["potential"], 0)
        last = {row["body"]: float(row["velocity_x"]) for row in rows}
        self.assertAlmostEqual(last["one"], 0, delta=2e-3)
        self.assertAlmostEqual(last["other"], 0.4, delta=2e-3)
        self.assertLess(summary["balance"]["clipped_kicks"], 0.2 * summary["events"], "kicks without a force are none")

    def test_units_may_be_as_large_as_those_of_planets(self):
        orbit = """[time]
end = 1.5e7
[[particles]]
name = "sun"
mass = 2.0e30
positions = [[0.0, 0.0]]
[[particles]]
name = "earth"
mass = 6.0e24
positions = [[1.5e11, 0.0]]
velocities = [[0.0, 2.9831e4]]
[[potentials]]
name = "attraction"
kind = "gravity"
constant = 6.674e-11
[integrator]
method = "implicit-midpoint"
time_step = 1.0e5
"""
        summary, rows, _ = self.run_deck(orbit)
        self.assertLess(summary["energy_drift"], 1e-6)
        place = [[float(row[f"position_{axis}"]) for axis in "xy"] for row in rows if row["body"] == "earth"][-1]
        self.assertAlmostEqual(numpy.hypot(*place) / 1.5e11, 1, delta=1e-3)

    def test_the_step_is_one_for_a_circle_that_is_met_later(self):
        for method in ("newmark", "clocked-energy-stepping"):
            summary, _, history = self.run_deck(f"""[time]
end = 3.0
[[particles]]
name = "p"
mass = 1.0
positions = [[0.3, 0.1]]
velocities = [[0.7, 0.4]]
[[potentials]]
name = "rim"
kind = "circle"
radius = 1.0
stiffness = 1.0e4
[integrator]
method = "{method}"
""")
            energies = [row["kinetic"] + row["potential"] for row in history]
            self.assertLess(max(energies) / energies[0], 1.3, method)
            self.assertGreater(min(energies) / energies[0], 0.7, method)
            self.assertGreater(summary["events"], 100, method)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
