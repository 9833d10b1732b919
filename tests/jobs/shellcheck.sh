#!/usr/bin/env bash
# The batch scripts and the tools around them please shellcheck.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

if ! command -v shellcheck >/dev/null; then
  echo "skipped: shellcheck is not installed (package shellcheck)"
  exit 77
fi
output=$(shellcheck -x jobs/render jobs/lint jobs/submit jobs/*/*.sh tests/jobs/*.sh 2>&1)
is "shellcheck: $output" 0 $?
finish
