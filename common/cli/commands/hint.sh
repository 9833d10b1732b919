# shellcheck shell=bash
# shellcheck source=common/cli/progress.sh
source common/cli/progress.sh

help() { echo "./course hint NAME: show a hint for an exercise. Every call shows one more: first a question, then a line of code."; }

main() {
  local exercise
  [[ $# -eq 1 ]] || die "$USAGE" "hint takes the name of one exercise, for example: ./course hint add-list/axpby"
  read_registry
  exercise=$(find_exercise "$(named "$1")") || unknown_name exercise "$1"
  say_hint "$exercise"
}
