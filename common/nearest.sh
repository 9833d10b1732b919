# shellcheck shell=bash

# nearest WORD CANDIDATE...: prints the candidate with the fewest letters to change, add or drop;
# nothing when even that one differs in more than a third of WORD's letters (but two may always differ).
nearest() {
  local word=$1
  shift
  printf '%s\n' "$@" | awk -v word="$word" '
    function least(a, b, c) { if (b < a) a = b; return c < a ? c : a }
    function distance(a, b,    i, j, above, row, left) {
      for (j = 0; j <= length(b); j++) row[j] = j
      for (i = 1; i <= length(a); i++) {
        above = row[0]
        row[0] = i
        for (j = 1; j <= length(b); j++) {
          left = least(row[j] + 1, row[j - 1] + 1, above + (substr(a, i, 1) != substr(b, j, 1)))
          above = row[j]
          row[j] = left
        }
      }
      return row[length(b)]
    }
    BEGIN { limit = length(word) / 3 > 2 ? length(word) / 3 : 2 }
    { d = distance(word, $0); if (d <= limit && (best == "" || d < least_yet)) { best = $0; least_yet = d } }
    END { if (best != "") print best }'
}
