"""Runs that are stopped or killed and then resumed end as the run that was never stopped: with the same bits, rows and frames.

Usage: restart.py TERRACE [OPTION of unittest]...      (same_bits.py resumes its cases as well)
"""

import random
import re
import resource
import shutil
import signal
import sys
import time
import unittest
from pathlib import Path

from restarted_run import DECK, PROGRAM, RestartedRun

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mpi"))
from program import call, run_deck  # noqa: E402
from same_bits_decks import GAS  # noqa: E402

PARTICLES = """[time]
end = 4.0
[[particles]]
name = "atoms"
mass = 1.0
file = "particles.csv"
[[potentials]]
name = "well"
kind = "harmonic"
stiffness = [1.0, 1.0, 1.0]
[integrator]
method = "energy-stepping"
energy_step = 0.01
"""
HELD = """[time]
end = 2.0
[materials.soft]
density = 0.1
lame_lambda = 0.0100
lame_mu = 0.0066
[[bodies]]
name = "tetrahedron"
material = "soft"
shape = "file"
file = "tetrahedron.msh"
[[supports]]
name = "floor"
body = "tetrahedron"
group = "held"
velocity = [0.0, 0.0, 1.0]
[integrator]
method = "newmark"
time_step_factor = 0.5
"""
TETRAHEDRON = """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
2 1 "held"
3 2 "all"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
2
1 2 2 1 1 1 2 3
2 4 2 2 1 1 2 3 4
$EndElements
"""
SEED = 20261122
KILLS = 4  # kills.py makes more


class Restart(RestartedRun):
    def test_a_run_that_ended_early_goes_on(self):
        shutil.copytree(self.half, self.output)
        self.assertLess(self.summary()["final_time"], 30)
        self.run_deck("--resume")
        self.assert_as_never_stopped()

    def test_on_other_ranks(self):
        for ranks, layout in ((2, "own"), (3, "slice")):
            shutil.rmtree(self.output, ignore_errors=True)
            shutil.copytree(self.half, self.output)
            self.run_deck("--resume", "--set", f"layout.kind={layout}", ranks=ranks)
            self.assert_as_never_stopped(frames=False)

    def test_bodies_with_rows_of_their_own(self):
        for kind in ("csv", "hdf5"):
            settings = ["--set", "output.bodies_interval=1.3", "--set", f"output.bodies={kind}"]
            whole = self.directory / f"whole-{kind}"
            done = call(PROGRAM, "run", self.deck, "--output", whole, *settings)
            self.assertEqual(done.returncode, 0, done.stderr)
            shutil.rmtree(self.output, ignore_errors=True)
            self.run_deck(*settings, "--set", "time.events=1000")
            self.run_deck(*settings, "--resume")
            for name in ("history.csv", "bodies.csv" if kind == "csv" else "bodies.h5"):
                self.assertEqual((self.output / name).read_bytes(), (whole / name).read_bytes(), name)

    def test_a_later_end(self):
        self.run_deck("--set", "time.end=15")
        self.run_deck("--resume")
        self.assert_as_never_stopped()

    def test_a_later_end_with_more_rows(self):
        # Of the rows of the new interval, one would have been due at 15, before the end of the first run; it is left out.
        self.run_deck("--set", "time.end=15.001", "--set", "output.history_interval=0.7")
        self.run_deck("--resume", "--set", "output.history_interval=0.04")
        self.assertEqual(self.summary()["state_hash"], self.summary(self.whole)["state_hash"])
        rows = (self.output / "history.csv").read_text(encoding="utf-8").splitlines()[1:]
        times = [float(row.split(",")[0]) for row in rows]
        self.assertEqual([round(time, 6) for time in times[20:24]], [14.0, 14.7, 15.001, 15.04])
        whole = (self.whole / "history.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(rows[-1], whole[-1])

    def test_rows_leave_no_trace(self):
        # Rows decide how far ahead pairs of balls that wait for their touch are searched, here up to the 418th event. The state must not
        # depend on that.
        gas = self.directory / "gas.toml"
        gas.write_text(GAS.replace("events = 1500", "events = 500"), encoding="utf-8")
        few, many = (run_deck(PROGRAM, gas, self.directory / str(interval), "--set", f"output.history_interval={interval}")
                     for interval in (1, 4e-6))
        self.assertEqual(few["state_hash"], many["state_hash"])

    def test_what_came_after_the_save_goes(self):
        shutil.copytree(self.whole, self.output)
        (self.output / "restart-before.h5").unlink(missing_ok=True)
        shutil.copy(self.half / "restart.h5", self.output)
        self.run_deck("--resume", "--set", "output.field_interval=-1", "--set", "output.history_interval=9", "--set", "output.bodies_interval=9")
        self.assertEqual(self.summary()["state_hash"], self.summary(self.whole)["state_hash"])
        for name in ("history.csv", "bodies.csv"):
            lines = (self.output / name).read_text(encoding="utf-8").splitlines()[1:]
            times = [float(line.split(",")[0]) for line in lines]
            self.assertEqual(times, sorted(times), name)
            self.assertEqual(times[-2:], [36, 40], name)
        listed = re.findall(r'fields/([0-9]+)\.pvtu', (self.output / "fields.pvd").read_text(encoding="utf-8"))
        self.assertEqual(sorted({path.name[:6] for path in (self.output / "fields").iterdir()}), listed)

    def test_frames_that_somebody_removed_are_listed_no_more(self):
        # Frames are removed twice. The others keep their numbers, and new frames get new ones.
        options = ("--set", "output.field_interval=9", "--set", "output.history_interval=9")
        self.run_deck("--set", "time.end=18", *options)
        for end, gone in ((27, ("000001",)), (36, ("000001", "000002"))):
            for path in (self.output / "fields").glob(f"{gone[-1]}*"):
                path.unlink()
            self.run_deck("--resume", "--set", f"time.end={end}", *options)
            listed = re.findall(r'<DataSet .*fields/([0-9]+)\.pvtu', (self.output / "fields.pvd").read_text(encoding="utf-8"))
            self.assertEqual(listed, [f"{number:06}" for number in range(1 + end // 9) if f"{number:06}" not in gone])
            self.assertEqual(sorted({path.name[:6] for path in (self.output / "fields").iterdir()}), listed)

    def test_impulses_of_gravity_count_once_on_several_ranks(self):
        deck = self.directory / "falling.toml"
        deck.write_text(DECK + "[gravity]\nacceleration = [0.0, 0.0, -0.01]\n", encoding="utf-8")
        run_deck(PROGRAM, deck, self.output, "--set", "time.events=300")
        summary = run_deck(PROGRAM, deck, self.output, "--set", "time.events=400", "--resume", ranks=2)
        self.assertEqual(summary["momentum_change"], 0)

    def test_long_texts_of_a_deck_that_settings_change_are_the_same_texts(self):
        deck = self.directory / "formula.toml"
        formula = "0.50*x^2 + 0.10*x*y + 0.30*y^2 + 0.05*sin(3*x)*cos(2*y) + 0.01*x^3*y + 0.02*x^2 + 0.25*x^4"
        deck.write_text(PARTICLES.replace('"atoms"', f'"a{60 * "é"}"').replace('file = "particles.csv"', "positions = [[1.0, 0.5, 0.0]]")
                        .replace('"harmonic"\nstiffness = [1.0, 1.0, 1.0]', f'"expression"\nenergy = "{formula}"'), encoding="utf-8")
        run_deck(PROGRAM, deck, self.output, "--set", "time.events=20")
        run_deck(PROGRAM, deck, self.output, "--resume", "--set", "time.events=40")
        summary = run_deck(PROGRAM, deck, self.output, "--resume")
        self.assertEqual(summary["state_hash"], run_deck(PROGRAM, deck, self.directory / "whole")["state_hash"])

    def test_what_contact_has_seen_is_known_afterwards(self):
        # Rows and saves look at the distance; here the nearest approach is between two rows and before the save.
        gas = self.directory / "gas.toml"
        gas.write_text(GAS.replace("events = 1500", "events = 4500"), encoding="utf-8")
        options = ("--set", "output.history_interval=1")
        expected = run_deck(PROGRAM, gas, self.directory / "whole", *options)["monitors"]
        run_deck(PROGRAM, gas, self.output, *options, "--set", "time.events=4000")
        found = run_deck(PROGRAM, gas, self.output, *options, "--resume")["monitors"]
        self.assertEqual(found, expected)

    def test_what_is_done_stays_as_it_is(self):
        shutil.copytree(self.whole, self.output)
        self.run_deck("--resume")
        self.assert_as_never_stopped()

    def test_killed_at_any_moment(self):
        moments = random.Random(SEED)
        print(f"seed {SEED}")
        killed = 0

        def has_saved():
            shutil.rmtree(self.output, ignore_errors=True)
            process = self.start("--set", "output.restart_time=0.05")  # most of the time is that of saving
            while not (self.output / "restart.h5").exists() and process.poll() is None:
                time.sleep(0.005)
            return process

        process, begun = has_saved(), time.monotonic()
        process.communicate()
        rest = time.monotonic() - begun
        for kill in range(KILLS):
            process = has_saved()
            time.sleep(moments.uniform(0, 0.8 * rest))
            process.kill()
            process.communicate()
            killed += process.returncode == -signal.SIGKILL
            self.run_deck("--resume", "--set", "output.restart_time=0", ranks=(None, 2)[kill % 2])
            self.assert_as_never_stopped(frames=kill % 2 == 0)  # on two ranks they have other pieces
        self.assertGreaterEqual(killed, KILLS // 2, "too late")

    def test_killed_as_it_goes_on_it_is_not_said_to_be_done(self):
        shutil.copytree(self.half, self.output)
        self.run_deck("--resume", "--set", "integrator.energy_step=2e-6", status=2)
        self.assertTrue((self.output / "summary.json").exists(), "refused, it leaves what was there")
        before = (self.output / "restart.h5").stat().st_ino
        process = self.start("--resume", "--set", "time.end=4000", "--set", "output.restart_time=1")
        while (self.output / "restart.h5").stat().st_ino == before and process.poll() is None:
            time.sleep(0.005)
        process.kill()
        process.communicate()
        self.assertEqual(process.returncode, -signal.SIGKILL)
        for name in ("summary.json", "subdomains.csv", "steps.csv"):
            self.assertFalse((self.output / name).exists(), name)

    def test_the_file_before_is_taken_where_the_last_is_damaged(self):
        self.run_deck("--set", "time.end=20", "--set", "output.restart_time=5")
        last = self.output / "restart.h5"
        whole = last.read_bytes()
        for damage, told in ((whole[:len(whole) // 2], "expected a whole restart file"), (b"no HDF5", "expected a whole restart file"),
                             (whole[:-2000] + b"\1" * 2000, "found one that is damaged")):
            shutil.rmtree(self.directory / "copy", ignore_errors=True)
            shutil.copytree(self.output, self.directory / "copy")
            (self.directory / "copy" / "restart.h5").write_bytes(damage)
            done = call(PROGRAM, "run", self.deck, "--output", self.directory / "copy", "--resume")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(told, done.stderr)
            self.assertRegex(done.stderr, r"going on from .*restart-before.h5")
            self.assertEqual(self.summary(self.directory / "copy")["state_hash"], self.summary(self.whole)["state_hash"])

    def test_nothing_to_go_on_from(self):
        self.assertRegex(self.run_deck("--resume", status=2), r"expected a restart file in .*output, found none that can be read")
        shutil.copytree(self.half, self.output)
        (self.output / "restart.h5").write_bytes(b"")
        for path in self.output.glob("restart-before.h5"):
            path.unlink()
        self.assertIn("found none that can be read", self.run_deck("--resume", status=2, ranks=2))

    def test_another_deck_is_refused_by_its_key(self):
        shutil.copytree(self.half, self.output)
        for setting, key in (("integrator.energy_step=2e-6", "integrator.energy_step"),
                             ("bodies.0.spin=[0, 0.1, 2.0]", "bodies.0.spin.2"),
                             ("probes=[{name='p',body='cube',point=[0,0,0]}]", "probes.0.body"),
                             ("integrator.method=newmark", "integrator.energy_step")):
            said = self.run_deck("--resume", "--set", setting, status=2)
            self.assertRegex(said, rf"expected the deck that .* was written for, but for title, time, output, layout and integrator.executor, found another {key}\n")
        self.run_deck("--resume", "--set", "output.history_interval=0.7", "--set", "title=Another")

    def test_another_mesh_is_refused(self):
        shutil.copytree(self.half, self.output)
        mesh = self.directory / "block.msh"
        deck = self.directory / "mesh.toml"
        text = DECK.replace('shape = "lattice"', 'shape = "file"\nfile = "block.msh"')
        text = re.sub(r"(extent|cells) = .*\n", "", text)
        deck.write_text(text, encoding="utf-8")

        def run_with(cells, length, *options):
            done = call(PROGRAM, "mesh", self.deck, "--set", f"bodies.0.cells=[1, 1, {cells}]", "--set", f"bodies.0.extent=[1, 1, {length}]",
                        "--output", mesh)
            self.assertEqual(done.returncode, 0, done.stderr)
            return call(PROGRAM, "run", deck, "--output", self.directory / "mesh", "--set", "time.end=0.1", *options)

        done = run_with(1, 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        for cells, length in ((2, 1), (1, 1.01)):  # more nodes; as many nodes at other places
            done = run_with(cells, length, "--resume")
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"expected the mesh [0-9a-f]{16} that .* was written for, found the mesh [0-9a-f]{16}")

    def assert_goes_on_with_the_same_file_alone(self, deck, file, other, *end):
        run_deck(PROGRAM, deck, self.output, *end)
        before = file.read_text(encoding="utf-8")
        file.write_text(other(before), encoding="utf-8")
        self.assertNotEqual(file.read_text(encoding="utf-8"), before)
        done = call(PROGRAM, "run", deck, "--output", self.output, "--resume")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertRegex(done.stderr, "expected mesh and particle files that have not changed since .* was written, "
                                      "found files that give other velocities, masses or supports")
        file.write_text(before, encoding="utf-8")
        run_deck(PROGRAM, deck, self.output, "--resume")

    def test_particles_of_other_velocities_are_refused(self):
        deck, file = self.directory / "particles.toml", self.directory / "particles.csv"
        deck.write_text(PARTICLES, encoding="utf-8")
        file.write_text("x,y,z,vx,vy,vz\n1,0,0,0,1,0\n0,2,0,0.5,0,0\n", encoding="utf-8")
        self.assert_goes_on_with_the_same_file_alone(deck, file, lambda text: text.replace("0.5", "0.75"), "--set", "time.end=2")

    def test_supports_of_other_nodes_are_refused(self):
        deck, file = self.directory / "held.toml", self.directory / "tetrahedron.msh"
        deck.write_text(HELD, encoding="utf-8")
        file.write_text(TETRAHEDRON, encoding="utf-8")
        self.assert_goes_on_with_the_same_file_alone(deck, file, lambda text: text.replace("1 2 2 1 1 1 2 3", "1 2 2 1 1 1 2 4"),
                                                     "--set", "time.end=1")

    def test_an_end_that_is_past_is_refused(self):
        shutil.copytree(self.half, self.output)
        said = self.run_deck("--resume", "--set", "time.end=1.0", status=2)
        self.assertRegex(said, r"error: --set time.end=1.0: time.end: expected at least [0-9.]+, which the run has reached, found 1\n")

    def test_fewer_events_than_were_done_are_refused(self):
        self.run_deck("--set", "time.events=20", "--set", "output.restart_interval=1")
        before = (self.output / "history.csv").read_bytes()
        said = self.run_deck("--resume", "--set", "time.events=19", status=2)
        self.assertRegex(said, r"error: --set time.events=19: time.events: expected at least 20, which the run has reached, found 19\n")
        self.assertEqual((self.output / "history.csv").read_bytes(), before)
        self.run_deck("--resume", "--set", "time.events=20")
        self.assertEqual(self.summary()["events"], 20)

    def test_what_is_no_file_to_go_on_from_is_named(self):
        for make, words in ((Path.mkdir, "a directory"), (lambda path: path.write_text("none", encoding="utf-8"), "one that is damaged")):
            shutil.rmtree(self.output, ignore_errors=True)
            shutil.copytree(self.half, self.output)
            for name in ("restart.h5", "restart-before.h5"):
                (self.output / name).unlink(missing_ok=True)
            make(self.output / "restart.h5")
            self.assertIn(f"found {words}", self.run_deck("--resume", status=2))

    def test_rows_of_bodies_of_another_kind_are_refused(self):
        shutil.copytree(self.half, self.output)
        before = (self.output / "history.csv").read_bytes()
        said = self.run_deck("--resume", "--set", "output.bodies=hdf5", status=2)
        self.assertIn('error: --set output.bodies=hdf5: output.bodies: expected "csv", the format of the rows that the run has written already, found "hdf5"', said)
        self.assertEqual((self.output / "history.csv").read_bytes(), before)

    def test_a_lost_frame_is_noticed(self):
        shutil.copytree(self.half, self.output)
        index = self.output / "fields.pvd"
        lines = index.read_text(encoding="utf-8").splitlines(keepends=True)
        index.write_text("".join(line for line in lines if 'timestep="0"' not in line), encoding="utf-8")
        self.assertIn("fields.pvd: expected a frame at time 0, found none", self.run_deck("--resume", status=1))

    def test_what_is_missing_is_told_before_anything_is_shortened(self):
        probes = ("--set", "probes=[{name='corner', body='cube', point=[0.5, 0.5, 0.5]}]")
        self.run_deck("--set", "time.events=500", *probes)
        for name, told in (("history.csv", "expected a readable file, found No such file or directory"),
                           ("probes.csv", "expected a readable file, found No such file or directory"),
                           ("bodies.csv", "expected a readable file, found No such file or directory"),
                           ("fields.pvd", f"expected a list of the frames in {self.output / 'fields'}; a new list begins where these frames are "
                                          "removed, too, found no such file")):
            (self.output / name).rename(self.directory / name)
            before = {path: path.read_bytes() for path in self.output.rglob("*") if path.is_file()}
            self.assertIn(f"{name}: {told}", self.run_deck("--resume", *probes, status=1, ranks=2 if name == "fields.pvd" else None))
            self.assertEqual({path: path.read_bytes() for path in self.output.rglob("*") if path.is_file()}, before)
            (self.directory / name).rename(self.output / name)
        self.run_deck("--resume", *probes)
        self.assertEqual(self.summary()["state_hash"], self.summary(self.whole)["state_hash"])

    def test_a_run_whose_frames_were_all_removed_lists_those_to_come(self):
        shutil.copytree(self.half, self.output)
        shutil.rmtree(self.output / "fields")
        (self.output / "fields.pvd").unlink()
        self.assertIn(f"warning: {self.output / 'fields.pvd'} is not there: it will list the frames from now on\n", self.run_deck("--resume"))
        self.assertEqual(self.summary()["state_hash"], self.summary(self.whole)["state_hash"])
        listed = re.findall(r'<DataSet timestep="([^"]*)".*fields/([0-9]+)\.pvtu', (self.output / "fields.pvd").read_text(encoding="utf-8"))
        self.assertGreater(float(listed[0][0]), self.summary(self.half)["final_time"])
        self.assertEqual(float(listed[-1][0]), 40)
        self.assertEqual([number for _, number in listed], [f"{number:06}" for number in range(len(listed))])
        self.assertEqual(sorted({path.name[:6] for path in (self.output / "fields").iterdir()}), [number for _, number in listed])

    def test_no_second_run_beside_it(self):
        process = self.start("--set", "time.end=400")
        self.wait_for("fields/000001.pvtu", process)
        for options in (("--resume",), ("--set", "output.overwrite=true")):
            self.assertRegex(self.run_deck(*options, status=2), r"output directory .*output: expected one that no other run writes to, "
                             rf"found one in use by process {process.pid} on \S+ since [0-9]{{4}}-[0-9-]+ [0-9:]+ UTC\n")
        self.assertIsNone(process.poll(), "ended by the others")
        process.kill()
        process.communicate()
        self.run_deck("--set", "output.overwrite=true", "--set", "time.events=1")
        self.assertFalse((self.output / ".lock").exists())

    def test_none_where_none_is_asked_for(self):
        self.run_deck("--set", "time.end=0.5", "--set", "output.restart_interval=0")
        self.assertEqual(list(self.output.glob("restart*")), [])

    def test_the_end_is_saved_by_either_clock(self):
        self.run_deck("--set", "time.end=0.5", "--set", "output.restart_interval=0", "--set", "output.restart_time=10")
        self.run_deck("--resume", "--set", "output.restart_interval=0")
        self.assert_as_never_stopped(frames=False)

    def test_by_the_clock_on_the_wall(self):
        process = self.start("--set", "output.restart_interval=0.1", "--set", "time.end=400")
        self.wait_for("restart-before.h5", process)
        process.kill()
        process.communicate()
        self.assertFalse((self.output / "summary.json").exists())

    def test_a_full_disk(self):
        limit = 12000  # largest size of a file [bytes]: the tables fit for a while, restart.h5 does not
        process = self.start("--set", "output.field_interval=-1", "--set", "output.restart_time=1",
                             "--set", "output.history_interval=20",
                             preexec=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        said = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 1, said)
        self.assertRegex(said, r"terrace: error: .*restart\.h5\.part: expected to write [0-9]+ bytes, found File too large")
        self.assertTrue(self.summary()["status"].startswith("failed: "))
        self.assertEqual(list(self.output.glob("restart*")), [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
