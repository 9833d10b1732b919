#!/bin/bash
# figures.sh FILE.tsv FILE.json: the rows that figure() wrote (figures.hpp), as a table and as JSON.
set -euo pipefail

awk -F '\t' '
  $1 != program { program = $1; printf "\n%s\n", program }
  {
    time = ($7 > 0) ? sprintf(" %8.4g ms", 1000 * $7) : ""
    share = ($5 > 0) ? sprintf(" %6.1f %% of %s (%.4g)", 100 * $3 / $5, $6, $5) : ""
    line = sprintf("   %-40s %10.4g %-8s%s%s", $2, $3, $4, time, share)
    sub(/ +$/, "", line)
    print line
  }' "$1"

awk -F '\t' '
  BEGIN { printf "[" }
  {
    printf "%s\n  {\"program\": \"%s\", \"what\": \"%s\", \"value\": %s, \"unit\": \"%s\"",
      (NR == 1 ? "" : ","), $1, $2, $3, $4
    if ($7 > 0) printf ", \"seconds\": %s", $7
    if ($5 > 0) printf ", \"limit\": %s, \"limit_is\": \"%s\"", $5, $6
    printf "}"
  }
  END { print "\n]" }' "$1" >"$2"
