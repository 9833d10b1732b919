# shellcheck shell=bash
help() { echo "./course list: the lessons and their exercises."; }

main() {
  local lesson exercise title
  no_arguments list "$@"
  for lesson in "${lessons[@]}"; do
    title=$(sed -n '1s/^# *[0-9]* *//p' "lessons/$lesson/README.md" 2>/dev/null || true)
    printf '%-20s %s\n' "$lesson" "$title"
    for exercise in "${exercises[@]}"; do
      if [[ ${exercise%/*} == "$lesson" ]]; then printf '     exercise        %s\n' "${exercise#*-}"; fi
    done
  done
}
