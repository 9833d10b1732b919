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
  { printf '#!/bin/bash\n[[ $* == --version ]] && exit\necho "%s $*" >>"%s/calls"\n' "$1" "$tmp" && cat; } >"$tmp/bin/$1"
  chmod +x "$tmp/bin/$1"
}

# laboratory OPTION...: starts a practice cluster of this test's own with $lab, which the test's end stops.
laboratory() {
  lab=jobs/lab/lab
  export COURSE_LAB
  COURSE_LAB=/tmp/course-slurm-$(basename "$0" .sh)-$$
  trap '$lab stop; rm -rf "$tmp"' EXIT
  trap 'exit 130' INT TERM
  $lab start "$@" >"$tmp/start" 2>&1
  case $? in
    0) echo "the laboratory: $(tail -n 1 "$tmp/start")" ;;
    3) cat "$tmp/start" && exit 77 ;; # CTest's word for skipped
    *) cat "$tmp/start" && exit 1 ;;
  esac
}

finish() {
  echo "$checks checks, $failures failed"
  [ "$failures" = 0 ] && [ "$checks" -gt 0 ]
  exit
}
