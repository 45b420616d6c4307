#!/usr/bin/env bash
# Configures and builds into build/ with Ninja; rebuilds only what is out of date. Prints one line, or the errors.
# Usage: cluster/build.sh [TARGET]...   (default: everything; the program alone is the target `terrace`)
# TERRACE_JOBS sets how many compilers run at once (default: one per core, but no more than there are 1.5 GB of memory for);
# TERRACE_BUILD names another build directory than build; TERRACE_CMAKE_OPTIONS are passed to cmake when it configures, such as
# -DTERRACE_WARNINGS_AS_ERRORS=ON.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/${TERRACE_BUILD:-build}
log=$build/build.log
start=$SECONDS

memory_jobs=$(awk '/^MemAvailable:/ { print int($2 / 1.5e6) }' /proc/meminfo)
jobs=$(nproc)
((memory_jobs >= jobs)) || jobs=$((memory_jobs > 1 ? memory_jobs : 1))
jobs=${TERRACE_JOBS:-$jobs}

fail() {
  echo " failed after $((SECONDS - start)) s"
  grep -nE -m 20 'error:|CMake Error|FAILED:|undefined reference' "$log" >&2 || tail -n 20 "$log" >&2
  echo "build: everything it said is in ${log#"$root"/}" >&2
  exit 1
}

# A build directory that was copied from elsewhere, or made with another generator, is configured anew.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null; }
configure=()
read -ra options <<<"${TERRACE_CMAKE_OPTIONS:-}"
# TERRACE_WARNINGS_AS_ERRORS of a build for continuous integration stays in CMake's cache. A user's build must not stop at warnings.
if ((${#options[@]} == 0)) && [[ $(cached TERRACE_WARNINGS_AS_ERRORS) == ON ]]; then options=(-DTERRACE_WARNINGS_AS_ERRORS=OFF); fi
# VTK's headers may come from cluster/vtk_headers.sh. CMake looks for VTK again where it was unpacked or removed since.
for vtk in "$root"/build/vtk9/usr/lib/*/cmake/vtk-9.1; do
  if [[ -d $vtk && $(cached VTK_DIR) != "$vtk" ]]; then options+=("-DVTK_DIR=$vtk"); fi
done
if [[ ! -f $build/build.ninja || ! -d $(cached VTK_DIR) ]] || ((${#options[@]})); then
  configure=(cmake -S "$root" -B "$build" -G Ninja ${options[@]+"${options[@]}"})
fi
if [[ -f $build/CMakeCache.txt && ($(cached CMAKE_HOME_DIRECTORY) != "$root" || $(cached CMAKE_GENERATOR) != Ninja) ]]; then
  configure=(cmake --fresh -S "$root" -B "$build" -G Ninja ${options[@]+"${options[@]}"})
fi

mkdir -p "$build"
printf 'build: %s with %s jobs ...' "${*:-everything}" "$jobs"
: >"$log"
if ((${#configure[@]})); then "${configure[@]}" </dev/null >>"$log" 2>&1 || fail; fi
cmake --build "$build" --parallel "$jobs" ${1:+--target "$@"} </dev/null >>"$log" 2>&1 || fail
if grep -q 'no work to do' "$log"; then echo " up to date"; else echo " done in $((SECONDS - start)) s"; fi
