# shellcheck shell=bash
# shellcheck source=common/cli/progress.sh
source common/cli/progress.sh

help() {
  cat <<'HELP'
./course list: list the lessons and their exercises, and show the next step. Core exercises are marked.
"done" and "wrong" are results of the last ./course check. "changed" means that you have edited the exercise since then.
HELP
}

main() {
  local lesson exercise title progress
  no_arguments list "$@"
  read_registry
  for lesson in "${lessons[@]}"; do
    title=$(sed -n '1s/^# *[0-9]* *//p' "lessons/$lesson/README.md" 2>/dev/null || true)
    printf '%-20s %s\n' "$lesson" "$title"
    for exercise in "${exercises[@]}"; do
      [[ ${exercise%/*} == "$lesson" ]] || continue
      progress=$(progress_of "$exercise")
      printf '     %-15s %-34s %s\n' "${registry[$exercise core]+core }exercise" "${exercise#*-}" "${progress/untouched/}"
    done
  done | sed 's/ *$//'
  echo
  say_next
}
