#!/usr/bin/env bash
# web.sh DIR [tests]: the npm package DIR/package, for browsers and Node (docs/web.md); with `tests`
# those of the kernels' maths in DIR/math, too. Built in DIR; a second call builds what changed. Needs
# emscripten (Debian: emscripten node-acorn), CMake, Ninja, and PYTHON (python3) with PyYAML.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
python=$(command -v "${PYTHON:-python3}") || { echo "no python3: set PYTHON" >&2; exit 1; }
python=$(realpath -s "$python")
command -v emcmake > /dev/null || { echo "no emcmake: apt install emscripten node-acorn" >&2; exit 1; }
# Where Debian's node modules are.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}

build() {  # FOLDER SOURCE TARGET FLAGS SETTING...
  emcmake cmake -G Ninja -S "$root/$2" -B "$dir/$1" -DLITE_WITH_PYTHON=OFF -DLITE_WITH_DEVICE_TEST=OFF \
    -DPython_EXECUTABLE="$python" -DPython3_EXECUTABLE="$python" \
    -DCMAKE_CXX_FLAGS="-msimd128 -fwasm-exceptions $4" -Wno-dev "${@:5}" > "$dir/configure.log" 2>&1 ||
    { tail -20 "$dir/configure.log" >&2; exit 1; }
  ninja -C "$dir/$1" "$3"
}
build build . paddle_lite_web ""
build threads . paddle_lite_web -pthread -DLITE_WEB_THREADS=ON
if [[ ${2:-} == tests ]]; then
  # With threads, exceptions of code that may not be moved are not caught.
  settings="ENVIRONMENT=node,worker ALLOW_MEMORY_GROWTH=1 MAXIMUM_MEMORY=4GB TOTAL_STACK=2MB \
    EXIT_RUNTIME=1 PROXY_TO_PTHREAD=1 PTHREAD_POOL_SIZE=8"
  build math lite/kernels/cpu/math math_tests -pthread -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DCMAKE_EXE_LINKER_FLAGS="-Wno-pthreads-mem-growth $(printf -- '-s %s ' $settings)"
fi

rm -rf "$dir/package"
mkdir "$dir/package"
version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' "$root/lite/__init__.py")
source=$root/lite/sdk/js
cp "$source"/*.mjs "$source"/*.cjs "$source"/*.d.ts "$dir"/{build,threads}/lite/sdk/js/engine*.{mjs,wasm} "$dir/package"
# One file for who starts threads and for them, so that bundlers need to know one.
thread=$(sed -n "s/^const THREAD = \(.*\);$/\1/p" "$source/model.mjs")
{
  echo "if (globalThis.name === $thread) (() => {"
  cat "$dir/threads/lite/sdk/js/engine_threads.worker.js"
  echo "})();"
} >> "$dir/package/engine_threads.mjs"
sed "s/\"version\": .*/\"version\": \"$version\",/" "$source/package.json" > "$dir/package/package.json"
echo "wrote $dir/package: $(gzip -c "$dir/package/engine.wasm" | wc -c) bytes of WebAssembly, zipped"
