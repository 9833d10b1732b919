# shellcheck shell=bash
help() {
  cat <<'HELP'
./course check [OPTION]... NAME...: is your exercise right? If not: what was asked, what came, and where.
  NAME      all exercises of a lesson (add-list, 3) or one (add-list/axpby, axpby)
  --tool T  only under a tool (memcheck, racecheck, initcheck, synccheck, or all; see ./course run --help)
  --file F  check this file instead of the one in exercises/
  --json    the verdicts as JSON
Without a GPU an answer whose values are right is run again under all tools: where they find a fault (a race,
a read of uninitialised memory, ...), it is wrong. On a GPU the tools run when --tool asks for them.
Exit code: 0 all right, 1 something is wrong, 4 nothing is wrong but something is not started; 2, 3: this machine
could not grade it, which says nothing of your answer.
HELP
}

main() {
  local word name lesson='' exercise chosen=() options=() libraries=() tool='' file='' targets
  require_toolchain && read_registry
  while [[ $# -gt 0 ]]; do
    word=$1
    shift
    name=$(named "$word")
    if [[ $word == --tool ]]; then
      tool=$(tool_named "${1-}")
      options+=(--tool "$tool")
      shift
    elif [[ $word == --file ]]; then
      file=$(cd "$folder" && readlink -f "${1-}") || true
      [[ ! -d $file ]] || die "$USAGE" "--file takes one file, and '${1-}' is a folder"
      [[ -f $file && -r $file ]] || die "$USAGE" "--file takes a file; '${1-}' cannot be read"
      options+=(--file "$file")
      shift
    elif [[ $word == --json ]]; then
      options+=(--json)
    elif [[ $word == -* ]]; then
      no_option check "$word"
    elif lesson=$(find_lesson "$name"); then
      for exercise in "${exercises[@]}"; do
        if [[ ${exercise%/*} == "$lesson" ]]; then chosen+=("$exercise"); fi
      done
    elif exercise=$(find_exercise "$name"); then
      chosen+=("$exercise")
    elif [[ -f $folder/$word || -f $word ]]; then
      die "$USAGE" "$word is a file of yours: ./course check EXERCISE --file $word"
    else
      unknown_name "lesson or exercise" "$name"
    fi
  done
  [[ ${#chosen[@]} -gt 0 ]] || die "$USAGE" "check what? for example: ./course check add-list/axpby"
  [[ -z $file || ${#chosen[@]} -eq 1 ]] || die "$USAGE" "--file is checked as one exercise: give its name"
  read -ra libraries <<<"$(needs "${chosen[@]}")"
  build_failure=2 # the course's own build says nothing of an answer
  prepare ON "${libraries[@]}"
  targets=("${chosen[@]//\//-}")
  targets=("${targets[@]/#/check-}")
  if grep -qs toolkit-instrumented "$builds/build.ninja" &&
    [[ ! -e $builds/toolkit/lib64/libcudart_instrumented.a ]]; then
    # 180 s of processor time, in files of at most 5 s.
    say "The first check also builds what the tools need, once: about $((180 / $(nproc) + 5)) s on $(nproc) cores."
  fi
  build "${targets[@]}"
  "$builds/bin/grader/check" "${options[@]}" "${chosen[@]}"
}
