#!/bin/bash
# The strong scaling of the Jacobi iteration over the GPUs of one host: the ways of the ladder on 1, 2, 4, ... GPUs, and
# NVIDIA's examples beside them, as one table of seconds. Each figure is the median of three runs.
#
# Build: the ladder, by the Build: line of jacobi-nccl-versions.cu
# Run:   lessons/16-jacobi-nccl/scaling.sh ./versions GPUS [COLUMNSxROWSxSTEPSxEVERY]...
#
# EVERY: steps from one residual to the next. NVIDIA_EXAMPLES names the folder of multi_gpu_programming_models whose
# nccl, nccl_overlap and nccl_graphs are built (CUDA 13: BUILD_SM_ARCH=90 and -std=c++17); without it they are left out.
set -euo pipefail

ranks_of=$(dirname "$(readlink -f "$0")")/../../common/cli/ranks.sh
readonly ranks_of
readonly ways=(staged overlapped nccl nccl-overlapped graph wide-2 wide-5 wide-10 wide-10-graph)
readonly examples=(nccl nccl_overlap nccl_graphs)

if [[ ! -x ${1:-} || ! ${2:-} =~ ^[1-9][0-9]*$ ]]; then
  echo "usage: $0 PROGRAM GPUS [COLUMNSxROWSxSTEPSxEVERY]..., for example $0 ./versions 4 2048x2046x1000x100" >&2
  exit 2
fi
ladder=$1 gpus=$2
shift 2
meshes=("$@")
[[ $# -gt 0 ]] ||
  meshes=(16384x16382x1000x100 16384x16382x1000x1 32768x32766x1000x100 2048x2046x1000x100)
for mesh in "${meshes[@]}"; do
  if [[ ! $mesh =~ ^[1-9][0-9]*(x[1-9][0-9]*){3}$ ]]; then
    echo "not COLUMNSxROWSxSTEPSxEVERY: $mesh" >&2
    exit 2
  fi
done

work=$(mktemp -d)
touch "$work/times"
trap 'print_table; rm -rf "$work"' EXIT # also of what was measured before the script was stopped
trap 'exit 130' INT TERM

# measure RANKS MESH: adds lines "MESH WAY RANKS SECONDS" to $work/times, of one run.
measure() {
  local ranks=$1 mesh=$2 columns rows steps every example
  IFS=x read -r columns rows steps every <<<"$mesh"
  rm -f "$work/figures"
  if ! COURSE_FIGURES=$work/figures "$ranks_of" "$ranks" "$ladder" \
    "$columns" "$rows" "$steps" "$every" "${ways[@]}" >"$work/log" 2>&1; then
    cat "$work/log" >&2
    exit 1
  fi
  [[ -s $work/times ]] || grep '^device:' "$work/log"
  awk -F'\t' -v mesh="$mesh" -v ranks="$ranks" '{ print mesh, $2, ranks, $7 }' "$work/figures" >>"$work/times"
  [[ -n ${NVIDIA_EXAMPLES:-} ]] || return 0
  for example in "${examples[@]}"; do
    # Their -ny counts the two rows of the boundary; -csv: one line, the seconds last but one, and no norm of their own.
    if ! "$ranks_of" "$ranks" "$NVIDIA_EXAMPLES/$example/jacobi" -csv \
      -nx "$columns" -ny $((rows + 2)) -niter "$steps" -nccheck "$every" >"$work/log" 2>&1; then
      cat "$work/log" >&2
      exit 1
    fi
    awk -F', *' -v key="$mesh NVIDIA:$example $ranks" 'NF == 9 { print key, $8 }' "$work/log" >>"$work/times"
  done
}

counts=()
for ((ranks = 1; ranks <= gpus; ranks *= 2)); do counts+=("$ranks"); done

# print_table: the medians of $work/times.
print_table() {
  awk -v counts="${counts[*]}" '
    { row = $1 " " $2; at = row SUBSEP $3 }
    !(row in seen) { seen[row] = 1; rows[++n] = row }
    { for (k = ++runs[at]; k > 1 && time[at, k - 1] > $4; --k) time[at, k] = time[at, k - 1]; time[at, k] = $4 }
    function median(at) { return time[at, int((runs[at] + 1) / 2)] }
    END {
      if (n == 0) exit
      last = split(counts, count, " ")
      printf "%-24s %-20s", "mesh x steps x every", "way"
      for (c = 1; c <= last; ++c) printf " %10s", count[c] (count[c] == 1 ? " GPU, s" : " GPUs, s")
      print "   speed-up"
      for (r = 1; r <= n; ++r) {
        split(rows[r], name, " ")
        printf "%-24s %-20s", name[1], name[2]
        for (c = 1; c <= last; ++c) {
          at = rows[r] SUBSEP count[c]
          printf " %10s", at in runs ? sprintf("%.4g", median(at)) : "-"
        }
        if (rows[r] SUBSEP 1 in runs && at in runs && median(at) > 0)
          printf " %10.2f", median(rows[r] SUBSEP 1) / median(at)
        print ""
      }
    }' "$work/times"
}

for mesh in "${meshes[@]}"; do
  for ranks in "${counts[@]}"; do
    for run in 1 2 3; do
      echo "$mesh, GPUs: $ranks, run $run of 3 ..." >&2
      measure "$ranks" "$mesh"
    done
  done
done
