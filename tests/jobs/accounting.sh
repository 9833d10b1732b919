#!/usr/bin/env bash
# The laboratory with its database of jobs: sacct knows a job that has run, its times and its GPU.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

laboratory --accounting hpc2n

job=$($lab exec hpc2n sbatch --parsable -A hpc2n2026-001 -t 1 --gpus=1 -C l40s --wrap "sleep 1")
for ((try = 0; try < 60; try++)); do # a record reaches the database some seconds later, in parts
  record=$($lab exec hpc2n sacct -X -n -P -j "$job" -o Account,State,Submit,Eligible,Start,ReqTRES 2>&1)
  [[ $record != *COMPLETED*gres* ]] || break
  sleep 0.5
done
has "sacct knows the job" "hpc2n2026-001|COMPLETED|" "$record"
has "sacct knows its GPU" "gres/gpu=1" "$record"
is "sacct knows when it was submitted, could start and did" 3 "$(grep -o '20[0-9][0-9]-[0-9-]*T[0-9:]*' <<<"$record" | wc -l)"
has "an account that the database lacks is refused" "Invalid account" \
  "$($lab exec hpc2n sbatch -A hpc2n2025-999 -t 1 --wrap true 2>&1)"
finish
