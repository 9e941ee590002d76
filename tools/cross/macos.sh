#!/usr/bin/env bash
# macos.sh DIR: cross-builds the light library for macOS: DIR/sdk/lib has one for arm64 and one for
# x86_64, DIR/sdk/include the headers (docs/cpp.md). No machine here can run them: that they compile
# and link is all that is known. Needs PYTHON (python3) with PyYAML and ziglang, CMake, and Ninja.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
python=$(command -v "${PYTHON:-python3}") || { echo "no python3: set PYTHON" >&2; exit 1; }
python=$(realpath -s "$python")
"$python" -c 'import ziglang, yaml' || { echo "$python: pip install ziglang PyYAML" >&2; exit 1; }

rm -rf "$dir/sdk"
mkdir -p "$dir/sdk/include" "$dir/sdk/lib"
cp "$root"/lite/sdk/include/*.h "$dir/sdk/include"
for processor in arm64 x86_64; do
  zig=$dir/$processor/zig
  mkdir -p "$zig"
  for tool in cc c++ ar ranlib; do
    target=
    [[ $tool != c* ]] || target="-target ${processor/arm64/aarch64}-macos"
    printf '#!/bin/sh\nexec "%s" -m ziglang %s %s "$@"\n' "$python" "$tool" "$target" > "$zig/$tool"
    chmod +x "$zig/$tool"
  done
  cmake -G Ninja -S "$root" -B "$dir/$processor" -DCMAKE_TOOLCHAIN_FILE="$root/tools/cross/macos.cmake" \
    -DLITE_ZIG="$zig" -DLITE_PROCESSOR="$processor" -DLITE_WITH_PYTHON=OFF -DLITE_WITH_DEVICE_TEST=OFF \
    -DPython_EXECUTABLE="$python" -DPython3_EXECUTABLE="$python" > "$dir/$processor.log" 2>&1 ||
    { tail -20 "$dir/$processor.log" >&2; exit 1; }
  ninja -C "$dir/$processor" paddle_light_api_shared
  cp "$dir/$processor/lite/sdk/libpaddle_light_api_shared.dylib" \
    "$dir/sdk/lib/libpaddle_light_api_shared.$processor.dylib"
done
echo "wrote $dir/sdk"
