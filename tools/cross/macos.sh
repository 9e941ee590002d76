#!/usr/bin/env bash
# macos.sh DIR: cross-builds the light library for macOS: DIR/sdk/lib has one for arm64 and one for
# x86_64, DIR/sdk/include the headers (docs/cpp.md). No machine here can run them: that they compile
# and link is all that is known. Needs PYTHON (python3) with PyYAML and ziglang, CMake, and Ninja.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
source "$root/tools/cross/zig_tools.sh"
mkdir -p "$1"
dir=$(cd "$1" && pwd)

rm -rf "$dir/sdk"
mkdir -p "$dir/sdk/include" "$dir/sdk/lib"
cp "$root"/lite/sdk/include/*.h "$dir/sdk/include"
for processor in arm64 x86_64; do
  zig_configure "$dir/$processor" "${processor/arm64/aarch64}-macos" -DLITE_SYSTEM=Darwin \
    -DLITE_PROCESSOR="$processor"
  ninja -C "$dir/$processor" paddle_light_api_shared
  cp "$dir/$processor/lite/sdk/libpaddle_light_api_shared.dylib" \
    "$dir/sdk/lib/libpaddle_light_api_shared.$processor.dylib"
done
echo "wrote $dir/sdk"
