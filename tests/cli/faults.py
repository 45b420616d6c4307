"""System calls that fail while the program writes, and METIS that fails before the run begins.

Usage: faults.py TERRACE [OPTION of unittest]...

A run that fails must say once which file failed and why, end with status 1, leave whole files only, and, resumed from its last restart
file, end with the bits of the run that never failed. TERRACE_FAULTS: how many of the calls are tried (12), or "all", which takes
minutes; TERRACE_SEED: which ones.
"""

import collections
import errno
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import NamedTuple

from failing_run import BODIES_APART, PROGRAM, Case
from program import quick_start  # which failing_run has put in reach

SEED = int(os.environ.get("TERRACE_SEED", "20261122"))
COUNT = os.environ.get("TERRACE_FAULTS", "12")

# Patterns of the files of each kind. While it is being written, a file has the name "history.csv.part"; hence the asterisks at the end.
KINDS = {
    "history.csv": "*/history.csv*", "probes.csv": "*/probes.csv*", "bodies.csv": "*/bodies.csv*", "subdomains.csv": "*/subdomains.csv*",
    "steps.csv": "*/steps.csv*", "summary.json": "*/summary.json*", "bodies.h5": "*/bodies.h5*",
    "restart.h5": "*/restart*.h5*",
    "a .vtu": "*/fields/*.vtu*", "a .pvtu": "*/fields/*.pvtu*", "fields.pvd": "*/fields.pvd*", "the directory": "*/output",
}


class Fault(NamedTuple):
    """The call number `number` of this name on a file of this kind fails on one rank with the error number `reason`. `short`: it first
    writes half of the bytes; `always`: all later calls fail as well."""

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
        """Whether the run may end well all the same: without a link, the program moves the file itself."""
        return self.call == "link"


class InjectedFaults(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shim = cls.compiled("failing_calls.c", "-std=c11")

    def run_with(self, settings, ranks):
        """Runs with the library that makes calls fail, loaded into the program alone (not into mpirun or this script). Returns the
        CompletedProcess and the library's log as rows (rank, call, path, whether it failed)."""
        log = self.directory / "log"
        log.unlink(missing_ok=True)
        settings = {"LD_PRELOAD": self.shim, "FAIL_UNDER": self.output, "FAIL_LOG": log, **settings}
        done = self.run_deck(ranks=ranks, wrapper=["env", *(f"{name}={value}" for name, value in settings.items())])
        return done, [line.split("\t") for line in log.read_text(encoding="utf-8").splitlines()]

    def calls_undisturbed(self, ranks):
        self.output = self.directory / f"survey-{ranks}" / "output"
        done, calls = self.run_with({}, ranks)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.output / "history.csv").read_bytes(), (self.whole / "history.csv").read_bytes())
        return calls

    def failed_calls(self, fault):
        """Runs with the fault; returns the CompletedProcess, the paths of the calls that failed, and the log of all calls."""
        done, calls = self.run_with(fault.settings(), fault.ranks)
        failed = [path for _, _, path, flag in calls if flag == "1"]
        self.assertNotEqual(failed, [], "the call that was to fail was not made")
        return done, failed, calls


class Calls(InjectedFaults):
    def every_fault(self, choice):
        """Faults at the first, the second and a random later call of each kind that the undisturbed run makes; on two ranks one of each."""
        faults = []
        for ranks in (1, 2):
            counts = collections.Counter((int(rank), kind, name) for rank, name, path, _ in self.calls_undisturbed(ranks)
                                         for kind, pattern in KINDS.items()
                                         if Path(path).match(pattern[1:].lstrip("/")) and name != "look")
            for (rank, kind, name), most in sorted(counts.items()):
                numbers = {1, min(2, most), choice.randint(min(3, most), most)}
                for number in sorted(numbers) if ranks == 1 else [choice.randint(1, most)]:
                    faults.append(Fault(ranks, rank, kind, name, number, choice.choice((errno.ENOSPC, errno.EIO)),
                                        "write" in name and choice.random() < 0.5, choice.random() < 0.5))
        return faults

    @staticmethod
    def some_of(faults, choice):
        """COUNT of the faults, taken in turns from each kind of file, in random order."""
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
        """A library that writes late may lose an error. A damaged file that looks whole would then take the place of a good one."""
        calls = [name for _, name, path, _ in self.calls_undisturbed(1) if Path(path).match("restart.h5*")]
        saves = calls.count("rename")
        faults = [Fault(1, 0, "restart.h5", name, number, errno.EIO, False, False) for name in ("write", "pwrite")
                  for each in [calls.count(name) // saves] for number in range(each + 1, 2 * each + 1)]
        self.assertGreaterEqual(len(faults), 1, "is it another call that writes it now?")
        tried = faults if COUNT == "all" else random.Random(SEED).sample(faults, min(6, len(faults)))
        self.try_all(tried, len(faults))


class Words(Case):
    def test_those_that_cannot_be_told_end_nothing(self):
        self.assertEqual(self.run_deck("--set", "time.end=4").returncode, 0)
        (self.output / "restart.h5").write_bytes(b"damaged, of which a warning tells, as of the time that is reached lines do")
        command = [PROGRAM, "run", self.deck, "--output", self.output, "--resume"]
        with tempfile.TemporaryDirectory(dir=self.home) as own, open("/dev/full", "wb") as nowhere:
            done = subprocess.run(command, env=quick_start(own), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=nowhere, timeout=60,
                                  check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.summary()["state_hash"], self.summary(self.whole)["state_hash"])


class RestartFiles(InjectedFaults):
    def test_one_that_a_rank_cannot_look_at(self):
        """All ranks go on from the same file, which rank 0 chooses."""
        self.assertEqual(self.run_deck("--set", "time.end=4").returncode, 0)
        kept = self.output
        cannot_look = {"FAIL_CALL": "look", "FAIL_PATH": "*/restart.h5", "FAIL_NUMBER": 1, "FAIL_ERRNO": errno.EMFILE}
        for layout in ("own", "slice"):
            for rank in (0, 1):
                self.output = self.directory / f"{layout}-{rank}" / "output"
                shutil.copytree(kept, self.output)
                with self.subTest(layout=layout, rank=rank):
                    self.options = ("--resume", "--set", f"layout.kind={layout}")
                    done, _ = self.run_with({**cannot_look, "FAIL_RANK": rank}, 2)
                    if rank == 0:
                        self.assertIn(f"warning: going on from {self.output}/restart-before.h5", done.stderr)
                        self.assertEqual(self.summary()["state_hash"], self.summary(self.whole)["state_hash"])
                    else:
                        self.assert_told_once(done, "restart.h5", "expected a whole restart file")

    options = ()

    def run_deck(self, *arguments, **how):
        return super().run_deck(*arguments, *self.options, **how)


class TableOfBodies(InjectedFaults):
    """Failed writes of bodies.h5, which HDF5 cannot even close after an error."""

    content = BODIES_APART

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

    def test_nothing_can_be_written_any_more(self):
        """From some write on all fail. Whichever file is the first, HDF5 cannot close its own."""
        paths = [path for _, name, path, _ in self.calls_undisturbed(1) if name.endswith("write")]
        for kind in ("history.csv", "probes.csv", "fields/000003.pvtu.part", "restart.h5.part", "fields.pvd.part", "bodies.h5"):
            number = [number for number, path in enumerate(paths, 1) if path.endswith("/" + kind)][-1]
            self.output = self.directory / kind.replace("/", "-") / "output"
            with self.subTest(kind):
                settings = {"FAIL_CALL": "*write", "FAIL_PATH": "*", "FAIL_NUMBER": number, "FAIL_ERRNO": errno.ENOSPC, "FAIL_ALWAYS": 1}
                done, _ = self.run_with(settings, 1)
                self.assert_told_once(done, kind.removesuffix(".part"), os.strerror(errno.ENOSPC))


class Partitions(InjectedFaults):
    """METIS works on the last rank alone; a failure there must end all ranks with the same error."""

    # The partition for the terraces, and that of a layout that cuts bodies over the ranks.
    OF_TERRACES = ("--set", "localization.kind=metis", "--set", "localization.parts=4")
    OF_RANKS = ("--set", "layout.kind=slice")
    REFUSED = {"FAIL_CALL": "METIS_PartGraphKway"}

    def run_with_metis(self, settings, ranks, options):
        """Runs; returns the CompletedProcess, and (rank, whether it failed) for each call of METIS."""
        self.options = options
        done, calls = self.run_with(settings, ranks)
        return done, [(int(rank), flag == "1") for rank, call, _, flag in calls if call == "METIS_PartGraphKway"]

    def run_deck(self, *arguments, **how):
        return super().run_deck(*arguments, *self.options, **how)

    def check_failure(self, done, parts, reason):
        self.assert_told_once(done, "partition of tetrahedra", reason)
        self.assertIn(f"expected {parts} parts of 192 tetrahedra", done.stderr)
        self.assertFalse((self.output / "summary.json").exists(), "nothing has begun that could be summed up")

    def test_it_works_on_the_last_rank_alone(self):
        for ranks in (1, 3):
            done, calls = self.run_with_metis({}, ranks, self.OF_TERRACES)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(set(calls), {(ranks - 1, False)})
            shutil.rmtree(self.output)

    def test_what_it_returns_is_told(self):
        memory = (-3, "METIS reports insufficient memory")
        for ranks, options, parts, (status, reason) in (
                (1, self.OF_TERRACES, 4, memory), (3, self.OF_TERRACES, 4, memory), (2, self.OF_RANKS, 2, memory),
                (2, self.OF_TERRACES, 4, (-2, "METIS reports erroneous input")), (2, self.OF_TERRACES, 4, (-4, "METIS status -4"))):
            with self.subTest(ranks=ranks, options=options, status=status):
                done, calls = self.run_with_metis({**self.REFUSED, "FAIL_ERRNO": status}, ranks, options)
                self.assertEqual(calls, [(ranks - 1, True)])
                self.check_failure(done, parts, reason)

    def test_its_own_memory_runs_out(self):
        for number in (1, 20):
            with self.subTest(number=number):
                done, calls = self.run_with_metis({"FAIL_CALL": "malloc", "FAIL_NUMBER": number}, 3, self.OF_TERRACES)
                self.assertEqual(calls, [(2, False)])
                self.check_failure(done, 4, "METIS reports insufficient memory")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
