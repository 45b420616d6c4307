"""A copy of the source tree with a build of its own, for sources that are wrong on purpose."""

import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

NOT_COPIED = shutil.ignore_patterns(".git", "build", "build-*", "asan", "results", "results-*", "__pycache__", ".cache")
NO_SCRIPTS = {"unit", "full", "mutation"}  # labels of ctest
MOST_MEMORY = 12 << 30  # a mutant may ask for all there is
BUILD_TIMEOUT = 3600.0


def limited():
    """In the child: no core files, and no more memory than most machines have."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def call(command, timeout, directory, environment=None):
    """(status, output); status is None if it took longer than `timeout` seconds. Whatever it started ends with it."""
    process = subprocess.Popen(list(map(str, command)), cwd=directory, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               start_new_session=True, preexec_fn=limited)
    try:
        output, _ = process.communicate(timeout=timeout)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        # mpirun ends its ranks when it is asked to, not when it is killed.
        for kind in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, kind)
                process.communicate(timeout=15)
                break
            except (subprocess.TimeoutExpired, ProcessLookupError):
                continue
        return None, ""


class WorkingCopy:
    """A copy of the source tree with a build of its own; what is changed in it is nobody else's."""

    def __init__(self, root, scratch, jobs):
        # The build lies as it does in the tree itself: ccache knows what was compiled there.
        self.source, self.build, self.jobs = scratch / "source", scratch / "source/build", jobs
        # What is the same keeps its time, so that the build of an earlier run still serves.
        wanted = {path.relative_to(root) for path in self._files(root)}
        for relative in wanted:
            self._refresh(root / relative, self.source / relative)
        for path in self._files(self.source):
            if path.relative_to(self.source) not in wanted:
                path.unlink()
        self.environment = {**os.environ, "CCACHE_BASEDIR": str(self.source), "CCACHE_NOHASHDIR": "1"}
        # A mutant may leave a variable unused, and is of one file.
        options = [*os.environ.get("TERRACE_CMAKE_OPTIONS", "").split(), "-DTERRACE_WARNINGS_AS_ERRORS=OFF",
                   "-DCMAKE_UNITY_BUILD=OFF"]
        if shutil.which("ccache"):
            options.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        status, output = call(["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", *options],
                              BUILD_TIMEOUT, scratch, self.environment)
        if status != 0:
            sys.exit(f"cmake failed:\n{output[-3000:]}")

    @staticmethod
    def _files(tree):
        for directory, folders, files in os.walk(tree):
            ignored = NOT_COPIED(directory, folders + files)
            folders[:] = [folder for folder in folders if folder not in ignored]
            yield from (Path(directory) / name for name in files if name not in ignored)

    @staticmethod
    def _refresh(original, copy):
        if copy.exists() and copy.read_bytes() == original.read_bytes():
            return
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(original, copy)
        shutil.copymode(original, copy)

    def digest(self):
        """Of all that decides whether a mutant lives."""
        sums = hashlib.sha256()
        for path in sorted(self._files(self.source)):
            if path.relative_to(self.source).parts[0] in ("src", "tests", "inputs", "CMakeLists.txt") and \
                    path.parent.name != "mutations":
                sums.update(str(path.relative_to(self.source)).encode() + b"\0" + path.read_bytes())
        return sums.hexdigest()[:16]

    def make(self, target):
        """The output of the compiler if it fails, None if all is well."""
        status, output = call(["cmake", "--build", self.build, "-j", self.jobs, "--target", target], BUILD_TIMEOUT,
                              self.build, self.environment)
        return None if status == 0 else output[-3000:] or "no end of the build"

    def scripts(self):
        """Commands of the tests that drive the program, by name, as ctest has them."""
        _, output = call(["ctest", "--show-only=json-v1"], 60, self.build)
        commands = {}
        for test in json.loads(output[output.index("{"):])["tests"]:
            properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
            if not NO_SCRIPTS & set(properties.get("LABELS", [])):
                variables = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
                commands[test["name"]] = (test["command"], {**os.environ, **variables})
        return commands
