# shellcheck shell=bash
# shellcheck source=common/cli/progress.sh
source common/cli/progress.sh

help() {
  cat <<'HELP'
./course list [--all]: list the core exercises of each lesson, what the last ./course check found, and the next step.
--all lists all exercises, and the titles of the lessons.
HELP
}

main() {
  local lesson exercise all=''
  declare -A mark=([right]='✓' [wrong]='✗' [changed]='~' [untouched]='·')
  case $* in
    '') ;;
    --all) all=yes ;;
    -*) no_option list "$1" ;;
    *) die "$USAGE" "list takes no names, but '$1' was given. See ./course list --help" ;;
  esac
  read_registry
  read_progress
  for lesson in "${lessons[@]}"; do
    if [[ -n $all ]]; then
      printf '%-20s %s\n' "$lesson" "$(sed -n '1s/^# *[0-9]* *//p' "lessons/$lesson/README.md" 2>/dev/null)"
    else
      printf '%-20s' "$lesson"
    fi
    for exercise in "${exercises[@]}"; do
      [[ ${exercise%/*} == "$lesson" ]] || continue
      if [[ -n $all ]]; then
        printf '  %s %-36s %s\n' "${mark[${progress[$exercise]}]}" "${exercise#*-}" "${registry[$exercise core]+core}"
      elif [[ -n ${registry[$exercise core]-} ]]; then
        printf ' %s %-23s' "${mark[${progress[$exercise]}]}" "${exercise#*/}"
      fi
    done
    if [[ -z $all ]]; then
      if is_elective "$lesson"; then echo " elective"; else echo; fi
    fi
  done | sed 's/ *$//'
  echo "✓ right  ✗ wrong  ~ changed since its check  · not started"
  say_count
  say_next
}
