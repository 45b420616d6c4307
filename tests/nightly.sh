#!/usr/bin/env bash
# What takes too long for every change: all tests, the long ones and the sanitizers too, clang-tidy, format, pictures of a tiny
# run, and the mutation run. Goes on after a failure and names what failed at the end; hours.
# Usage: tests/nightly.sh [STEP]...      steps: see below, and `sanitize`; default: all below, in this order
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
steps=(tests full tidy format pictures mutation)

run() {
  case $1 in
    tests) "$root/tests/run.sh" ;;
    # The long unit tests set TERRACE_FULL_TESTS themselves (tests/CMakeLists.txt).
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
