#!/usr/bin/env bash
# Runs what takes too long for every change: all tests including the long ones, clang-tidy, format, pictures of a tiny run, and the
# mutation run; with the step `sanitize` the sanitizers as well. Continues after a failure and names the failed steps at the end; hours.
# Usage: tests/nightly.sh [STEP]...      default: the steps of the list below, in this order
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
steps=(tests full tidy format pictures mutation)

run() {
  case $1 in
    tests) "$root/tests/run.sh" ;;
    # ctest sets TERRACE_FULL_TESTS for the long unit tests (tests/CMakeLists.txt).
    full)
      "$root/cluster/install.sh" "$root/tests/packages.txt" "$root/tests/nightly_packages.txt" && "$root/cluster/build.sh" &&
        (cd "$root/build" && ctest --output-on-failure --no-tests=error --label-regex '^full$' --parallel "$(nproc)")
      ;;
    sanitize) "$root/tests/sanitize.sh" ;;
    tidy) "$root/cluster/install.sh" "$root/.ci/packages.txt" && "$root/tests/tidy.sh" ;;
    format) "$root/cluster/install.sh" "$root/.ci/packages.txt" && "$root/tests/format.sh" ;;
    pictures) "$root/cluster/build.sh" terrace && python3 "$root/tests/cli/pictures.py" "$root/build/terrace" ;;
    mutation) python3 "$root/tests/mutations/run.py" --scratch "$root/build/mutation" ;;
    *) echo "nightly: expected one of ${steps[*]}, found $1" >&2; return 2 ;;
  esac
}

failed=()
(($#)) || set -- "${steps[@]}"
for step; do
  echo "== $step, $(date -u +%FT%TZ)"
  run "$step" </dev/null || failed+=("$step")
done
((${#failed[@]} == 0)) || { echo "nightly: failed: ${failed[*]}"; exit 1; }
echo "nightly: all steps passed"
