"""Prints how many physical cores this process may use. Cores are counted, not hardware threads: two threads of one core share its
arithmetic units, and Open MPI's slots are cores."""

import math
import os
from pathlib import Path


def share_of_container(limit="/sys/fs/cgroup/cpu.max"):
    """How many cores' worth of time the container's limit allows (at least 1); infinity where there is no limit."""
    try:
        quota, period = Path(limit).read_text(encoding="utf-8").split()
        return max(1, math.ceil(int(quota) / int(period)))
    except (OSError, ValueError):  # no such file, or a quota of "max", which is no number
        return math.inf


def cores():
    """The number of one hardware thread of each physical core that this process may use, ascending; no more of them than the
    container's share."""
    first = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        topology = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        first.setdefault(topology.read_text(encoding="utf-8") if topology.exists() else str(cpu), cpu)
    found = list(first.values())
    return found[: min(len(found), share_of_container())]


def physical_cores():
    return len(cores())


if __name__ == "__main__":
    print(physical_cores())
