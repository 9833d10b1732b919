# shellcheck shell=bash disable=SC2154,SC2034 # nvcc is of who reads this, as failed is for them
# For the scripts of this folder: what they expect of a command.

failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fail WHAT: says it, with what the last command said.
fail() {
  echo "FAILED: $1"
  head -n 20 "$work/said" | sed 's/^/  | /'
  failed=1
}

# run CODE COMMAND...: the command must exit with CODE; what it says is in $work/said.
run() {
  local expected=$1 code=0
  shift
  "$@" >"$work/said" 2>&1 || code=$?
  [[ $code -eq $expected ]] || fail "exit code $code, expected $expected: $*"
}

# says TEXT: the last command said it.
says() { grep -qF -- "$1" "$work/said" || fail "'$1' was not said"; }

# prints TEXT COMMAND...: the command says that and nothing else.
prints() {
  local text=$1
  shift
  run 0 "$@"
  [[ $(<"$work/said") == "$text" ]] || fail "expected '$text': $*"
}

# refuses TEXT OPTION...: nvcc ends with one line that holds TEXT.
refuses() {
  local text=$1
  shift
  run 1 "$nvcc" "$@"
  says "nvcc fatal   : "
  says "$text"
  [[ $(wc -l <"$work/said") -eq 1 ]] || fail "more than one line: $*"
}

# is TEXT FILE: what the file holds
is() {
  cat "$2" >"$work/said"
  [[ $(<"$2") == "$1" ]] || fail "$2 should hold '$1'"
}

exists() {
  local file
  for file in "$@"; do
    [[ -e $file ]] || fail "$file is not there"
  done
}
