#!/usr/bin/env bash
# Unpacks Debian's libvtk9-dev into build/vtk9 instead of installing it; needs no root. For machines with python3-paraview, as
# installing libvtk9-dev would pull in python3-vtk9, which excludes python3-paraview. cluster/build.sh finds the unpacked files.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=$root/build/vtk9
library=usr/lib/$(dpkg-architecture --query DEB_HOST_MULTIARCH)

# The headers must have exactly the version of the installed libraries.
version=$(dpkg-query --show --showformat='${Version}' libvtk9.1)
if [[ -f $target/version && $(<"$target/version") == "$version" ]]; then
  echo "vtk_headers: version $version is in build/vtk9"
  exit 0
fi
rm -rf "$target"
mkdir -p "$target/download"
if ! (cd "$target/download" && apt-get -o Acquire::Retries=3 download "libvtk9-dev=$version") >"$target/log" 2>&1; then
  echo "vtk_headers: apt-get could not download libvtk9-dev=$version: $(tail -n 1 "$target/log")" >&2
  exit 1
fi
dpkg-deb --extract "$target"/download/libvtk9-dev_*.deb "$target"
# The package's CMake files expect the libraries beside them, and the modules for Python and Java to be installed.
description=$target/$library/cmake/vtk-9.1
sed -i "s#\\\${_IMPORT_PREFIX}/lib/#/usr/lib/#g" "$description"/VTK-targets-*.cmake
sed -i -E 's/(_WRAP_(PYTHON|JAVA)") "ON"/\1 "OFF"/' "$description/vtk-config.cmake"
rm "$target/$library"/libvtk*.so
rm -r "$target/download" "$target/log"
echo "$version" >"$target/version"
echo "vtk_headers: unpacked version $version into build/vtk9"
