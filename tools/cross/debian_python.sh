#!/usr/bin/env bash
# debian_python.sh DIR [SUITE VERSION]: unpacks Debian's arm64 Python (3.11), its headers and the libraries
# that it needs into DIR, for qemu-aarch64 -L DIR. The host's packages and settings are not touched.
set -euo pipefail
mkdir -p "$1"
dir=$(cd "$1" && pwd)
test -e "$dir/complete" && exit
apt=$dir/apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial"
: > "$apt/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
  "${LITE_DEBIAN_MIRROR:-http://deb.debian.org/debian} ${2:-bookworm} main" > "$apt/sources.list"
options=(
  -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Install-Recommends=false
  -o "Dir::State=$apt" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt"
  -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o APT::Sandbox::User= -o Debug::NoLocking=true -o Acquire::Languages=none
)
apt-get "${options[@]}" update
apt-get "${options[@]}" install -y --download-only "python${3:-3.11}" libstdc++6
(cd "$apt/archives" && apt-get "${options[@]}" download "libpython${3:-3.11}-dev")
for package in "$apt"/archives/*.deb; do
  dpkg-deb -x "$package" "$dir"
done
# From trixie on no package has /lib itself.
[[ -e $dir/lib ]] || ln -s usr/lib "$dir/lib"
rm -r "$apt"
touch "$dir/complete"
