"""Checks that one binary runs on every x86-64 processor: wide instructions occur in the kernels for better processors alone.

Usage: instructions.py TERRACE     (status 77, skipped: another architecture, or no objdump)

An inline function that was compiled with the kernels could be linked for the whole program, and would end it on a plain processor.
No level may contain fused multiply-adds either: the plainest has none, and the bits must not differ.
"""

import platform
import re
import shutil
import subprocess
import sys

FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
# Registers and instructions that plain x86-64 does not have; and fused multiply-adds.
WIDE = re.compile(r"%[yz]mm|%xmm(1[6-9]|2\d|3[01])|%k[0-7]|\tv[a-z]+")
# Those of them that AVX2 does not have.
WIDEST = re.compile(r"%zmm|%[xy]mm(1[6-9]|2\d|3[01])|%k[0-7]")
FUSED = re.compile(r"\tvf(n?m(add|sub)|maddsub|msubadd)")
LEVEL = re.compile(r"level_x86_64(_v[234])?")


def main():
    if platform.machine() != "x86_64" or not shutil.which("objdump"):
        print("skipped: not x86-64, or no objdump")
        return 77
    listing = subprocess.Popen(["objdump", "--disassemble", "--no-show-raw-insn", sys.argv[1]], stdout=subprocess.PIPE,
                               text=True, errors="replace")
    function, complaints, wide = "", [], {}
    for line in listing.stdout:
        start = FUNCTION.match(line)
        if start:
            function = start[1]
            continue
        level = LEVEL.search(function)
        if WIDE.search(line):
            if level and (level[1] == "_v4" or level[1] == "_v3" and not WIDEST.search(line)):
                wide[level[1]] = wide.get(level[1], 0) + 1
            else:
                complaints.append(f"{function}: {line.strip()}")
        if FUSED.search(line):
            complaints.append(f"{function}, fused: {line.strip()}")
    if listing.wait() != 0:
        complaints.append("objdump failed")
    for level in ("_v3", "_v4"):
        if wide.get(level, 0) < 100:
            complaints.append(f"only {wide.get(level, 0)} wide instructions in the kernels for x86-64{level}: not compiled for it?")
    print("\n".join(complaints[:20]) or f"wide instructions in the kernels of their level alone: {wide}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
