#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests but those labelled `full` and `mutation` (hours each;
# `ctest -L full` in build/, tests/nightly.sh). The last lines are ctest's summary and the exit status is ctest's.
# Usage: tests/run.sh [OPTION of ctest]...      for example  tests/run.sh -R deck
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

"$root/cluster/install.sh" "$root/tests/packages.txt"
"$root/cluster/build.sh"

# The tests start mpirun themselves, as whoever runs them; see cluster/local.sh for the reasons.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=${OMPI_MCA_btl_vader_single_copy_mechanism:-none}
# Several mpirun at a time would each pin their ranks to the same first cores.
export OMPI_MCA_hwloc_base_binding_policy=${OMPI_MCA_hwloc_base_binding_policy:-none}

# A container may have less of the processors than it sees.
jobs=$(nproc)
if read -r quota period 2>/dev/null </sys/fs/cgroup/cpu.max && [[ $quota != max ]]; then
  allowed=$(((quota + period - 1) / period))
  if ((allowed < jobs)); then jobs=$allowed; fi
fi

cd "$root/build"
exec ctest --output-on-failure --no-tests=error --timeout 300 --label-exclude '^(full|mutation)$' --parallel "$jobs" "$@" \
  </dev/null 2>&1
