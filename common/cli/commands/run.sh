# shellcheck shell=bash
# shellcheck source=common/cli/program.sh
source common/cli/program.sh

help() {
  cat <<'HELP'
./course run [OPTION]... NAME [OPTION]... [--] [ARGUMENT]...: build and run a program.
  NAME      a lesson (add-list, 3, 03-add-list), another program of its folder (matmul-versions, latency), an
            exercise (add-list/axpby, axpby), or your own CUDA file (try.cu, ~/solver.cu)
  ARGUMENT  is passed to the program: everything after NAME and its options, or after --
  -n RANKS  run an MPI program on this number of ranks (default: 1; in a Slurm job, its number of tasks).
            srun starts the ranks in a Slurm job, mpirun elsewhere. Ranks can share GPUs and cores
  --tool T  run the program under a tool that detects errors: memcheck (accesses outside arrays, memory
            leaks), racecheck (race conditions), initcheck (reads of uninitialised memory), synccheck
            (barriers that not all threads reach), or all four. On a GPU, the tools are those of
            compute-sanitizer, and one line explains each kind of error. Without a GPU, the CPU backend
            has its own tools
  --tool count  count the loads, stores, sectors and bank conflicts of each kernel (only without a GPU)
The exit code is the program's, or 86 if a tool has found an error.
HELP
}

main() {
  local given='' ended='' name tool='' ranks='' file target program libraries launcher
  while [[ $# -gt 0 ]]; do
    case $1 in
      --tool)
        if [[ ${2-} == count ]]; then tool=count; else tool=$(tool_named "${2-}"); fi
        shift 2
        ;;
      --tool=*) set -- --tool "${1#*=}" "${@:2}" ;;
      -n)
        ranks=$(ranks_named "${2-}")
        shift 2
        ;;
      --) ended=yes && shift && break ;;
      *)
        [[ -z $given ]] || break
        [[ $1 != -* ]] || no_option run "$1"
        given=$1
        shift
        ;;
    esac
  done
  [[ -n $given ]] || die "$USAGE" "run needs a name, for example: ./course run add-list"
  find_any "$given"
  if [[ -z $ended && -z $file && " $*" =~ " --tool" ]]; then # a program of the course takes no such argument
    die "$USAGE" "--tool comes before the arguments of the program: ./course run --tool memcheck $given ..."
  fi
  if [[ -n $tool && -f lessons/$name/$target.cpp ]]; then
    die "$USAGE" "$target has no kernel, and the tools check kernels. To check host code, compile it with g++ -g -fsanitize=address"
  fi
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
