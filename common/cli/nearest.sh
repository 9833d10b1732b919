# shellcheck shell=bash

# nearest WORD CANDIDATE...: prints the candidate with the fewest letters to change, add, drop or swap with
# the next; nothing when even that one differs in more than a third of WORD's letters (but two may always
# differ).
nearest() {
  local word=$1
  shift
  printf '%s\n' "$@" | awk -v word="$word" '
    function least(a, b) { return a < b ? a : b }
    function letter(text, at) { return substr(text, at, 1) }
    function distance(a, b,    i, j, d) {
      for (i = 0; i <= length(a); i++) d[i, 0] = i
      for (j = 0; j <= length(b); j++) d[0, j] = j
      for (i = 1; i <= length(a); i++)
        for (j = 1; j <= length(b); j++) {
          d[i, j] = least(d[i - 1, j - 1] + (letter(a, i) != letter(b, j)), least(d[i - 1, j], d[i, j - 1]) + 1)
          if (i > 1 && j > 1 && letter(a, i) == letter(b, j - 1) && letter(a, i - 1) == letter(b, j))
            d[i, j] = least(d[i, j], d[i - 2, j - 2] + 1)
        }
      return d[length(a), length(b)]
    }
    BEGIN { limit = length(word) / 3 > 2 ? length(word) / 3 : 2 }
    { d = distance(word, $0); if (d <= limit && (best == "" || d < least_yet)) { best = $0; least_yet = d } }
    END { if (best != "") print best }'
}
