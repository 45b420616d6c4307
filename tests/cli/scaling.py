"""Tests of traces of windows (terrace run --trace) and of scaling studies (cluster/scaling.py).

Usage: scaling.py TERRACE [OPTION of unittest]...
"""

import csv
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests" / "mpi"))
from program import ENVIRONMENT, call  # noqa: E402
from same_bits_decks import PACKING  # noqa: E402

PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")
# With these velocities some ball leaves its flight, and rows are rare enough that windows are long and ranks help each other.
DECK = PACKING.replace("end = 1.0\nevents = 400", "end = 0.003").replace("random_speed = 4.0, seed = 8", "random_speed = 6.0, seed = 1").replace(
    'method = "energy-stepping"\nenergy_step_fraction = 1.0e-4', 'method = "clocked-energy-stepping"').replace(
    '[layout]\nkind = "own"', '[localization]\nkind = "bodies"\ncontact = "touching"\n[layout]\nkind = "windows"') + "history_interval = 5.0e-4\n"
# The same with cubes, which need no meshing by Gmsh.
CUBES = DECK.replace('shape = "ball"\nradius = 0.01\nsize = 0.012', 'shape = "lattice"\nextent = [0.016, 0.016, 0.016]\ncells = [1, 1, 1]').replace("0.0225", "0.0205")
PHASES = ("planning", "beginning", "working", "redoing", "telling", "exchanging", "learning")

def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def run_script(name, *arguments, environment=ENVIRONMENT):
    return subprocess.run([sys.executable, str(ROOT / "cluster" / name), *map(str, arguments)], capture_output=True, text=True,
                          check=False, env=environment, timeout=120)


def without_matplotlib(directory):
    """An environment in which matplotlib cannot be imported, whether it is installed or not."""
    (directory / "matplotlib.py").write_text("raise ImportError\n", encoding="utf-8")
    return {**ENVIRONMENT, "PYTHONPATH": str(directory)}


NO_PLOT = "no plot: python3-matplotlib is missing\n"


class Scratch(unittest.TestCase):
    content = DECK

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="terrace-scaling-")
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name).resolve()
        self.deck = self.directory / "packing.toml"
        self.deck.write_text(self.content, encoding="utf-8")

    def run_deck(self, name, *options, ranks=None, status=0):
        done = call(PROGRAM, "run", self.deck, "--output", self.directory / name, *options, ranks=ranks)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def summary(self, name):
        return json.loads((self.directory / name / "summary.json").read_text(encoding="utf-8"))


class Trace(Scratch):
    def check_sums(self, name, ranks, planned_for):
        summary = self.summary(name)
        clusters, of_ranks = table(self.directory / name / "trace.csv"), table(self.directory / name / "trace_ranks.csv")
        for rows in (clusters, of_ranks):
            self.assertEqual(sum(int(row["events"]) for row in rows), summary["events"])
        self.assertEqual(sum(int(row["element_evaluations"]) for row in of_ranks), summary["element_evaluations"])
        of_clusters = sum(int(row["element_evaluations"]) for row in clusters)
        self.assertLessEqual(of_clusters, summary["element_evaluations"])
        self.assertGreater(of_clusters, 0.5 * summary["element_evaluations"], "but for set-up and what was done again")
        self.assertEqual(sum(int(row["news_bytes"]) for row in clusters), sum(int(row["news_bytes"]) for row in of_ranks))
        windows = summary["windows"]
        coming = sum(int(row["coming_elements"]) for row in of_ranks)
        if planned_for == ranks:  # balls of one size
            elements_of_each = re.search(r"(?m)^ball-1 +(\d+)", call(PROGRAM, "check", self.deck).stdout)[1]
            self.assertEqual(coming, windows["moved_bodies"] * int(elements_of_each))
        self.assertEqual(coming > 0, planned_for > 1)
        if ranks == 1:  # one rank has all bodies, for however many ranks it plans
            self.assertEqual({row["fetched_bytes"] for row in of_ranks}, {"0"})
        self.assertEqual(Counter(row["window"] for row in of_ranks), {str(w): ranks for w in range(windows["windows"])})
        self.assertEqual(len({row["window"] for row in clusters if row["cut"] == "1"}), windows["cut_windows"])
        self.assertEqual({row["window"] for row in clusters if float(row["leaves"]) <= float(row["reached"]) < float(row["end"])},
                         {row["window"] for row in clusters if row["cut"] == "1"})
        self.assertAlmostEqual(len(clusters) / windows["windows"], windows["clusters"], places=9)
        self.assertEqual({row["planned_for"] for row in of_ranks}, {str(planned_for)})
        for window in {row["window"] for row in clusters}:
            self.assertEqual(sum(int(row["bodies"]) for row in clusters if row["window"] == window), 8)
        for row in clusters:
            self.assertLess(int(row["rank"]), planned_for)
            self.assertEqual(row["cut"] == "1", float(row["reached"]) < float(row["end"]))
        worked = sum(float(row["working"]) + float(row["redoing"]) for row in of_ranks)
        self.assertLessEqual(sum(float(row["seconds"]) for row in clusters), worked)
        for row in of_ranks:
            self.assertTrue(0 < float(row["divided_planning"]) < float(row["planning"]), row)
        seconds = sum(float(row[phase]) for row in of_ranks for phase in PHASES) / ranks
        self.assertLessEqual(seconds, summary["wall_seconds"])

    def test_sums_are_those_of_the_summary_and_the_motion_is_the_same(self):
        self.run_deck("plain")
        self.assertFalse((self.directory / "plain" / "trace.csv").exists())
        for name, ranks, options, planned_for in (("one", None, (), 1), ("for-64", None, ("--trace-for", 64), 64), ("two", 2, (), 2),
                                                  ("helped", 2, ("--set", "layout.helpers=always"), 2)):
            self.run_deck(name, "--trace", *options, ranks=ranks)
            for key in ("state_hash", "events", "energy_drift"):
                self.assertEqual(self.summary(name)[key], self.summary("plain")[key], f"{key} of {name}")
            self.check_sums(name, ranks or 1, planned_for)
        for name in ("one", "for-64"):
            self.assertGreater(self.summary(name)["windows"]["cut_windows"], 0, name)
        self.assertGreater(self.summary("helped")["windows"]["helped_clusters"], 0)
        self.assertEqual(self.summary("one")["element_evaluations"], self.summary("plain")["element_evaluations"])
        self.assertGreater(len({row["rank"] for row in table(self.directory / "for-64" / "trace.csv")}), 2)
        done = run_script("replay.py", self.directory / "for-64", "--ranks", "1,64")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("planned for 64 ranks", done.stdout)

    def test_what_cannot_be_traced_is_refused(self):
        said = self.run_deck("two", "--trace", "--trace-for", 4, ranks=2, status=2)
        self.assertIn("--trace-for: expected a run on one rank: it plans the windows of N ranks, found 2 ranks", said)
        self.assertIn("--trace-for requires --trace", self.run_deck("alone", "--trace-for", 4, status=2))
        self.assertIn("--trace-for", self.run_deck("none", "--trace", "--trace-for", 0, status=2))
        self.assertEqual([path.name for path in self.directory.iterdir()], [self.deck.name])

    def test_an_overwritten_directory_keeps_no_trace(self):
        self.run_deck("again", "--trace")
        self.run_deck("again", "--set", "output.overwrite=true")
        self.assertEqual(sorted((self.directory / "again").glob("trace*.csv")), [])

    def test_a_run_that_goes_on_keeps_no_trace_of_the_part_before(self):
        self.run_deck("on", "--trace", "--set", "time.events=100")
        self.assertEqual(len(list((self.directory / "on").glob("trace*.csv"))), 2)
        self.run_deck("on", "--resume", "--set", "time.events=200")
        self.assertEqual(sorted((self.directory / "on").glob("trace*.csv")), [])

    def test_phases_of_windows_are_in_the_profile(self):
        done = call(PROGRAM, "run", self.deck, "--output", self.directory / "profile", "--", "-log_view")
        for operation in ("Planning", "Beginning", "Working", "Telling", "Exchange", "Learning"):
            self.assertRegex(done.stdout, rf"(?m)^{operation} +\d")


class Study(Scratch):
    content = CUBES

    def test_runs_and_their_medians_are_in_tables(self):
        output = self.directory / "study"
        options = (self.deck, "--program", PROGRAM, "--ranks", "1,2", "--repeats", "3", "--output", output)
        done = run_script("scaling.py", *options, "--launcher", "mpirun --oversubscribe --mca mpi_yield_when_idle 1 -n {ranks}")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows, runs = table(output / "scaling.csv"), table(output / "runs.csv")
        self.assertEqual([row["ranks"] for row in rows], ["1", "2"])
        self.assertEqual(len(runs), 6)
        self.assertEqual(len({row["state_hash"] for row in rows + runs}), 1)
        for row in rows:
            seconds = sorted(float(run["wall_seconds"]) for run in runs if run["ranks"] == row["ranks"])
            self.assertEqual((float(row["wall_seconds"]), float(row["fastest_wall_seconds"])), (seconds[1], seconds[0]))
            self.assertGreater(int(row["windows"]), 0)
            self.assertGreater(float(row["clusters"]), 1)
            self.assertLessEqual(float(row["balance"]), 1 + 1e-12)
            stepping = sorted(float(run["stepping_seconds"]) for run in runs if run["ranks"] == row["ranks"])
            self.assertEqual(float(row["stepping_seconds"]), stepping[1])
            self.assertLess(stepping[1], seconds[1])
            self.assertEqual((row["teams"], row["team_events"], row["team_collectives"]), ("0.0", "0", "0"))
        before = (output / "scaling.csv").read_bytes()
        done = run_script("scaling.py", *options, "--collect")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((output / "scaling.csv").read_bytes(), before)

    def test_other_layouts_have_no_windows(self):
        output = self.directory / "own"
        done = run_script("scaling.py", self.deck, "--program", PROGRAM, "--ranks", "1", "--set", "layout.kind=own", "--output", output)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([table(output / "scaling.csv")[0][key] for key in ("layout", "windows", "balance")], ["own", "", ""])

    def test_jobs_hold_the_run(self):
        output = self.directory / "jobs"
        done = run_script("scaling.py", self.deck, "--program", PROGRAM, "--ranks", "1,64", "--repeats", "2", "--output", output,
                          "--set", "layout.kind=windows", "--slurm", "--ranks-per-node", "16", "--time", "0:10:00")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(path.name for path in output.iterdir()), ["ranks-1.sh", "ranks-64.sh", "study.json"])
        for ranks, nodes, per_node in ((1, 1, 1), (64, 4, 16)):
            job = (output / f"ranks-{ranks}.sh").read_text(encoding="utf-8")
            for line in (f"#SBATCH --nodes={nodes}", f"#SBATCH --ntasks={ranks}", f"#SBATCH --ntasks-per-node={per_node}",
                         "#SBATCH --exclusive", "#SBATCH --threads-per-core=1", "#SBATCH --time=0:10:00", "for repeat in 1 2; do",
                         f"  output={output}/ranks-{ranks}-\"$repeat\"",
                         f"  srun --mpi=pmix --cpu-bind=cores {PROGRAM} run {self.deck} --output \"$output\" --set layout.kind=windows"):
                self.assertIn(line + "\n", job)
            self.assertNotIn("--hint", job, "which excludes --cpu-bind")
            self.assertEqual(subprocess.run(["bash", "-n", output / f"ranks-{ranks}.sh"], check=False).returncode, 0)
        done = run_script("scaling.py", self.deck, "--ranks", "1", "--output", output, "--collect")
        self.assertEqual(done.returncode, 1)
        self.assertIn("expected a run that is done in", done.stderr)

    def test_an_installed_script_takes_the_program_in_the_path(self):
        installed = self.directory / "share" / "terrace" / "cluster"
        installed.mkdir(parents=True)
        for name in ("scaling.py", "cores.py", "tables.py"):
            shutil.copy(ROOT / "cluster" / name, installed)
        (self.directory / "bin").mkdir()
        (self.directory / "bin" / "terrace").symlink_to(PROGRAM)
        done = subprocess.run([sys.executable, str(installed / "scaling.py"), self.deck.name, "--ranks", "1", "--slurm"], check=False,
                              capture_output=True, text=True, cwd=self.directory, env={**ENVIRONMENT, "PATH": f"{self.directory}/bin:{ENVIRONMENT['PATH']}"})
        self.assertEqual(done.returncode, 0, done.stderr)
        job = (self.directory / "results" / "scaling-packing" / "ranks-1.sh").read_text(encoding="utf-8")
        self.assertIn(f" {self.directory}/bin/terrace run packing.toml --output \"$output\"\n", job)
        self.assertIn("  output=results/scaling-packing/ranks-1-\"$repeat\"\n", job)

    def test_jobs_in_directories_with_spaces_are_quoted(self):
        output = self.directory / "a study"
        done = run_script("scaling.py", self.deck, "--program", PROGRAM, "--ranks", "1", "--output", output, "--slurm")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"sbatch '{output}/ranks-1.sh'\n", done.stdout)
        job = (output / "ranks-1.sh").read_text(encoding="utf-8")
        self.assertIn(f"#SBATCH --output='{output}/ranks-1-%j.log'\n", job)
        self.assertIn(f"  output='{output}/ranks-1-'\"$repeat\"\n", job)

    def times_of(self, output):
        return {path.parent.name: json.loads(path.read_text(encoding="utf-8"))["wall_seconds"] for path in output.glob("*/summary.json")}

    def test_a_study_without_a_run_is_in_nobodys_way(self):
        output = self.directory / "study"
        options = (self.deck, "--program", PROGRAM, "--ranks", "1", "--output", output)
        done = run_script("scaling.py", *options, "--set", "time.ennd=1e-4")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn('did you mean "end"', done.stderr)
        done = run_script("scaling.py", *options, "--set", "time.end=1e-4")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run_script("scaling.py", *options, "--set", "time.end=2e-4")
        self.assertEqual(done.returncode, 2, done.stdout)

    def test_a_study_that_ended_half_way_goes_on(self):
        output, launch = self.directory / "study", self.directory / "launch"
        launch.write_text("#!/bin/sh\nwhile test \"$1\" != --output; do command=\"$command $1\"; shift; done\n"
                          f"test -e {self.directory}/mended || case \"$2\" in *-2) mkdir \"$2\"; touch \"$2/fields.pvd\"; exit 3;; esac\n"
                          "exec $command \"$@\"\n", encoding="utf-8")
        launch.chmod(0o755)
        options = (self.deck, "--program", PROGRAM, "--ranks", "1", "--repeats", "3", "--output", output, "--launcher", launch)
        done = run_script("scaling.py", *options)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("the run on 1 rank ended with 3", done.stderr)
        before = self.times_of(output)
        self.assertEqual(list(before), ["ranks-1-1"])
        (self.directory / "mended").touch()
        for change in (("--set", "time.end=0.002"), ("--program", launch)):
            done = run_script("scaling.py", *options, *change)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("exists, and is no study of this deck, program and --set", done.stderr)
        done = run_script("scaling.py", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"{output}/ranks-1-1 is done\n", done.stdout)
        self.assertNotIn("ranks-1-2 is done", done.stdout)
        after = self.times_of(output)
        self.assertEqual((len(after), after["ranks-1-1"]), (3, before["ranks-1-1"]))
        self.assertEqual(len(table(output / "runs.csv")), 3)

    def test_a_job_that_is_submitted_again_goes_on(self):
        output = self.directory / "a study"
        done = run_script("scaling.py", self.deck, "--program", PROGRAM, "--ranks", "1", "--repeats", "3", "--output", output, "--slurm",
                          "--launcher", "env")
        self.assertEqual(done.returncode, 0, done.stderr)
        times = []
        for _ in range(2):
            done = subprocess.run(["bash", output / "ranks-1.sh"], capture_output=True, text=True, check=False, env=ENVIRONMENT, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            times.append(self.times_of(output))
            for name, was, becomes in (("ranks-1-2", '"status": "done"', '"status": "stopped"'), ("ranks-1-3", '"ranks": 1,', '"ranks": 12,')):
                summary = output / name / "summary.json"
                summary.write_text(summary.read_text(encoding="utf-8").replace(was, becomes), encoding="utf-8")
        self.assertEqual([name for name in sorted(times[0]) if times[0][name] == times[1][name]], ["ranks-1-1"])

    def collect(self, *changes, environment=ENVIRONMENT):
        """Runs --collect on fabricated summaries of 1, 2, ... ranks, each with its own changes; returns the CompletedProcess."""
        output = self.directory / "fabricated"
        output.mkdir(exist_ok=True)
        (output / "study.json").write_text(json.dumps({"deck": self.content}), encoding="utf-8")
        for ranks, change in enumerate(changes, start=1):
            summary = {"status": "done", "ranks": ranks, "events": 10, "wall_seconds": 2.0, "wall_seconds_by_phase": {"stepping": 1.0},
                       "collectives_per_event": 1.0, "layout": "own", "state_hash": "aa", "steps": None, **change}
            (output / f"ranks-{ranks}-1").mkdir(parents=True, exist_ok=True)
            (output / f"ranks-{ranks}-1" / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
        done = run_script("scaling.py", self.deck, "--ranks", ",".join(str(ranks + 1) for ranks in range(len(changes))), "--output", output, "--collect",
                          environment=environment)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def test_only_runs_that_are_done_are_collected(self):
        for status in ("failed: an element is inverted", "stopped"):
            done = self.collect({}, {"status": status})
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn(f"expected a run that is done in {self.directory}/fabricated/ranks-2-1, found one with status '{status}'",
                          done.stderr)
        enough = {"status": "stopped after time.events events"}
        self.assertEqual(self.collect(enough, enough).returncode, 0)

    def test_what_is_collected_must_be_a_study_of_this_deck_and_program(self):
        output = self.directory / "fabricated"
        options = (self.deck, "--ranks", "1", "--output", output)
        done = run_script("scaling.py", *options, "--collect")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn(f"--collect: expected the directory of a study, found no {output}/study.json", done.stderr)
        self.assertFalse(output.exists(), "which would refuse the study itself")
        output.mkdir()  # an empty directory does not hinder a study
        self.assertEqual(run_script("scaling.py", *options, "--program", PROGRAM, "--slurm").returncode, 0)
        done = run_script("scaling.py", *options, "--program", self.deck, "--collect")
        self.assertIn(f"--collect: expected a study of this program in {output}, found one of another", done.stderr)
        done = run_script("scaling.py", *options, "--set", "time.end=1", "--collect")
        self.assertIn(f"--collect: expected a study of this --set in {output}, found one of another", done.stderr)
        for missing in (("nowhere.toml", *options[1:]), (*options, "--program", "nowhere")):
            done = run_script("scaling.py", *missing, "--collect")
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertRegex(done.stderr, r"error: no such file: nowhere")
        self.deck.write_text(self.content + "\n", encoding="utf-8")
        done = run_script("scaling.py", *options, "--collect")
        self.assertIn(f"--collect: expected a study of this deck in {output}, found one of another", done.stderr)

    def test_a_plot_that_is_not_drawn_is_told_of(self):
        done = self.collect({}, environment=without_matplotlib(self.directory))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.endswith(NO_PLOT), done.stdout)

    def test_speed_up_is_of_stepping(self):
        """Speed-up leaves out meshing and set-up, which take as long on any number of ranks."""
        windows = {"windows": 5, "teams": 0.5, "team_events": 7, "team_collectives": 9}
        done = self.collect({}, {"wall_seconds": 1.5, "wall_seconds_by_phase": {"stepping": 0.625}, "windows": windows})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^     1 rank  .*\n     2 ranks ")
        first, second = table(self.directory / "fabricated" / "scaling.csv")
        self.assertEqual([second[key] for key in ("wall_seconds", "stepping_seconds", "speed_up", "efficiency")], ["1.5", "0.625", "1.6", "0.8"])
        self.assertEqual([second[key] for key in ("teams", "team_events", "team_collectives")], ["0.5", "7", "9"])
        self.assertEqual([first[key] for key in ("teams", "team_events", "team_collectives")], ["", "", ""])

    def test_capacity_is_what_copies_on_cores_of_their_own_do_at_once(self):
        output = self.directory / "study"
        cores = json.loads(subprocess.run([sys.executable, "-c", "import cores; print(cores.cores())"], cwd=ROOT / "cluster", capture_output=True,
                                          text=True, check=True).stdout)
        ranks = min(2, len(cores))
        options = (self.deck, "--program", PROGRAM, "--ranks", f"1,{ranks}", "--repeats", "3", "--output", output, "--capacity",
                   "--set", "time.end=0.001")
        done = run_script("scaling.py", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        alone, *more = table(output / "scaling.csv")
        self.assertEqual((alone["capacity"], alone["share_of_capacity"]), ("1.0", "1.0"))
        for row in more:
            copies = table(output / "copies.csv")
            self.assertEqual([(int(copy["repeat"]), int(copy["core"])) for copy in copies],
                             [(repeat, core) for repeat in (1, 2, 3) for core in cores[:2]])
            self.assertEqual({copy["state_hash"] for copy in copies}, {row["state_hash"]})
            worth = [sum(float(alone["stepping_seconds"]) / float(copy["stepping_seconds"]) for copy in copies[k:k + 2]) for k in (0, 2, 4)]
            self.assertAlmostEqual(float(row["capacity"]), sorted(worth)[1], places=12)
            self.assertAlmostEqual(float(row["share_of_capacity"]) * float(row["capacity"]), float(row["speed_up"]), places=12)
        before = self.times_of(output)
        self.assertEqual(len(before), 3 * (2 + ranks) if ranks > 1 else 3)
        self.assertEqual(run_script("scaling.py", *options, "--collect").returncode, 0)
        self.assertEqual(self.times_of(output), before, "what is done stays")

    def test_capacity_of_what_does_not_run_here_is_refused(self):
        cores = int(subprocess.run([sys.executable, ROOT / "cluster" / "cores.py"], capture_output=True, text=True, check=True).stdout)
        for options in (("--ranks", "1", "--slurm"), ("--ranks", "1", "--launcher", "env"), ("--ranks", "2"), ("--ranks", f"1,{cores + 1}")):
            done = run_script("scaling.py", self.deck, "--program", PROGRAM, "--output", self.directory / "none", "--capacity", *options)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(f"--capacity: expected runs here, by mpirun, on 1 and at most {cores} ranks", done.stderr)

    def test_ranks_beyond_the_physical_cores_are_launched_with_a_warning(self):
        mpirun = self.directory / "mpirun"
        mpirun.write_text('#!/bin/sh\necho called "$@"\nexit 3\n', encoding="utf-8")
        mpirun.chmod(0o755)
        cores = int(subprocess.run([sys.executable, ROOT / "cluster" / "cores.py"], capture_output=True, text=True, check=True).stdout)
        outside = {key: value for key, value in ENVIRONMENT.items() if key not in ("SLURM_JOB_ID", "PBS_NODEFILE")}
        for ranks in (cores, cores + 1):
            options = "" if ranks == cores else "--oversubscribe --mca mpi_yield_when_idle 1 "
            done = run_script("scaling.py", self.deck, "--program", PROGRAM, "--ranks", ranks, "--output", self.directory / f"on-{ranks}",
                              environment={**outside, "PATH": f"{self.directory}:{outside['PATH']}"})
            self.assertIn(f"-n {ranks} {options}{PROGRAM} run", done.stderr)
            self.assertEqual(done.stderr.count(f"warning: {ranks} ranks share {cores} physical cores"), int(ranks > cores), done.stderr)

    def test_what_cannot_be_started_written_or_read_is_named(self):
        output, nowhere = self.directory / "study", self.directory / "no-launcher"
        options = (self.deck, "--program", PROGRAM, "--ranks", "1", "--output")
        (self.directory / "latin.toml").write_bytes(b"# \xe9")
        for arguments, words in (((*options, output, "--launcher", nowhere), f"cannot start {nowhere}: No such file or directory; --launcher"),
                                 ((*options, self.deck / "below"), "Not a directory"),
                                 ((self.directory / "latin.toml", *options[1:], output), "can't decode byte 0xe9")):
            done = run_script("scaling.py", *arguments)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertTrue(done.stderr.startswith("scaling: ") and done.stderr.count("\n") == 1, done.stderr)
            self.assertIn(words, done.stderr)

    def test_summaries_of_something_else_are_refused(self):
        for text, words in (("[]", "expected a run that is done in {}, found no summary.json that can be read"),
                            ('{"status": "done"}', "expected a run on 1 rank in {}, found one on None"),
                            ('{"status": "done", "ranks": 1}', "expected the summary.json of a run in {}, found one with another wall_seconds")):
            self.collect({})
            output = self.directory / "fabricated"
            (output / "ranks-1-1" / "summary.json").write_text(text, encoding="utf-8")
            options = (self.deck, "--ranks", "1", "--output", output, "--collect")
            done = run_script("scaling.py", *options)
            self.assertEqual((done.returncode, done.stderr), (1, "scaling: " + words.format(output / "ranks-1-1") + "\n"))
        (output / "study.json").write_text("[]", encoding="utf-8")
        done = run_script("scaling.py", *options)
        self.assertIn("--collect: expected the directory of a study", done.stderr)

    def test_runs_of_several_meshes_or_decks_are_not_compared(self):
        for key, first, second, words in (
                ("mesh_hash", "e5", "1d", "mesh, found ranks-1-1 with e5, ranks-2-1 with 1d: remove what is of the former mesh"),
                ("deck", "a = 1", "a = 2", "deck with what was --set, found another in ranks-2-1 than in ranks-1-1: remove what is of the former deck")):
            done = self.collect({key: first}, {key: second})
            self.assertEqual((done.returncode, done.stderr), (1, f"scaling: expected runs of one {words}\n"))
            self.assertNotIn("2 ranks", done.stdout)

    def test_a_launcher_may_hold_braces(self):
        done = run_script("scaling.py", self.deck, "--program", PROGRAM, "--ranks", "1", "--output", self.directory / "braces", "--slurm",
                          "--launcher", "sh -c {B} {ranks}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("  sh -c '{B}' 1 ", (self.directory / "braces" / "ranks-1.sh").read_text(encoding="utf-8"))

    def test_small_systems_are_refused(self):
        done = self.collect({"system": "pendulum", "steps": 1000})
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("expected a deck of bodies or particles, found the small system pendulum", done.stderr)

    def test_implicit_methods_may_end_in_other_bits(self):
        for steps, status in ((None, 1), ({"newton_iterations": 9}, 0)):
            done = self.collect({"steps": steps}, {"steps": steps, "state_hash": "bb"})
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn("the runs ended in 2 different states", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
