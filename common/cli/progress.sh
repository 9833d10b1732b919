# The learner's exercises: what the last check found, what comes next, task and hints; sourced. ./course check writes the state
# of an exercise, and the file that it checked, to build/progress/verdicts.
# shellcheck shell=bash disable=SC2154 # exercises, of names.sh

# read_progress: sets progress[EXERCISE] to right, wrong, changed (since its check) or untouched, and last_checked.
declare -gA progress=()
last_checked=''
read_progress() {
  local state exercise
  progress=() last_checked=''
  for exercise in "${exercises[@]}"; do progress[$exercise]=untouched; done
  while read -r state; do # the oldest first
    exercise=${state#build/progress/verdicts/} exercise=${exercise%.state}
    [[ -n ${progress[$exercise]-} ]] || continue # no longer an exercise
    case $(<"$state") in
      passed) progress[$exercise]=right ;;
      not-started) progress[$exercise]=untouched ;;
      *) progress[$exercise]=wrong ;;
    esac
    cmp -s "build/progress/verdicts/$(file_of "$exercise")" "exercises/$(file_of "$exercise")" || progress[$exercise]=changed
    if [[ ${progress[$exercise]} != untouched ]]; then last_checked=$exercise; fi
  done < <(ls -tr build/progress/verdicts/*/*.state 2>/dev/null)
}

# parts_of FILE: the text of each blank on a line, then all other text on one line, without spaces. Fails where the marks do
# not match.
parts_of() {
  LC_ALL=C awk '
    { gsub(/[[:space:]]/, "") }
    /^(\/\/|#)TODO[0-9]+:/ { broken = broken || inside; outside = outside $0; inside = 1; count++; next }
    /^(\/\/|#)TODOend$/ { broken = broken || !inside; inside = 0 }
    inside { blank[count] = blank[count] $0; next }
    { outside = outside $0 }
    END { for (i = 1; i <= count; i++) print blank[i]; print outside; exit inside || broken }' "$1"
}

# hash_of TEXT: FNV-1a, as tests/starters.txt has it.
hash_of() {
  local LC_ALL=C i byte value=0xcbf29ce484222325
  for ((i = 0; i < ${#1}; i++)); do
    printf -v byte %d "'${1:i:1}"
    value=$(((value ^ byte & 255) * 0x100000001b3))
  done
  printf '%016x\n' "$value"
}

# is_untouched EXERCISE: whether its file is as it was handed out, ignoring white space. The result is that of as_handed_out in
# common/grader/commands/grading.cpp, without a build. Git does not know: a learner may have committed an answer.
is_untouched() {
  local text blank blanks file solution
  file=$(file_of "$1")
  solution=solutions/$file
  [[ -r exercises/$file ]] || return 1
  text=$(parts_of "exercises/$file") || return 1
  mapfile -t blanks <<<"$text"
  [[ ! -f $solution || ${blanks[-1]} == "$(parts_of "$solution" | tail -n 1)" ]] || return 1
  unset 'blanks[-1]'
  text=$(for blank in "${blanks[@]}"; do echo "$1 $(hash_of "$blank")"; done)
  [[ -n $text && $text == "$(grep "^$1 " tests/starters.txt)" ]]
}

# is_elective LESSON
is_elective() { [[ ${registry[$1 idea]-} == *"(elective)" ]]; }

# next_core [AFTER]: the first core exercise after this one that is not right, or else the first before it; those of electives
# last. Fails if there is none.
next_core() {
  local exercise elective=''
  for exercise in $(printf '%s\n' "${exercises[@]}" | sed -n "\\:^${1-}\$:,\$p") "${exercises[@]}"; do
    if [[ -z ${registry[$exercise core]-} || ${progress[$exercise]} == right || $exercise == "${1-}" ]]; then continue; fi
    if is_elective "${exercise%/*}"; then
      elective=${elective:-$exercise}
    else
      echo "$exercise"
      return 0 # in a trap, a bare return has the status of the command before the trap
    fi
  done
  [[ -n $elective ]] && echo "$elective"
}

# say_count: how many core exercises are right.
say_count() {
  local exercise right=0 all=0
  for exercise in "${exercises[@]}"; do
    [[ -n ${registry[$exercise core]-} ]] || continue
    all=$((all + 1))
    if [[ ${progress[$exercise]} == right ]]; then right=$((right + 1)); fi
  done
  echo "$right of $all core exercises are right."
}

# say_next: the exercise that was checked last, or the next core exercise if that one is right.
say_next() {
  local exercise=$last_checked file
  if [[ -z $exercise ]]; then
    echo "Start with lessons/01-hello-gpu/README.md (new to C++: lessons/00-from-python/README.md):"
    echo "  ./course run hello-gpu"
    return
  fi
  if [[ ${progress[$exercise]} == right ]]; then
    exercise=$(next_core "$exercise") || { echo "All core exercises are right. ./course list --all shows the others." && return; }
  fi
  file=exercises/$(file_of "$exercise")
  case ${progress[$exercise]} in
    wrong) echo "Next: $file is wrong. To see why:" ;;
    changed) echo "Next: $file has changed since its last check. To check it again:" ;;
    *) echo "Next: fill in the TODOs in $file (the task: exercises/${exercise%/*}/README.md). To check it:" ;;
  esac
  echo "  ./course check ${exercise#*-}"
}

# say_where: in a few lines, where the learner is and what comes next.
say_where() {
  read_registry
  read_progress
  echo "A course in GPU computing with CUDA C++: $(say_count)"
  say_next
  echo "./course watch checks an exercise whenever you save it. ./course --help shows all commands."
}

# task_of EXERCISE: the text of its task.
task_of() {
  awk -v name="${1#*/}" '/^## / { on = $0 == "## " name; paragraph = 0 } on && /^$/ { paragraph++ } on && paragraph == 2 && NF' \
    "exercises/${1%/*}/README.md"
}

# hint_of EXERCISE LEVEL: one hint, its title first. Fails if there are not so many.
hint_of() {
  awk -v name="${1#*/}" -v level="$2" '
    /^## / { on = $0 == "## " name }
    on && /^<details><summary>(Hint|One line of code)/ && ++count == level { found = 1; gsub(/<[^>]*>/, ""); print $0 ":"; next }
    found && /^<\/details>/ { exit }
    found && !/^```/
    END { exit !found }' "exercises/${1%/*}/README.md" | cat -s
  return "${PIPESTATUS[0]}"
}

# say_hint EXERCISE [HOW]: one more hint, after those that were shown before; and how to see the next one.
say_hint() {
  local kept=build/progress/verdicts/$1.hints level=0 i file
  if [[ -f $kept ]]; then level=$(<"$kept"); fi
  if hint_of "$1" $((level + 1)) >/dev/null; then
    level=$((level + 1))
    if ! { mkdir -p "${kept%/*}" && echo "$level" >"$kept"; } 2>/dev/null; then
      # Not the learner's folder: how many were shown is not known.
      while hint_of "$1" $((level + 1)) >/dev/null; do level=$((level + 1)); done
    fi
  fi
  for ((i = 1; i <= level; i++)); do hint_of "$1" "$i"; done | fold -s -w "$(tput cols 2>/dev/null || echo 80)"
  if hint_of "$1" $((level + 1)) >/dev/null; then
    echo "One more hint: ${2:-./course hint ${1#*-}}"
  else
    file=solutions/$(file_of "$1")
    echo "These are all hints.$([[ ! -f $file ]] || echo " A solution: $file")"
  fi
}
