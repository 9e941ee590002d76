#!/usr/bin/env bash
# android.sh DIR: whether the native library of android/ compiles and links for 64-bit Arm where there
# is no NDK: LLVM's compiler and libc++ as the NDK has, by ziglang, with musl, which like Android's C
# library lacks what is glibc's own. DIR/libpaddle_lite_jni.so is for looking at; on no phone does it
# run. Needs PYTHON (python3) with PyYAML and ziglang, CMake, Ninja, and JAVA_INCLUDE, a JDK's folder
# of jni.h.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
source "$root/tools/cross/zig_tools.sh"
mkdir -p "$1"
dir=$(cd "$1" && pwd)
include=${JAVA_INCLUDE:?a folder that has jni.h, such as /usr/lib/jvm/default-java/include}

zig_configure "$dir/build" aarch64-linux-musl -DLITE_ANDROID=ON -DLITE_SYSTEM=Linux \
  -DLITE_PROCESSOR=aarch64 -DLITE_JNI_INCLUDE="$include;$include/linux"
ninja -C "$dir/build" paddle_lite_jni
cp "$dir/build/lite/sdk/libpaddle_lite_jni.so" "$dir"
echo "wrote $dir/libpaddle_lite_jni.so"
