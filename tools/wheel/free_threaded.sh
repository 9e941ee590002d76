#!/usr/bin/env bash
# free_threaded.sh DIR: compiles CPython 3.13 without its lock from the sources that Debian has, with
# the libraries that pip and lite need (libssl-dev, zlib1g-dev, libffi-dev), and prints its path.
set -euo pipefail
mkdir -p "$1"
dir=$(cd "$1" && pwd)
python=$dir/bin/python3.13t
if [[ ! -x $python ]]; then
  cd "$dir"
  python3 - "${LITE_DEBIAN_MIRROR:-http://deb.debian.org/debian}" << 'PYTHON'
import hashlib, sys, urllib.request
url = sys.argv[1] + "/pool/main/p/python3.13/python3.13_3.13.5.orig.tar.xz"
data = urllib.request.urlopen(url, timeout=60).read()
expected = "93e583f243454e6e9e4588ca2c2662206ad961659863277afcdb96801647d640"
assert hashlib.sha256(data).hexdigest() == expected, f"{url} is another file"
open("python.tar.xz", "wb").write(data)
PYTHON
  rm -rf Python-3.13.5 && tar xf python.tar.xz
  cd Python-3.13.5
  { ./configure -q --disable-gil --prefix="$dir" && make -s -j "$(nproc)" && make -s install; } \
    > ../build.log 2>&1 || { tail -n 40 ../build.log >&2; exit 1; }
fi
echo "$python"
