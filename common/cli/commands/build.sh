# shellcheck shell=bash
help() {
  cat <<'HELP'
./course build [LESSON]...: build these lessons and print the paths of their programs. Without a name: build all lessons.
HELP
}

main() {
  local name lesson targets=() chosen=() libraries=()
  for name; do
    lesson=$(find_lesson "$name") || unknown_name lesson "$name"
    chosen+=("$lesson")
    targets+=("${lesson#*-}")
  done
  require_toolchain && read_registry
  read -ra libraries <<<"$(needs "${chosen[@]}")"
  prepare none "${libraries[@]}"
  build "${targets[@]:-lessons}"
  [[ $# -eq 0 ]] || printf "$builds/bin/%s\n" "${targets[@]}"
}
