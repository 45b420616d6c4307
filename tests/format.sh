#!/usr/bin/env bash
# Checks that all C++ files are as clang-format writes them, and that shellcheck finds nothing in the shell scripts. Changes nothing.
# To format: clang-format -i FILE...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
for tool in clang-format shellcheck; do
  command -v "$tool" >/dev/null || { echo "format: no $tool: cluster/install.sh .ci/packages.txt" >&2; exit 2; }
done

mapfile -t sources < <(git ls-files '*.cpp' '*.hpp')
mapfile -t scripts < <(git ls-files '*.sh' .ci/run '*.bash')
status=0
clang-format --dry-run -Werror "${sources[@]}" || status=1
shellcheck --exclude=SC2016 "${scripts[@]}" || status=1
# Below %post the definition of the container is a shell script.
sed -n '/^%post/,/^[^ ]/{/^[^ ]/!p}' packaging/apptainer/terrace.def | shellcheck --shell=sh - || status=1
((status)) || echo "format: ${#sources[@]} C++ files and ${#scripts[@]} scripts are clean"
exit "$status"
