"""Signals: a run that receives one stops or saves where it is, and goes on later as if nothing had happened.

Usage: signals.py TERRACE [OPTION of unittest]...
"""

import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from restarted_run import PROGRAM, RestartedRun  # before program, which it makes importable

from program import ENVIRONMENT, quick_start


# Eight cubes far from each other that spin for minutes of computing time, a million turns and more. The only rows are at the end.
SPINNING = """\
time = { end = 1000.0 }
materials = { gel = { density = 1059.0, lame_lambda = 12.04e4, lame_mu = 1.34e4 } }
integrator = { method = "clocked-energy-stepping" }
contact = { model = "barrier" }
layout = { kind = "windows" }
output = { history_interval = 1000.0, field_interval = 1000.0 }

[[bodies]]
name = "cube"
material = "gel"
shape = "lattice"
extent = [0.015, 0.015, 0.015]
cells = [1, 1, 1]
spin = [30.0, -20.0, 50.0]
repeat = { counts = [2, 2, 2], spacing = [1.0, 1.0, 1.0] }
"""


class Signals(RestartedRun):
    def signalled(self, number):
        """Exit status and words of a run that received the signal early. On a busy machine the signal may come after the end of the run,
        which takes half a second; then the run is repeated, up to five times in all.
        """
        for _ in range(5):
            shutil.rmtree(self.output, ignore_errors=True)
            process = self.start()
            self.wait_for("fields/000002.pvtu", process)
            process.send_signal(number)
            began = time.monotonic()
            said = process.communicate(timeout=60)[0]
            self.assertLess(time.monotonic() - began, 30)
            if process.returncode != 0:
                break
        return process.returncode, said

    def test_signals_stop_a_run_that_goes_on_later(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            status, said = self.signalled(number)
            self.assertEqual(status, 1, said)
            self.assertIn("the same command with --resume goes on from there", said)
            self.assertEqual(self.summary()["status"], "stopped")
            self.assertLess(self.summary()["final_time"], 40)
            self.run_deck("--resume")
            self.assert_as_never_stopped()

    def test_who_started_itself_again_keeps_its_name(self):
        process = subprocess.Popen([str(PROGRAM), "run", str(self.deck), "--output", str(self.output)], env=ENVIRONMENT,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for("fields/000001.pvtu", process)
        self.assertEqual(Path(f"/proc/{process.pid}/comm").read_text(encoding="utf-8").strip(), PROGRAM.name)
        process.kill()
        process.wait()

    def test_a_signal_where_nothing_happens(self):
        process = self.start("--set", "bodies.0.spin=[0, 0, 0]", "--set", "bodies.0.velocity=[1, 0, 0]", "--set", "output.history_interval=1e-6",
                             "--set", "output.field_interval=-1", "--set", "output.bodies_interval=1", "--set", "output.restart_time=1e-4")
        self.wait_for("restart.h5", process)
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 1, said)
        self.assertLess(self.summary()["final_time"], 39)
        self.assertEqual(self.summary()["events"], 0)

    def test_a_signal_to_save_and_go_on(self):
        for _ in range(5):  # the signal may come too late: then again
            shutil.rmtree(self.output, ignore_errors=True)
            process = self.start()
            self.wait_for("fields/000001.pvtu", process)
            process.send_signal(signal.SIGUSR1)
            self.wait_for("restart.h5", process)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0)
            self.assert_as_never_stopped()
            if (self.output / "restart-before.h5").exists():
                break
        self.assertTrue((self.output / "restart-before.h5").exists(), "the one at the end is another")

    def test_signals_before_the_first_step(self):
        process = self.start()
        caught = 0
        while not caught >> signal.SIGUSR1 - 1 & 1:
            caught = int(re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8"))[1], 16)
        self.assertFalse(self.output.exists(), "it is caught while MPI starts")
        process.send_signal(signal.SIGUSR1)
        while not self.output.exists():
            self.assertIsNone(process.poll())
        process.terminate()
        self.assertIn("the same command with --resume goes on from there", process.communicate(timeout=60)[0])
        self.assertEqual(process.returncode, 1)
        self.run_deck("--resume")
        self.assert_as_never_stopped()

    def test_only_the_thread_that_computes_takes_signals(self):
        """MPI has threads of its own. METIS takes SIGTERM for an error in whichever thread gets it, which would crash in theirs."""
        wanted = sum(1 << number - 1 for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1))

        def blocked(path):
            return int(re.search(r"SigBlk:\s*(\w+)", path.read_text(encoding="utf-8"))[1], 16) & wanted

        process = self.start()
        self.wait_for("fields/000001.pvtu", process)
        tasks = Path(f"/proc/{process.pid}/task")
        masks = {path.name: blocked(path / "status") for path in tasks.iterdir()}
        process.kill()
        process.communicate(timeout=60)
        self.assertEqual(masks.pop(str(process.pid)), 0)
        # VTK starts one more for the first frame, after all that METIS does.
        self.assertIn(wanted, masks.values())

    def test_a_signal_to_mpirun(self):
        command = ["mpirun", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", "2", PROGRAM, "run", self.deck,
                   "--output", self.output, "--set", "time.end=4000"]
        process = subprocess.Popen(list(map(str, command)), env=quick_start(self.directory), stdin=subprocess.DEVNULL,
                                   text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.wait_for("fields/000002.pvtu", process)
        process.terminate()
        said = process.communicate(timeout=60)[0]
        self.assertNotEqual(process.returncode, 0, said)
        self.assertEqual(self.summary()["status"], "stopped", said)
        events = self.summary()["events"]
        self.run_deck("--resume", "--set", "time.end=4000", "--set", f"time.events={events + 500}")
        self.assertEqual(self.summary()["events"], events + 500)
        self.assertEqual(self.summary()["momentum_change"], 0)

    def test_windows_end_though_no_row_is_due(self):
        self.deck = self.directory / "windows.toml"
        self.deck.write_text(SPINNING, encoding="utf-8")
        process = self.start("--set", "output.restart_interval=1")
        began = time.monotonic()
        self.wait_for("restart.h5", process)
        process.terminate()
        said = process.communicate(timeout=60)[0]
        self.assertLess(time.monotonic() - began, 10, said)  # measured: 3 beside other work; 12 when ranks asked only every few windows
        self.assertEqual((process.returncode, self.summary()["status"]), (1, "stopped"), said)

    def test_who_asks_again_and_again_does_not_wait(self):
        def waits(process):
            pending = re.search(r"ShdPnd:\s*(\w+)", Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8"))[1]
            return int(pending, 16) >> signal.SIGTERM - 1 & 1

        for _ in range(5):  # the program may react between the first signal and the last: then again
            shutil.rmtree(self.output, ignore_errors=True)
            process = self.start("--set", "time.end=400")
            self.wait_for("fields/000002.pvtu", process)
            for _ in range(3):
                process.terminate()
                while process.poll() is None and waits(process):  # two pending signals of one kind would count as one
                    time.sleep(0.0005)
            process.communicate(timeout=60)
            if process.returncode == -signal.SIGTERM:
                break
        self.assertEqual(process.returncode, -signal.SIGTERM)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
