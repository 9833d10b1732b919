# shellcheck shell=bash disable=SC2154 # registry, of names.sh
# shellcheck source=common/cli/progress.sh
source common/cli/progress.sh

help() {
  cat <<'HELP'
./course watch [NAME]: check an exercise whenever you save it. If it is right, watch goes on to the next core exercise.
Without a name, it starts with the first core exercise that is not right. Keys: h hint, l list, n next, c check, q quit.
HELP
}

clear_screen() { printf '\e[H\e[2J'; }

# show_task: what is to do, and where. Only a later version of the file is a new answer.
show_task() {
  version=$(saved)
  echo "Lesson:   lessons/${exercise%/*}/README.md"
  echo "Exercise: exercises/$exercise.cu"
  task_of "$exercise" | fold -s -w "${COLUMNS:-80}"
}

# checked: the verdict, and the next exercise if it is right.
checked() {
  local code=0
  clear_screen
  show_task
  echo
  ./course check "$exercise" || code=$?
  if [[ $code -ne 0 ]]; then return; fi
  read_progress
  if next=$(next_core "$exercise"); then
    exercise=$next
    echo
    show_task
  else
    echo "All core exercises are right. ./course list --all shows the others."
  fi
}

# saved: which version of the file is on the disk.
saved() { stat -c '%y %s' "exercises/$exercise.cu" 2>/dev/null || true; }

main() {
  local exercise next='' key version='' now code terminal
  [[ $# -le 1 ]] || die "$USAGE" "watch takes the name of one exercise. See ./course watch --help"
  [[ -t 0 && -t 1 ]] || die "$USAGE" "watch needs a terminal. To check an exercise once: ./course check NAME"
  require_toolchain && read_registry
  if [[ $# -eq 1 ]]; then
    exercise=$(find_exercise "$(named "$1")") || unknown_name exercise "$1"
  else
    read_progress
    exercise=$(next_core) || die 0 "All core exercises are right. To watch another exercise, add its name: ./course list --all"
  fi
  if [[ -n ${COURSE_BACKEND-} ]]; then export COURSE_BACKEND; fi # of --backend
  terminal=$(stty -g)
  trap 'stty "$terminal"; clear_screen; read_progress; say_count; say_next' EXIT
  checked
  while true; do
    read_progress
    printf '\n%s Save the file to check it.\nh hint  l list  n next exercise  c check again  q quit\n' "$(say_count)"
    key=''
    # Twice a second, since some file systems do not report changes. An editor may replace the file, so it may be missing.
    while code=0 && { read -rsn1 -t 0.5 key || code=$?; } && [[ $code -ne 0 ]]; do
      [[ $code -gt 128 ]] || return 0 # not a timeout: the terminal has gone
      now=$(saved)
      if [[ -n $now && $now != "$version" ]]; then break; fi
    done
    case $key in
      h) clear_screen && say_hint "$exercise" ;;
      l) clear_screen && ./course list ;;
      n)
        exercise=$(next_core "$exercise") || true
        clear_screen && show_task
        ;;
      q) return ;;
      *) checked ;;
    esac
  done
}
