"""Prints how many physical cores this process may use: two hardware threads of one share its arithmetic units, and Open MPI's
slots are cores."""

import os
from pathlib import Path


def cores():
    """One hardware thread of each physical core, ascending."""
    first = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        topology = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        first.setdefault(topology.read_text(encoding="utf-8") if topology.exists() else str(cpu), cpu)
    return list(first.values())


def physical_cores():
    return len(cores())


if __name__ == "__main__":
    print(physical_cores())
