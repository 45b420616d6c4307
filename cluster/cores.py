"""Prints how many physical cores this process may use: two hardware threads of one share its arithmetic units, and Open MPI's
slots are cores."""

import math
import os
from pathlib import Path


def share_of_container(limit="/sys/fs/cgroup/cpu.max"):
    """Of how many cores a container may use the time; infinity where nothing says."""
    try:
        quota, period = Path(limit).read_text(encoding="utf-8").split()
        return max(1, math.ceil(int(quota) / int(period)))
    except (OSError, ValueError):  # "max" is no number
        return math.inf


def cores():
    """One hardware thread of each physical core, ascending, of no more than the container's share."""
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
