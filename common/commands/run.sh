# shellcheck shell=bash
help() {
  cat <<'HELP'
./course run [OPTION]... NAME [OPTION]... [--] [ARGUMENT]...: build and run a program.
  NAME      a lesson (add-list, 3, 03-add-list), another program of its folder (matmul-ladder, latency), an
            exercise (add-list/axpby, axpby), or any CUDA file of yours (try.cu, ~/solver.cu)
  ARGUMENT  goes to the program: all that follows NAME and its options, or --
  -n RANKS  for a program with MPI: on that many ranks (none: 1, or a Slurm job's tasks), by srun inside
            a Slurm job, else by mpirun; ranks may outnumber GPUs and cores, and share them
  --tool T  under a tool, which reports faults: memcheck (memory outside arrays, leaks), racecheck (data
            races), initcheck (reads of uninitialised memory), synccheck (barriers that not all threads
            reach), or all. On a GPU compute-sanitizer's, without one the CPU backend's own
  --tool count  counts what each kernel loads and stores, sectors and bank conflicts; without a GPU only
The exit code is the program's; 86 when a tool has found a fault.
HELP
}

# up_to_date PROGRAM COMMAND: whether PROGRAM was built by this command, and no file that it read has changed.
up_to_date() {
  local rule file files=()
  [[ -x $1 && -e $1.d && $(cat "$1.command" 2>/dev/null) == "$2" ]] || return 1
  rule=$(<"$1.d") # of make: TARGET: FILE...
  rule=${rule#*: }
  rule=${rule//$'\\\n'/ }
  rule=${rule//'\ '/$'\x01'}
  read -d '' -ra files <<<"${rule//'$$'/$}" || true
  for file in "${files[@]//$'\x01'/ }"; do
    file=${file//'\#'/#}
    if [[ ! -e $file || $file -nt $1.command ]]; then return 1; fi
  done
}

# build_own FILE TOOL: builds a .cu file that is none of the course's, with a TOOL for the backend's tools;
# sets program. It lies below the build folder, in a folder with the file's path.
build_own() {
  local name command place=$PWD/$builds/own$1
  local options=(-O3 "-Xcompiler=-Wall,-Wno-sign-compare,-Wno-unused-variable,-Wno-unused-but-set-variable")
  say "backend: $backend ($why)"
  if [[ $backend == cuda ]]; then
    nvcc=$CUDACXX
    # With lines of kernels and of host code, for compute-sanitizer and the profilers.
    options+=(-arch=native -lineinfo -Xcompiler=-g1 -lcublas -lcurand)
  else
    if [[ -n $2 ]]; then
      place=$PWD/$builds/own-instrumented$1
      options[0]=--instrument
      build_toolkit instrumented
    else
      build_toolkit
    fi
    if [[ -e $cpu_builds/toolkit/lib64/libcublas_static.a ]]; then options+=(-lcublas); fi
  fi
  name=$(basename "$1" .cu)
  program=$place/$name
  mkdir -p "$place" 2>/dev/null || die "$MISSING" "cannot write to $place"
  command=("$nvcc" -std=c++17 -I "$PWD" "${options[@]}" -MD -MF "$program.d" "$1" -o "$program")
  lock_folder
  # The compiler is a file that the program was made from, too.
  if [[ $nvcc -nt $program.command ]] || ! up_to_date "$program" "${command[*]}"; then
    say "Compiling $1 ..."
    rm -f "$program.command"
    echo "${command[*]}" >"$program.command.new" # older than what changes while it compiles
    "${command[@]}" >&2 || build_failed "$1 was not built: the compiler's first message above names the line"
    mv "$program.command.new" "$program.command"
  fi
  unlock_folder
}

main() {
  local given='' name tool='' ranks='' file='' lesson exercise target='' program=''
  local libraries=() launcher=()
  while [[ $# -gt 0 ]]; do
    case $1 in
      --tool)
        if [[ ${2-} == count ]]; then tool=count; else tool=$(tool_named "${2-}"); fi
        shift 2
        ;;
      -n)
        [[ ${2-} =~ ^[1-9][0-9]{0,3}$ ]] || die "$USAGE" "-n takes a number of ranks, such as -n 4"
        ranks=$2
        shift 2
        ;;
      --) shift && break ;;
      *)
        [[ -z $given ]] || break
        [[ $1 != -* ]] || no_option run "$1"
        given=$1
        shift
        ;;
    esac
  done
  [[ -n $given ]] || die "$USAGE" "run what? for example: ./course run add-list"
  name=$(named "$given")
  if lesson=$(find_lesson "$name"); then
    target=${lesson#*-} program=$target name=$lesson
  elif lesson=$(find_program "$name"); then
    target=$name program=$name name=$lesson
  elif exercise=$(find_exercise "$name"); then
    target=exercise-${exercise/\//-} program=exercises/${exercise#*/} name=$exercise
  elif [[ $given == *.cu ]]; then
    file=$(cd "$folder" && realpath -m "$given")
    [[ -f $file ]] || die "$USAGE" "there is no file $file"
  else
    unknown_name "lesson or exercise" "$name"
  fi
  if [[ -z $file ]]; then read -ra libraries <<<"$(registry needs "$name")"; fi
  if [[ " ${libraries[*]} " == *" mpi "* ]]; then
    launcher=("$PWD/common/ranks.sh" "${ranks:-${SLURM_NTASKS:-1}}")
  elif [[ -n $ranks ]]; then
    die "$USAGE" "$name is one process: -n is for programs with MPI"
  fi
  choose_backend
  [[ $tool != count || $backend == cpu ]] ||
    die "$USAGE" "--tool count needs the CPU backend: ./course --backend cpu run --tool count $name"

  if [[ -n $file ]]; then
    build_own "$file" "$tool"
  else
    prepare OFF "${libraries[@]}"
    if [[ -n $tool && $backend == cpu ]]; then target=$target-instrumented program=instrumented/$program; fi
    build "$target"
    program=$PWD/$builds/bin/$program
  fi
  if [[ -n $tool && $backend == cuda ]]; then
    configure OFF
    build course-sanitizer
    launcher+=("$PWD/$builds/bin/tools/course-sanitizer" "$tool")
  fi
  case $tool in
    count) export COURSE_CPU_COUNT=- ;;
    ?*) export COURSE_CPU_TOOL=$tool ;;
  esac
  cd "$folder"
  exec "${launcher[@]}" "$program" "$@"
}
