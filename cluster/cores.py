"""Prints how many physical cores this process may use: two hardware threads of one share its arithmetic units, and Open MPI's
slots are cores."""

import os
from pathlib import Path


def physical_cores():
    siblings = set()
    for cpu in os.sched_getaffinity(0):
        topology = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        siblings.add(topology.read_text(encoding="utf-8") if topology.exists() else str(cpu))
    return len(siblings)


if __name__ == "__main__":
    print(physical_cores())
