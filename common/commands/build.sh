# shellcheck shell=bash
help() { echo "./course build [LESSON]...: build these lessons; none: all of them, exercises and solutions too."; }

main() {
  local name lesson targets=() chosen=() libraries=()
  for name; do
    lesson=$(find_lesson "$name") || unknown_name lesson "$name"
    chosen+=("$lesson")
    targets+=("${lesson#*-}")
  done
  read -ra libraries <<<"$(needs "${chosen[@]}")"
  prepare OFF "${libraries[@]}"
  build "${targets[@]:-all}"
}
