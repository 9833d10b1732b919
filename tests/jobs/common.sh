# shellcheck shell=bash
# Shared by the tests of jobs/: they run in the root, have a folder of their own in $tmp, and end with finish.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
checks=0 failures=0

# is WHAT EXPECTED GOT
is() {
  checks=$((checks + 1))
  if [ "$2" != "$3" ]; then
    failures=$((failures + 1))
    printf 'FAIL %s\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
  fi
}

# has WHAT PART TEXT: TEXT contains PART.
has() {
  checks=$((checks + 1))
  if [[ $3 != *"$2"* ]]; then
    failures=$((failures + 1))
    printf 'FAIL %s\n  expected somewhere: %s\n  got: %s\n' "$1" "$2" "$3"
  fi
}

# stand_in NAME: a program of that name in $tmp/bin, its text from standard input; each call of it is
# noted in $tmp/calls.
stand_in() {
  mkdir -p "$tmp/bin"
  { printf '#!/bin/bash\necho "%s $*" >>"%s/calls"\n' "$1" "$tmp" && cat; } >"$tmp/bin/$1"
  chmod +x "$tmp/bin/$1"
}

finish() {
  echo "$checks checks, $failures failed"
  [ "$failures" = 0 ] && [ "$checks" -gt 0 ]
  exit
}
