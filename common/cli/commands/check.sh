# shellcheck shell=bash
# shellcheck source=common/cli/progress.sh
source common/cli/progress.sh

help() {
  cat <<'HELP'
./course check [OPTION]... NAME...: test your exercise. If it is wrong, check prints the call, the expected result, the
actual result, and the command that runs only this test case again.
  NAME        all exercises of a lesson (add-list, 3), or one exercise (add-list/axpby, axpby)
  --tool T    test only under a tool: memcheck, racecheck, initcheck, synccheck or all (see ./course run --help)
  --file F    check this file instead of the one in exercises/
  --format F  print the verdicts for a program or a course platform: json, junit, gradescope, classroom50, vpl or csv
Without a GPU, an exercise whose results are right runs again under all tools. If a tool reports an error (a race, a
read of uninitialised memory, ...), the exercise is wrong. On a GPU, the tools run only with --tool.
Exit code: 0 all exercises are right; 1 an exercise is wrong; 4 no exercise is wrong, but one is not started;
3 this machine could not check an exercise: the exercise may be right.
HELP
}

# leave_out_untouched: removes the exercises that are not started from `chosen`, before anything is built, and prints and
# records that. Then `untouched` is 4.
leave_out_untouched() {
  local exercise file begun=() kept
  for exercise in "${chosen[@]}"; do
    if ! is_untouched "$exercise"; then
      begun+=("$exercise")
      continue
    fi
    file=$(file_of "$exercise")
    echo "· $exercise  not started: fill in the TODOs in exercises/$file"
    kept=build/progress/verdicts
    { mkdir -p "$kept/${exercise%/*}" && cp "exercises/$file" "$kept/$file" && echo not-started >"$kept/$exercise.state"; } 2>/dev/null || true
    untouched=4
  done
  chosen=("${begun[@]}")
}

main() {
  local word name lesson='' exercise chosen=() before options=() tool='' file='' format=text verdicts code untouched=0
  require_toolchain && read_registry
  while [[ $# -gt 0 ]]; do
    word=$1
    shift
    name=$(named "$word")
    if [[ $word == --tool=* ]]; then
      set -- --tool "${word#*=}" "$@"
    elif [[ $word == --tool ]]; then
      tool=$(tool_named "${1-}")
      options+=(--tool "$tool")
      shift
    elif [[ $word == --file ]]; then
      file=$(cd "$folder" && readlink -f "${1-}") || true
      [[ ! -d $file ]] || die "$USAGE" "--file takes one file, but '${1-}' is a folder"
      [[ -f $file && -r $file ]] || die "$USAGE" "--file takes one file, but '${1-}' cannot be read"
      options+=(--file "$file")
      shift
    elif [[ $word == --format ]]; then
      [[ ${1-} =~ ^(text|json|junit|gradescope|classroom50|vpl|csv)$ ]] ||
        die "$USAGE" "--format takes text, json, junit, gradescope, classroom50, vpl or csv"
      format=$1
      shift
    elif [[ $word == -* ]]; then
      no_option check "$word"
    elif lesson=$(find_lesson "$name"); then
      before=${#chosen[@]}
      for exercise in "${exercises[@]}"; do
        if [[ ${exercise%/*} == "$lesson" ]]; then chosen+=("$exercise"); fi
      done
      [[ ${#chosen[@]} -gt before ]] || die "$USAGE" "$lesson has no exercises"
    elif exercise=$(find_exercise "$name"); then
      chosen+=("$exercise")
    elif [[ -f $folder/$word || -f $word ]]; then
      die "$USAGE" "to check your own file, name its exercise: ./course check EXERCISE --file $word"
    else
      unknown_name "lesson or exercise" "$name"
    fi
  done
  [[ ${#chosen[@]} -gt 0 ]] || die "$USAGE" "check needs a name, for example: ./course check add-list/axpby"
  [[ -z $file || ${#chosen[@]} -eq 1 ]] || die "$USAGE" "--file needs the name of one exercise, for example: ./course check add-list/axpby --file $file"
  if [[ $format == text && -z $file ]]; then leave_out_untouched; fi
  [[ ${#chosen[@]} -gt 0 ]] || exit "$untouched"
  if [[ $format == text || $format == json ]]; then
    print_verdicts "$format"
  else
    have python3 || die "$MISSING" "--format $format needs python3 (3.6 or newer)"
    set +e # an error ends only the subshell, so that the platform gets an error, too
    verdicts=$(set -e; print_verdicts json)
    code=$?
    python3 common/grader/commands/formats.py "$format" "${chosen[@]}" <<<"$verdicts" || code=$MISSING
    exit "$code"
  fi
}

# print_verdicts FORMAT: checks the chosen exercises. Ends the command.
print_verdicts() {
  local code=0
  choose_backend
  # In a folder that is read only, what is built grades.
  if [[ -w . || ! -x $builds/bin/grader/check ]]; then build_grader; fi
  [[ $1 != text ]] || say "Checking ${chosen[*]} ..."
  "$builds/bin/grader/check" --format "$1" "${options[@]}" "${chosen[@]}" || code=$?
  case $code in
    0) exit "$untouched" ;;
    1 | 4) exit "$code" ;;
    *) exit "$MISSING" ;; # the grader itself failed, or was killed
  esac
}

# build_grader: what grades the exercises of `chosen`.
build_grader() {
  local libraries targets
  read -ra libraries <<<"$(needs "${chosen[@]}")"
  build_failure=$MISSING # an error in the course's own build does not mean that the answer is wrong
  prepare quick "${libraries[@]}"
  offer_second_reader
  targets=("${chosen[@]//\//-}")
  targets=("${targets[@]/#/check-}")
  if [[ $(for exercise in "${chosen[@]}"; do file_of "$exercise"; done) == *.cu* ]] && grep -qs toolkit-instrumented "$builds/build.ninja" &&
    [[ ! -e $builds/toolkit/lib64/libcudart_instrumented.a ]]; then
    # 100 s of processor time, in files of at most 5 s.
    say "The first check also builds the grader and the libraries of the tools. On $(nproc) cores, this takes at least $((100 / $(nproc) + 5)) s. It happens only once."
  fi
  build "${targets[@]}"
}
