#!/bin/bash
# lesson-test.sh passes|refuses PROGRAM [ARGUMENT]...: one test of a lesson's program.
# passes:  it exits with 0 and its last line is PASS;
# refuses: it exits with 1, 2 or 3 (something is missing here) and says why on standard error.
# (CTest's own regular expressions would replace the test of the exit code.)
set -u

expected=$1
shift
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
output=$("$@" 2>"$errors")
code=$?
printf '%s\n' "$output"
cat "$errors" >&2

if [[ $expected == passes ]]; then
  [[ $code -eq 0 && ${output##*$'\n'} == PASS ]] && exit 0
  echo "expected: exit code 0 and PASS as the last line; came: exit code $code"
else
  [[ $code -ge 1 && $code -le 3 && -s $errors ]] && exit 0
  echo "expected: exit code 1, 2 or 3 and a message on standard error; came: exit code $code"
fi
exit 1
