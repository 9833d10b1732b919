# Which backend is used, and why; sourced.
# shellcheck shell=bash

# find_nvcc: NVIDIA's. In the shell of ./course env the CPU backend's own comes first on the PATH.
find_nvcc() {
  local nvcc
  while read -r nvcc; do
    if [[ -x $nvcc ]] && ! "$nvcc" --version | grep -q 'CPU backend'; then echo "$nvcc" && return; fi
  done < <(echo "${CUDACXX:-}"; type -ap nvcc || true; echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
  return 1
}

toolkit_version() { "$(find_nvcc)" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p'; }
driver_cuda_version() { timeout 20 nvidia-smi | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p'; }
devices() { have nvidia-smi && timeout 20 nvidia-smi -L 2>/dev/null | grep '^GPU'; }

backend='' why=''

# choose_backend: sets backend (cpu or cuda) and why, in words, unless that is done.
# shellcheck disable=SC2034 # read by the commands
choose_backend() {
  [[ -z $backend ]] || return 0
  backend=${COURSE_BACKEND:-}
  why="as asked"
  if [[ -n $backend ]]; then
    [[ $backend == cpu || $backend == cuda ]] ||
      die "$USAGE" "there is no backend '$backend': use cpu or cuda"
  elif ! devices >/dev/null; then
    backend=cpu why="no GPU answers here"
  elif ! find_nvcc >/dev/null; then
    backend=cpu why="there is a GPU, but no nvcc: install the CUDA Toolkit, or module load CUDA"
  else
    local driver toolkit
    driver=$(driver_cuda_version)
    toolkit=$(toolkit_version)
    if [[ ${toolkit%%.*} -gt ${driver%%.*} ]]; then
      backend=cpu why="the driver knows CUDA $driver, the toolkit is $toolkit: load an older toolkit"
    else
      backend=cuda why="a GPU answers, toolkit $toolkit"
    fi
  fi
  if [[ $backend == cuda ]]; then
    CUDACXX=$(find_nvcc) || die "$MISSING" "the cuda backend needs nvcc, and there is none." \
      "  on a cluster: module load CUDA; without a GPU: ./course --backend cpu ..."
    export CUDACXX
  fi
}
