#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests except those labelled `full` and `mutation`, which take hours each
# (for these: `ctest -L full` in build/, or tests/nightly.sh). The last lines are ctest's summary; the exit status is ctest's.
# Usage: tests/run.sh [OPTION of ctest]...      for example  tests/run.sh -R deck
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

"$root/cluster/install.sh" "$root/tests/packages.txt"
"$root/cluster/build.sh"

# The tests start mpirun themselves, possibly as root; see cluster/local.sh for these variables.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=${OMPI_MCA_btl_vader_single_copy_mechanism:-none}
# Several mpirun at a time would all pin their ranks to the same first cores.
export OMPI_MCA_hwloc_base_binding_policy=${OMPI_MCA_hwloc_base_binding_policy:-none}

# A container may be allowed less processor time than it sees processors.
jobs=$(nproc)
if read -r quota period 2>/dev/null </sys/fs/cgroup/cpu.max && [[ $quota != max ]]; then
  allowed=$(((quota + period - 1) / period))
  if ((allowed < jobs)); then jobs=$allowed; fi
fi

cd "$root/build"
exec ctest --output-on-failure --no-tests=error --timeout 300 --label-exclude '^(full|mutation)$' --parallel "$jobs" "$@" \
  </dev/null 2>&1
