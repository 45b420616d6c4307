#!/usr/bin/env bash
# Tries terrace in bare Debian 12 roots, made by debootstrap, and prints how long each step takes.
# Usage: tests/packages/bare_root.sh package|commands|paraview|conflict
#   package    builds the .deb here, installs it there with apt, runs a deck under mpirun and draws it
#   commands   the README's two commands: cluster/local.sh and tests/run.sh
#   paraview   cluster/local.sh where python3-paraview is installed: it must stay, and terrace must build and draw
#   conflict   cluster/install.sh where an installed package excludes one that is wanted: nothing may change
# Needs root, debootstrap and a mirror (TERRACE_MIRROR); ends with status 77 without the first two. The roots are removed
# at the end, but where TERRACE_ROOTS names a directory for them; there the bare root is made once.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mirror=${TERRACE_MIRROR:-http://deb.debian.org/debian}
case=${1:?usage: bare_root.sh package|commands|paraview|conflict}

if ((EUID != 0)) || ! command -v debootstrap >/dev/null; then
  echo "bare_root: skipped: needs root and the package debootstrap" >&2
  exit 77
fi
roots=${TERRACE_ROOTS:-}
if [[ ! $roots ]]; then
  roots=$(mktemp -d)
  trap 'rm -rf --one-file-system "$roots"' EXIT
fi
here=$roots/$case

# Runs a command, tells how long it took, and stops everything if it fails.
timed() {
  local what=$1 start=$SECONDS
  shift
  "$@" >"$here.log" 2>&1 </dev/null || {
    tail -n 40 "$here.log" >&2
    echo "bare_root: $case: failed after $((SECONDS - start)) s: $what" >&2
    exit 1
  }
  echo "$case: $what: $((SECONDS - start)) s"
}

# Runs a shell command inside the root; its mounts and processes end with it.
inside() {
  unshare --mount --pid --fork --kill-child bash -c 'mount -t proc proc "$0/proc" && mount -t sysfs sys "$0/sys" && exec chroot "$0" /usr/bin/env -i \
    HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none \
    bash -euo pipefail -c "$1"' "$here" "$1"
}

make_root() {
  [[ -d $roots/bare ]] || timed "debootstrap" debootstrap --variant=minbase bookworm "$roots/bare.part" "$mirror"
  [[ ! -d $roots/bare.part ]] || mv "$roots/bare.part" "$roots/bare"
  rm -rf --one-file-system "$here"
  cp -a "$roots/bare" "$here"
  # The root reaches its mirror as this machine does.
  apt-config dump | grep '^Acquire::' >"$here/etc/apt/apt.conf.d/90acquire" || true
  printf 'deb %s bookworm main\ndeb %s bookworm-updates main\ndeb %s-security bookworm-security main\n' \
    "$mirror" "$mirror" "$mirror" >"$here/etc/apt/sources.list"
  inside 'apt-get update' >/dev/null
}

copy_tree() {
  mkdir "$here/root/terrace"
  git -C "$root" archive HEAD | tar -x -C "$here/root/terrace"
}

try_package() {
  "$root/cluster/build.sh" terrace
  rm -f "$root"/build/terrace_*.deb
  timed "cpack" bash -c 'cd "$0" && cpack -G DEB' "$root/build"
  dpkg-deb --field "$root"/build/terrace_*.deb Version Depends Recommends
  make_root
  cp "$root"/build/terrace_*.deb "$here/root/"
  timed "apt-get install, no recommended packages" inside 'apt-get install --yes --no-install-recommends /root/terrace_*.deb'
  timed "mpirun -n 2 terrace run, 200 events" inside 'cd && terrace --version && terrace list &&
    mpirun --oversubscribe --bind-to none -n 2 terrace run /usr/share/terrace/inputs/two_balls.toml --output first \
      --set time.events=200 && grep -q "\"ranks\": 2" first/summary.json && test -s first/fields.pvd'
  timed "what is installed" inside 'cd /usr/share && test -s man/man1/terrace.1 && bash -c ". bash-completion/completions/terrace;
    complete -p terrace" && test -s terrace/meshes/bead.geo && test -s doc/terrace/copyright && test -s doc/terrace/README.md &&
    (cd terrace/cluster && test -s slurm.sh && test -x scaling.py && test -x replay.py && test -x teams.py)'
  timed "apt-get install, recommended packages" inside 'apt-get install --yes --fix-policy --install-recommends terrace'
  timed "a picture" inside 'cd && /usr/bin/python3 /usr/share/terrace/postprocess/render.py first && test -s first/render.png'
  timed "the examples of the manual page" inside 'mkdir ~/manual && cd ~/manual && export OMPI_MCA_rmaps_base_oversubscribe=1 &&
    sed -n "/^\.nf/,/^\.fi/{/^\./d;s/\\\\-/-/g;p}" /usr/share/man/man1/terrace.1 >examples && test -s examples && bash -e examples &&
    test -s first/render.png'
}

try_commands() {
  make_root
  copy_tree
  timed "cluster/local.sh" inside 'cd ~/terrace && cluster/local.sh && test -s results/two_balls/render.png'
  timed "tests/run.sh" inside 'cd ~/terrace && tests/run.sh'
  tail -n 5 "$here.log"
}

try_paraview() {
  make_root
  timed "apt-get install python3-paraview" inside 'apt-get install --yes --no-install-recommends python3-paraview'
  copy_tree
  timed "cluster/local.sh" inside 'cd ~/terrace && cluster/local.sh inputs/two_balls.toml --set time.events=200 &&
    test -s results/two_balls/render.png'
  timed "ParaView is still there" inside 'dpkg-query --show --showformat="\${db:Status-Status}" python3-paraview | grep -x installed &&
    /usr/bin/pvpython --version'
}

# Two mail servers stand for any two packages that exclude each other.
try_conflict() {
  make_root
  timed "apt-get install msmtp-mta" inside 'apt-get install --yes --no-install-recommends msmtp-mta'
  copy_tree
  timed "cluster/install.sh refuses" inside 'cd ~/terrace && echo nullmailer >list && dpkg --get-selections >before
    if cluster/install.sh list >said 2>&1; then echo "it did not fail" && exit 1; fi
    cat said && grep -q "nothing was changed: .* remove msmtp-mta" said && dpkg --get-selections | cmp - before'
  tail -n 4 "$here.log"
}

mkdir -p "$roots"
case $case in
  package) try_package ;;
  commands) try_commands ;;
  paraview) try_paraview ;;
  conflict) try_conflict ;;
  *) echo "bare_root: no case '$case'" >&2 && exit 2 ;;
esac
echo "$case: holds"
