#!/bin/bash
# sanitizer.sh TOOL PROGRAM [ARGUMENT]...: runs a program on a GPU under compute-sanitizer, shows its report as it is, and
# explains each kind of error in one line, "TOOL: ...". TOOL: memcheck, racecheck, initcheck, synccheck, or all: one run
# per tool; the output of the program itself is shown in the first run only. Exit code: 86 if an error is reported, else the
# program's; 3 if compute-sanitizer is missing or fails itself.
set -u

readonly FAULTS=86 MISSING=3

# explain TOOL REPORT: one line for each kind of error in a report.
explain() {
  local pattern meaning lines=0
  while IFS='|' read -r pattern meaning; do
    grep -q "$pattern" "$2" || continue
    echo "$1: $meaning"
    lines=$((lines + 1))
  done <<'END'
is out of bounds|A thread reads or writes outside all arrays. Often: the guard `if (i < n)` is missing, an index is too large by one, or the kernel got a host pointer.
is misaligned|A thread reads or writes several bytes at once, at an address that is not a multiple of this size. Example: the address of a float4 must be a multiple of 16 bytes.
Uninitialized |A kernel or a copy reads device memory that was never written. Often: a copy to the device, a cudaMemset or a kernel is missing, or fills only a part of the array.
Race reported |Two threads access the same element of shared memory, at least one of them writes, and nothing orders them. Often: a __syncthreads is missing between the two lines (within one warp, a __syncwarp is enough), or an atomic operation is needed.
Barrier error|Not all threads reach the same barrier. Often: a __syncthreads in a branch that only some threads of the block take.
process didn't terminate|Host code crashed. Often: host code uses a device pointer. Copy the array with cudaMemcpy first.
Program hit |A CUDA call returned an error. If this tool also reports another error, this one is only its consequence.
Leaked |Device memory was never freed: a cudaFree is missing, or the program ended before its cudaFree because of another error.
END
  ((lines > 0)) || echo "$1: The report is explained at https://docs.nvidia.com/compute-sanitizer"
}

PATH+=${CUDACXX:+:${CUDACXX%/*}}${CUDA_HOME:+:$CUDA_HOME/bin}:/usr/local/cuda/bin
command -v compute-sanitizer >/dev/null || {
  echo "compute-sanitizer was not found: it is part of the CUDA Toolkit (on a cluster: module load CUDA)" >&2
  exit "$MISSING"
}
tools=("$1")
[[ $1 != all ]] || tools=(memcheck racecheck initcheck synccheck)
shift
report=$(mktemp) || exit "$MISSING"
trap 'rm -f "$report"' EXIT

code=0 found=''
exec 3>&1 4>&2 # for the program
for tool in "${tools[@]}"; do
  # Not every program uses CUDA: one rank of a job may not.
  options=(--tool "$tool" --log-file "$report" --error-exitcode "$FAULTS" --print-limit 10 --require-cuda-init no)
  [[ $tool != memcheck ]] || options+=(--leak-check full)
  : >"$report"
  status=0
  compute-sanitizer "${options[@]}" "$@" >&3 2>&4 3>&- 4>&- || status=$?
  exec 3>/dev/null 4>&3 # no output of the other runs
  cat "$report" >&2
  faults='SUMMARY: [1-9]' # if the program itself fails, its exit code hides compute-sanitizer's
  [[ $tool != memcheck ]] || faults+="\|process didn't terminate"
  if ((status == FAULTS)) || grep -q "$faults" "$report"; then
    explain "$tool" "$report" >&2
    found=1
  elif ! grep -q 'SUMMARY: \|before first instrumented API call' "$report"; then
    echo "$tool: compute-sanitizer failed with exit code $status" >&2
    status=$MISSING
  fi
  ((code != 0)) || code=$status
done
[[ -z $found ]] || code=$FAULTS
exit "$code"
