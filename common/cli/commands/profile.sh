# shellcheck shell=bash
# shellcheck source=common/cli/program.sh
source common/cli/program.sh

help() {
  cat <<'HELP'
./course profile [--kernels] NAME [-n RANKS] [--] [ARGUMENT]...: show where a program spends its time, as a timeline.
  NAME, -n, ARGUMENT   as in ./course run
  --kernels            print metrics of each kernel instead of the timeline. On a GPU, ncu measures the first 200
                       launches, and writes NAME.ncu-rep. Open this file with ncu-ui. Without a GPU, this counts
                       work like ./course run --tool count
On a GPU, nsys records the timeline, prints tables and writes NAME.nsys-rep. Open this file with nsys-ui.
In three cases the course records the timeline itself: without a GPU, for MPI programs, and if nsys is missing or fails.
Then the timeline has kernels, copies, waits, NVTX ranges and the MPI functions Send, Recv, Isend, Irecv, Sendrecv, Wait,
Waitall, Barrier, Bcast, Reduce, Allreduce, Gather and Allgather. The course prints a table, draws timeline.svg, and
writes timeline.json. Open timeline.json at https://ui.perfetto.dev.
The exit code is the program's.
HELP
}

# The time, the five numbers of lesson 13 (memory throughput, compute throughput, pipes, sectors, occupancy), its stalls
# and bank conflicts. All exist from compute capability 7.5 to 10.0.
readonly KERNEL_METRICS=(
  gpu__time_duration.sum
  dram__throughput.avg.pct_of_peak_sustained_elapsed
  lts__throughput.avg.pct_of_peak_sustained_elapsed
  l1tex__throughput.avg.pct_of_peak_sustained_active
  sm__throughput.avg.pct_of_peak_sustained_elapsed
  sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active
  sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active
  sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active
  sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active
  l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio
  l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio
  sm__warps_active.avg.pct_of_peak_sustained_active
  smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio
  smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio
  smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio
  l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum
)

# profiler NAME: the path of nsys or ncu, which may be next to nvcc.
profiler() { type -P "$1" || { [[ -x ${CUDACXX%/*}/$1 ]] && echo "${CUDACXX%/*}/$1"; }; }

# record COMMAND...: runs the command, records its timeline and draws it.
record() {
  local recorders=() cupti code=0
  configure none
  build timeline
  if [[ $backend == cuda ]]; then
    build cupti-timeline
    cupti=$PWD/$builds/bin/tools/libcupti-timeline.so
    recorders+=("CUDA_INJECTION64_PATH=$cupti"
      "NVTX_INJECTION64_PATH=$(ldd "$cupti" | sed -n 's/^.*libcupti\.so[^ ]* => \(.*\) (0x[0-9a-f]*)$/\1/p')")
  fi
  if [[ ${#launcher[@]} -gt 0 ]]; then
    build mpi-timeline
    recorders+=("LD_PRELOAD=$PWD/$builds/bin/tools/libmpi-timeline.so")
  fi
  records=$(mktemp -d "$PWD/$builds/timeline.XXXXXX") # all nodes of a job can write here
  trap 'rm -rf "$records"' EXIT                       # also after Ctrl-C
  (cd "$folder" && "${launcher[@]}" env COURSE_TIMELINE="$records" "${recorders[@]}" "$@") || code=$?
  (cd "$folder" && "$OLDPWD/$builds/bin/tools/timeline" "$records") || code=${code/#0/1}
  return "$code"
}

main() {
  local given='' name ranks='' kernels='' tool report metrics code=0 file target program libraries launcher
  while [[ $# -gt 0 ]]; do
    case $1 in
      --kernels) kernels=yes && shift ;;
      -n)
        ranks=$(ranks_named "${2-}")
        shift 2
        ;;
      --) shift && break ;;
      *)
        [[ -z $given ]] || break
        [[ $1 != -* ]] || no_option profile "$1"
        given=$1
        shift
        ;;
    esac
  done
  [[ -n $given ]] || die "$USAGE" "profile needs a name, for example: ./course profile profiling"
  find_any "$given"
  launch_with "$ranks"
  choose_backend
  if [[ -n $kernels && $backend == cpu ]]; then
    build_found count
    cd "$folder"
    COURSE_CPU_COUNT=- exec "${launcher[@]}" "$program" "$@"
  fi
  build_found ''
  if [[ -n $kernels ]]; then
    tool=$(profiler ncu) || die "$MISSING" "ncu (Nsight Compute) was not found: it is part of the CUDA Toolkit." \
      "  on a cluster: module load CUDA; without a GPU: ./course --backend cpu profile --kernels $given"
    report=$folder/${program##*/}.ncu-rep metrics=$(IFS=, && echo "${KERNEL_METRICS[*]}")
    rm -f "$report"
    (cd "$folder" && "${launcher[@]}" "$tool" --set basic --metrics "$metrics" --launch-count 200 --export "$report" \
      "$program" "$@") || code=$?
    if [[ -f $report ]]; then
      "$tool" --import "$report" --page raw --metrics "$metrics" --print-summary per-kernel
      say "wrote $report; open it with ncu-ui"
    fi
    exit "$code"
  fi
  if [[ $backend == cpu || ${#launcher[@]} -gt 0 ]]; then
    record "$program" "$@"
  elif ! tool=$(profiler nsys); then
    say "nsys (Nsight Systems) was not found: the course records the timeline itself."
    record "$program" "$@"
  else
    report=$folder/${program##*/}
    rm -f "$report.nsys-rep"
    (cd "$folder" && "$tool" profile --trace=cuda,nvtx --output="$report" --force-overwrite=true --stats=true \
      "$program" "$@") || code=$?
    if [[ -f $report.nsys-rep ]]; then
      say "wrote $report.nsys-rep; open it with nsys-ui"
      exit "$code"
    fi
    say "nsys wrote no report: the course runs the program again and records the timeline itself."
    record "$program" "$@"
  fi
}
