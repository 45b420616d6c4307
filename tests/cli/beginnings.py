"""What begins at rest, or without energy, moves as the exact motion does: by every method, whatever it measures energies by.

Usage: beginnings.py TERRACE [OPTION of unittest]...
"""

import csv
import json
import math
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from program import call  # noqa: E402

PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")
GRAVITY = 9.81
FALLING = f"[gravity]\nacceleration = [0.0, 0.0, {-GRAVITY}]\n"
FLOOR = '[[walls]]\nname = "floor"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nstiffness = {}\n'


def particle(name, mass, place, velocity=None):
    moving = f"velocities = [{velocity}]\n" if velocity else ""
    return f'[[particles]]\nname = "{name}"\nmass = {mass}\npositions = [{place}]\n{moving}'


def field(kind, more):
    return f'[[potentials]]\nname = "field"\nkind = "{kind}"\n{more}\n'


def integrator(method, more=""):
    return f'[integrator]\nmethod = "{method}"\n{more}\n'


def deck(end, *parts, interval=None):
    return f"[time]\nend = {end}\n[output]\nhistory_interval = {interval or end / 10}\n" + "".join(parts)


class Beginnings(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)

    def run_of(self, text, status=0):
        path, output = self.directory / "deck.toml", self.directory / "run"
        path.write_text(text, encoding="utf-8")
        done = call(PROGRAM, "run", path, "--output", output, "--set", "output.overwrite=true", directory=self.directory)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.said = done.stdout + done.stderr
        return json.loads((output / "summary.json").read_text(encoding="utf-8"))

    def rows(self, table="history.csv"):
        with open(self.directory / "run" / table, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def last(self, body, quantity="position_z"):
        return float([row for row in self.rows("bodies.csv") if row["body"] == body][-1][quantity])

    def test_an_attraction_that_begins_from_nothing_is_felt(self):
        # Through a well of depth 1 with a kinetic energy of 1/2 before it: v² = 1 + 2 exp(−2 (x − 5)²).
        well = field("expression", 'energy = "-exp(-2*(x-5)^2)"')
        start = particle("p", 1.0, [0.0], [1.0])
        for method in ("clocked-energy-stepping", "newmark"):
            self.run_of(deck(5, start, well, integrator(method, "time_step = 0.01"), interval=0.05))
            fastest = max(float(row["kinetic"]) for row in self.rows())
            self.assertAlmostEqual(fastest, 1.5, delta=0.005, msg=method)
            place = 0
            for _ in range(5000):  # by the midpoint rule, to t = 5
                middle = place + 5e-4 * math.sqrt(1 + 2 * math.exp(-2 * (place - 5) ** 2))
                place += 1e-3 * math.sqrt(1 + 2 * math.exp(-2 * (middle - 5) ** 2))
            self.assertAlmostEqual(self.last("p", "position_x"), place, delta=0.01, msg=method)

    def test_atoms_that_come_into_each_others_reach_attract_each_other(self):
        atoms = particle("left", 1.0, [0.0, 0.0], [0.5, 0.0]) + particle("right", 1.0, [4.0, 0.0], [-0.5, 0.0])
        cut = field("lennard-jones", "depth = 1.0\ndiameter = 1.0\ncutoff = 2.5")
        kinetic = {}
        for method in ("clocked-energy-stepping", "newmark"):
            for kind in ("global", "pairs"):
                self.run_of(deck(2.4, atoms, cut, f'[localization]\nkind = "{kind}"\n' if method != "newmark" else "", integrator(method, "time_step = 0.002")))
                kinetic[method, kind] = float(self.rows()[-1]["kinetic"])
        for found in kinetic.values():
            self.assertAlmostEqual(found, kinetic["newmark", "global"], delta=0.005, msg=kinetic)
        self.assertGreater(kinetic["newmark", "global"], 0.4)  # of 0.25 at the start

    def test_what_is_light_falls_beside_what_is_fast(self):
        bullet, bead = particle("bullet", 0.01, [0.0, 5.0, 5.0], [800.0, 0, 0]), particle("bead", 1e-6, [0.0, 0.0, 1.0])
        for method in ("clocked-energy-stepping", "newmark"):
            self.run_of(deck(0.4, bullet, bead, FALLING, FLOOR.format(1e5), integrator(method)))
            self.assertAlmostEqual(self.last("bead"), 1 - GRAVITY / 2 * 0.4**2, delta=2e-3, msg=method)

    def test_a_single_bead_falls_however_light_it_is(self):
        for mass in (1.0, 1e-6, 1e-15):
            bead = particle("bead", mass, [0.0, 0.0, 0.01])
            self.run_of(deck(0.04, bead, FALLING, FLOOR.format(1e9 * mass), integrator("clocked-energy-stepping")))
            self.assertAlmostEqual(self.last("bead"), 0.01 - GRAVITY / 2 * 0.04**2, delta=1e-4, msg=mass)

    def test_force_stepping_begins_where_there_is_no_energy(self):
        slope = field("polynomial", "coefficients = [0, -0.1]")
        self.run_of(deck(2, particle("p", 1.0, [0.0, 0.0]), slope, integrator("force-stepping", "grid_spacing = 0.01\ngrid_offset = 0.618")))
        self.assertAlmostEqual(self.last("p", "position_x"), 0.05 * 2**2, delta=0.01)
        cube = ('[materials.gel]\ndensity = 1059.0\nlame_lambda = 12.04e4\nlame_mu = 1.34e4\n[[bodies]]\nname = "cube"\nmaterial = "gel"\n'
                'shape = "lattice"\nextent = [0.02, 0.02, 0.02]\ncells = [1, 1, 1]\n')
        self.run_of(deck(0.02, cube, FALLING, integrator("force-stepping", "grid_spacing = 1e-4\ngrid_offset = 0.618")))
        # In so many coordinates on such a grid momenta come late.
        self.assertLess(self.last("cube"), -0.4 * GRAVITY / 2 * 0.02**2)

    def test_a_long_fall_is_within_the_range_of_momenta(self):
        stone = particle("stone", 1.0, [0.0, 0.0, 5.0], [1e-3, 0, 0])
        for method in ("newmark", "clocked-energy-stepping"):
            self.run_of(deck(0.9, stone, FALLING, FLOOR.format(1e5), integrator(method, "time_step = 1e-3")))
            self.assertAlmostEqual(self.last("stone"), 5 - GRAVITY / 2 * 0.9**2, delta=2e-3, msg=method)

    def test_turning_points_are_times_like_others(self):
        spring = field("harmonic", "stiffness = {}")
        for method, step, mass, end in (("labudde-greenspan", 0.6, 1.0, 4000), ("implicit-midpoint", 2.0, 3.0, 400),
                                        ("implicit-midpoint", 0.8284271, 3.0, 400), ("symplectic-energy-momentum", 2.0, 3.0, 40)):
            text = deck(end, particle("p", mass, [0.3]), spring.format(mass), integrator(method, f"time_step = {step}"))
            self.assertLess(self.run_of(text)["energy_drift"], 1e-9, method)

    def test_what_is_not_measured_is_not_told(self):
        # Two atoms that attract each other along a line, on a grid that pulls them aside.
        atoms = particle("left", 1.0, [0.0, 0.0]) + particle("right", 1.0, [1.5, 0.2])
        pull = field("lennard-jones", "depth = 1.0\ndiameter = 1.0")
        summary = self.run_of(deck(0.5, atoms, pull, integrator("force-stepping", "grid_spacing = 0.01\ngrid_offset = 0.618")))
        self.assertIsNone(summary["angular_momentum_drift"])
        self.assertIn("angular momentum changed from nothing", self.said)
        steps = integrator("discontinuous-potential", "time_step = 1e-4")
        self.assertEqual(self.run_of(deck(0.05, atoms, pull, steps))["warnings"], [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
