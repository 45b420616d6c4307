#!/usr/bin/env bash
# Installs the packages of cluster/packages.txt that are missing. Prints one line; does nothing where all are there.
set -euo pipefail
directory=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
start=$SECONDS

fail() {
  echo "install: $1" >&2
  exit 1
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  fail "needs Debian (made for release 12); elsewhere install the equivalents of cluster/packages.txt by hand"
fi

mapfile -t wanted < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$directory/packages.txt")
installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null |
  awk '$2 == "installed" { print $1 }' | sort -u) || true
mapfile -t missing < <(comm -23 <(printf '%s\n' "${wanted[@]}" | sort -u) <(printf '%s' "${installed:+$installed$'\n'}"))
if ((${#missing[@]} == 0)); then
  echo "install: all ${#wanted[@]} packages are there"
  exit 0
fi

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

# Mirrors and networks have bad moments: each command is tried three times. The update is part of every attempt,
# because a stale list is the usual reason why a package is not found.
for attempt in 1 2 3; do
  if apt update --quiet && apt install --yes --quiet --no-install-recommends "${missing[@]}"; then
    echo "install: done in $((SECONDS - start)) s"
    exit 0
  fi
  echo "install: attempt $attempt failed:" >&2
  grep -E '^(E|W|Err)' "$log" >&2 || tail -n 5 "$log" >&2
  ((attempt == 3)) || sleep $((5 * attempt))
done
fail "could not install ${missing[*]} (is there a network, and does apt know Debian 12's 'main' section?)"
