# shellcheck shell=bash
# shellcheck source=common/cli/program.sh
source common/cli/program.sh

help() {
  cat <<'HELP'
./course run [OPTION]... NAME [OPTION]... [--] [ARGUMENT]...: build and run a program.
  NAME      a lesson (add-list, 3, 03-add-list), another program of its folder (matmul-versions, latency), an
            exercise (add-list/axpby, axpby), or any CUDA file of yours (try.cu, ~/solver.cu)
  ARGUMENT  goes to the program: all that follows NAME and its options, or --
  -n RANKS  for a program with MPI: on that many ranks (none: 1, or a Slurm job's tasks), by srun inside
            a Slurm job, else by mpirun; ranks may outnumber GPUs and cores, and share them
  --tool T  under a tool, which reports faults: memcheck (memory outside arrays, leaks), racecheck (data
            races), initcheck (reads of uninitialised memory), synccheck (barriers that not all threads
            reach), or all. On a GPU compute-sanitizer's own report, with a line that explains each kind of
            fault; without a GPU the CPU backend's own
  --tool count  counts what each kernel loads and stores, sectors and bank conflicts; without a GPU only
The exit code is the program's; 86 when a tool has found a fault.
HELP
}

main() {
  local given='' name tool='' ranks='' file target program libraries launcher
  while [[ $# -gt 0 ]]; do
    case $1 in
      --tool)
        if [[ ${2-} == count ]]; then tool=count; else tool=$(tool_named "${2-}"); fi
        shift 2
        ;;
      -n)
        ranks=$(ranks_named "${2-}")
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
  find_any "$given"
  launch_with "$ranks"
  choose_backend
  [[ $tool != count || $backend == cpu ]] ||
    die "$USAGE" "--tool count needs the CPU backend: ./course --backend cpu run --tool count $name"

  build_found "$tool"
  if [[ -n $tool && $backend == cuda ]]; then launcher+=("$PWD/common/cli/sanitizer.sh" "$tool"); fi
  case $tool in
    count) export COURSE_CPU_COUNT=- ;;
    ?*) export COURSE_CPU_TOOL=$tool ;;
  esac
  cd "$folder"
  exec "${launcher[@]}" "$program" "$@"
}
