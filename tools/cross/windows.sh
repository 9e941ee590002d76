#!/usr/bin/env bash
# windows.sh DIR: cross-builds for 64-bit Windows: DIR/sdk with paddle_light_api_shared.dll, its import
# library and the headers (docs/windows.md). Built in DIR/build; a second call builds what changed.
# Needs g++-mingw-w64-x86-64-posix, CMake, Ninja, and PYTHON (python3) with PyYAML.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
python=$(command -v "${PYTHON:-python3}") || { echo "no python3: set PYTHON" >&2; exit 1; }
python=$(realpath -s "$python")
command -v x86_64-w64-mingw32-g++-posix > /dev/null ||
  { echo "no mingw-w64: apt install g++-mingw-w64-x86-64-posix" >&2; exit 1; }

cmake -G Ninja -S "$root" -B "$dir/build" -DCMAKE_TOOLCHAIN_FILE="$root/tools/cross/windows.cmake" \
  -DLITE_WITH_PYTHON=OFF -DLITE_WITH_DEVICE_TEST=OFF \
  -DPython_EXECUTABLE="$python" -DPython3_EXECUTABLE="$python" > "$dir/configure.log" 2>&1 ||
  { tail -20 "$dir/configure.log" >&2; exit 1; }
ninja -C "$dir/build" paddle_light_api_shared

rm -rf "$dir/sdk"
mkdir -p "$dir/sdk/include" "$dir/sdk/lib"
cp "$root"/lite/sdk/include/*.h "$dir/sdk/include"
cp "$dir/build/lite/sdk/paddle_light_api_shared.dll" "$dir/build/lite/sdk/libpaddle_light_api_shared.dll.a" "$dir/sdk/lib"
echo "wrote $dir/sdk"
