# Sourced: building with ziglang's compiler (docs/porting.md). `root` is the repository.
python=$(command -v "${PYTHON:-python3}") || { echo "no python3: set PYTHON" >&2; exit 1; }
python=$(realpath -s "$python")
"$python" -c 'import ziglang, yaml' || { echo "$python: pip install ziglang PyYAML" >&2; exit 1; }

# zig_configure FOLDER TARGET OPTION...: FOLDER/zig gets the compilers for ziglang's TARGET.
zig_configure() {
  local folder=$1 target=$2 tool
  shift 2
  mkdir -p "$folder/zig"
  for tool in "cc -target $target" "c++ -target $target" ar ranlib; do
    printf '#!/bin/sh\nexec "%s" -m ziglang %s "$@"\n' "$python" "$tool" > "$folder/zig/${tool%% *}"
    chmod +x "$folder/zig/${tool%% *}"
  done
  cmake -G Ninja -S "$root" -B "$folder" -DCMAKE_TOOLCHAIN_FILE="$root/tools/cross/zig.cmake" \
    -DLITE_ZIG="$folder/zig" -DLITE_WITH_PYTHON=OFF -DLITE_WITH_DEVICE_TEST=OFF \
    -DPython_EXECUTABLE="$python" -DPython3_EXECUTABLE="$python" "$@" > "$folder.log" 2>&1 ||
    { tail -20 "$folder.log" >&2; exit 1; }
}
