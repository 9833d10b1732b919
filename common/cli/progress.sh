# The learner's progress. ./course check stores a state for each exercise, and the file that it checked, in verdicts/ of
# the build folder; sourced.
# shellcheck shell=bash disable=SC2154 # exercises, of names.sh

# progress_of EXERCISE: done, wrong, changed (since then), or untouched.
progress_of() {
  local states judged
  mapfile -t states < <(ls -t build/*/verdicts/"$1".state 2>/dev/null)
  [[ ${#states[@]} -gt 0 ]] || { echo untouched && return; }
  judged=${states[0]%.state}.cu
  if ! cmp -s "$judged" "exercises/$1.cu"; then
    echo changed
  else
    case $(<"${states[0]}") in
      passed) echo 'done' ;;
      not-started) echo untouched ;;
      *) echo wrong ;;
    esac
  fi
}

# last_checked: the exercise of the newest verdict.
last_checked() {
  local states name
  mapfile -t states < <(ls -t build/*/verdicts/*/*.state 2>/dev/null)
  [[ ${#states[@]} -gt 0 ]] || return 1
  name=${states[0]#build/*/verdicts/}
  echo "${name%.state}"
}

# say_next: what to do now: the exercise that was checked last, or the first after it that is not done.
say_next() {
  local last='' exercise name
  last=$(last_checked) || {
    echo "Start with lessons/01-hello-gpu/README.md (new to C++: lessons/00-from-python/README.md):"
    echo "  ./course run hello-gpu"
    return
  }
  for exercise in $(printf '%s\n' "${exercises[@]}" | sed -n "\\:^$last\$:,\$p") "${exercises[@]}"; do
    name=${exercise#*-}
    case $(progress_of "$exercise") in
      done) continue ;;
      wrong) echo "Next: exercises/$exercise.cu is wrong. To see why:" ;;
      changed) echo "Next: exercises/$exercise.cu has changed since its last check. To check it again:" ;;
      *) echo "Next: fill in the TODOs in exercises/$exercise.cu (the task: exercises/${exercise%/*}/README.md). To check it:" ;;
    esac
    echo "  ./course check $name"
    return
  done
  echo "All exercises are done."
}

# say_where: in a few lines, where the learner is and what comes next.
say_where() {
  local exercise count=0
  read_registry
  for exercise in "${exercises[@]}"; do
    if [[ $(progress_of "$exercise") == 'done' ]]; then count=$((count + 1)); fi
  done
  echo "A course in GPU computing with CUDA C++: $count of ${#exercises[@]} exercises done."
  say_next
  echo "./course list shows all lessons and exercises. ./course --help shows all commands."
}
