#!/usr/bin/env bash
# Checks that another compiler gives the same bits: builds with clang++ (or $1), each file by itself and with warnings as errors, and
# runs the unit tests, instructions.py and same_bits.py. Slow (a whole build), so one of the tests labelled full.
# Usage: compilers.sh [COMPILER] [BUILD DIRECTORY]        (status 77, skipped: no such compiler)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
compiler=${1:-clang++}
build=${2:-$root/build-$compiler}
if ! command -v "$compiler" >/dev/null; then
  echo "skipped: no $compiler"
  exit 77
fi
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DTERRACE_WARNINGS_AS_ERRORS=ON \
  -DCMAKE_UNITY_BUILD=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
cmake --build "$build" --target terrace unit_tests
"$build/tests/unit_tests" --gtest_brief=1
status=0
/usr/bin/env python3 "$root/tests/mpi/instructions.py" "$build/terrace" || status=$?
((status == 0 || status == 77)) || exit "$status"  # 77: no objdump, or another architecture
/usr/bin/env python3 "$root/tests/mpi/same_bits.py" "$build/terrace"
