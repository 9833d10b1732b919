# shellcheck shell=bash disable=SC2154 # registry, of names.sh
# shellcheck source=common/cli/progress.sh
source common/cli/progress.sh

help() {
  cat <<'HELP'
./course watch [NAME]: check an exercise whenever you save it. If it is right, watch goes on to the next core exercise.
Without a name, it starts with the first core exercise that is not right. Keys: h one more hint, l list, n next exercise,
c check again and show the whole message, q quit.
HELP
}

clear_screen() { printf '\e[H\e[2J'; }

# show_task: what is to do, and where. Only a later version of the file is a new answer.
show_task() {
  version=$(saved)
  echo "Lesson:   lessons/${exercise%/*}/README.md"
  echo "Exercise: exercises/$(file_of "$exercise")"
  task_of "$exercise" | fold -s -w "$(tput cols)"
}

# stop_check: ends the check that runs, with all of its processes.
check=''
stop_check() {
  if [[ -z $check ]]; then return 0; fi # in a trap, a bare return has the status of the command before the trap
  kill -TERM -- "-$check" 2>/dev/null || true
  wait "$check" || true
  while kill -0 -- "-$check" 2>/dev/null; do sleep 0.05; done
  check=''
}

# judge [LINES]: the verdict, as many lines as the screen has or as given; and the next exercise if it is right. Saving the file
# again ends the check and begins another one. q quits.
judge() {
  local code=0 key lines=${1:-$(($(tput lines) - 6))}
  version=$(saved)
  set -m # the check is a process group of its own
  (./course check "$exercise" </dev/null | fold -s -w "$(tput cols)" | awk -v lines="$lines" '
    NR <= lines; END { if (NR > lines) print "... (c shows the whole message)" }') &
  check=$!
  set +m
  while kill -0 "$check" 2>/dev/null; do
    key=''
    read -rsn1 -t 0.2 key || [[ $? -gt 128 ]] || exit 0 # not a timeout: the terminal has gone
    if [[ $key == q ]]; then exit 0; fi
    if [[ $(saved) != "$version" && -n $(saved) ]]; then
      stop_check
      clear_screen
      judge "$@"
      return
    fi
  done
  wait "$check" || code=$?
  check=''
  while read -rsn1 -t 0.01; do :; done # the rest of keys that were pressed meanwhile
  if [[ $code -ne 0 || $(saved) != "$version" ]]; then return; fi # saved again meanwhile: the next check is of that
  read_progress
  exercise=$(next_core "$exercise") || exit 0 # finish prints the reason
  printf '\nRight. The next exercise:\n\n'
  show_task
}

# saved: which version of the file is on the disk.
saved() { stat -c '%y %s' "exercises/$(file_of "$exercise")" 2>/dev/null || true; }

# finish: leaves the terminal as it was.
finish() {
  stop_check
  stty "$terminal"
  clear_screen
  read_progress
  say_count
  say_next
}

main() {
  local exercise next key version='' now code
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
  trap finish EXIT
  stty -echo
  clear_screen
  show_task
  echo
  judge
  while true; do
    read_progress
    printf '\n%s Save the file to check it.\nh hint  l list  n next exercise  c check  q quit\n' "$(say_count)"
    key=''
    # Twice a second, since some file systems do not report changes. An editor may replace the file, so it may be missing.
    while code=0 && { read -rsn1 -t 0.5 key || code=$?; } && [[ $code -ne 0 ]]; do
      [[ $code -gt 128 ]] || exit 0 # not a timeout: the terminal has gone
      now=$(saved)
      if [[ -n $now && $now != "$version" ]]; then break; fi
    done
    if [[ $code -ne 0 ]]; then key=save; fi
    case $key in
      save) clear_screen && judge ;;
      c) clear_screen && judge 10000 ;;
      h) echo && say_hint "$exercise" "press h" ;;
      l) clear_screen && ./course list | sed -n "1,${#lessons[@]}p" ;;
      n)
        if next=$(next_core "$exercise"); then exercise=$next; fi # else this one is the last
        clear_screen && show_task
        ;;
      q) exit 0 ;;
      *) while read -rsn1 -t 0.01; do :; done ;; # the rest of an arrow key
    esac
  done
}
