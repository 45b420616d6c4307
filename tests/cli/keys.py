"""Keys of a deck whose effect only a run shows: time, method, time step, layout and output.

Usage: keys.py TERRACE [OPTION of unittest]...   (tests/unit/io/deck_keys_test.cpp lists the test of each key)
"""

import csv
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from decks import SOFT_CUBE  # noqa: E402
from program import call  # noqa: E402

POSTPROCESS = Path(__file__).resolve().parents[2] / "postprocess"
PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")

DECK = """[time]
end = 0.5
""" + SOFT_CUBE + """spin = [0.0, 0.0, 1.0]
[integrator]
method = "energy-stepping"
energy_step = 1.0e-5
"""
SPARSE = ("output.field_interval=-1", "output.history_interval=0.1")
TETRAHEDRA, BOUNDARY = 8 * 24, 6 * 4 * 4  # tetrahedra and boundary triangles of the cube's eight cells


class Keys(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)
        (self.directory / "cube.toml").write_text(DECK, encoding="utf-8")
        self.output = self.directory / "results" / "cube"  # the default

    def call(self, *settings, status=0):
        """Runs the deck with the settings; returns all that the program said."""
        arguments = [word for setting in settings for word in ("--set", setting)]
        done = call(PROGRAM, "run", "cube.toml", *arguments, directory=self.directory)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def run_with(self, *settings):
        """Runs the deck anew; returns its summary."""
        self.call("output.overwrite=true", *settings)
        return json.loads((self.output / "summary.json").read_text(encoding="utf-8"))

    def table(self, name):
        with open(self.output / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def column(self, table, name):
        return [float(row[name]) for row in self.table(table)]

    def frame_files(self):
        return sorted(path.name for path in (self.output / "fields").iterdir())

    def frame_times(self):
        text = (self.output / "fields.pvd").read_text(encoding="utf-8")
        return [float(time) for time in re.findall(r'timestep="([^"]*)"', text)]

    def piece(self):
        """The header of the first frame's piece and the text of the frame itself."""
        return ((self.output / "fields" / "000000_0.vtu").read_bytes()[:4096].decode(errors="replace"),
                (self.output / "fields" / "000000.pvtu").read_text(encoding="utf-8"))

    def test_title_is_in_the_summary(self):
        self.assertEqual(self.run_with(*SPARSE, "time.end=0.1")["title"], "cube")  # the deck's file name
        self.assertEqual(self.run_with(*SPARSE, "time.end=0.1", "title='A cube'")["title"], "A cube")

    PROBES = "probes=[{name='corner',body='cube',point=[0.4,0.4,0.4]},{name='middle',body='cube',point=[0,0,0]}]"

    def rows_of_probe(self, name):
        """(times, positions, displacements, velocities) of the probe at all rows."""
        rows = [row for row in self.table("probes.csv") if row["probe"] == name]
        return ([float(row["time"]) for row in rows],
                *([[float(row[f"{of}_{axis}"]) for axis in "xyz"] for row in rows] for of in ("position", "displacement", "velocity")))

    def test_probes_of_a_body_that_flies_go_where_it_goes(self):
        self.run_with(*SPARSE, self.PROBES, "bodies.0.spin=[0,0,0]", "bodies.0.velocity=[0.3,-0.2,0.1]")
        for name, start in (("corner", [0.5] * 3), ("middle", [0] * 3)):
            times, positions, displacements, velocities = self.rows_of_probe(name)
            self.assertEqual(times, self.column("history.csv", "time"))
            for time, *found in zip(times, positions, displacements, velocities):
                for axis, speed in enumerate((0.3, -0.2, 0.1)):
                    for value, expected in zip([of[axis] for of in found], (start[axis] + speed * time, speed * time, speed)):
                        self.assertAlmostEqual(value, expected, delta=1e-12)

    def test_probes_of_a_body_that_turns_have_the_velocity_with_which_they_go_on(self):
        hash_without = self.run_with(*SPARSE)["state_hash"]
        self.assertFalse((self.output / "probes.csv").exists())
        self.assertEqual(self.run_with(*SPARSE, self.PROBES)["state_hash"], hash_without)
        self.run_with("output.field_interval=-1", "output.history_interval=0.01", self.PROBES)
        times, positions, displacements, velocities = self.rows_of_probe("corner")
        self.assertEqual(len(times), 51)
        for value, expected in zip(velocities[0], (-0.5, 0.5, 0)):
            self.assertAlmostEqual(value, expected, delta=1e-9)  # spin times radius, on the grid of momenta
        self.assertGreater(max(map(abs, displacements[-1])), 0.1)
        for before, now, after in zip(range(49), range(1, 50), range(2, 51)):
            for axis in range(3):
                self.assertAlmostEqual(positions[now][axis] - 0.5, displacements[now][axis], delta=1e-12)
                slope = (positions[after][axis] - positions[before][axis]) / (times[after] - times[before])
                self.assertAlmostEqual(slope, velocities[now][axis], delta=0.02)

    def test_time_ends_the_run(self):
        for end in (0.2, 0.5):
            summary = self.run_with(*SPARSE, f"time.end={end}")
            self.assertEqual((summary["final_time"], summary["end_time"], summary["status"]), (end, end, "done"))
        events = summary["events"]
        self.assertGreater(events, 7)
        summary = self.run_with(*SPARSE, "time.events=7")
        self.assertEqual((summary["events"], summary["status"]), (7, "stopped after time.events events"))
        self.assertLess(summary["final_time"], 0.5)
        self.assertEqual(self.column("history.csv", "time")[-1], summary["final_time"])
        self.assertEqual(self.frame_times()[-1], summary["final_time"])
        self.assertEqual(self.run_with(*SPARSE, "time.events=0")["events"], events)  # no limit

    def test_method_decides_how_the_system_is_advanced(self):
        self.run_with(*SPARSE)
        levels = [energy / 1e-5 for energy in self.column("history.csv", "terraced")]
        self.assertGreater(max(levels), 1)
        for level in levels:  # terraces are whole numbers of energy steps
            self.assertAlmostEqual(level, round(level), places=9)
        self.run_with(*SPARSE, "integrator.method=newmark")
        potential = self.column("history.csv", "potential")
        self.assertGreater(max(potential), 1e-5)
        self.assertEqual(self.column("history.csv", "terraced"), potential)

    def test_time_step_is_absolute_or_a_multiple_of_the_stable_one(self):
        newmark = (*SPARSE, "integrator.method=newmark")
        summary = self.run_with(*newmark, "integrator.time_step=0.0625")
        self.assertEqual((summary["events"], summary["average_step"]), (8, 0.0625))
        for settings, factor in (((), 0.4), (("integrator.time_step_factor=0.25",), 0.25)):
            monitors = self.run_with(*newmark, *settings)["monitors"]
            self.assertAlmostEqual(monitors["step_over_stable_step"], factor, places=12)

    def test_clocked_kicks_are_bounded_and_their_debts_watched(self):
        clocked = (*SPARSE, "integrator.method=clocked-energy-stepping", "integrator.time_step=0.0625")
        summary = self.run_with(*clocked)
        self.assertEqual(summary["events"], 20)  # sixteen events with growing parts of a step (1/16, 1/8, …), then four whole steps
        self.assertLess(summary["average_step"], 0.0625)
        # With a bound of next to nothing, kicks are those of leapfrog, whose energy does not balance.
        leapfrog = self.run_with(*clocked, "integrator.largest_correction=1e-12")
        self.assertNotEqual(leapfrog["state_hash"], summary["state_hash"])
        self.assertIn("expected a step whose energy balances to 1e-16",
                      self.call("output.overwrite=true", *clocked, "time.end=10", "integrator.largest_correction=1e-12",
                                "integrator.debt_tolerance=1e-16", status=1))

    def test_checking_executor_does_every_event_twice(self):
        once = self.run_with(*SPARSE)
        self.assertEqual(self.run_with(*SPARSE, "integrator.executor=sequential")["element_evaluations"],
                         once["element_evaluations"])
        twice = self.run_with(*SPARSE, "integrator.executor=checking")
        self.assertEqual((twice["state_hash"], twice["events"]), (once["state_hash"], once["events"]))
        self.assertGreater(twice["element_evaluations"], 1.5 * once["element_evaluations"])

    def test_layout_is_in_the_summary(self):
        for kind, name in (("own", "own"), ("slice", "slice"), ("auto", "slice")):
            self.assertEqual(self.run_with(*SPARSE, "time.events=1", f"layout.kind={kind}")["layout"], name)

    def test_directory_is_relative_to_where_the_program_starts(self):
        self.call(*SPARSE, "time.events=1")
        self.assertTrue((self.output / "summary.json").is_file())
        self.call(*SPARSE, "time.events=1", "output.directory=else/where")
        self.assertTrue((self.directory / "else" / "where" / "summary.json").is_file())

    def test_overwrite_replaces_an_earlier_run(self):
        self.call(*SPARSE, "time.end=0.2")
        for settings in ((), ("output.overwrite=false",)):
            said = self.call(*SPARSE, "time.end=0.1", *settings, status=2)
            self.assertIn("output directory results/cube: expected a new or empty directory", said)
            self.assertEqual(self.column("history.csv", "time")[-1], 0.2)
        self.call(*SPARSE, "time.end=0.1", "output.overwrite=true")
        self.assertEqual(self.column("history.csv", "time"), [0, 0.1])

    def test_field_interval_is_the_time_between_frames(self):
        few_rows = "output.history_interval=0.5"
        self.run_with(few_rows, "output.field_interval=0.125")
        self.assertEqual(self.frame_times(), [0, 0.125, 0.25, 0.375, 0.5])
        self.run_with(few_rows, "output.field_interval=0.2")
        self.assertEqual(self.frame_times(), [0, 0.2, 2 * 0.2, 0.5])
        self.run_with(few_rows, "output.field_interval=-1")
        self.assertEqual(self.frame_times(), [0, 0.5])
        self.run_with(few_rows)
        self.assertEqual(self.frame_times(), [k * (0.5 / 50) for k in range(51)])

    def test_history_interval_is_the_time_between_rows(self):
        for settings, times in ((("output.history_interval=0.125",), [0, 0.125, 0.25, 0.375, 0.5]),
                                ((), [k * (0.5 / 1000) for k in range(1001)])):
            self.run_with("output.field_interval=-1", *settings)
            for table in ("history.csv", "bodies.csv"):
                self.assertEqual(self.column(table, "time"), times)

    def test_newmark_has_rows_at_the_first_steps_from_each_time_on(self):
        self.run_with("integrator.method=newmark", "integrator.time_step=0.0625", "output.field_interval=0.15",
                      "output.history_interval=0.1")
        self.assertEqual(self.column("history.csv", "time"), [0, 0.125, 0.25, 0.3125, 0.4375, 0.5])
        self.assertEqual(self.frame_times(), [0, 0.1875, 0.3125, 0.5])

    def test_frames_of_the_surface_in_single_precision(self):
        self.run_with(*SPARSE, "time.events=1")
        header, frame = self.piece()
        self.assertIn(f'NumberOfCells="{TETRAHEDRA}"', header)
        self.assertIn("Float64", frame)
        self.assertNotIn("Float32", header + frame)
        self.run_with(*SPARSE, "time.events=1", "output.surface_only=true")
        header, frame = self.piece()
        self.assertIn(f'NumberOfCells="{BOUNDARY}"', header)
        self.assertNotIn("Float32", header + frame)
        self.run_with(*SPARSE, "time.events=1", "output.single_precision=true")
        header, frame = self.piece()
        self.assertIn(f'NumberOfCells="{TETRAHEDRA}"', header)
        self.assertIn("Float32", header)
        self.assertNotIn("Float64", frame)

    def test_bodies_have_an_interval_and_a_file_of_their_own(self):
        self.run_with("output.field_interval=-1", "output.history_interval=0.1", "output.bodies_interval=0.25")
        self.assertEqual(self.column("history.csv", "time"), [0, 0.1, 0.2, 3 * 0.1, 0.4, 0.5])
        self.assertEqual(self.column("bodies.csv", "time"), [0, 0.25, 0.5])
        self.assertFalse((self.output / "bodies.h5").exists())
        rows = self.table("bodies.csv")
        self.run_with("output.field_interval=-1", "output.history_interval=0.1", "output.bodies_interval=0.25",
                      "output.bodies=hdf5")
        self.assertFalse((self.output / "bodies.csv").exists())
        script = ("import sys; sys.path.insert(0, sys.argv[1]); from terrace_output import read_table\n"
                  "table = read_table(sys.argv[2], 'bodies')\n"
                  "for row in zip(*(table[name] for name in sys.argv[3:])): print(','.join(map(str, row)))")
        read = subprocess.run(["/usr/bin/python3", "-c", script, POSTPROCESS, self.output, *rows[0]], text=True,
                              capture_output=True, check=True, stdin=subprocess.DEVNULL)
        found = [line.split(",") for line in read.stdout.splitlines()]
        self.assertEqual([[text if name == "body" else float(text) for name, text in zip(rows[0], row)] for row in found],
                         [[text if name == "body" else float(text) for name, text in row.items()] for row in rows])

    def test_a_frame_is_pieces_or_one_file(self):
        self.run_with(*SPARSE, "time.events=1")
        self.assertEqual(self.frame_files(), ["000000.pvtu", "000000_0.vtu", "000001.pvtu", "000001_0.vtu"])
        self.run_with(*SPARSE, "time.events=1", "output.frames=one")
        self.assertEqual(self.frame_files(), ["000000.vtu", "000001.vtu"])
        self.assertEqual(re.findall('file="(.*)"', (self.output / "fields.pvd").read_text()),
                         ["fields/000000.vtu", "fields/000001.vtu"])

    def test_frames_are_compressed_as_asked(self):
        for asked, compressor in (((), "vtkLZ4DataCompressor"), (("output.compression=lz4",), "vtkLZ4DataCompressor"),
                                  (("output.compression=zlib",), "vtkZLibDataCompressor"),
                                  (("output.compression=none",), None)):
            self.run_with(*SPARSE, "time.events=1", *asked)
            header = self.piece()[0]
            self.assertEqual(re.findall('compressor="(.*?)"', header), [compressor] if compressor else [])

    def test_energy_steps_that_no_run_can_do_are_told_before_anything_touches(self):
        blocks = ", ".join(f"{{name='{name}', material='soft', shape='lattice', extent=[1, 1, 1], cells=[1, 1, 1], position=[{place}, 0, 0], "
                           f"velocity=[{speed}, 0, 0]}}" for name, place, speed in (("left", 0, 1), ("right", 1.5, -1)))

        def apart(step_of_contact, *settings):
            return (f"bodies=[{blocks}]", f"contact={{model='face-intersection', stiffness=1, energy_step={step_of_contact}}}", "time.end=0.1",
                    *SPARSE, *settings)

        beyond = r"warning: contact\.energy_step is 1e\+03 for an energy of 0\.1: bodies can hardly feel each other; lower it\n"
        arguments = [word for setting in apart(1e3) for word in ("--set", setting)]
        checked = call(PROGRAM, "check", "cube.toml", *arguments, directory=self.directory)
        for said in (checked.stdout + checked.stderr, self.call(*apart(1e3))):
            self.assertEqual(len(re.findall(beyond, said)), 1, said)
        self.assertNotIn("energy_step", self.call("output.overwrite=true", *apart(1e-3)))
        self.assertIn("contact.energy_step: expected at least 1e-17, the rounding of the kinetic energy 0.1, found 1e-18",
                      self.call(*apart(1e-18), "output.directory=none", status=2))
        fraction = "integrator={method='energy-stepping', energy_step_fraction=1e-17}"
        self.assertIn(f"--set {fraction}: integrator.energy_step_fraction: expected at least 1e-16, the rounding of the kinetic energy 0.1, "
                      "found 1e-17", self.call(*apart(1e-3), fraction, "output.directory=none", status=2))

    def test_check_shows_the_distance_that_a_close_start_leaves(self):
        wall = ("walls=[{name='floor', point=[0,0,-0.55], normal=[0,0,1], model='barrier', distance=0.1}]",
                "contact={model='none', close_start='reduce'}")
        arguments = [word for setting in wall for word in ("--set", setting)]
        done = call(PROGRAM, "check", "cube.toml", *arguments, directory=self.directory)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"cube/floor +activation distance 0\.025, ")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
