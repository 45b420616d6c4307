#!/usr/bin/env bash
# Runs the unit tests, and the program with mutated decks and meshes, under AddressSanitizer and UBSan, in build-sanitize/.
# Usage: tests/sanitize.sh [OPTION of GoogleTest]...      for example  tests/sanitize.sh --gtest_filter='Deck*'
# TERRACE_MUTATED: the number of mutated decks, and of meshes (default: 100 each; 0: none).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
start=$SECONDS

TERRACE_BUILD=build-sanitize TERRACE_CMAKE_OPTIONS='-DTERRACE_SANITIZE=ON -DTERRACE_WARNINGS_AS_ERRORS=ON' \
  cluster/build.sh unit_tests terrace
built=$((SECONDS - start))

# No leak detection: MPI and PETSc leak at exit.
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
shards=$(nproc)
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
pids=()
for ((shard = 0; shard < shards; ++shard)); do
  GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$shard build-sanitize/tests/unit_tests --gtest_brief=1 "$@" \
    </dev/null >"$logs/$shard" 2>&1 &
  pids+=($!)
done
status=0
for pid in "${pids[@]}"; do wait "$pid" || status=1; done
cat "$logs"/*
((status == 0)) || { echo "sanitize: the unit tests fail under the sanitizers" >&2; exit 1; }
if ((${TERRACE_MUTATED:=100} > 0)); then
  # Mutated counts may ask for more memory than there is. The program must report that, so the sanitizer must return null instead.
  ASAN_OPTIONS+=:allocator_may_return_null=1 python3 tests/cli/mutated_inputs.py build-sanitize/terrace \
    --decks "$TERRACE_MUTATED" --meshes "$TERRACE_MUTATED" ||
    { echo "sanitize: the program fails under the sanitizers" >&2; exit 1; }
fi
echo "sanitize: built in $built s, run in $((SECONDS - start - built)) s"
