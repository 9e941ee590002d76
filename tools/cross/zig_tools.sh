# Sourced: zig_tools FOLDER TARGET makes FOLDER's cc, c++, ar and ranlib of ziglang's (docs/porting.md).
python=$(command -v "${PYTHON:-python3}") || { echo "no python3: set PYTHON" >&2; exit 1; }
python=$(realpath -s "$python")
"$python" -c 'import ziglang, yaml' || { echo "$python: pip install ziglang PyYAML" >&2; exit 1; }

zig_tools() {
  local tool target
  mkdir -p "$1"
  for tool in cc c++ ar ranlib; do
    target=
    [[ $tool != c* ]] || target="-target $2"
    printf '#!/bin/sh\nexec "%s" -m ziglang %s %s "$@"\n' "$python" "$tool" "$target" > "$1/$tool"
    chmod +x "$1/$tool"
  done
}

# zig_configure FOLDER OPTION...: FOLDER/zig has the tools.
zig_configure() {
  local folder=$1
  shift
  cmake -G Ninja -S "$root" -B "$folder" -DCMAKE_TOOLCHAIN_FILE="$root/tools/cross/zig.cmake" \
    -DLITE_ZIG="$folder/zig" -DLITE_WITH_PYTHON=OFF -DLITE_WITH_DEVICE_TEST=OFF \
    -DPython_EXECUTABLE="$python" -DPython3_EXECUTABLE="$python" "$@" > "$folder.log" 2>&1 ||
    { tail -20 "$folder.log" >&2; exit 1; }
}
