#!/usr/bin/env bash
# manylinux.sh DIR [ARCH...]: wheels for Linux with glibc 2.28 and later into DIR, of each ARCH (x86_64,
# aarch64; both where none is named) one for each CPython that tools/wheel/interpreters finds. Checked
# by auditwheel, for their size, for their RUNPATH and for instructions beyond the baseline's. Of one
# commit and one compiler they are the same bytes wherever they are built. The C++ core is compiled
# once an ARCH, in DIR/build-ARCH; a second call builds what changed. Needs a C++17 compiler and
# PyPI; aarch64 needs g++-aarch64-linux-gnu.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
shift
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH PYTHONWARNINGS=ignore

tools=$dir/tools
if [ ! -e "$tools/complete" ]; then
  python3 -m venv "$tools"
  # shellcheck disable=SC2046 # a list
  "$tools/bin/pip" install -q auditwheel $(python3 "$root/.ci/extra" build)
  touch "$tools/complete"
fi
export PATH=$tools/bin:$PATH

fail() { printf '%s\n' "$@" >&2; exit 1; }

checked() { # WHEEL PLATFORM PREFIX
  local shown least unpacked
  test "$(stat -c %s "$1")" -lt 20000000 || fail "$1 is over 20 MB"
  shown=$(auditwheel show "$1")
  # It names the oldest system that will do.
  least=$(tr '\n' ' ' <<< "$shown" | sed -n 's/.*platform tag: "manylinux_2_\([0-9]*\)_.*".*/\1/p')
  [ "${least:-99}" -le 28 ] || fail "$shown" "auditwheel does not call it $2"
  unpacked=$(mktemp -d)
  python3 -m zipfile -e "$1" "$unpacked"
  # shellcheck disable=SC2016 # the loader's word
  if find "$unpacked" -name '*.so' -exec "$3readelf" -d {} + | grep -E 'R(UN)?PATH' |
    grep -vE '\[\$ORIGIN(:\$ORIGIN/\.\./\.\.)?\]'; then
    fail "$1 looks for libraries outside of itself"
  fi
  rm -r "$unpacked"
  echo "$1: $2"
}

[ $# -gt 0 ] || set -- x86_64 aarch64
for arch in "$@"; do
  platform=manylinux_2_28_$arch build=$dir/build-$arch prefix='' extra=()
  compiler=${CXX:-c++}
  if [ "$arch" = aarch64 ] && [ "$(uname -m)" != aarch64 ]; then
    prefix=aarch64-linux-gnu- compiler=aarch64-linux-gnu-g++
    command -v $compiler > /dev/null || fail "no $compiler: apt install g++-aarch64-linux-gnu"
    extra=("-DCMAKE_TOOLCHAIN_FILE=$root/tools/cross/aarch64.cmake" "-DLITE_OLD_LIBRARIES=$dir/old-$arch")
  else
    extra=(-C "$root/tools/wheel/manylinux.cmake")
  fi
  python3 "$root/tools/cross/old_libraries.py" make --compiler "$compiler" "$dir/old-$arch"
  rm -f "$dir"/*_"$arch".whl
  for python in $("$root/tools/wheel/interpreters"); do
    tag=$("$python" -c 'import sys; print(f"{sys.version_info[0]}{sys.version_info[1]}")')
    env=$dir/env-$tag
    if [ ! -e "$env/complete" ]; then
      "$python" -m venv "$env"
      # shellcheck disable=SC2046 # a list
      "$env/bin/pip" install -q $("$root/.ci/extra" build)
      touch "$env/complete"
    fi
    words=("${extra[@]}")
    if [ -n "$prefix" ]; then
      # CPython's headers are those of the host: both are little-endian Linux with the same sizes.
      words+=("-DPython3_EXECUTABLE=$env/bin/python"
        "-DPython_INCLUDE_DIR=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')"
        "-DPYTHON_MODULE_EXTENSION=.cpython-$tag-$arch-linux-gnu.so")
    fi
    # What was built for another interpreter, or has gone since, is not for this wheel; the rest stays
    # where it is, as the core's objects depend on it.
    work=$dir/wheel-$arch
    mkdir -p "$work/egg" "$work/lib"
    find "$work/lib" -type f ! -name 'lib*.so' ! -name '*.h' ! -path '*/sdk/lib/*' -delete
    (
      cd "$root"
      export LITE_BUILD_DIR=$build LITE_OLD_LIBRARIES=$dir/old-$arch STRIP=${prefix}strip
      export CXXFLAGS="${CXXFLAGS:-} -ffile-prefix-map=$root=. -ffile-prefix-map=$dir=."
      export CMAKE_ARGS="${CMAKE_ARGS:-} ${words[*]}"
      "$env/bin/python" setup.py -q egg_info --egg-base "$work/egg" \
        build --build-base "$work/build" --build-lib "$work/lib" \
        bdist_wheel --bdist-dir "$work/bdist" --plat-name "$platform" --dist-dir "$dir"
    )
    checked "$(ls -t "$dir"/*_"$arch".whl | head -n 1)" "$platform" "$prefix"
  done
  python3 "$root/tools/wheel/instructions.py" --objdump "${prefix}objdump" "$build"
done
