#!/usr/bin/env bash
# web.sh DIR: the npm package DIR/package, for browsers and Node (docs/web.md). Built in DIR/build; a
# second call builds what changed. Needs emscripten (Debian: emscripten node-acorn), CMake, Ninja,
# and PYTHON (python3) with PyYAML.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
python=$(command -v "${PYTHON:-python3}") || { echo "no python3: set PYTHON" >&2; exit 1; }
python=$(realpath -s "$python")
command -v emcmake > /dev/null || { echo "no emcmake: apt install emscripten node-acorn" >&2; exit 1; }
# Where Debian's node modules are.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}

engine() {  # FOLDER FLAGS SETTING...
  emcmake cmake -G Ninja -S "$root" -B "$1" -DLITE_WITH_PYTHON=OFF -DLITE_WITH_DEVICE_TEST=OFF \
    -DPython_EXECUTABLE="$python" -DPython3_EXECUTABLE="$python" \
    -DCMAKE_CXX_FLAGS="-msimd128 -fwasm-exceptions $2" -Wno-dev "${@:3}" > "$dir/configure.log" 2>&1 ||
    { tail -20 "$dir/configure.log" >&2; exit 1; }
  ninja -C "$1" paddle_lite_web
}
engine "$dir/build" ""
engine "$dir/threads" -pthread -DLITE_WEB_THREADS=ON

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
