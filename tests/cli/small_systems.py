"""Small systems as users see them: keys of [system] and of their [integrator], what is refused, what a run leaves.

Usage: small_systems.py TERRACE [OPTION of unittest]...
"""

import csv
import json
import math
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from decks import PENDULUM  # noqa: E402
from program import call, quick_start  # noqa: E402

INPUTS = Path(__file__).resolve().parents[2] / "inputs"
PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")


def system(kind, integrator, parameters="", end=1.0):
    return f'[time]\nend = {end}\n[system]\nkind = "{kind}"\n{parameters}\n[integrator]\n{integrator}\n[output]\n'


def verlet(kind, parameters="", end=1.0):
    return system(kind, 'method = "verlet"\ntime_step = 0.01', parameters, end)


class SmallSystems(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)
        self.output = self.directory / "run"

    def call(self, deck, *settings, status=0, command="run", more=(), ranks=None):
        path = self.directory / "deck.toml"
        path.write_text(deck, encoding="utf-8")
        arguments = [word for setting in settings for word in ("--set", setting)]
        output = ["--output", str(self.output), "--set", "output.overwrite=true"] if command == "run" else []
        done = call(PROGRAM, command, str(path), *output, *arguments, *more, directory=self.directory, ranks=ranks)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def summary(self):
        return json.loads((self.output / "summary.json").read_text(encoding="utf-8"))

    def run_with(self, deck, *settings, **more):
        self.call(deck, *settings, **more)
        return self.summary()

    def rows(self):
        with open(self.output / "history.csv", newline="", encoding="utf-8") as file:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]

    def refused(self, deck, *words, settings=(), status=2, **more):
        shutil.rmtree(self.output, ignore_errors=True)
        message = self.call(deck, *settings, status=status, **more)
        for word in words:
            self.assertIn(word, message)
        if status == 2:
            self.assertFalse(self.output.exists())

    def test_a_run_has_rows_and_a_summary(self):
        summary = self.run_with(PENDULUM)
        self.assertEqual((summary["status"], summary["steps"], summary["system"], summary["method"]), ("done", 10, "pendulum", "verlet"))
        self.assertEqual(summary["force_evaluations"], 11)
        self.assertEqual(summary["final_time"], 1.0)
        rows = self.rows()
        self.assertEqual([round(row["time"], 9) for row in rows], [round(0.1 * n, 9) for n in range(11)])
        self.assertEqual(list(rows[0]), ["time", "step", "energy", "kinetic", "potential", "q_1", "p_1"])
        for row in rows:
            self.assertAlmostEqual(row["kinetic"] + row["potential"], row["energy"], places=14)
            self.assertLessEqual(abs(row["energy"] - rows[0]["energy"]), summary["energy_error"])
        self.assertEqual(self.run_with(PENDULUM, "time.events=3")["steps"], 3)

    def test_the_drift_of_an_energy_about_zero_is_measured_by_the_energies_that_cancel(self):
        summary = self.run_with(PENDULUM, "system.coordinates=[1.5707963267948966]", "system.momenta=[0.0]", "time.end=10")
        self.assertLess(abs(summary["energy"]), 1e-15)
        largest = max(row["kinetic"] for row in self.rows())
        self.assertAlmostEqual(summary["energy_drift"] * largest / summary["energy_error"], 1, delta=1e-2)
        # Near the bottom energies do not cancel: H = −1 with hardly any motion.
        summary = self.run_with(PENDULUM, "system.coordinates=[0.1]", "system.momenta=[0.0]")
        self.assertAlmostEqual(summary["energy_drift"], summary["energy_error"] / abs(summary["energy"]), delta=1e-12)

    def test_a_wrong_energy_is_told_and_a_blow_up_seen(self):
        verlet_of_planet = system("kepler", 'method = "verlet"\ntime_step = 0.3', end=100.0)
        said = self.call(verlet_of_planet)
        words = "the energy is off by up to 0.27 of what it was: the results mean little. Lower integrator.time_step"
        self.assertIn("warning: " + words, said)
        self.assertEqual(self.summary()["warnings"], [words])
        self.assertEqual(self.run_with(verlet_of_planet, "integrator.time_step=0.01")["warnings"], [])
        # Beyond the stable step the motion explodes, and its energy is all kinetic.
        exploded = system("stiff-pendulum", 'method = "verlet"\ntime_step = 0.03', "coordinates = [1.01, 0.0]")
        self.assertGreater(self.run_with(exploded, "time.events=4")["energy_drift"], 2)

    def test_an_energy_that_physics_changes_has_no_error(self):
        chain = "parameters = {{ beads = 2, loss = {} }}"
        midpoint, keys = 'method = "implicit-midpoint"\ntime_step = {}', ("energy_error", "energy_drift", "energy_change")
        for deck, changes in ((verlet("rotor", end=20.0), True), (verlet("rotor", "forces = { load = { on = false } }"), False),
                              (system("two-oscillators", midpoint.format(0.01)), True),
                              (system("bead-chain", midpoint.format(1e-7), chain.format(0.1), 1e-4), True),
                              (system("bead-chain", midpoint.format(1e-7), chain.format(0.0), 1e-4), False)):
            said, summary = self.call(deck), self.summary()
            self.assertIn(", energy changed by " if changes else ", energy error ", said)
            self.assertEqual([summary[key] is None for key in keys], [changes, changes, not changes])
            self.assertEqual(summary["warnings"], [])

    def test_the_same_on_two_ranks(self):
        alone = self.run_with(PENDULUM)["state_hash"]
        self.assertEqual(self.run_with(PENDULUM, ranks=2)["state_hash"], alone)

    def test_kind_and_parameters_make_the_system(self):
        energies = {self.run_with(verlet("pendulum", f"coordinates = [0.0]\nparameters = {{ {one} }}"))["energy"]
                    for one in ("mass = 2.0", "length = 3.0", "gravity = 4.0", "mass = 1.0")}
        self.assertEqual({round(energy, 12) for energy in energies}, {-2.0, -3.0, -4.0, -1.0})
        self.refused(verlet("pendulums"), "deck.toml:4", '"pendulum"', '"pendulums"')
        self.refused(verlet("pendulum", "parameters = { masses = 1.0 }"), "deck.toml:5", '"mass"', '"masses"')
        self.refused(verlet("pendulum", "parameters = { mass = -1.0 }"), "a number > 0")
        self.refused(verlet("kepler", "parameters = { eccentricity = 1.0 }"), "eccentricity below 1")
        self.refused(verlet("bead-chain", "parameters = { poissons_ratio = 1.5 }"), "poissons_ratio below 1")
        self.refused(verlet("cartesian-pendulum", "parameters = { dimension = 4 }"), "dimension = 2 or 3")

    def test_coordinates_and_momenta_are_the_start(self):
        self.run_with(PENDULUM, "system.coordinates=[0.25]", "system.momenta=[0.5]")
        self.assertEqual((self.rows()[0]["q_1"], self.rows()[0]["p_1"]), (0.25, 0.5))
        self.refused(PENDULUM, "system.coordinates", settings=("system.coordinates=[0.25, 1.0]",))
        self.refused(system("rigid-body", 'method = "rigid-body-shears"\ntime_step = 0.1', "momenta = [1.0]"),
                     "no system.momenta of a rigid body, whose coordinates are its angular momentum")

    def test_forces_are_on_or_off_and_explicit_or_implicit(self):
        with_load = verlet("rotor", end=2.0)
        moved = self.run_with(with_load) and self.rows()[-1]["q_1"]
        self.assertNotEqual(moved, 0)
        self.run_with(with_load, "system.forces.load={on=false}")
        self.assertEqual(self.rows()[-1]["q_1"], 0)
        self.refused(with_load, '"load"', '"wind"', settings=("system.forces.wind={on=false}",))
        semi = system("two-oscillators", 'method = "semi-explicit"\ntime_step = 0.5', end=20.0)
        self.assertLess(self.run_with(semi)["energy_change"], 10)
        # As an explicit force, the stiff spring makes the step longer than the stable one.
        self.assertGreater(self.run_with(semi, "system.forces.stiff={implicit=false}")["energy_change"], 1e20)
        self.refused(system("rigid-body", 'method = "rigid-body-shears"\ntime_step = 0.1', "forces = { a = { on = true } }"),
                     "no system.forces of this kind, which has none by name")

    def test_a_damped_force_can_be_taken_off_for_methods_that_need_potentials(self):
        self.refused(verlet("two-oscillators"), "deck.toml:", "forces that have a potential", "a damped system")
        self.call(verlet("two-oscillators"), "system.forces.damper={on=false}")

    def test_methods_name_the_property_they_are_not_valid_for(self):
        kepler, loads = 'method = "{}"\nstep_parameter = 0.1', "forces that do not depend on time"
        self.refused(system("rotor", kepler.format("time-transformed-splitting")), loads, "a time-dependent load", '"rotor"')
        self.refused(verlet("product-oscillator"), "a separable energy T(p) + V(q)", "a non-separable one")
        self.refused(verlet("rigid-body"), "a system of coordinates and momenta", "a rigid body by its angular momentum")
        self.refused(system("pendulum", 'method = "rigid-body-shears"\ntime_step = 0.1'), "a free rigid body", "another system")
        self.refused(system("perturbed-oscillator", 'method = "energy-momentum"\ntime_step = 0.1'),
                     "a kinetic energy that is quadratic in the momenta", "one with a cubic term")
        self.refused(system("pendulum", 'method = "rattle"\ntime_step = 0.1'), "a system with a constraint", "none")
        self.refused(verlet("cartesian-pendulum"), "a system without constraints", "one with a constraint")
        self.refused(system("pendulum", kepler.format("doubled-phase-space") + '\nscaling = "system"'),
                     'a system with a scaling of time of its own (integrator.scaling = "system")')
        self.refused(system("two-oscillators", 'method = "implicit-midpoint"\ntime_step = 0.1\norder = 4'),
                     "integrator.order = 2 of a damped system, as compositions step back in time")

    def test_keys_of_the_integrator_are_the_methods_own(self):
        self.refused(verlet("pendulum"), 'a key of the method "verlet": "time_step", "order"', "one of another method",
                     settings=("integrator.step_parameter=0.1",))
        self.refused(verlet("pendulum"), "integrator.order = 2, 4, 6, 8", settings=("integrator.order=3",))
        body = system("rigid-body", 'method = "rigid-body-shears"')
        self.refused(body, "either integrator.time_step or integrator.step_parameter", "neither")
        self.refused(body, "both", settings=("integrator.time_step=0.1", "integrator.step_parameter=0.1"))
        self.refused(system("pendulum", 'method = "theta"\ntime_step = 0.1\nweight = 2.0'), "integrator.weight to be from 0 to 1", "2")
        self.refused(system("kepler", 'method = "step-density"\nstep_parameter = 0.1\nscaling = "system"\nscaling_shift = 1.0'),
                     "no integrator.", 'with integrator.scaling = "system"')
        errors = [self.run_with(system("pendulum", f'method = "verlet"\ntime_step = 0.1\norder = {order}'))["energy_error"]
                  for order in (2, 4, 6)]
        self.assertGreater(errors[0], 20 * errors[1])
        self.assertGreater(errors[1], 5 * errors[2])

    def test_scalings_and_variants_change_the_run(self):
        hashes = set()
        scaled = 'method = "{}"\nstep_parameter = 0.01\nscaling = "{}"\nscaling_exponent = {}\nscaling_shift = {}'
        for scaling, exponent, shift in (("potential", -1.5, 0.0), ("potential", -1.0, 0.0), ("potential", -1.0, -0.5),
                                         ("kinetic", -0.5, 0.0), ("action", -1.0, 0.0)):
            hashes.add(self.run_with(system("kepler", scaled.format("time-transformed-splitting", scaling, exponent, shift)))["state_hash"])
        self.assertEqual(len(hashes), 5)
        hashes = set()
        for variant, keys in (("midpoint", ""), ("midpoint", "weight = 0.4"), ("midpoint", "scaling_weight = 0.4"), ("symmetric", "weight = 0.4"),
                              ("explicit", "")):
            deck = system("kepler", f'method = "adaptive-variational"\nstep_parameter = 0.01\nscaling = "system"\nvariant = "{variant}"\n{keys}')
            hashes.add(self.run_with(deck)["state_hash"])
        self.assertEqual(len(hashes), 5)
        steps = {self.run_with(system("kepler", f'method = "step-density"\nstep_parameter = 0.01\ninitial_density = "{density}"'))["shortest_step"]
                 for density in ("one", "scaled")}
        self.assertEqual(len(steps), 2)
        radii = {self.run_with(system("kepler", f'method = "generalized-alpha"\ntime_step = 0.1\nradius = {radius}'))["energy_error"]
                 for radius in (1.0, 0.5)}
        self.assertEqual(len(radii), 2)

    def test_tolerances_control_steps(self):
        adaptive = system("pendulum", 'method = "runge-kutta"\nvariant = "dormand-prince"\ntime_step = 1.0\ntolerance = 1e-8', end=20.0)
        self.assertGreater(self.run_with(adaptive)["steps"], 1.5 * self.run_with(adaptive, "integrator.tolerance=1e-5")["steps"])
        semi = system("kepler", 'method = "semi-explicit"\ntime_step = 1.0\nexplicit_weight = 0.5\ntolerance = 0.01', end=10.0)
        summary = self.run_with(semi)
        self.assertLess(summary["shortest_step"], 0.2 * summary["longest_step"])
        finer = self.run_with(semi, "integrator.tolerance=0.001")
        self.assertAlmostEqual(finer["steps"] / summary["steps"], 10**0.5, delta=1)
        sem = system("double-well", 'method = "symplectic-energy-momentum"\ntime_step = 0.1', "coordinates = [0.995]", 20.0)
        self.assertGreater(self.run_with(sem)["longest_step"], 0.2)
        self.assertLessEqual(self.run_with(sem, "integrator.largest_step=0.2")["longest_step"], 0.2)

    def test_steps_that_cannot_be_taken_end_the_run_in_words(self):
        self.refused(system("perturbed-oscillator", 'method = "doubled-phase-space"\nstep_parameter = 0.3\nscaling = "system"', end=5000.0),
                     "the two copies of the state to stay together; take a smaller step parameter", "between them", status=1)
        self.assertIn("failed: ", self.summary()["status"])
        self.assertGreater(len(self.rows()), 1)
        scaled = 'method = "{}"\nstep_parameter = {}\nscaling_exponent = -1.5\n{}'
        self.refused(system("two-oscillators", 'method = "semi-explicit"\ntime_step = 0.5', "forces = { stiff = { implicit = false } }", 200.0),
                     "a finite energy and a step ahead; take a smaller step", status=1)
        kepler = "parameters = { eccentricity = 0.9 }"
        self.refused(system("kepler", scaled.format("time-transformed-splitting", 2.0, "scaling_shift = 0.5"), kepler, 100.0),
                     "an energy plus integrator.scaling_shift that keeps its sign; choose another shift or a smaller step parameter", status=1)
        for method in ("adaptive-variational", "doubled-phase-space"):
            well = system("double-well", f'method = "{method}"\nstep_parameter = 0.01', "coordinates = [1.2]")
            self.refused(well, "time 0.", "an energy plus integrator.scaling_shift that keeps its sign", status=1)
        self.refused(system("kepler", scaled.format("step-density", 3.0, ""), kepler, 100.0),
                     "a step density above 0; take a smaller step parameter", status=1)
        self.refused(system("kepler", scaled.format("adaptive-variational", 3.0, 'variant = "explicit"'), kepler, 100.0),
                     "a step parameter for which the explicit step has a solution; take a smaller one", status=1)
        self.refused(system("kepler", 'method = "implicit-euler"\ntime_step = 1.0', kepler, 100.0),
                     "PETSc's TS to go on; take a smaller step", "DIVERGED_NONLINEAR_SOLVE", more=("--", "-snes_max_it", "1"), status=1)

    def test_petsc_options_reach_newtons_method(self):
        deck = system("pendulum", 'method = "implicit-midpoint"\ntime_step = 0.1')
        said = self.call(deck, more=("--", "-snes_converged_reason"))
        self.assertIn("Nonlinear solve converged due to", said)
        summary = self.summary()
        self.assertIn("became small (CONVERGED_", summary["newton_reason"])
        self.assertEqual(summary["newton_solves"], 10)
        self.assertEqual(summary["petsc_options"], "-snes_converged_reason")
        self.refused(deck, "Newton's method to converge; take a smaller step", "too many iterations (DIVERGED_MAX_IT)",
                     more=("--", "-snes_max_it", "1"), status=1)
        self.assertIn("too many iterations", self.summary()["status"])

    def test_a_method_of_the_command_line_takes_the_keys_that_are_its_own(self):
        # Some methods share their name with one for meshes, which has no key `order`.
        fourth = PENDULUM.replace("time_step = 0.1", "time_step = 0.1\norder = 4")
        summary = self.run_with(fourth, "integrator.method=implicit-midpoint")
        self.assertIn("order", summary["deck"])
        self.assertLess(summary["energy_error"], 0.1 * self.run_with(PENDULUM, "integrator.method=implicit-midpoint")["energy_error"])
        self.call(PENDULUM, "integrator.method=step-density", "integrator.step_parameter=0.01", command="check")

    def test_a_start_beside_a_constraint_is_refused(self):
        pendulum = system("cartesian-pendulum", 'method = "rattle"\ntime_step = 0.01', "coordinates = [{}]\nmomenta = [{}]")
        self.refused(pendulum.format("3.0, 4.0", "0.0, 0.0"), "expected system.coordinates that meet the constraint, found a value of",
                     "in place of 0")
        self.refused(pendulum.format("0.6, -0.8", "0.6, -0.8"), "expected system.momenta along the constraint, found a rate of",
                     "at which they leave it")
        self.run_with(pendulum.format("0.6, -0.8", "0.8, 0.6"))

    def test_implicit_forces_are_those_of_the_semi_explicit_method(self):
        semi = system("stiff-pendulum", 'method = "semi-explicit"\ntime_step = 0.01', "forces = { penalty = { implicit = true } }")
        other = semi.replace("semi-explicit", "verlet")
        self.refused(other, 'deck.toml:5: expected implicit forces only with integrator.method = "semi-explicit", found "verlet"')
        self.run_with(semi, "integrator.method=verlet")
        self.refused(semi, "expected implicit forces only with", settings=("integrator.method=verlet", "system.forces.penalty.implicit=true"))

    def test_balls_that_overlap_at_the_start_are_refused(self):
        words = "expected balls that overlap neither each other nor the walls at the start, found overlaps of "
        self.refused(verlet("billiard", "parameters = { radius = 0.3 }"), "deck.toml:5", words)
        self.refused(verlet("billiard", "parameters = { balls = 2, radius = 0.1 }\ncoordinates = [0.3, 0.3, 0.3, 0.45]"), "deck.toml:6", words + "0.05")
        self.run_with(verlet("billiard", "parameters = { balls = 2, radius = 0.1 }\ncoordinates = [0.3, 0.3, 0.3, 0.5]", end=0.02))

    def test_settings_without_effect_or_method_are_refused(self):
        for kind, integrator, expected in (
                ("pendulum", 'method = "semi-explicit"\ntolerance = 0.05\nexplicit_weight = 0.4', "no integrator.tolerance with integrator.explicit_weight below 0.5"),
                ("pendulum", 'method = "semi-explicit"\ntolerance = 4.0', "integrator.tolerance below 4 = 2 / integrator.explicit_weight, from which on explicit forces are unstable"),
                ("pendulum", 'method = "semi-explicit"\ntolerance = 2.5\nexplicit_weight = 0.8', "integrator.tolerance below 2.5 = 2 / integrator.explicit_weight"),
                ("kepler", 'method = "runge-kutta"\ntolerance = 1e-5', 'no integrator.tolerance with integrator.variant = "classical", which has no estimate of its error'),
                ("kepler", 'method = "theta"\nweight = 0.0', "integrator.weight > 0"),
                ("double-well", 'method = "symplectic-energy-momentum"\nlargest_step = 0.05', "at least integrator.time_step = 0.1")):
            self.refused(system(kind, integrator + "\ntime_step = 0.1"), expected)
        explicit = 'method = "adaptive-variational"\nvariant = "explicit"\nstep_parameter = 0.01\nscaling_weight = 1.0'
        self.refused(system("kepler", explicit), 'no integrator.scaling_weight with integrator.variant = "explicit"')
        symmetric = 'method = "adaptive-variational"\nvariant = "symmetric"\nstep_parameter = 0.01'
        self.refused(system("kepler", symmetric), "integrator.weight or integrator.scaling_weight other than 0.5", "found 0.5 of both")

    def test_petsc_options_do_not_take_other_steps_than_the_decks(self):
        for method in ("theta", "bdf", "runge-kutta"):
            deck = system("pendulum", f'method = "{method}"\ntime_step = 0.1')
            for option, value, key in (("-ts_dt", "0.01", "integrator.time_step"), ("-ts_adapt_type", "basic", "integrator.tolerance"),
                                       ("-ts_max_time", "0.5", "time.end"), ("-ts_max_steps", "3", "time.events")):
                self.refused(deck, f"PETSc options: expected steps as the deck has them: {key}, found {option}", more=("--", option, value))
        summary = self.run_with(system("pendulum", 'method = "bdf"\ntime_step = 0.1'), more=("--", "-ts_monitor_cancel"))
        self.assertEqual(summary["newton_solves"], 11)  # the first step of PETSc's bdf is two
        self.assertGreater(summary["newton_iterations"], 11)
        self.assertEqual(summary["final_time"], 1)

    def test_chains_keep_their_momentum_by_discrete_gradients(self):
        beads = system("bead-chain", 'method = "energy-momentum"\ntime_step = 1e-6', end=1e-4)
        summary = self.run_with(beads)
        self.assertLess(summary["changes_of_invariants"]["momentum"], 1e-16)  # the momentum is 1.6e-3
        self.assertLess(summary["energy_drift"], 1e-11)
        with_drag = system("bead-chain", 'method = "implicit-midpoint"\ntime_step = 1e-6', "parameters = { drag = -1.0, drag_exponent = 0.5 }", 1e-5)
        self.assertEqual(self.run_with(with_drag)["changes_of_invariants"], {})  # with drag the momentum is no invariant

    def test_small_oscillations_keep_their_energy_and_their_frequency(self):
        # Oscillations about the bottom of the potential, with the frequency of the midpoint rule. Energies are counted from the bottom, as
        # beside V = 1 that of an amplitude of 1e-6 would vanish. `rounding`: error of coordinates near `bottom`, which matters for small
        # amplitudes.
        def of_pendulum(q, p):
            return 0.5 * p * p + 2 * math.sin(0.5 * q) ** 2

        def of_well(q, p):
            return 0.5 * p * p + 0.5 * ((q - math.sqrt(0.5)) * (q + math.sqrt(0.5))) ** 2

        for kind, bottom, omega, energy, nonlinear, amplitudes, rounding in (
                ("pendulum", 0, 1, of_pendulum, lambda a, elapsed: a * a * elapsed / 8, (1e-2, 1e-3, 1e-4, 1e-6), 0),
                ("double-well", math.sqrt(0.5), math.sqrt(2), of_well, lambda a, elapsed: 5 * a * (1 + a * elapsed), (1e-3, 1e-4, 3e-6), 1e-14)):
            for amplitude in amplitudes:
                for step, end in ((0.1, 50.0), (0.01, 5.0), (0.001, 1.0)):
                    deck = system(kind, f'method = "energy-momentum"\ntime_step = {step}', f"coordinates = [{bottom + amplitude!r}]", end)
                    self.run_with(deck + f"history_interval = {step}\n")
                    rows = self.rows()
                    energies = [energy(row["q_1"], row["p_1"]) for row in rows]
                    lost = max(abs(one - energies[0]) for one in energies) / energies[0]
                    self.assertLess(lost, 1e-13 + rounding / amplitude, (kind, amplitude, step))
                    angle = 2 / step * math.atan(0.5 * omega * step) * end
                    self.assertAlmostEqual((rows[-1]["q_1"] - bottom) / amplitude, math.cos(angle),
                                           delta=1e-9 + nonlinear(amplitude, end) + rounding / amplitude, msg=f"{kind} {amplitude} {step}")

    def test_what_is_0_is_off(self):
        self.run_with(verlet("two-oscillators", "parameters = { damping = 0.0 }"))
        rotor = system("rotor", 'method = "energy-momentum"\ntime_step = 0.1', "parameters = { imbalance = 0.0 }\ncoordinates = [1.0, 0.0]")
        self.assertLess(self.run_with(rotor)["energy_error"], 1e-12)

    def test_figures_of_the_energy_mean_something(self):
        # The start has no energy but the rounding of cos π/2.
        one = self.run_with(system("pendulum", 'method = "symplectic-euler"\ntime_step = 0.1'), "time.events=1")
        self.assertAlmostEqual(one["energy_drift"], 1, delta=0.1)
        midpoint = system("pendulum", 'method = "implicit-midpoint"\ntime_step = 0.1\norder = 2', end=10.0)
        self.assertIn("discrete_energy_drift", self.run_with(midpoint)["monitors"])
        self.assertNotIn("discrete_energy_drift", self.run_with(midpoint, "integrator.order=4")["monitors"])

    def test_the_origin_of_a_radial_force_is_a_place_like_others(self):
        stiff = system("stiff-pendulum", 'method = "energy-momentum"\ntime_step = 0.001', "coordinates = [0.0, 0.0]", 0.01)
        self.assertLess(self.run_with(stiff)["energy_drift"], 1e-10)

    def test_a_controlled_step_is_so_from_the_start(self):
        # The stiff penalty that holds the pendulum acts in its first step, whose given length is a thousand times too long.
        start = "coordinates = [1.01, 0.0]\nmomenta = [0.0, 0.0]\nforces = { penalty = { implicit = false } }"
        summary = self.run_with(system("stiff-pendulum", 'method = "semi-explicit"\ntime_step = 1.0\ntolerance = 0.05', start))
        self.assertLess(summary["longest_step"], 0.1)
        self.assertLess(summary["energy_error"], 10)
        self.assertGreater(summary["rejected_steps"], 0)

    def test_beads_without_restitution_are_named(self):
        chain = system("bead-chain", 'method = "variational"\ntime_step = 1e-6', "parameters = { beads = 2, loss = 1.5, speed = 0.5 }", 0.001)
        said = self.call(chain, status=1)
        for words in ("beads whose coefficient of restitution stays above 0", "beads 1 and 2 that approach each other at 0.49",
                      ": lower the loss or the speed"):
            self.assertIn(words, said)

    def test_a_rigid_body_does_not_go_back(self):
        said = self.call(system("rigid-body", 'method = "rigid-body-rotations"\nstep_parameter = 0.5', end=20.0), status=1)
        self.assertIn("a density of steps that keeps its sign: choose a smaller integrator.step_parameter", said)

    def start(self, deck, *settings):
        path = self.directory / "deck.toml"
        path.write_text(deck, encoding="utf-8")
        words = [word for setting in settings for word in ("--set", setting)]
        return subprocess.Popen([PROGRAM, "run", path, "--output", self.output, *words], env=quick_start(self.directory),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def test_signals_stop_a_run_with_what_it_has_come_to(self):
        process = self.start(PENDULUM, "time.end=1e8", "output.history_interval=1e7")
        while not (self.output / "history.csv").exists():
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(signal.SIGUSR1)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 1, said)
        summary = self.summary()
        self.assertEqual(summary["status"], "stopped", said)
        self.assertGreater(summary["steps"], 1000)
        self.assertEqual(self.rows()[-1]["step"], summary["steps"])

    def test_a_full_disk_leaves_a_summary(self):
        deck = self.directory / "deck.toml"
        deck.write_text(PENDULUM, encoding="utf-8")
        run = [PROGRAM, "run", deck, "--output", self.output, "--set", "time.end=1e5", "--set", "output.history_interval=0.1"]
        done = subprocess.run(["bash", "-c", 'ulimit -f 200; trap "" XFSZ; exec "$@"', "-", *run], env=quick_start(self.directory),
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("history.csv", self.summary()["status"])

    def test_it_excludes_meshes_and_particles(self):
        words = ("a table [system], or meshes or particles, not both", ", which is of those")
        self.refused(PENDULUM + '[[particles]]\nname = "a"\n', "deck.toml:10", '"particles"', *words)
        self.refused(PENDULUM + '[[bodies]]\nname = "a"\n', '"bodies"', *words)
        self.refused(PENDULUM, "output", '"field_interval"', settings=("output.field_interval=1.0",))
        self.refused(PENDULUM, "a new run of a small system, which takes seconds", "--resume; it writes no restart files", more=("--resume",))
        self.refused(PENDULUM, "a deck of meshes for terrace mesh", "a small system, which has none", command="mesh",
                     more=("--output", "a.vtu"))

    def test_what_no_run_can_do_is_refused(self):
        self.refused(PENDULUM, "time.end: expected at least 1e-290", settings=("time.end=1e-300",))
        self.refused(PENDULUM, "time.end: expected at most 6.8719e-290 (7e+10 steps of 1e-300", settings=("integrator.time_step=1e-300",))
        self.refused(verlet("kepler", "coordinates = [0.0, 0.0]"), "a finite energy at the start", "inf")
        self.refused(PENDULUM, "integrator.time_step: expected at most time.end = 0.05, found 0.1", settings=("time.end=0.05",))

    def test_check_says_what_a_run_would_do(self):
        said = self.call(PENDULUM, command="check")
        for words in ("system pendulum", "1 coordinates, 1 momenta", "force gravity: on", "method verlet", "order 2, symplectic yes",
                      "explicit yes: at its default settings"):
            self.assertIn(words, said)
        self.assertIn("load: on, time-dependent", self.call(verlet("rotor"), command="check"))
        self.assertIn("order 4, symplectic yes", self.call(PENDULUM, "integrator.order=4", command="check"))
        bdf = system("pendulum", 'method = "bdf"\norder = 6\ntime_step = 0.1')
        self.assertIn("order 2, symplectic no", self.call(bdf, command="check"))
        self.assertIn("order 6, symplectic no", self.call(bdf, "integrator.tolerance=1e-6", command="check"))

    def test_list_names_systems_and_methods(self):
        said = call(PROGRAM, "list", directory=self.directory).stdout
        for words in ("small systems", "magnetic-pendulum", "time-transformed-splitting", "energy-momentum"):
            self.assertIn(words, said)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
