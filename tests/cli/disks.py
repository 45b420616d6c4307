"""Runs on disks that are full or read-only, with an output directory that is taken away, and with paths that cannot be made.

Usage: disks.py TERRACE [OPTION of unittest]...

The requirements are those of faults.py. The script mounts disks in a mount namespace of its own; tests that need one are skipped where
that is not permitted.
"""

import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from failing_run import BODIES_APART, DECK, PROGRAM, Case
from program import quick_start

IN_NAMESPACE = "TERRACE_DISKS_NAMESPACE"


class Disk(Case):
    """A test that has a disk of its own."""

    def require_mounts(self):
        if IN_NAMESPACE not in os.environ:
            self.skipTest("mounting is not permitted here (unshare --mount, also with --map-root-user)")

    def mount(self, options):
        self.require_mounts()
        disk = self.directory / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=False)
        self.output = disk / "output"
        return disk

    saved = 0  # number of runs that had written a restart file before they failed

    def room(self):
        """The number of bytes that a new file can hold; 0 where the disk has no further inode."""
        found = os.statvfs(self.output.parent)
        return found.f_bavail * found.f_frsize if found.f_favail > 1 else 0  # one free inode was that of the run's lock

    def leave_room(self, disk, size):
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(max(0, self.room() - size)))
        return ballast

    def fail_and_go_on(self, make_room, ranks=1):
        self.assert_told_once(self.run_deck(ranks=ranks), str(self.output), os.strerror(errno.ENOSPC))
        self.assert_whole_files_only()
        frames = "".join(path.read_text(encoding="utf-8") for path in self.output.rglob("*.pvtu"))
        self.assertEqual([], [path.name for path in self.output.rglob("*_*.vtu") if f'"{path.name}"' not in frames])
        status, room, saved = self.status(), self.room(), (self.output / "restart.h5").exists()
        self.saved += saved
        make_room()
        self.assert_goes_on(saved)
        if room >= 8192 or status.startswith("failed: "):
            self.assert_says_that_it_failed(status)

    def fill_and_go_on(self, share, ranks):
        """Runs on a disk that has room for this share of what the whole run writes; after the failure makes room and resumes."""
        files = [-(-path.stat().st_size // 4096) * 4096 for path in self.whole.rglob("*") if path.is_file()]
        disk = self.mount(f"size={2 * sum(files) + 1000000}")
        ballast = self.leave_room(disk, int(share * sum(files)))
        self.fail_and_go_on(ballast.unlink, ranks)


class FullDisk(Disk):
    content = DECK.replace("history_interval = 0.3", "history_interval = 0.01")  # tables as large as frames

    def test_a_full_disk(self):
        self.require_mounts()  # here, as it would skip a subtest alone
        for ranks, shares in ((1, (0.05, 0.3, 0.55, 0.75)), (2, (0.2, 0.65))):
            for share in shares:
                with self.subTest(f"room for {share} of it, {ranks} ranks"):
                    self.directory = self.home / f"full-{ranks}-{share}"
                    self.directory.mkdir()
                    self.fill_and_go_on(share, ranks)
        self.assertGreater(self.saved, 2, "hardly a run had saved itself")

    def test_a_disk_without_a_further_name(self):
        disk = self.mount("size=4M,nr_inodes=16")
        self.fail_and_go_on(lambda: subprocess.run(["mount", "-o", "remount,nr_inodes=1000", "tmpfs", disk], check=True))

    def test_a_disk_with_room_for_nothing(self):
        disk = self.mount("size=1M")
        self.output.mkdir()
        self.leave_room(disk, 0)
        self.assert_told_once(self.run_deck(), "history.csv", os.strerror(errno.ENOSPC))
        self.assert_whole_files_only()


class FullDiskOfBodies(Disk):
    content = BODIES_APART.replace("history_interval = 0.3", "history_interval = 0.01")

    def test_no_room_for_a_row(self):
        disk = self.mount("size=4M")
        self.output.mkdir()
        (disk / "ballast").write_bytes(bytes(3900000))
        done = self.run_deck()
        self.assert_told_once(done, "bodies.h5", "expected room for another row, found " + os.strerror(errno.ENOSPC))
        self.assert_says_that_it_failed(self.status())


class Lost(Disk):
    """The output directory is lost while the program runs, or cannot be made at all."""

    def start(self, *arguments, ranks=1, wrapper=()):
        """Starts a run that takes a minute; returns its process once it has written two frames."""
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
        """Resumes the run for one more event. The run is longer than the undisturbed one, so there is nothing to compare it with; how
        many events it has reached it says itself, when asked for too few."""
        on = ("--resume", "--set", "time.end=400", "--set")
        reached = re.search(r"time.events: expected at least (\d+), which the run has reached", self.run_deck(*on, "time.events=1").stderr)
        self.assertIsNotNone(reached)
        done = self.run_deck(*on, f"time.events={int(reached[1]) + 1}")
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

    def make_read_only(self, disk):
        """Makes the mount read-only between two files: it is busy while the run writes one."""
        for _ in range(200):
            done = subprocess.run(["mount", "-o", "remount,bind,ro", disk], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return
            time.sleep(0.005)
        self.fail(done.stderr)

    def test_read_only_in_mid_run(self):
        disk = self.mount("size=100M")
        process = self.start()
        # A second mount in its place is made read-only. The disk itself cannot be: the run has its lock file open for writing.
        subprocess.run(["mount", "--bind", disk, disk], check=True)
        self.make_read_only(disk)
        try:
            self.assert_told_once(self.end_of(process), str(self.output), os.strerror(errno.EROFS))
        finally:
            subprocess.run(["umount", disk], check=True)
        for path in self.output.rglob("*.part"):
            path.unlink()  # the program could not remove it
        self.assert_whole_files_only()
        self.goes_on()

    def user_without_rights(self):
        """The words that start a command as a user whom file permissions stop; none where the present user is no root."""
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
            path.unlink()  # the program could not remove it
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
        self.output = disk
        self.assert_told_once(self.run_deck(), str(disk), "a file system that cannot be written to", status=2)


class MemoryToShare(Disk):
    """Ranks of one node add up sums in memory of /dev/shm, or by messages where one of them gets no such memory."""

    def assert_all_end_alike(self, options, wrapper=()):
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", "/dev/shm"], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", "/dev/shm"], check=False)
        self.output = self.directory / options / "output"
        done = self.run_deck(ranks=2, wrapper=wrapper)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.summary()["state_hash"], self.summary(self.whole)["state_hash"])
        self.assertEqual(os.listdir("/dev/shm"), [], "what nobody has any more has a name")

    def setUp(self):
        super().setUp()
        self.mount("size=10M")  # skips the test where mounting is not permitted

    def test_there_is_some(self):
        self.assert_all_end_alike("size=10M")

    def test_dev_shm_is_full_or_read_only(self):
        for options in ("size=16k", "size=64k", "size=1M,ro"):
            with self.subTest(options):
                self.assert_all_end_alike(options)

    def test_one_rank_has_another_dev_shm(self):
        for rank in (0, 1):
            elsewhere = 'mount -t tmpfs tmpfs /dev/shm && exec "$@"'
            choose = f'[ "$OMPI_COMM_WORLD_RANK" = {rank} ] && exec unshare --mount sh -c \'{elsewhere}\' sh "$@"; exec "$@"'
            with self.subTest(rank):
                self.assert_all_end_alike(f"size={10 + rank}M", wrapper=["sh", "-c", choose, "sh"])


def enter_namespace():
    """Starts the script again in a mount namespace, if that is permitted: nobody else sees its disks, and they end with it."""
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
