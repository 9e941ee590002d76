# Sourced by .ci/run and .ci/nightly: stages, each a command that ends with 0 (passed), 77 (not run:
# it has said why) or anything else (failed), and the table of them at the end.
# shellcheck shell=bash
export CI=true # tests fail where they would skip elsewhere; so they do wherever a stage is run by hand
NOT_RUN=77
verdicts=()
failures=0

stage() { # NAME COMMAND...
  local name=$1 start=$SECONDS code=0 verdict=passed
  shift
  printf '\n== %s (%d s)\n' "$name" "$SECONDS"
  (set -e && "$@") || code=$?
  case $code in
    0) ;;
    "$NOT_RUN") verdict="NOT RUN" ;;
    *) verdict=FAILED failures=$((failures + 1)) ;;
  esac
  verdicts+=("$(printf '%-8s %5d s  %s' "$verdict" $((SECONDS - start)) "$name")")
}

summary() { # its exit code is that of all stages, as a stage's
  printf '\n== all stages (%d s)\n' "$SECONDS"
  printf '%s\n' "${verdicts[@]}"
  ((failures == 0)) || return 1
  printf '%s\n' "${verdicts[@]}" | grep -q '^passed' || return "$NOT_RUN"
}

not_run() { # WHY: ends a stage's script
  printf '\n!! NOT RUN: %s: %s\n\n' "$0" "$*" >&2
  exit "$NOT_RUN"
}

# Names the published models' folder, for tests that want them.
published_models() {
  LITE_TEST_MODELS=${LITE_TEST_MODELS:-$(python3 tests/fetch_models.py build/models)}
  export LITE_TEST_MODELS
}

# Where installing the package compiled the core: its objects serve other environments, too.
core_folder() {
  local found
  found=$(find "$PWD/build" -maxdepth 1 -name 'temp.*' 2> /dev/null)
  printf '%s\n' "${found%%$'\n'*}" | grep . || echo "$PWD/build/wheels"
}

# The shared objects stand in a build folder's own package: the Python sources join them, without the
# objects of an editable install, which are of another build.
join_sources() { # FOLDER
  tar -C lite --exclude='*.so' -cf - . | tar -C "$1/lite" -xf -
}

# Debian's packages that a stage wants besides what the README asks for.
want() { # PROGRAM_OR_FILE PACKAGE...
  local program=$1
  shift
  [[ ! -e $program ]] && ! command -v "$program" > /dev/null || return 0
  command -v apt-get > /dev/null || not_run "no $program, and no apt to get $*"
  ((UID == 0)) || not_run "no $program, and not root: apt install $*"
  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
    --no-install-recommends "$@" > /dev/null; } || not_run "apt could not install $*"
}

# What tools/cross/zig_tools.sh needs, in FOLDER and first in PATH.
zig_environment() { # FOLDER
  python3 -m venv "$1"
  # shellcheck disable=SC2046 # a list
  "$1/bin/pip" install -q $(.ci/extra build) 'ziglang>=0.17,<0.18'
  export PATH=$1/bin:$PATH
}
