#!/usr/bin/env bash
# manylinux.sh DIR: wheels for x86-64 Linux with glibc 2.28 and later into DIR, one for each CPython
# that tools/wheel/interpreters finds; auditwheel checks them. The C++ core is compiled once, in
# LITE_BUILD_DIR (DIR/build), and a second call builds what changed. Needs a C++17 compiler and PyPI.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
platform=manylinux_2_28_x86_64
old=$root/tools/cross/old_libraries.py
compiler=${CXX:-c++}

tools=$dir/tools
if [ ! -e "$tools/complete" ]; then
  python3 -m venv "$tools"
  "$tools/bin/pip" install -q auditwheel 'cmake>=3.24' ninja
  touch "$tools/complete"
fi
"$tools/bin/python" "$old" make --compiler "$compiler" "$dir/old_libraries"

export PATH=$tools/bin:$PATH PYTHONWARNINGS=ignore LITE_BUILD_DIR=${LITE_BUILD_DIR:-$dir/build}
export LITE_OLD_LIBRARIES=$dir/old_libraries
export CMAKE_ARGS="${CMAKE_ARGS:-} -C $root/tools/wheel/manylinux.cmake"
rm -f "$dir"/*.whl
for python in $("$root/tools/wheel/interpreters"); do
  env=$dir/env-$("$python" -c 'import sys; print(f"{sys.version_info[0]}.{sys.version_info[1]}")')
  if [ ! -e "$env/complete" ]; then
    "$python" -m venv "$env"
    "$env/bin/pip" install -q 'setuptools>=68' wheel 'pybind11>=2.12' 'pyyaml>=6'
    touch "$env/complete"
  fi
  # What was built for another interpreter, or has gone since, is not for this wheel; the rest stays
  # where it is, as the core's objects depend on it.
  mkdir -p "$dir/wheel/egg" "$dir/wheel/lib"
  find "$dir/wheel/lib" -type f ! -name 'lib*.so' ! -name '*.h' ! -path '*/sdk/lib/*' -delete
  (
    cd "$root"
    "$env/bin/python" setup.py -q egg_info --egg-base "$dir/wheel/egg" \
      build --build-base "$dir/wheel/build" --build-lib "$dir/wheel/lib" \
      bdist_wheel --bdist-dir "$dir/wheel/bdist" --plat-name $platform --dist-dir "$dir"
  )
  wheel=$(ls -t "$dir"/*.whl | head -n 1)
  test "$(stat -c %s "$wheel")" -lt 20000000 || { echo "$wheel is over 20 MB" >&2; exit 1; }
  shown=$("$tools/bin/auditwheel" show "$wheel")
  # It names the oldest system that will do.
  least=$(tr '\n' ' ' <<< "$shown" |
    sed -n 's/.*platform tag: "manylinux_2_\([0-9]*\)_x86_64".*/\1/p')
  if [ "${least:-99}" -gt 28 ]; then
    printf '%s\n' "$shown" "auditwheel does not call it $platform" >&2
    exit 1
  fi
  echo "$wheel: $platform"
done
