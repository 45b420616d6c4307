#!/usr/bin/env bash
# The packet kernels on another architecture: compiles them for aarch64 and runs them emulated; they must give the same bits as on
# every other machine. Usage: aarch64.sh
# Needs the packages g++-aarch64-linux-gnu (status 77, skipped, without) and qemu-user (compiles only and status 77, without).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
compiler=aarch64-linux-gnu-g++
if ! command -v "$compiler" >/dev/null; then
  echo "skipped: no $compiler (Debian's package g++-aarch64-linux-gnu)"
  exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# xsimd has headers only, and {fmt} can be used so, for every architecture. Other headers of /usr/include are this machine's own.
ln -s "${XSIMD_INCLUDE_DIR:-/usr/include}/xsimd" "$scratch/xsimd"
ln -s "${FMT_INCLUDE_DIR:-/usr/include}/fmt" "$scratch/fmt"
options=(-std=c++20 -O1 -DNDEBUG -ffp-contract=off -static -Wall -Wextra -Wconversion -Wshadow -Werror
  -DFMT_HEADER_ONLY -DTERRACE_LEVEL=level_plain '-DTERRACE_LEVEL_NAME="plain"'
  -I "$root/src" -I "$root/tests" -isystem "$scratch")
cd "$root/src"
"$compiler" "${options[@]}" -o "$scratch/kernels" "$root/tests/kernels_main.cpp" \
  potentials/kernels/packet_kernels_of_level.cpp potentials/kernels/packet_kernels.cpp \
  potentials/kernels/processor_level.cpp \
  numerics/elementary.cpp parallel/error.cpp parallel/exact_sum.cpp
echo "compiled for aarch64"
if ! command -v qemu-aarch64 >/dev/null; then
  echo "skipped: compiled, but not run: no qemu-aarch64 (Debian's package qemu-user)"
  exit 77
fi
qemu-aarch64 "$scratch/kernels"
