"""Does what README.md tells its readers to do: the first deck, the commands, what they leave, and `terrace list`. Other documents that
name decks or results are checked too.

Usage: readme.py TERRACE [OPTION of unittest]...
"""

import csv
import json
import math
import re
import shlex
import shutil
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from program import call  # noqa: E402

PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")
SOURCE = Path(__file__).resolve().parents[2]
README = (SOURCE / "README.md").read_text(encoding="utf-8")

# Words of the table "Reading the results" that are not themselves the beginning of a column, key or array: {word: that beginning}.
COLUMNS = {"energies": "kinetic", "momenta": "momentum", "drifts": "energy_drift", "wall time": "wall_seconds",
           "steps": "step_mean", "histogram of the steps": "count", "energies of the whole system": "kinetic",
           "work of moving supports": "support_work"}


def section(heading):
    """The text under a heading of README.md."""
    return re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", README, re.M | re.S).group(1)


def first_deck():
    return re.search(r"```toml\n(.*?)```", section("A first deck"), re.S).group(1)


def listed_files():
    """(file names, list of what they hold) for each row of the table "Reading the results"."""
    for line in section("Reading the results").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 4 and "`" in cells[1]:
            held = re.sub(r"\([^)]*\)|;.*", "", cells[2])         # brackets hold explanations only
            held = re.sub(r"^(per |frames for )[^:]*:", "", held)
            held = re.sub(r" (of the whole system|over time)", "", held)
            words = [word.strip() for word in re.split(r",| and (?:the )?", held)]
            yield re.findall(r"`([^`]*)`", cells[1]), [word for word in words if word]


def commands():
    """The commands printed under "Without the scripts", without their comments."""
    block = re.search(r"Without the scripts:\n\n((?:    .*\n)+)", README).group(1)
    return [shlex.split(line, comments=True) for line in block.splitlines()]


class Readme(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)

    def call(self, *arguments, ranks=None, status=0):
        done = call(PROGRAM, *arguments, ranks=ranks, directory=self.directory)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def names_in(self, file):
        """The columns of a table, the keys of a summary, or the arrays of the frames."""
        path = self.directory / "results" / "first" / file
        self.assertTrue(path.exists(), f"{file} is not there")
        if path.suffix == ".csv":
            with open(path, newline="", encoding="utf-8") as table:
                header, *rows = list(csv.reader(table))
            self.assertTrue(rows, f"{file} has no rows")
            return header
        if path.suffix == ".json":
            return list(json.loads(path.read_text(encoding="utf-8")))
        frames = sorted((self.directory / "results" / "first" / "fields").glob("*.pvtu"))
        return re.findall(r'Name="([^"]*)"', frames[0].read_text(encoding="utf-8"))

    def test_first_deck_as_printed_leaves_what_the_readme_says(self):
        (self.directory / "first.toml").write_text(first_deck(), encoding="utf-8")
        # Past the first touch, at 0.11 ms; the rest of its 40 ms takes some seconds more.
        self.call("run", "first.toml", "--set", "time.end=0.001")
        groups = list(listed_files())
        self.assertGreaterEqual(sum(len(files) for files, _ in groups), 7)
        for files, words in groups:
            found = [name for file in files for name in self.names_in(file)]
            for word in words:
                start = COLUMNS.get(word, word.replace(" ", "_"))
                self.assertTrue(any(name.startswith(start) for name in found), f"{files}: {word!r} not in {found}")
        results = self.directory / "results" / "first"
        summary = json.loads((results / "summary.json").read_text(encoding="utf-8"))
        self.assertEqual((summary["status"], summary["momentum_change"]), ("done", 0))
        self.assertLessEqual(summary["energy_drift"], 1e-12)
        self.assertEqual(summary["title"], "Two gel balls")
        # "K + Σ U exact, momentum to the last bit", and U follows V.
        self.assertTrue(summary["balance"]["follows_potential"])
        self.assertLessEqual(summary["balance"]["largest_debt"], 1e-6)
        # "they never touch": a barrier, within whose reach of 1.54 mm they are, and no exact reflection.
        self.assertGreater(summary["monitors"]["least_distance"], 0)
        self.assertLess(summary["monitors"]["least_distance"], 1.5e-3)
        self.assertEqual(summary["reflections"], 0)
        # "one clock per body … and one for bodies together, as long as they touch", from 0.11 ms on; no step is longer than each said.
        with open(results / "subdomains.csv", newline="", encoding="utf-8") as table:
            rows = list(csv.DictReader(table))
        self.assertEqual([row["name"] for row in rows], ["striker", "target", "touching bodies"])
        self.assertEqual({float(row["energy_step"]) for row in rows}, {0})
        self.assertGreater(int(rows[2]["events"]), 0)
        self.assertAlmostEqual(float(rows[2]["step_max"]) / self.step_told("first.toml"), 1, places=3)
        # "twice the radius and a gap of 2 mm": half of it closes in 0.25 ms.
        with open(results / "bodies.csv", newline="", encoding="utf-8") as table:
            first, second = list(csv.DictReader(table))[:2]
        self.assertAlmostEqual(float(second["position_x"]) - float(first["position_x"]), 0.052, places=4)
        self.assertAlmostEqual(float(first["velocity_x"]), 4, places=12)
        frames = re.findall(r'timestep="([^"]*)"', (results / "fields.pvd").read_text(encoding="utf-8"))
        self.assertEqual([float(time) for time in frames], [0, 5e-4, 1e-3])

    def step_told(self, *arguments):
        """The step of the clocks of touching bodies that `terrace check` prints."""
        return float(re.search(r"^integrator: steps of ([^,]*), longer where nothing touches$", self.call("check", *arguments), re.M).group(1))

    def test_setting_of_the_readme(self):
        (self.directory / "first.toml").write_text(first_deck(), encoding="utf-8")
        setting = re.search(r"`--set ([^`]*)`", section("A first deck")).group(1)
        self.assertEqual(setting, "integrator.time_step_factor=0.2")  # half of what the deck says
        self.assertAlmostEqual(self.step_told("first.toml", "--set", setting) / self.step_told("first.toml"), 0.5, places=3)

    def test_first_deck_is_what_the_readme_and_the_program_recommend(self):
        (self.directory / "first.toml").write_text(first_deck(), encoding="utf-8")
        self.assertNotIn("recommended:", self.call("check", "first.toml"))
        # For the published deck the program recommends something else: what the first deck has.
        said = self.call("check", str(SOURCE / "inputs/two_balls.toml"))
        recommended = re.search(r"^recommended: (.*)$", said, re.M).group(1)
        deck = tomllib.loads(first_deck())
        for key, value in (("integrator", "method"), ("contact", "model"), ("localization", "contact")):
            self.assertIn(f'{key}.{value} = "{deck[key][value]}"', recommended)
        start_here = next(line for line in section("Which method when").splitlines() if "start here" in line)
        self.assertIn(f'`"{deck["integrator"]["method"]}"`', start_here)
        self.assertIn(f'`localization.contact = "{deck["localization"]["contact"]}"`', start_here)

    def test_striker_of_the_first_deck_keeps_what_the_readme_says(self):
        (self.directory / "first.toml").write_text(first_deck(), encoding="utf-8")
        self.call("run", "first.toml", "--set", "output.field_interval=-1")
        with open(self.directory / "results" / "first" / "bodies.csv", newline="", encoding="utf-8") as table:
            last = [row for row in csv.DictReader(table) if row["body"] == "striker"][-1]
        kept = re.search(r"The striker keeps ([0-9.]*) m/s", section("A first deck")).group(1)
        # To the printed digits, and a little more for the meshes of other versions of Gmsh and the C library.
        self.assertAlmostEqual(float(last["velocity_x"]), float(kept), delta=0.01)
        summary = json.loads((self.directory / "results" / "first" / "summary.json").read_text(encoding="utf-8"))
        # "Two warnings come with it"
        self.assertEqual([any(word in warning for warning in summary["warnings"]) for word in ("single elements", "of the kicks")], [True, True])
        self.assertEqual(len(summary["warnings"]), 2)

    def test_commands_without_the_scripts(self):
        (self.directory / "inputs").symlink_to(SOURCE / "inputs")
        done = []
        for words in commands():
            ranks = None
            if words[0] == "mpirun":
                self.assertEqual(words[1], "-n")
                ranks, words = int(words[2]), words[3:]
            self.assertEqual(words[0], "build/terrace")
            if words[1] == "run":
                words += ["--set", "time.events=100"]
            said = self.call(*words[1:], ranks=ranks)
            done.append(words[1])
            for path in words[words.index("--output") + 1:][:1] if "--output" in words else []:
                self.assertTrue((self.directory / path).exists(), path)
            if words[1] == "check":
                for promised in ("mass", "least volume", "stable explicit Newmark step", "suggested energy step"):
                    self.assertIn(promised, said)
        self.assertEqual(sorted(done), ["check", "list", "mesh", "run"])

    def test_list_names_what_the_deck_reader_accepts(self):
        (self.directory / "first.toml").write_text(first_deck() + "[[walls]]\nname = \"floor\"\npoint = [0, 0, -1]\n"
                                                   "normal = [0, 0, 1]\nstiffness = 1.0\n", encoding="utf-8")
        listed = {}
        printed = call(PROGRAM, "list", directory=self.directory).stdout  # without stderr, where libraries may warn
        for line in re.sub(r" *\([^)]*\)", "", printed).splitlines():
            kind, names = re.split(r"  +", line, maxsplit=1)
            for part in names.split(";"):
                words = part.split(":")[-1].split()
                # "contact own, touching, …" of the localizations: a first word without a comma names what the others belong to.
                label = kind if "," in words[0] or len(words) == 1 else f"{kind} {words.pop(0)}"
                listed[label] = {word.rstrip(",") for word in words}
        integrators = listed["integrators"]
        for kind, key in (("shapes", "bodies.0.shape"), ("integrators", "integrator.method"),
                          ("contact models", "contact.model"), ("walls", "walls.0.model"),
                          ("localizations", "localization.kind"), ("localizations contact", "localization.contact"),
                          ("layouts", "layout.kind")):
            said = self.call("check", "first.toml", "--set", f"{key}=zzz", status=2)
            accepted = re.search(r"to be one of (.*?), found", said).group(1)
            self.assertEqual(listed.pop(kind), set(re.findall(r'"([^"]*)"', accepted)), kind)
        (self.directory / "particles.toml").write_text(
            "[time]\nend = 10\n[[particles]]\nname = \"a\"\nmass = 1\npositions = [[0], [1]]\nvelocities = [[1], [0]]\n[[potentials]]\nname = \"p\"\n"
            "kind = \"spring\"\nstiffness = 1\nlength = 1.1\n[integrator]\nmethod = \"newmark\"\n", encoding="utf-8")
        for kind, key in (("potentials", "potentials.0.kind"), ("particles localizations", "localization.kind")):
            said = self.call("check", "particles.toml", "--set", f"{key}=zzz", status=2)
            accepted = re.search(r"to be one of (.*?), found", said).group(1)
            self.assertEqual(listed.pop(kind), set(re.findall(r'"([^"]*)"', accepted)), kind)
        for method in integrators:
            said = call(PROGRAM, "check", "particles.toml", "--set", f"integrator={{method=\"{method}\"}}", directory=self.directory)
            # A method that is accepted may still miss a key that it needs.
            accepted = said.returncode == 0 or "expected the key integrator." in said.stderr
            self.assertEqual(accepted, method in listed["particles integrators"], said.stderr)
        listed.pop("particles integrators")
        (self.directory / "system.toml").write_text("[time]\nend = 1\n[system]\nkind = \"kepler\"\n[integrator]\nmethod = \"verlet\"\ntime_step = 1\n",
                                                    encoding="utf-8")
        for kind, key in (("small systems kinds", "system.kind"), ("small systems integrators", "integrator.method")):
            said = self.call("check", "system.toml", "--set", f"{key}=zzz", status=2)
            accepted = re.search(r"to be one of (.*?), found", said).group(1)
            self.assertEqual(listed.pop(kind), set(re.findall(r'"([^"]*)"', accepted)), kind)
        self.assertEqual(listed.pop("supports"), {"group", "box", "surface"})  # each of these is a key
        self.assertEqual(listed, {}, "listed, and no key of the deck")

    def test_columns_and_members_of_the_results_are_explained(self):
        explained = {}
        for heading, text in re.findall(r"^##+ (.*)\n((?:(?!##).*\n)*)", (SOURCE / "inputs/results.md").read_text(encoding="utf-8"), re.M):
            names = []
            for cell in re.findall(r"^\| (`[^|]*) \|", text, re.M):
                for name in re.findall(r"`([a-z_]+)`", cell):
                    names.append(names[-1][:-2] + name if name in ("_y", "_z") else name)
            self.assertEqual(len(names), len(set(names)), heading)
            for file in re.findall(r"`([a-z.]+)`", heading.split(":")[0]):
                explained[file] = names
        (self.directory / "first.toml").write_text(first_deck() + '[[probes]]\nname = "pole"\nbody = "target"\npoint = [0.052, 0.0, 0.025]\n', encoding="utf-8")
        self.call("run", "first.toml", "--set", "time.end=2e-4")
        for file in ("history.csv", "bodies.csv", "probes.csv"):
            self.assertEqual(explained[file], self.names_in(file))
        self.assertEqual(sorted(explained["subdomains.csv"]), sorted({*self.names_in("subdomains.csv"), *self.names_in("steps.csv")}))
        summary = json.loads((self.directory / "results" / "first" / "summary.json").read_text(encoding="utf-8"))
        self.assertEqual(sorted(explained["summary.json"]), sorted(summary))
        for member in ("monitors", "balance"):
            self.assertEqual(sorted(explained[member]), sorted(summary[member]))
        # Members that are null in this run are found in the source of the writer.
        written = set(re.findall(r'\{"([a-z_]+)", ', (SOURCE / "src/io/summary.cpp").read_text(encoding="utf-8")))
        members = {name for file in ("summary.json", "monitors", "balance", "steps", "windows", "concurrency") for name in explained[file]}
        self.assertEqual(sorted(members), sorted(written))

    def test_a_body_of_your_own(self):
        text = re.search(r"^## A body of your own\n(.*?)^## ", (SOURCE / "inputs/README.md").read_text(encoding="utf-8"), re.M | re.S).group(1)
        deck = re.search(r"```toml\n(.*?)```", text, re.S).group(1)
        (self.directory / "own.toml").write_text(deck, encoding="utf-8")
        shutil.copy(SOURCE / "meshes/bead.geo", self.directory)
        done = []
        for line in re.findall(r"^    (terrace .*)$", text, re.M):
            words = shlex.split(line, comments=True)[1:]
            said = self.call(*words)
            done.append(words[0])
            if words[0] == "check":
                mass = float(re.search(r"^bead +\d+ +\d+ +([0-9.e-]+)", said, re.M).group(1))
                self.assertAlmostEqual(mass / (7780 * 4 / 3 * math.pi * 0.0047625**3), 0.985, delta=0.015)  # a ball's mass, a little less for its facets
            else:
                self.assertTrue((self.directory / words[words.index("--output") + 1]).exists())
        self.assertEqual(done, ["check", "mesh", "run"])
        with open(self.directory / "results" / "own" / "bodies.csv", newline="", encoding="utf-8") as table:
            velocity = [float(row["velocity_x"]) for row in csv.DictReader(table) if row["body"] == "bead"][-1]
        self.assertAlmostEqual(velocity, float(re.search(r"the bead keeps ([0-9.]*) m/s", text).group(1)), delta=0.005)
        # "the physical volume": another name is none of the file's; "without it the file's own" sizes, which are finer.
        self.assertIn('expected one of the physical volumes "ball"', self.call("check", "own.toml", "--set", "bodies.0.group=bead", status=2))
        (self.directory / "fine.toml").write_text(re.sub(r"^size = .*\n", "", deck, flags=re.M), encoding="utf-8")
        elements = [int(re.search(r"^bead +(\d+)", self.call("check", name), re.M).group(1)) for name in ("own.toml", "fine.toml")]
        self.assertLess(elements[0], elements[1])

    def test_every_deck_of_inputs_is_in_its_table_and_the_other_way_round(self):
        table = re.findall(r"^\| `([a-z0-9_]+\.toml)` \|", (SOURCE / "inputs/README.md").read_text(encoding="utf-8"),
                           re.M)
        self.assertEqual(sorted(table), sorted(path.name for path in (SOURCE / "inputs").glob("*.toml")))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
