#!/usr/bin/env bash
# Installs the missing packages of cluster/packages.txt, and of any other list that is named. Never removes a package.
# Prints one line; does nothing where all are installed.
# Usage: cluster/install.sh [LIST]...      for example  cluster/install.sh tests/packages.txt
set -euo pipefail
directory=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
start=$SECONDS

fail() {
  echo "install: $1" >&2
  exit 1
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  fail "needs Debian (made for release 12); elsewhere see cluster/README.md, or install the equivalents of cluster/packages.txt"
fi

installed_of() {
  dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
    awk '$2 == "installed" { print $1 }' | sort -u || true
}
for list; do
  [[ -f $list && -r $list ]] || fail "cannot read the list $list"
done
names_in() { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@"; }

# The packages python3-paraview and python3-vtk9 exclude each other, and libvtk9-dev depends on the latter; see cluster/README.md.
mapfile -t wanted < <(names_in "$directory/packages.txt" "$@")
beside_paraview=$(installed_of python3-paraview)
if [[ $beside_paraview ]]; then
  mapfile -t wanted < <(names_in "$directory/packages.txt" "$directory/packages_beside_paraview.txt" "$@" |
    grep -vxE 'libvtk9-dev|python3-vtk9')
fi

finish() {
  if [[ $beside_paraview ]]; then "$directory/vtk_headers.sh"; fi
  echo "install: $1"
  exit 0
}

mapfile -t missing < <(comm -23 <(printf '%s\n' "${wanted[@]}" | sort -u) <(installed_of "${wanted[@]}"))
((${#missing[@]})) || finish "all ${#wanted[@]} packages are there"

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null ||
    fail "${#missing[@]} packages are missing and this user is neither root nor has sudo; ask for: ${missing[*]}"
  # Without a terminal nobody can type a password: ask only whether one would be needed.
  if [[ -t 0 ]]; then as_root=(sudo); else as_root=(sudo -n); fi
  "${as_root[@]}" true || fail "sudo refused; ask an administrator for: ${missing[*]}"
fi

echo "install: ${#missing[@]} of ${#wanted[@]} packages are missing: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get \
    -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@" </dev/null >"$log" 2>&1
}

# Ends the script with the names of the packages that apt would have to remove; returns where apt failed for another reason.
explain_conflict() {
  local removed
  grep -q 'remove is disabled' "$log" || return 0
  apt install --simulate --no-install-recommends "${missing[@]}" || return 0
  removed=$(awk '$1 == "Remv" { print $2 }' "$log" | xargs)
  fail "nothing was changed: apt would have to remove $removed, in the way of what terrace needs.
install: Remove them yourself if you can do without (apt-get remove $removed), or install terrace's own package or a
install: container instead: cluster/README.md."
}

# Mirrors and networks fail now and then, so there are three attempts. Each updates the package lists, because a stale list is the
# usual reason why a package is not found.
for attempt in 1 2 3; do
  if apt update --quiet && apt install --yes --quiet --no-install-recommends --no-remove "${missing[@]}"; then
    finish "done in $((SECONDS - start)) s"
  fi
  explain_conflict
  echo "install: attempt $attempt failed:" >&2
  grep -E '^(E|W|Err)|(Depends|Conflicts|Breaks): ' "$log" >&2 || tail -n 5 "$log" >&2
  ((attempt == 3)) || sleep $((5 * attempt))
done
fail "could not install ${missing[*]} (is there a network, and does apt know Debian 12's 'main' section?)"
