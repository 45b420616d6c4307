"""The command line as users see it: commands, exit statuses, messages and the files of a run.

Usage: commands.py TERRACE [OPTION of unittest]...
"""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from decks import SOFT_CUBE  # noqa: E402
from program import ENVIRONMENT, call, run_deck  # noqa: E402

PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")

DECK = """title = "Spinning cube, coarse"
[time]
end = 0.5
""" + SOFT_CUBE + """spin = [0.0, 0.0, 1.0]
[integrator]
method = "energy-stepping"
energy_step = 1.0e-5
[output]
field_interval = 0.25
history_interval = 0.1
"""
FILES_OF_A_RUN = ("fields.pvd", "history.csv", "bodies.csv", "subdomains.csv", "steps.csv", "summary.json")


class Commands(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)
        self.deck = self.directory / "cube.toml"
        self.deck.write_text(DECK, encoding="utf-8")
        self.output = self.directory / "output"

    def call(self, *arguments, status=0, ranks=None, directory=None, plain=False):
        """Calls the program and expects an exit status; returns all that it said.

        `plain` starts the program as users do, which takes several times as long: one test of each command does, and those of the profile.
        """
        done = call(PROGRAM, *arguments, ranks=ranks, directory=directory, plain=plain)
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, status, f"terrace {' '.join(map(str, arguments))} said:\n{said}")
        return said

    def test_unknown_or_missing_command_is_refused(self):
        self.assertIn("command line: expected a command as terrace --help describes, found terrace rum (",
                      self.call("rum", status=2))
        self.call(status=2)
        self.call("run", status=2)
        self.assertIn('(did you mean "check"?))', self.call("chek", self.deck, status=2))
        self.assertIn("not expected: --set (which goes after the command)", self.call("--set", "time.end=1", "run", self.deck, status=2))
        self.assertIn('(did you mean "clocked-energy-stepping"?)', self.call("run", self.deck, "--set", "integrator.method=clocked", status=2))
        for words, told in ((("--out", "x"), 'not expected: --out (did you mean "--output"?) x)'), (("--rseume",), 'not expected: --rseume (did you mean "--resume"?))'),
                            (("-log_view",), "not expected: -log_view; PETSc options follow a --)"), (("a", "b"), "not expected: a b)"),
                            (("--no-such-option",), "not expected: --no-such-option)")):
            self.assertIn(told, self.call("run", self.deck, *words, status=2))

    def test_missing_deck_is_named(self):
        for command in ("run", "check"):
            self.assertIn("absent.toml", self.call(command, self.directory / "absent.toml", status=2))

    def test_wrong_deck_is_refused_with_its_line_and_nothing_is_written(self):
        self.deck.write_text(DECK.replace("lame_mu = 0.0066", "lame_my = 0.0066"), encoding="utf-8")
        said = self.call("run", self.deck, "--output", self.output, status=2)
        self.assertRegex(said, r"cube\.toml:\d+")
        self.assertIn("lame_my", said)
        self.assertFalse(self.output.exists())

    def test_an_error_is_said_once_whatever_the_ranks(self):
        said = self.call("check", self.directory / "absent.toml", status=2, ranks=2)
        # The message may name the deck more than once, but must not appear once per rank.
        errors = [line for line in said.splitlines() if "absent.toml" in line]
        self.assertGreaterEqual(len(errors), 1, said)
        self.assertEqual(len(errors), len(set(errors)), said)

    def test_only_what_gmsh_meshes_needs_its_module(self):
        alone = shutil.copy(PROGRAM, self.directory / "terrace")
        box = self.directory / "box.geo"
        box.write_text('SetFactory("OpenCASCADE");\nBox(1) = {0, 0, 0, 1, 1, 1};\n', encoding="utf-8")
        ball, of_file = self.directory / "ball.toml", self.directory / "file.toml"
        for deck, shape in ((ball, 'shape = "ball"\nradius = 0.5\nsize = 0.3'),
                            (of_file, f'shape = "file"\nfile = "{box}"\nsize = 0.5')):
            deck.write_text(re.sub(r"shape = (.*\n){3}", shape + "\n", DECK), encoding="utf-8")
        for deck in (self.deck, ball, of_file):
            self.call("check", deck)
        self.assertEqual(call(alone, "check", self.deck).returncode, 0)
        for deck in (ball, of_file):
            for ranks in (1, 2):
                done = call(alone, "run", deck, "--output", self.output, ranks=ranks)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(done.stderr.count("expected Gmsh's module terrace_gmsh.so, which is installed with terrace, found"), 1)
                self.assertRegex(done.stderr, rf"{deck.name}:\d+.*No such file")
                self.assertFalse(self.output.exists())

    def test_what_cannot_be_told_is_an_error(self):
        for command in (("list",), ("--version",), ("check", str(self.deck)), ("run", str(self.deck), "--output", str(self.output))):
            with self.subTest(command=command), open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([str(PROGRAM), *command], env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=120)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("terrace: error: standard output: expected to write there all that is told, found ", done.stderr)
                self.assertNotIn("PETSC", done.stderr)
        # A pipe without a reader, as in `terrace check … | head`: before PETSc has installed its signal handlers, and after.
        for command in (("list",), ("check", str(self.deck))):
            reader, writer = os.pipe()
            os.close(reader)
            with self.subTest(command=command), os.fdopen(writer, "w") as nobody:
                done = subprocess.run([str(PROGRAM), *command], env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=nobody,
                                      stderr=subprocess.PIPE, text=True, timeout=120)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("terrace: error: standard output: expected to write there all that is told, found ", done.stderr)
                self.assertNotIn("PETSC", done.stderr)

    def test_questions_are_answered_without_mpi(self):
        nothing_starts = {**ENVIRONMENT, "OMPI_MCA_pml": "nonsense"}
        for command, status in ((("--version",), 0), (("list",), 0), (("--help",), 0), (("run", "--help"), 0),
                                (("check", str(self.deck)), 1)):
            done = subprocess.run([str(PROGRAM), *command], env=nothing_starts, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=120, check=False)
            self.assertEqual(done.returncode, status, command)
        self.assertEqual(self.call("list", ranks=2, plain=True).count("small systems"), 1)

    def test_no_name_of_an_output_directory_is_refused(self):
        said = self.call("run", self.deck, "--output", "", status=2)
        self.assertIn("--output: expected the name of a directory, found an empty text", said)
        for options, name in ((("--output", "--resume"), "--resume"), (("--output=-x",), "-x")):
            done = call(PROGRAM, "run", self.deck, *options, directory=self.directory)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f'--output: expected the name of a directory, one that begins with - as ./-name, found "{name}"', done.stderr)
        self.assertEqual([self.deck], list(self.directory.iterdir()))
        done = call(PROGRAM, "run", self.deck, "--output", "./-x", directory=self.directory)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_check_runs_nothing(self):
        self.call("check", self.deck, directory=self.directory, plain=True)
        self.assertEqual([self.deck], list(self.directory.iterdir()))

    def test_check_tells_equal_bodies_once_and_where_probes_are(self):
        self.deck.write_text(DECK.replace("spin =", "repeat = { count = 3, offset = [2.0, 0.0, 0.0] }\nspin =")
                             + '[[probes]]\nname = "corner"\nbody = "cube-1"\npoint = [0.5, 0.5, 0.51]\n', encoding="utf-8")
        said = self.call("check", self.deck)
        self.assertRegex(said, r"\ncube-1 +192 +\d+ .*, and 2 more the same\n\(q:")
        self.assertRegex(said, r"\nprobe corner: node \d+ at \[0\.5, 0\.5, 0\.5\], 0\.01 from its point\n")

    def test_check_tells_of_impacts_beyond_the_speed_of_waves(self):
        for speed, is_told in ((0.05, False), (50.0, True)):
            said = self.call("check", self.deck, "--set", f"bodies.0.velocity=[0,0,-{speed}]", "--set", "bodies.0.spin=[0,0,0]", "--set",
                             "walls=[{name='floor', point=[0,0,-5], normal=[0,0,1], stiffness=1.0}]")
            self.assertEqual("times that of pressure waves in cube" in said, is_told, said)

    def test_check_counts_ranks(self):
        self.assertIn("layout slice on 1 rank: 192 to 192 tets a rank\n", self.call("check", self.deck))
        self.assertIn("layout slice on 2 ranks: 96 to 96 tets a rank\n", self.call("check", self.deck, ranks=2))

    def test_check_recommends_a_method_and_says_its_step(self):
        said = self.call("check", self.deck)
        self.assertIn('recommended: integrator.method = "clocked-energy-stepping": exact', said)
        stable = float(re.search(r"stable explicit Newmark step (\S+)", said).group(1))
        said = self.call("check", self.deck, "--set", "integrator.method=clocked-energy-stepping", "--set",
                         "integrator.time_step_factor=0.5")
        self.assertNotIn("recommended", said)
        self.assertAlmostEqual(float(re.search(r"integrator: steps of ([^\s,]+)", said).group(1)) / stable, 0.5, places=3)
        # A clock's step is never longer than the stable one, whatever the deck sets.
        said = self.call("check", self.deck, "--set", "integrator={method='clocked-energy-stepping', time_step=0.5}")
        self.assertAlmostEqual(float(re.search(r"integrator: steps of ([^\s,]+)", said).group(1)) / stable, 1, places=3)
        self.assertNotIn("warning", said)
        said = self.call("check", self.deck, "--set", "integrator={method='implicit-midpoint', time_step=0.25}")
        self.assertIn("integrator: steps of 0.25, 2 of them to time.end\n", said)
        self.assertNotIn("warning", said)
        said = self.call("check", self.deck, "--set", "localization.kind=metis", "--set", "localization.parts=2", "--set",
                         "localization.contact=own", "--set", "contact.model=face-intersection", "--set", "contact.stiffness=1.0")
        self.assertIn('recommended: integrator.method = "clocked-energy-stepping", contact.model = "barrier" without contact.stiffness, which '
                      'is the face penalty\'s, localization.kind = "bodies" without localization.parts, localization.contact = "touching": exact', said)
        # On the command line localization.kind = "bodies" needs no other setting: the deck's key `parts` is dropped.
        parts = self.directory / "parts.toml"
        parts.write_text(self.deck.read_text() + '[localization]\nkind = "metis"\nparts = 2\n')
        self.assertIn("2 subdomains", self.call("check", parts))
        self.assertIn("1 subdomains", self.call("check", parts, "--set", "localization.kind=bodies"))

    def test_a_step_beyond_the_stable_one_is_told_before_and_at_once(self):
        beyond = "warning: the time step, 0.4, is "
        settings = ("--set", "integrator={method='newmark', time_step=0.4}", "--set", "time.end=0.4")
        said = self.call("check", self.deck, *settings)
        self.assertIn("integrator: steps of 0.4, 1 of them to time.end\n" + beyond, said)
        self.assertEqual(self.call("run", self.deck, "--output", self.output, *settings).count(beyond), 1)
        warnings = json.loads((self.output / "summary.json").read_text(encoding="utf-8"))["warnings"]
        self.assertEqual([words.startswith("the time step, 0.4, is ") for words in warnings].count(True), 1)
        self.assertNotIn("warning", self.call("check", self.deck, "--set", "integrator={method='newmark'}"))

    def test_energy_step_beyond_all_energy_is_told_before_and_at_once(self):
        settings = ("--set", "integrator.energy_step=1e3")
        beyond = r"warning: subdomain cube has the energy step 1e\+03 for an energy of \S+: it can hardly feel any force"
        self.assertEqual(len(re.findall(beyond, self.call("check", self.deck, *settings))), 1)
        self.assertEqual(len(re.findall(beyond, self.call("run", self.deck, "--output", self.output, *settings))), 1)
        self.assertNotIn("warning", self.call("check", self.deck))
        self.assertNotIn("warning", self.call("check", self.deck, *settings, "--set", "gravity.acceleration=[0, 0, -1]"))

    def test_check_tells_materials_that_lock(self):
        for ratio, locks in ((0.46, True), (0.45, False)):
            said = self.call("check", self.deck, "--set", f"materials.soft={{density=0.1, youngs_modulus=0.01, poissons_ratio={ratio}}}")
            self.assertEqual("warning: material soft has Poisson's ratio 0.46: beyond 0.45 tetrahedra of constant strain lock" in said,
                             locks, said)

    def test_check_tells_materials_that_collapse(self):
        for ratio, law, collapses in ((-0.1, "neo-hookean", True), (-0.1, "st-venant-kirchhoff", False), (0, "neo-hookean", False)):
            said = self.call("check", self.deck, "--set", f"materials.soft={{density=0.1, youngs_modulus=0.01, poissons_ratio={ratio}, law='{law}'}}")
            self.assertEqual("warning: material soft has lambda = -0.0009259 < 0" in said, collapses, said)

    def test_check_tells_patches_of_balls_that_can_touch_and_of_walls(self):
        deck = self.directory / "beads.toml"
        deck.write_text("""[time]
end = 1e-4
[materials.steel]
density = 7800.0
youngs_modulus = 2.1e11
poissons_ratio = 0.3
[[bodies]]
name = "bead"
material = "steel"
shape = "ball"
radius = 5.0e-3
size = 2.5e-3
contacts = [[1, 0, 0], [-1, 0, 0]]
velocity = [1.0, 0, 0]
repeat = { count = 3, offset = [1.0e-2, 0, 0] }
[contact]
model = "hertz"
forces = [100.0, 3000.0]
[[walls]]
name = "end"
point = [2.5e-2, 0, 0]
normal = [-1, 0, 0]
model = "hertz"
[integrator]
method = "clocked-energy-stepping"
""", encoding="utf-8")
        told = re.findall(r"contact by Hertz's law: patches of radius \S+, for forces up to \S+ \((.*)\)", self.call("check", deck))
        self.assertEqual(len(told), 2, told)
        self.assertIn(told[0], ("bead-1/bead-2", "bead-2/bead-3"))
        self.assertRegex(told[1], "^bead-./end$")

    def test_check_takes_a_setting(self):
        self.assertIn("energy_step", self.call("check", self.deck, "--set", "integrator.energy_step=-1.0", status=2))

    def test_mesh_writes_the_bodies(self):
        path = self.directory / "cube.vtu"
        self.call("mesh", self.deck, "--output", path, plain=True)
        start = path.read_bytes()[:4096]
        self.assertIn(b'type="UnstructuredGrid"', start)
        self.assertRegex(start, rb'NumberOfCells="192"')  # 8 cells of 24 tetrahedra

    def test_mesh_wants_a_directory_before_it_meshes(self):
        said = self.call("mesh", self.deck, "--output", self.directory / "absent" / "cube.vtu", status=2, ranks=2)
        self.assertRegex(said, r'--output: expected a file in a directory that is there, found ".*/absent/cube.vtu"')
        self.assertNotIn("tetrahedra", said)

    def test_mesh_overwrites_nothing_that_the_deck_reads(self):
        before = self.deck.read_text(encoding="utf-8")
        self.assertIn("--output: expected a file ending in .vtu or .msh", self.call("mesh", self.deck, "--output", self.deck, status=2))
        self.assertEqual(self.deck.read_text(encoding="utf-8"), before)
        path = self.directory / "mesh.msh"
        self.call("mesh", self.deck, "--output", path)
        whole = path.read_bytes()
        self.deck.write_text(re.sub(r"(extent|cells|spin) = .*\n", "", before.replace('shape = "lattice"', 'shape = "file"\nfile = "mesh.msh"')),
                             encoding="utf-8")
        self.assertIn("--output: expected a file that the deck does not read",
                      self.call("mesh", self.deck, "--output", self.directory / "." / "mesh.msh", status=2, ranks=2))
        self.assertEqual(path.read_bytes(), whole)

    def test_mesh_has_no_names_that_gmsh_cuts(self):
        path = self.directory / "mesh.msh"
        for length, status in ((250, 0), (251, 2)):
            said = self.call("mesh", self.deck, "--output", path, "--set", f"bodies.0.name={'n' * length}", status=status)
        self.assertIn("expected a name of at most 250 bytes in a .msh file, of which Gmsh reads no more, found one of 251", said)
        self.call("mesh", self.deck, "--output", self.directory / "cube.vtu", "--set", f"bodies.0.name={'n' * 251}")

    def test_mesh_travels_to_the_last_bit(self):
        path = self.directory / "mesh.msh"
        said = self.call("mesh", self.deck, "--output", path)
        hash_here = re.search(r"mesh hash ([0-9a-f]{16})", said)[1]
        first = DECK.index("shape")
        last = DECK.index("spin")
        elsewhere = self.directory / "elsewhere.toml"
        elsewhere.write_text(DECK[:first] + 'shape = "file"\nfile = "mesh.msh"\n' + DECK[last:], encoding="utf-8")
        summary = run_deck(PROGRAM, self.deck, self.output)
        again = run_deck(PROGRAM, elsewhere, self.directory / "again")
        self.assertEqual(summary["mesh_hash"], hash_here)
        for key in ("mesh_hash", "state_hash", "events"):
            self.assertEqual(summary[key], again[key], key)

    def test_version_says_the_level_of_the_kernels(self):
        self.assertRegex(self.call("--version", plain=True), r"\d+\.\d+\.\d+, kernels for \S+")

    def test_level_that_there_is_not_is_refused(self):
        for arguments in (("--version",), ("run", self.deck), ("list",)):
            done = call(PROGRAM, *arguments, environment={"TERRACE_SIMD": "avx1024"})
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("TERRACE_SIMD", done.stderr)
            self.assertIn("avx1024", done.stderr)

    def test_run_writes_its_files(self):
        summary = run_deck(PROGRAM, self.deck, self.output, plain=True)
        for name in FILES_OF_A_RUN:
            self.assertTrue((self.output / name).is_file(), name)
        self.assertEqual(summary["momentum_change"], 0)
        self.assertLessEqual(abs(summary["energy_drift"]), 1e-12)
        self.assertGreater(summary["events"], 0)
        self.assertIn("Spinning cube, coarse", summary["deck"])

    def test_histories_go_from_the_start_to_the_end(self):
        run_deck(PROGRAM, self.deck, self.output)
        with open(self.output / "history.csv", newline="", encoding="utf-8") as file:
            times = [float(row["time"]) for row in csv.DictReader(file)]
        self.assertEqual((times[0], times[-1]), (0, 0.5))
        self.assertEqual(times, sorted(times))

    def test_fields_have_times_and_the_first_frame(self):
        run_deck(PROGRAM, self.deck, self.output)
        collection = (self.output / "fields.pvd").read_text(encoding="utf-8")
        self.assertRegex(collection, r'timestep="0(\.0*)?"')
        self.assertGreaterEqual(collection.count("timestep="), 3)

    def test_existing_output_is_kept(self):
        run_deck(PROGRAM, self.deck, self.output)
        before = (self.output / "summary.json").read_bytes()
        self.assertIn("output", self.call("run", self.deck, "--output", self.output, status=2))
        self.assertEqual(before, (self.output / "summary.json").read_bytes())

    def test_existing_output_is_refused_before_anything_is_meshed(self):
        run_deck(PROGRAM, self.deck, self.output)
        alone = shutil.copy(PROGRAM, self.directory / "terrace")  # without the module that meshes
        ball = self.directory / "ball.toml"
        ball.write_text(re.sub(r"shape = (.*\n){3}", 'shape = "ball"\nradius = 0.5\nsize = 0.3\n', DECK), encoding="utf-8")
        done = call(alone, "run", ball, "--output", self.output)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("expected a new or empty directory", done.stderr)

    def test_existing_output_is_replaced_when_told(self):
        run_deck(PROGRAM, self.deck, self.output)
        again = run_deck(PROGRAM, self.deck, self.output, "--set", "output.overwrite=true", "--set", "time.end=0.25")
        self.assertEqual(again["final_time"], 0.25)

    def test_setting_overrides_the_deck(self):
        summary = run_deck(PROGRAM, self.deck, self.output, "--set", "time.events=5")
        self.assertEqual(summary["events"], 5)
        self.assertIn("events", summary["deck"])

    def test_unknown_setting_is_refused(self):
        self.assertIn("tiem", self.call("run", self.deck, "--output", self.output, "--set", "tiem.end=1", status=2))
        self.assertFalse(self.output.exists())

    def test_petsc_profile_shows_phases_and_operations(self):
        said = self.call("run", self.deck, "--output", self.output, "--", "-log_view", ranks=2, plain=True)
        for name in ("mesh", "set-up", "stepping", "output"):
            self.assertRegex(said, rf"(?m)^ *\d+: +{name}: ")
        for name in ("Gradient", "LineSetUp", "Sampling", "Exchange"):
            self.assertRegex(said, rf"(?m)^{name} +\d+ ")

    def test_petsc_options_from_elsewhere_change_nothing(self):
        (self.directory / ".petscrc").write_text("-ksp_rtol 0.3\n", encoding="utf-8")
        hashes = set()
        for number, (directory, environment) in enumerate(((None, {}), (self.directory, {}),
                                                           (None, {"PETSC_OPTIONS": "-ksp_rtol 0.3 -snes_max_it 2"}))):
            output = self.directory / str(number)
            done = call(PROGRAM, "run", self.deck, "--output", output, "--set", "integrator={method='implicit-midpoint', time_step_factor=1}",
                        directory=directory, environment=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("warning: PETSC_OPTIONS is not heeded: PETSc options follow a --" in done.stderr, number == 2)
            summary = json.loads((output / "summary.json").read_text(encoding="utf-8"))
            self.assertEqual(summary["petsc_options"], "")
            hashes.add(summary["state_hash"])
        self.assertEqual(len(hashes), 1)

    def test_petsc_options_that_nothing_asks_for_are_told(self):
        said = self.call("run", self.deck, "--output", self.output, "--set", "time.events=2", "--", "-log_veiw", "-snes_max_it", "3", ranks=2)
        for option in ("-log_veiw", "-snes_max_it"):
            self.assertEqual(said.count(f"warning: PETSc option {option}: nothing asked for it\n"), 1, said)
        summary = json.loads((self.output / "summary.json").read_text(encoding="utf-8"))
        self.assertEqual(summary["petsc_options"], "-log_veiw -snes_max_it 3")
        warnings = summary["warnings"]
        self.assertEqual(warnings[-2:], ["PETSc option -log_veiw: nothing asked for it", "PETSc option -snes_max_it: nothing asked for it"])
        implicit = ("--set", "integrator={method='implicit-midpoint', time_step_factor=1}", "--set", "output.overwrite=true")
        self.assertNotIn("nothing asked", self.call("run", self.deck, "--output", self.output, *implicit, "--", "-snes_max_it", "30"))
        for words, wrong in ((("log_view",), "log_view"), (("-snes_max_it", "3", "4"), "4")):
            said = self.call("run", self.deck, "--output", self.directory / "none", "--", *words, status=2)
            self.assertIn(f'command line: expected options of PETSc after --, -name or -name value, found "{wrong}"', said)
        for words in (("--resume",), ("-snes_max_it", "--set")):
            said = self.call("run", self.deck, "--output", self.directory / "none", "--", *words, status=2)
            self.assertIn(f'command line: expected options of PETSc after --, -name or -name value, found "{words[-1]}", with two dashes: '
                          'those of terrace go before the --', said)
        said = self.call("run", self.deck, "--output", self.directory / "none", *implicit, "--", "-ksp_type", "nosuch", status=2, ranks=2)
        self.assertRegex(said, "PETSc options: expected values that PETSc knows, found .*nosuch")
        self.assertNotIn("PETSC ERROR", said)
        self.assertFalse((self.directory / "none").exists())

    def test_no_share_of_the_first_energy_where_gravity_brings_more(self):
        settings = ("--set", "integrator={method='newmark'}")
        noise = [run_deck(PROGRAM, self.deck, self.directory / f"noise-{number}", *settings, *more)["monitors"]["element_scale_energy"]
                 for number, more in enumerate(((), ("--set", "gravity.acceleration=[0, 0, -1]")))]
        self.assertTrue(0 <= noise[0] < 1, noise)
        self.assertIsNone(noise[1])

    def test_angular_momentum_is_not_said_to_drift_where_it_is_not_kept(self):
        held = "supports=[{name='foot', body='cube', box=[[-1, -1, -1], [1, 1, -0.4]]}]"
        wall = "walls=[{name='floor', point=[0, 0, -3], normal=[0, 0, 1], stiffness=1}]"
        for number, setting in enumerate(("title='free'", held, wall, "gravity.acceleration=[0, 0, -1]")):
            output = self.directory / str(number)
            said = self.call("run", self.deck, "--output", output, "--set", "integrator={method='newmark'}", "--set", setting)
            self.assertIn("angular momentum " + ("not kept (walls, gravity, supports, fields), " if number else "drift "), said)
            drift = json.loads((output / "summary.json").read_text(encoding="utf-8"))["angular_momentum_drift"]
            self.assertEqual(drift is None, number > 0, setting)
        kepler = run_deck(PROGRAM, Path(__file__).resolve().parents[2] / "inputs" / "c3_kepler.toml", self.directory / "kepler", "--set", "time.end=1")
        self.assertIsNone(kepler["angular_momentum_drift"], "about the sun, from outside, not about its own centre")

    def test_run_that_cannot_go_on_says_why(self):
        def floor(stiffness):
            return (f"walls=[{{name='floor', point=[0,0,-0.5], normal=[0,0,1], stiffness={stiffness}}}]",
                    "bodies.0.velocity=[0,0,-1]", "integrator.method=newmark", "integrator.time_step=0.01")

        for number, (settings, told) in enumerate((
                (floor("1e300"), "time 0.01: expected nodal momenta within the range of the exact grid"),
                (floor("1e12"), "time 0.01: expected nodal momenta within the range of the exact grid, "
                                "found a momentum thousands of times the largest the initial energy allows; "
                                "the time step may be too long: terrace check shows the stable one"),
                (("bodies.0.spin=[1e120,0,0]", "integrator.energy_step=1e230"),
                 "subdomain cube: expected finite energies along its line, found inf"))):
            output = self.directory / str(number)
            arguments = [word for setting in settings for word in ("--set", setting)]
            self.assertIn(f"{told}", self.call("run", self.deck, "--output", output, *arguments, status=1))

    def two_blocks(self, contact):
        """A deck of two blocks, the second of which flies at the first with 1 m/s, face to face and half a metre apart."""
        block = DECK.replace("spin = [0.0, 0.0, 1.0]\n", "")
        entry = block[block.index("[[bodies]]"):block.index("[integrator]")]
        other = entry.replace('name = "cube"', 'name = "other"\nposition = [1.5, 0, 0]\nvelocity = [-1, 0, 0]')
        deck = self.directory / "blocks.toml"
        deck.write_text(block.replace("[integrator]", f"{other}[contact]\n{contact}\n[integrator]"), encoding="utf-8")
        return deck

    IN_EACH_OTHER = r"warning: bodies are in each other and feel too little of it: a point of a surface is 0\.[01]"

    def test_blocks_that_pass_through_each_other_unfelt_are_told(self):
        deck = self.two_blocks('model = "face-intersection"\nstiffness = 1.0')
        said = self.call("run", deck, "--output", self.output, "--set", "time.end=0.6", "--set", "integrator.energy_step=1e-5")
        self.assertRegex(said, self.IN_EACH_OTHER)

    def test_gap_too_soft_to_stop_anything_is_told_before_and_after(self):
        deck = self.two_blocks('model = "gap"\nstiffness = 1e-9')
        too_soft = r"warning: contact of cube and other: the stiffness 1e-09 does not even hold up the boundaries' own nodes"
        self.assertRegex(self.call("check", deck), too_soft)
        for number, settings in enumerate(((), ("--set", "integrator.method=newmark"))):
            said = self.call("run", deck, "--output", self.directory / f"soft-{number}", "--set", "time.end=0.6", *settings)
            self.assertEqual(len(re.findall(too_soft, said)), 1, said)
            self.assertRegex(said, self.IN_EACH_OTHER)

    def test_failed_run_leaves_what_it_reached(self):
        # Far beyond the stable step elements invert. Ranks may find several; every layout must report the same one, once.
        told = set()
        for ranks, layout in ((None, "slice"), (2, "slice"), (2, "own"), (3, "slice")):
            output = self.directory / f"failed-on-{ranks}-{layout}"
            said = self.call("run", self.deck, "--output", output, "--set", "integrator.method=newmark", "--set", f"layout.kind={layout}",
                             "--set", "integrator.time_step=0.5", "--set", "time.end=20.0", "--set", "localization.kind=metis", "--set",
                             "localization.parts=3", status=1, ranks=ranks)
            self.assertEqual(said.count("expected J = det F > 0, found J = -"), 1, said)
            self.assertNotIn("incomplete", said)
            for name in FILES_OF_A_RUN:
                self.assertTrue((output / name).is_file(), name)
            summary = json.loads((output / "summary.json").read_text(encoding="utf-8"))
            self.assertRegex(summary["status"], r"^failed: body cube, element \d+ at time .*det F > 0")
            told.add(summary["status"])
            self.assertTrue(0 < summary["final_time"] < 20, summary["final_time"])
            self.assertEqual(summary["momentum_change"], 0)
            with open(output / "history.csv", newline="", encoding="utf-8") as file:
                last_row = list(csv.DictReader(file))[-1]
            self.assertGreater(float(last_row["time"]), 0)
            frames = (output / "fields.pvd").read_text(encoding="utf-8")
            self.assertIn(f'timestep="{summary["final_time"]:.17g}"', frames)
        self.assertEqual(len(told), 1, told)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
