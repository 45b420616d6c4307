"""What the world does to a run: calls of the system that fail, a full disk, a directory that is taken away.

Usage: faults.py TERRACE [OPTION of unittest]...

A run that fails says which file and why, once, ends with status 1, leaves whole files only, and goes on from its last
restart file to the bits of the run that never failed. TERRACE_FAULTS: how many of the calls are tried (12), or "all", which
takes minutes; TERRACE_SEED: which ones. Disks are mounted in a mount namespace of the script's own, where that is permitted.
"""

import collections
import csv
import errno
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from decks import SOFT_CUBE  # noqa: E402
from program import call, quick_start  # noqa: E402

PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")
SEED = int(os.environ.get("TERRACE_SEED", "20261122"))
COUNT = os.environ.get("TERRACE_FAULTS", "12")
IN_NAMESPACE = "TERRACE_FAULTS_NAMESPACE"

DECK = """title = "Spinning cube, coarse"
[time]
end = 6.0
""" + SOFT_CUBE + """spin = [0.0, 0.1, 1.0]
[integrator]
method = "energy-stepping"
energy_step = 2.5e-6
[output]
field_interval = 1.0
history_interval = 0.3
restart_time = 1.0
"""
# A file of the output directory is "history.csv" while it stands for a whole table, and before "history.csv.part".
KINDS = {
    "history.csv": "*/history.csv*", "bodies.csv": "*/bodies.csv*", "subdomains.csv": "*/subdomains.csv*",
    "steps.csv": "*/steps.csv*", "summary.json": "*/summary.json*", "bodies.h5": "*/bodies.h5*",
    "restart.h5": "*/restart*.h5*",
    "a .vtu": "*/fields/*.vtu*", "a .pvtu": "*/fields/*.pvtu*", "fields.pvd": "*/fields.pvd*", "the directory": "*/output",
}
TABLES = ("history.csv", "bodies.csv", "subdomains.csv", "steps.csv")


class Fault(NamedTuple):
    """The N-th call of this sort that concerns this kind of file fails."""

    ranks: int
    rank: int
    kind: str
    call: str
    number: int
    reason: int
    short: bool
    always: bool

    def __str__(self):
        return (f"{self.call} number {self.number} of {self.kind} on rank {self.rank} of {self.ranks}: "
                + os.strerror(self.reason) + ", after half of it" * self.short + ", and ever after" * self.always)

    def settings(self):
        return {"FAIL_CALL": self.call, "FAIL_PATH": KINDS[self.kind], "FAIL_NUMBER": self.number, "FAIL_RANK": self.rank,
                "FAIL_ERRNO": self.reason, "FAIL_SHORT": int(self.short), "FAIL_ALWAYS": int(self.always)}

    def may_be_survived(self):
        """Without a link the file itself is moved; what was read, or brought to the disk before, may close as it likes."""
        return self.call == "link" or (self.call == "close" and self.kind in ("restart.h5", "the directory"))


class Case(unittest.TestCase):
    """Each test has an output directory of its own, and the run that nothing happens to beside it."""

    content = DECK

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="terrace-faults-")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.home = Path(cls.scratch.name).resolve()
        cls.home.chmod(0o755)  # another user's run reads the deck
        cls.deck = cls.home / "cube.toml"
        cls.deck.write_text(cls.content, encoding="utf-8")
        cls.whole = cls.home / "whole" / "output"
        done = call(PROGRAM, "run", cls.deck, "--output", cls.whole)
        assert done.returncode == 0, done.stderr

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(dir=self.home)
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)
        self.directory.chmod(0o755)
        self.output = self.directory / "output"

    def shared_memory(self):
        """Where what a killed mpirun leaves there goes with the test."""
        return {"OMPI_MCA_btl_vader_backing_directory": str(self.home)}

    def run_deck(self, *arguments, ranks=None, wrapper=()):
        """Returns the CompletedProcess; a run that hangs is an error."""
        command = [*wrapper, PROGRAM, "run", self.deck, "--output", self.output, *arguments]
        return call(*command, ranks=ranks if ranks != 1 else None, timeout=60, environment=self.shared_memory())

    def summary(self, output=None):
        return json.loads(((output or self.output) / "summary.json").read_text(encoding="utf-8"))

    def assert_told_once(self, done, names, reason, status=1):
        """The message begins with the file; the reason may be in what a library says, over several lines."""
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, status, said)
        _, *errors = done.stderr.split("terrace: error: ")
        self.assertEqual(len(errors), 1, said)
        self.assertIn(names, errors[0].partition(": expected")[0], said)
        self.assertIn(reason, errors[0], said)

    def assert_table_whole(self, path):
        text = path.read_text(encoding="utf-8")
        self.assertTrue(text.endswith("\n"), f"{path.name} ends in the middle of a row")
        header, *rows = csv.reader(text.splitlines())
        for number, row in enumerate(rows, 2):
            self.assertEqual(len(row), len(header), f"{path.name}, line {number}")

    def assert_frames_whole(self):
        """What an index names is there, and whole; what nobody names is at least well formed."""
        for path in [*self.output.rglob("*.vtu"), *self.output.rglob("*.pvtu"), *self.output.glob("*.pvd")]:
            tree = xml.etree.ElementTree.parse(path)
            for entry in [*tree.iter("DataSet"), *tree.iter("Piece")]:
                file = entry.get("file") or entry.get("Source")
                if file:
                    self.assertTrue((path.parent / file).exists(), f"{path.name} names {file}")

    def assert_whole_files_only(self):
        self.assertEqual([], sorted(path.name for path in self.output.rglob("*.part*")))
        for name in TABLES:
            if (self.output / name).exists():
                self.assert_table_whole(self.output / name)
        if (self.output / "summary.json").exists():
            self.summary()
        self.assert_frames_whole()

    def status(self):
        """Of the summary, if there is one."""
        there = (self.output / "summary.json").exists()
        return self.summary()["status"] if there else "no summary.json, though there is room for it"

    def assert_says_that_it_failed(self, status):
        self.assertRegex(status, "^failed: ")

    def assert_as_never_failed(self):
        found, expected = self.summary(), self.summary(self.whole)
        for key in ("status", "state_hash", "events", "reflections", "momentum_change", "energy_drift"):
            self.assertEqual(found[key], expected[key], key)
        for name in (*TABLES, "fields.pvd"):
            self.assertEqual((self.output / name).read_bytes(), (self.whole / name).read_bytes(), name)
        self.assert_whole_files_only()

    def assert_goes_on(self, saved, other_file=True):
        """To the same end: from restart.h5, and, in a copy of the directory, from the one before."""
        before = self.output / "restart-before.h5"
        if other_file and before.exists() and not before.samefile(self.output / "restart.h5"):
            kept = self.output
            with tempfile.TemporaryDirectory(dir=self.home) as own:
                self.output = Path(own) / "output"
                shutil.copytree(kept, self.output)
                (self.output / "restart-before.h5").replace(self.output / "restart.h5")
                self.assert_ends_well(self.run_deck("--resume"))
            self.output = kept
        done = self.run_deck("--resume")
        if saved:
            self.assert_ends_well(done)
        else:
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("found none that can be read", done.stderr)

    def assert_ends_well(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("going on from", done.stderr, "restart.h5 is not whole")
        self.assert_as_never_failed()


class InjectedFaults(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.library = cls.home / "failing_calls.so"
        subprocess.run(["cc", "-std=c11", "-O1", "-shared", "-fPIC", "-o", cls.library,
                        Path(__file__).with_name("failing_calls.c"), "-ldl"], check=True)

    def run_with(self, settings, ranks):
        """The program alone has the library: neither mpirun nor this script. Returns what it did as well."""
        log = self.directory / "log"
        log.unlink(missing_ok=True)
        settings = {"LD_PRELOAD": self.library, "FAIL_UNDER": self.output, "FAIL_LOG": log, **settings}
        done = self.run_deck(ranks=ranks, wrapper=["env", *(f"{name}={value}" for name, value in settings.items())])
        return done, [line.split("\t") for line in log.read_text(encoding="utf-8").splitlines()]

    def calls_undisturbed(self, ranks):
        self.output = self.directory / f"survey-{ranks}" / "output"
        done, calls = self.run_with({}, ranks)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.output / "history.csv").read_bytes(), (self.whole / "history.csv").read_bytes())
        return calls

    def failed_calls(self, fault):
        """Runs with the fault; returns the CompletedProcess and the paths of the calls that failed."""
        done, calls = self.run_with(fault.settings(), fault.ranks)
        failed = [path for _, _, path, flag in calls if flag == "1"]
        self.assertNotEqual(failed, [], "the call that was to fail was not made")
        return done, failed, calls


class Calls(InjectedFaults):
    def every_fault(self, choice):
        """The first, the second and some later call of each sort the undisturbed run makes; one of each on two ranks."""
        faults = []
        for ranks in (1, 2):
            counts = collections.Counter((int(rank), kind, name) for rank, name, path, _ in self.calls_undisturbed(ranks)
                                         for kind, pattern in KINDS.items() if Path(path).match(pattern[1:].lstrip("/")))
            for (rank, kind, name), most in sorted(counts.items()):
                numbers = {1, min(2, most), choice.randint(min(3, most), most)}
                for number in sorted(numbers) if ranks == 1 else [choice.randint(1, most)]:
                    faults.append(Fault(ranks, rank, kind, name, number, choice.choice((errno.ENOSPC, errno.EIO)),
                                        "write" in name and choice.random() < 0.5, choice.random() < 0.5))
        return faults

    @staticmethod
    def some_of(faults, choice):
        """By turns of each kind of file, in random order."""
        if COUNT == "all":
            return faults
        turns = []
        for kind in KINDS:
            of_kind = [fault for fault in faults if fault.kind == kind]
            choice.shuffle(of_kind)
            turns += enumerate(of_kind)
        return [fault for _, fault in sorted(turns, key=lambda entry: entry[0])][:int(COUNT)]

    def try_fault(self, fault):
        done, failed, calls = self.failed_calls(fault)
        if done.returncode == 0 and fault.may_be_survived():
            self.assert_as_never_failed()
            return False
        self.assert_told_once(done, Path(failed[0]).name.removesuffix(".part"), os.strerror(fault.reason))
        self.assert_whole_files_only()
        status = self.status()
        saved = any(name == "rename" and path.endswith("/restart.h5") and flag == "0" for _, name, path, flag in calls)
        self.assertEqual((self.output / "restart.h5").exists(), saved)
        self.assert_goes_on(saved, other_file=fault.kind == "restart.h5")
        if fault.kind != "summary.json":
            self.assert_says_that_it_failed(status)
        return True

    def try_all(self, faults, of):
        survived = 0
        for number, fault in enumerate(faults):
            self.output = self.directory / str(number) / "output"
            with self.subTest(str(fault)):
                survived += not self.try_fault(fault)
            shutil.rmtree(self.output.parent, ignore_errors=True)
        print(f"seed {SEED}: {len(faults)} of {of} calls failed, {survived} of them did not matter")

    def test_calls_that_fail(self):
        choice = random.Random(SEED)
        every = self.every_fault(choice)
        self.try_all(self.some_of(every, choice), len(every))

    def test_every_write_of_a_restart_file(self):
        """A library that writes late may lose an error: then a file that looks whole takes the place of a good one."""
        calls = [name for _, name, path, _ in self.calls_undisturbed(1) if Path(path).match("restart.h5*")]
        saves = calls.count("rename")
        faults = [Fault(1, 0, "restart.h5", name, number, errno.EIO, False, False) for name in ("write", "pwrite")
                  for each in [calls.count(name) // saves] for number in range(each + 1, 2 * each + 1)]
        tried = faults if COUNT == "all" else random.Random(SEED).sample(faults, min(6, len(faults)))
        self.try_all(tried, len(faults))


class TableOfBodies(InjectedFaults):
    """bodies.h5, which HDF5 writes and, after an error, cannot even close."""

    content = DECK.replace("[output]", '[output]\nbodies = "hdf5"')

    def test_writes_that_fail(self):
        choice = random.Random(SEED)
        most = [name for _, name, path, _ in self.calls_undisturbed(1) if path.endswith("/bodies.h5")].count("pwrite")
        for number in [1, *choice.sample(range(2, most), 3), most]:
            for always in (False, True):
                fault = Fault(1, 0, "bodies.h5", "pwrite", number, errno.ENOSPC, False, always)
                self.output = self.directory / f"{number}-{always}" / "output"
                with self.subTest(str(fault)):
                    done, _, _ = self.failed_calls(fault)
                    if done.returncode == 0:  # HDF5 wrote it again later
                        self.assertFalse(always)
                        self.assertEqual((self.output / "bodies.h5").read_bytes(),
                                         (self.whole / "bodies.h5").read_bytes())
                        continue
                    self.assert_told_once(done, "bodies.h5", os.strerror(errno.ENOSPC))
                    self.assert_whole_files_only()
                    self.assert_says_that_it_failed(self.status())


class Disk(Case):
    """Tests on a disk of their own."""

    def mount(self, options):
        if IN_NAMESPACE not in os.environ:
            self.skipTest("mounting is not permitted here (unshare --mount, also with --map-root-user)")
        disk = self.directory / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=False)
        self.output = disk / "output"
        return disk



class FullDisk(Disk):
    content = DECK.replace("history_interval = 0.3", "history_interval = 0.01")  # tables as large as frames
    saved = 0  # runs that had saved themselves before they failed

    def room(self):
        """What a new file may hold."""
        found = os.statvfs(self.output.parent)
        return found.f_bavail * found.f_frsize if found.f_favail > 0 else 0

    def leave_room(self, disk, size):
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(max(0, self.room() - size)))
        return ballast

    def fail_and_go_on(self, make_room, ranks=1):
        self.assert_told_once(self.run_deck(ranks=ranks), str(self.output), os.strerror(errno.ENOSPC))
        self.assert_whole_files_only()
        status, room, saved = self.status(), self.room(), (self.output / "restart.h5").exists()
        self.saved += saved
        make_room()
        self.assert_goes_on(saved)
        if room >= 8192 or status.startswith("failed: "):
            self.assert_says_that_it_failed(status)

    def fill_and_go_on(self, share, ranks):
        """The disk has room for this share of what the run writes, until it has failed."""
        files = [path.stat().st_blocks * 512 for path in self.whole.rglob("*") if path.is_file()]
        disk = self.mount(f"size={2 * sum(files) + 1000000}")
        ballast = self.leave_room(disk, int(share * sum(files)))
        self.fail_and_go_on(ballast.unlink, ranks)

    def test_a_full_disk(self):
        for ranks, shares in ((1, (0.05, 0.3, 0.55, 0.75)), (2, (0.2, 0.65))):
            for share in shares:
                with self.subTest(f"room for {share} of it, {ranks} ranks"):
                    self.directory = self.home / f"full-{ranks}-{share}"
                    self.directory.mkdir()
                    self.fill_and_go_on(share, ranks)
        self.assertGreater(self.saved, 2, "hardly a run had saved itself")

    def test_a_disk_without_a_further_name(self):
        disk = self.mount("size=4M,nr_inodes=16")
        self.fail_and_go_on(lambda: subprocess.run(["mount", "-o", "remount,nr_inodes=1000", disk], check=True))

    def test_a_disk_with_room_for_nothing(self):
        disk = self.mount("size=1M")
        self.output.mkdir()
        self.leave_room(disk, 0)
        self.assert_told_once(self.run_deck(), "history.csv", os.strerror(errno.ENOSPC))
        self.assert_whole_files_only()


class FullDiskOfBodies(Disk):
    content = TableOfBodies.content

    def test_no_room_for_a_row(self):
        disk = self.mount("size=4M")
        self.output.mkdir()
        (disk / "ballast").write_bytes(bytes(3900000))
        done = self.run_deck()
        self.assert_told_once(done, "bodies.h5", "expected room for another row, found " + os.strerror(errno.ENOSPC))
        self.assert_says_that_it_failed(self.status())


class Lost(Disk):
    """What happens to the output directory while the program runs."""

    def start(self, *arguments, ranks=1, wrapper=()):
        """A run that takes a minute, far on its way."""
        command = [*wrapper, PROGRAM, "run", self.deck, "--output", self.output, "--set", "time.end=400", *arguments]
        if ranks > 1:
            command = ["mpirun", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", ranks, *command]
        mpi = tempfile.TemporaryDirectory(dir=self.home)
        self.addCleanup(mpi.cleanup)
        Path(mpi.name).chmod(0o777)
        process = subprocess.Popen(list(map(str, command)), env={**quick_start(mpi.name), **self.shared_memory()},
                                   stdin=subprocess.DEVNULL, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        while not (self.output / "fields/000002.pvtu").exists():
            self.assertIsNone(process.poll(), "over before it had written two frames")
            time.sleep(0.005)
        return process

    def end_of(self, process):
        stdout, stderr = process.communicate(timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    def goes_on(self):
        """The run is longer than the undisturbed one: it goes on to an end that is just ahead."""
        done = self.run_deck("--resume", "--set", "time.end=400", "--set", "time.events=1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("going on from", done.stderr)

    def test_deleted(self):
        for ranks in (1, 2):
            self.output = self.directory / str(ranks) / "output"
            process = self.start(ranks=ranks)
            gone = self.directory / f"gone-{ranks}"
            self.output.rename(gone)
            shutil.rmtree(gone, ignore_errors=True)
            self.assert_told_once(self.end_of(process), str(self.output), os.strerror(errno.ENOENT))
            self.assertFalse(self.output.exists(), "made again")

    def test_read_only_in_mid_run(self):
        disk = self.mount("size=100M")
        process = self.start()
        for _ in range(1000):  # refused while a file is being written
            if subprocess.run(["mount", "-o", "remount,ro", disk], capture_output=True, check=False).returncode == 0:
                break
        else:
            self.fail("the disk cannot be made read-only")
        self.assert_told_once(self.end_of(process), str(self.output), os.strerror(errno.EROFS))
        subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
        for path in self.output.rglob("*.part"):
            path.unlink()  # could not be removed
        self.assert_whole_files_only()
        self.goes_on()

    def user_without_rights(self):
        """A wrapper that makes the program the run of a user whom permissions stop."""
        if os.geteuid() != 0:
            return []
        wrapper = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        able = subprocess.run([*wrapper, PROGRAM, "--version"], capture_output=True, check=False)
        if able.returncode != 0:
            self.skipTest("nobody cannot start the program")
        os.chown(self.directory, 65534, 65534)
        return wrapper

    def test_without_permission_in_mid_run(self):
        process = self.start(wrapper=self.user_without_rights())
        for directory in (self.output / "fields", self.output):
            directory.chmod(0o555)
        done = self.end_of(process)
        for directory in (self.output, self.output / "fields"):
            directory.chmod(0o755)
        self.assert_told_once(done, str(self.output), os.strerror(errno.EACCES))
        for path in self.output.rglob("*.part"):
            path.unlink()  # could not be removed
        self.assert_whole_files_only()
        self.goes_on()

    def test_paths_that_cannot_be_made(self):
        file, loop = self.directory / "file", self.directory / "loop"
        file.write_text("")
        loop.symlink_to("loop")
        for path, reason in ((file, "a file"), (file / "below", os.strerror(errno.ENOTDIR)),
                             (loop / "below", os.strerror(errno.ELOOP)),
                             (Path("/proc/none/below"), os.strerror(errno.ENOENT)),
                             (self.directory / ("a" * 300), os.strerror(errno.ENAMETOOLONG))):
            for ranks in (1, 2):
                with self.subTest(path=str(path)[:100], ranks=ranks):
                    self.output = path
                    self.assert_told_once(self.run_deck(ranks=ranks), str(path), reason, status=2)

    def test_a_directory_that_is_not_ours(self):
        wrapper = self.user_without_rights()
        (self.directory / "closed").mkdir(mode=0o555)
        for path in (self.directory / "closed", self.directory / "closed" / "below"):
            self.output = path
            done = self.run_deck(wrapper=[*wrapper, "env", "OMPI_MCA_orte_tmpdir_base=/tmp"])
            self.assert_told_once(done, str(path), "ermission", status=2)

    def test_a_read_only_disk(self):
        disk = self.mount("size=1M,ro")
        self.assert_told_once(self.run_deck(), str(disk), os.strerror(errno.EROFS), status=2)


def enter_namespace():
    """Starts the script again where it may mount disks that nobody else sees and that end with it, if that is permitted."""
    if IN_NAMESPACE in os.environ or shutil.which("unshare") is None:
        return
    for options in (["--mount"], ["--mount", "--user", "--map-root-user"]):
        command = ["unshare", *options]
        if subprocess.run([*command, "mount", "-t", "tmpfs", "tmpfs", tempfile.gettempdir()], capture_output=True,
                          check=False).returncode == 0:
            os.environ[IN_NAMESPACE] = "1"
            os.execvp(command[0], [*command, sys.executable, *sys.argv])


if __name__ == "__main__":
    enter_namespace()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
