#!/usr/bin/env bash
# Installs what is missing, builds, runs an input deck on the physical cores of this machine, and prints the main results.
# Usage: cluster/local.sh [INPUT] [OPTION of `terrace run`]...
#   INPUT  a deck (default inputs/two_balls.toml): its path, or the name of one in inputs/ with or without .toml
# The output goes to results/NAME, or to results/NAME-2, ... if that exists. TERRACE_RANKS sets the number of ranks.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=/usr/bin/python3

usage() {
  sed -n '2,/^set /{s/^# //p}' "${BASH_SOURCE[0]}"
}

find_deck() {
  local candidate
  for candidate in "$1" "$root/$1" "$root/inputs/$1" "$root/inputs/$1.toml"; do
    [[ -f $candidate ]] && realpath "$candidate" && return
  done
  echo "local: no deck '$1'; inputs/ has: $(cd "$root/inputs" && echo *.toml)" >&2
  return 2
}

free_directory() {
  local directory=$root/results/$1 number=2
  while [[ -e $directory ]]; do
    directory=$root/results/$1-$number
    number=$((number + 1))
  done
  echo "$directory"
}

case "${1:-}" in
-h | --help)
  usage
  exit
  ;;
-*)
  echo "local: expected a deck before the options, found $1; --help tells more" >&2
  exit 2
  ;;
esac
deck=$(find_deck "${1:-inputs/two_balls.toml}")
options=("${@:2}")
for option in ${options[@]+"${options[@]}"}; do
  case "$option" in
  --output*) echo "local: chooses the output directory itself; call 'build/terrace run DECK --output DIR' to choose it" >&2 ;;
  --resume*) echo "local: begins anew, in a directory of its own; call 'build/terrace run DECK --output DIR --resume' to go on" >&2 ;;
  *) continue ;;
  esac
  exit 2
done
"$root/cluster/install.sh"
"$root/cluster/build.sh" terrace
cores=$("$python" "$root/cluster/cores.py")
ranks=${TERRACE_RANKS:-$cores}
output=$(free_directory "$(basename "$deck" .toml)")

# Open MPI refuses to run as root unless both variables are set. Containers often forbid reading another process's memory, and Open
# MPI complains at every start; the messages here are short, so nothing is lost without that mechanism.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=${OMPI_MCA_btl_vader_single_copy_mechanism:-none}
launch=(mpirun -n "$ranks")
# With more ranks than cores, a waiting rank must let go of its core.
((ranks <= cores)) || launch+=(--oversubscribe --mca mpi_yield_when_idle 1)

echo "run: $(basename "$deck") on $ranks rank$( ((ranks == 1)) || echo s)"
status=0
"${launch[@]}" "$root/build/terrace" run "$deck" --output "$output" ${options[@]+"${options[@]}"} </dev/null || status=$?
if ((status != 0)); then
  echo "local: the run ended with status $status$([[ -d $output ]] && echo "; what it reached is in $output")" >&2
  exit "$status"
fi

# Pictures are a convenience: without a working off-screen renderer the results are still complete.
for script in render plot_histories; do
  [[ $script != render || -f $output/fields.pvd ]] || continue # small systems have no frames
  if timeout 300 "$python" "$root/postprocess/$script.py" "$output" </dev/null >"$output/$script.log" 2>&1; then
    rm -f "$output/$script.log"
  else
    echo "local: postprocess/$script.py failed: $(tail -n 1 "$output/$script.log")" >&2
  fi
done
mapfile -t pictures < <(find "$output" -maxdepth 1 -name '*.png' | sort)

"$python" - "$output/summary.json" <<'PYTHON'
import json
import sys
summary = json.load(open(sys.argv[1], encoding="utf-8"))


def show(label, key, unit=""):
    if summary.get(key) is not None:
        print(f"  {label:<26} {summary[key]}{unit}")


print("found:")
show("time reached", "final_time", f" of {summary.get('end_time')}")
show("events", "events")
if "system" in summary:
    show("steps", "steps")
show("reflections", "reflections")
show("average step", "average_step")
if "system" in summary:
    show("energy error", "energy_error")
    show("energy change", "energy_change")
else:
    show("relative energy drift", "energy_drift")
show("momentum change", "momentum_change", " quanta (0 is exact)")
show("angular momentum drift", "angular_momentum_drift")
show("wall seconds", "wall_seconds")
for warning in summary.get("warnings", []):
    print("  warning:", warning)
PYTHON
echo "look at:"
[[ ! -f $output/fields.pvd ]] || echo "  ParaView:  $output/fields.pvd"
numbers=()
for file in history.csv probes.csv bodies.csv bodies.h5 subdomains.csv steps.csv summary.json; do
  [[ ! -f $output/$file ]] || numbers+=(", $file")
done
printf '  numbers:   %s/' "$output"
printf '%s' "${numbers[@]}" | cut -c 3-
((${#pictures[@]} == 0)) || printf '  picture:   %s\n' "${pictures[@]}"
