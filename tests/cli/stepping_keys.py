"""Keys of force-stepping, discontinuous potentials, and implicit and adaptive methods whose effect only a run shows.

Usage: stepping_keys.py TERRACE [OPTION of unittest]...
"""

import csv
import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from program import call  # noqa: E402

INPUTS = Path(__file__).resolve().parents[2] / "inputs"
PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")


class SteppingKeys(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.output = Path(scratch.name) / "run"

    def call(self, deck, *settings, status=0):
        arguments = [word for setting in settings for word in ("--set", setting)]
        done = call(PROGRAM, "run", str(INPUTS / f"{deck}.toml"), "--output", str(self.output), "--set", "output.overwrite=true",
                    *arguments, directory=self.output.parent)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        if status == 2:  # terrace check must refuse it with the same message
            checked = call(PROGRAM, "check", str(INPUTS / f"{deck}.toml"), *arguments, directory=self.output.parent)
            self.assertEqual((checked.returncode, checked.stderr), (2, done.stderr))
        return done.stdout + done.stderr

    def run_with(self, deck, *settings):
        self.call(deck, *settings)
        return json.loads((self.output / "summary.json").read_text(encoding="utf-8"))

    def test_check_counts_equal_steps_alone(self):
        shorter, number = " where no energy is stored, shorter where it is", ", 2000 of them to time.end"
        for method, more, told in (("newmark", "", number), ("sem", "", " at first, then such as keep the energy"),
                                   ("time-transformed-splitting", "", shorter), ("step-density", "", shorter), ("adaptive-variational", "", shorter),
                                   ("step-density", ", scaling_exponent=0.5", " where no energy is stored, longer where it is"),
                                   ("step-density", ", scaling_exponent=0", number)):
            done = call(PROGRAM, "check", str(INPUTS / "ball_on_wall.toml"), "--set", "bodies.0.size=0.015", "--set", "time.end=0.02", "--set",
                        f"integrator={{method='{method}', time_step=1e-5{more}}}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"integrator: steps of 1e-05{told}\n", done.stdout)

    def test_faces_that_meet_in_parallel_have_no_penalty(self):
        blocks = [f"{{name='{name}', material='gel', shape='lattice', extent=[2.0,2.0,2.0], cells=[1,1,1], position=[{place},{aside},{aside}], "
                  f"velocity=[{speed},0.0,0.0]}}" for name, place, aside, speed in (("left", 0.0, 0.0, 0.2), ("right", 2.05, 0.3, -0.1))]
        settings = (f"bodies=[{', '.join(blocks)}]", "contact.model=face-intersection", "contact.stiffness=1.0", "time.end=1.0",
                    "materials={gel={density=1.0, lame_lambda=9.0, lame_mu=1.0}}", "integrator={method='energy-stepping', energy_step=1e-5}",
                    "output.field_interval=-1.0", "output.history_interval=0.1")
        said = self.call("two_balls", *settings, status=1)
        self.assertIn("subdomain left/right, time 0.16", said)
        self.assertIn("expected a gradient at the surface of its terrace, found none, as where faces, or a face and an edge, meet that are "
                      "parallel to the last digit: use the barrier for those", said)
        summary = self.run_with("two_balls", *settings[:1], "contact={model='barrier', distance=0.04}", *settings[3:])
        self.assertEqual(summary["status"], "done")
        self.assertLess(summary["monitors"]["least_distance"], 0.03)

    def test_the_grid_decides_the_steps(self):
        orbit = ("c3_kepler", "time.end=6.3")
        steps = self.run_with(*orbit)["average_step"]
        self.assertAlmostEqual(self.run_with(*orbit, "integrator.grid_spacing=0.011")["average_step"] / steps, 0.5, delta=0.05)
        # Planes along y alone are twice as dense: this concerns half of the crossings of planes, and some of those of diagonals.
        other = ("integrator={method='force-stepping', grid_spacings=[0.022, 0.011, 1.0]}",)
        self.assertTrue(0.5 < self.run_with(*orbit, *other)["average_step"] / steps < 0.9)
        hashes = {self.run_with(*orbit, *settings)["state_hash"]
                  for settings in ((), ("integrator.grid_offset=0.3",), ("integrator.parity=true",))}
        self.assertEqual(len(hashes), 3)
        self.assertIn("integrator.grid_spacing", self.call("c3_kepler", "integrator={method='force-stepping'}", status=2))
        self.assertIn("integrator.grid_spacing: expected at least 1.36e-13 for a coordinate of 0.15, found 1e-30",
                      self.call("c3_kepler", "integrator.grid_spacing=1e-30", status=2))
        self.assertIn("not both", self.call("c3_kepler", "integrator.grid_spacings=[1.0, 1.0, 1.0]", status=2))
        self.assertIn("integrator.grid_offset", self.call("c3_kepler", "integrator.grid_offset=0.3", "integrator.parity=true", status=2))

    def test_reductions_keep_momenta(self):
        argon = ("c2_argon_force_stepping", "time.end=0.02", "output.history_interval=0.01")
        self.assertEqual(self.run_with(*argon)["momentum_change"], 0)
        self.assertNotEqual(self.run_with(*argon, "integrator.coordinates=nodes")["momentum_change"], 0)
        self.run_with("c4_kepler_reduced", "time.end=6.3")
        with open(self.output / "history.csv", newline="", encoding="utf-8") as file:
            turning = [float(row["angular_momentum_z"]) for row in csv.DictReader(file)]
        self.assertLess(max(turning) - min(turning), 1e-12 * abs(turning[0]))
        self.assertIn("which acts from outside", self.call("c3_kepler", "integrator.coordinates=jacobi", status=2))
        self.assertIn("one particle in a central field", self.call("c2_argon_force_stepping", "integrator.coordinates=radius", status=2))

    def test_a_step_is_passed_by_each_variant(self):
        well = ("e1_quadratic_step", "time.end=20.0")
        hashes = set()
        for variant in ("dp1", "dp1-lie-trotter", "dp1-forward-euler", "dp2", "dp2-strang", "dp3", "dp3-runge-kutta", "dp4"):
            summary = self.run_with(*well, f"integrator.variant={variant}", "integrator.time_step=0.07")
            self.assertLess(summary["energy_drift"], 3.0 if variant == "dp1-forward-euler" else 0.1)
            hashes.add(summary["state_hash"])
        hashes |= {self.run_with(*well, f"integrator.order={order}", "integrator.time_step=0.07")["state_hash"] for order in (2, 6)}
        penalty = (*well, "integrator.variant=penalty")
        hashes |= {self.run_with(*penalty, f"integrator.steepness={steepness}")["state_hash"] for steepness in (20, 30)}
        # dp2 and dp2-strang are both exact here up to the last digits; dp3 and dp4 are the same method with one impact in a step.
        self.assertEqual(len(hashes), 11)
        self.assertIn("integrator.steepness", self.call(*penalty, status=2))
        self.assertIn("integrator.order with the variants \"dp3\" and \"dp4\"",
                      self.call(*well, "integrator.variant=dp1", "integrator.order=2", status=2))
        self.assertIn("= 2, 4 or 6", self.call(*well, "integrator.order=3", status=2))
        self.assertIn("variant \"penalty\"", self.call(*well, "integrator.steepness=3", status=2))

    def test_a_step_is_a_region(self):
        well = ("e1_quadratic_step", "time.end=20.0")
        self.assertEqual(self.run_with(*well)["reflections"], 0)
        step = "potentials.1={name='step', kind='step', KEYS parts=[{shape='half-space', point=[0.5], normal=[-1.0]}]}"
        wall = step.replace("KEYS", "wall=true,")
        self.assertGreater(self.run_with(*well, wall)["reflections"], 3)
        self.assertIn("outside of the region of step, which is a wall", self.call(*well, wall.replace("parts", "side='outside', parts"), status=2))
        # The same half-space as a formula.
        self.assertEqual(self.run_with(*well, wall)["reflections"],
                         self.run_with(*well, wall.replace("shape='half-space', point=[0.5], normal=[-1.0]",
                                                           "shape='formula', function='(0.5 - x)*(1 + x^2)'"))["reflections"])
        self.assertIn("either potentials[1].height or wall = true", self.call(*well, step.replace("KEYS", "wall=true, height=1.0,"), status=2))
        self.assertIn("at least one table of potentials[1].parts, found none", self.call(*well, "potentials.1={name='step', kind='step', height=1.0}", status=2))
        ball = step.replace("KEYS", "height=1.0,").replace("half-space", "ball")
        self.assertIn("no normal of a ball", self.call(*well, ball, status=2))
        flat = step.replace("KEYS", "height=1.0,")
        self.assertIn("not to be zero", self.call(*well, flat.replace("-1.0]", "0.0]"), status=2))
        self.assertIn("no radius of a half-space", self.call(*well, flat.replace("normal", "radius=1.0, normal"), status=2))
        self.assertIn("of pieces 1, 2, … without a gap, found a piece without parts", self.call(*well, flat.replace("shape", "piece=2, shape"), status=2))
        # Two pieces are a union: the ball about its start keeps the particle inside.
        inside = flat.replace("height=1.0,", "wall=true, side='outside',").replace(
            "{shape='half-space', point=[0.5], normal=[-1.0]}",
            "{piece=1, shape='ball', point=[-1.0], radius=0.3}, {piece=2, shape='ball', point=[0.5], radius=0.1}")
        self.assertGreater(self.run_with(*well, inside)["reflections"], 30)

    # The deck of the ball, with a cube instead: Gmsh takes most of a second to mesh a ball.
    CUBE = ("ball_on_wall", "bodies=[{name='cube', material='gel', shape='lattice', extent=[0.05, 0.05, 0.05], cells=[2, 2, 2], "
            "position=[0.0, 0.0, 0.0275], velocity=[0.0, 0.0, -1.0], spin=[0.0, 10.0, 0.0]}]", "time.end=0.004", "output.field_interval=-1.0")

    def test_implicit_steps_heed_their_keys(self):
        def run_with(*settings):
            return self.run_with(*self.CUBE, f"integrator={{method='implicit-midpoint', {', '.join(settings)}}}")
        tight, loose = run_with("solver_tolerance=1e-12"), run_with("solver_tolerance=1e-4")
        self.assertGreater(tight["steps"]["newton_iterations"], loose["steps"]["newton_iterations"])
        self.assertEqual(tight["momentum_change"], 0)
        self.assertEqual(loose["momentum_change"], 0)
        self.assertGreater(tight["wall_seconds_by_part"]["tangents"], 0)
        # By default the step is four stable steps, where the stable step is that with contact and walls.
        self.assertAlmostEqual(run_with("time_step_factor=4.0")["average_step"], tight["average_step"], delta=1e-12)
        semi = (*self.CUBE, "integrator={method='semi-explicit'}")
        hashes = {self.run_with(*semi, *more)["state_hash"]
                  for more in ((), ("integrator.explicit_weight=0.4",), ("integrator.implicit_weight=0.7",))}
        self.assertEqual(len(hashes), 3)
        self.assertIn("a number from 0 to 1", self.call(*semi, "integrator.implicit_weight=1.5", status=2))
        # PETSc has the last word on its solvers.
        done = call(PROGRAM, "run", str(INPUTS / "ball_on_wall.toml"), "--output", str(self.output), "--set", "output.overwrite=true",
                    *(word for setting in (*self.CUBE[1:], "integrator={method='implicit-midpoint'}") for word in ("--set", setting)),
                    "--", "-snes_max_it", "1", directory=self.output.parent)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("Newton's method needs more iterations than it may take (-snes_max_it)", done.stderr)

    def test_steps_follow_the_energy(self):
        for method in ("time-transformed-splitting", "step-density", "adaptive-variational"):
            cube = (*self.CUBE, f"integrator={{method='{method}'}}")
            plain = self.run_with(*cube)["steps"]
            self.assertLess(plain["shortest"], 0.8 * plain["longest"])
            equal = self.run_with(*cube, "integrator.scaling_exponent=0.0")["steps"]
            self.assertAlmostEqual(equal["shortest"] / equal["longest"], 1, delta=1e-6)
            wide = self.run_with(*cube, "integrator.scaling_shift=1.0")["steps"]
            self.assertGreater(wide["shortest"], 0.9 * wide["longest"])
        cube = (*self.CUBE, "integrator={method='time-transformed-splitting'}")
        drifts = [self.run_with(*cube, f"integrator.order={order}")["energy_drift"] for order in (2, 4, 6)]
        self.assertLess(drifts[2], drifts[1])
        self.assertLess(drifts[1], drifts[0])
        self.assertIn("= 2, 4, 6 or 8", self.call(*cube, "integrator.order=3", status=2))
        # For attracting forces V and the shift are negative: steps follow |V|^(-3/2), that is, the radius to the power of 3/2.
        orbit = ("c3_kepler", "time.end=30.0", "integrator={method='time-transformed-splitting', time_step=6.0, "
                 "scaling_exponent=-1.5, scaling_shift=-0.01}")
        steps = self.run_with(*orbit)["steps"]
        self.assertAlmostEqual(steps["longest"] / steps["shortest"], (1.85 / 0.15) ** 1.5, delta=2)

    def test_methods_say_what_they_are_not_valid_for(self):
        for method, why in (("implicit-midpoint", "second derivatives"), ("energy-momentum", "discrete gradient"),
                            ("symplectic-energy-momentum", "second derivatives")):
            message = self.call("two_balls", f"integrator={{method='{method}'}}", status=2)
            self.assertIn("bodies that may touch, whose contact has no " + why, message)
        message = self.call("two_balls", "integrator={method='semi-explicit'}", "contact={model='rigid'}", status=2)
        self.assertIn("which cannot reflect", message)
        self.assertIn("\"newmark\", which needs gradients", self.call("e1_quadratic_step", "integrator={method='newmark'}", status=2))
        cube = ("a3_force_stepping", "integrator={method='labudde-greenspan', time_step=1e-9}")
        message = self.call(*cube, status=2)
        self.assertIn("[[particles]] with integrator.method", message)
        self.assertIn("bodies of meshes", message)
        touching = ("two_balls", "integrator={method='force-stepping', grid_spacing=1e-3}")
        message = self.call(*touching, status=2)
        self.assertIn("contact.model = \"none\" with", message)
        self.assertIn("bodies that may touch, whose pairs come and go", message)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
