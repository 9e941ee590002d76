#!/usr/bin/env bash
# aarch64.sh DIR: cross-builds for arm64 Linux with glibc 2.28 and later: the C++ SDK DIR/sdk (see
# docs/cpp.md) and a wheel for CPython 3.11, DIR/*aarch64.whl. Built in DIR/build; a second call
# builds what changed. Needs g++-aarch64-linux-gnu, apt, and PYTHON (python3.11) with the packages of
# pyproject.toml's build-system.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
python=$(command -v "${PYTHON:-python3.11}") || { echo "no python3.11: set PYTHON" >&2; exit 1; }
triplet=aarch64-linux-gnu
platform=manylinux_2_28_aarch64
command -v $triplet-g++ > /dev/null || { echo "no $triplet-g++: apt install g++-$triplet" >&2; exit 1; }
"$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' ||
  { echo "$python is not Python 3.11, which the wheel is for: set PYTHON" >&2; exit 1; }

old=$root/tools/cross/old_libraries.py
"$python" "$old" make --compiler $triplet-g++ "$dir/old_libraries"
"$root/tools/cross/debian_python.sh" "$dir/sysroot"

headers=$dir/sysroot/usr/include
# Debian's finds this one by the compiler's search path.
cp "$headers/$triplet/python3.11/pyconfig.h" "$headers/python3.11/"
arguments=(
  "-DCMAKE_TOOLCHAIN_FILE=$root/tools/cross/aarch64.cmake"
  "-DLITE_OLD_LIBRARIES=$dir/old_libraries"
  "-DPython3_EXECUTABLE=$python"
  "-DPython_INCLUDE_DIR=$headers/python3.11"
  "-DPYTHON_MODULE_EXTENSION=.cpython-311-$triplet.so"
)
rm -rf "$dir"/*.whl "$dir/sdk" "$dir/package"
# What this leaves lets a second call build little; Python sources may have gone since.
mkdir -p "$dir/wheel/egg"
find "$dir/wheel" -name '*.py' -delete
(
  cd "$root"
  # setuptools warns of each folder of C++ sources.
  export PYTHONWARNINGS=ignore LITE_BUILD_DIR=$dir/build STRIP=$triplet-strip CMAKE_ARGS="${CMAKE_ARGS:-} ${arguments[*]}"
  "$python" setup.py -q egg_info --egg-base "$dir/wheel/egg" build --build-base "$dir/wheel/build" \
    bdist_wheel --bdist-dir "$dir/wheel/bdist" --plat-name $platform --dist-dir "$dir"
)
package=$dir/package
"$python" -m zipfile -e "$dir"/*aarch64.whl "$package"
mkdir "$dir/sdk"
cp -r "$package/lite/sdk/include" "$package/lite/sdk/lib" "$package"/lite/lib*.so "$dir/sdk"
mv "$dir"/sdk/lib*.so "$dir/sdk/lib/"
"$python" "$old" check --readelf $triplet-readelf "$package"/lite/*.so "$dir"/sdk/lib/*.so
rm -r "$package"
echo "wrote $(echo "$dir"/*aarch64.whl) and $dir/sdk"
