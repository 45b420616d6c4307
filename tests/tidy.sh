#!/usr/bin/env bash
# Runs clang-tidy, as .clang-tidy configures it, on all files of src or on the given ones; any finding is an error. Uses build-tidy/,
# where it configures but builds nothing.
# Usage: tests/tidy.sh [FILE.cpp]...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
start=$SECONDS
command -v clang-tidy >/dev/null || { echo "tidy: no clang-tidy: cluster/install.sh .ci/packages.txt" >&2; exit 2; }

files=("$@")
((${#files[@]})) || mapfile -t files < <(git ls-files 'src/*.cpp')
# Configures only: makes the generated header, and compile commands for each file by itself, without options that only g++ knows.
TERRACE_BUILD=build-tidy TERRACE_CMAKE_OPTIONS='-DCMAKE_UNITY_BUILD=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DTERRACE_HAS_STRATEGIES=OFF' \
  cluster/build.sh help >/dev/null
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
export logs

check() {
  local log
  log=$logs/$(tr / _ <<<"$1")
  # The commands are those for g++, which has warnings that clang does not know.
  clang-tidy -p build-tidy --quiet --extra-arg=-Wno-unknown-warning-option "$1" >"$log" 2>&1 </dev/null && return
  cat "$log"
  return 1
}
export -f check

printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -I '{}' bash -c 'check "$1"' bash '{}' || {
  echo "tidy: clang-tidy has findings" >&2
  exit 1
}
echo "tidy: ${#files[@]} files are clean ($((SECONDS - start)) s)"
