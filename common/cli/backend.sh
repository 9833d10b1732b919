# Which backend is used, and why; sourced.
# shellcheck shell=bash

# find_nvcc: NVIDIA's. In the shell of ./course env the CPU backend's own comes first on the PATH and in CUDA_HOME.
find_nvcc() {
  local nvcc
  while read -r nvcc; do
    if [[ -x $nvcc && $("$nvcc" --version) != *"CPU backend"* ]]; then echo "$nvcc" && return; fi
  done < <(echo "${CUDACXX:-}"; type -ap nvcc || true; echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc"
    if [[ $("${CUDA_HOME:-}/bin/nvcc" --version 2>/dev/null) == *"CPU backend"* ]]; then echo /usr/local/cuda/bin/nvcc; fi)
  return 1
}

# nccl_folder: where NCCL for GPUs is, with include/nccl.h and a library. As libraries.cmake looks for it.
nccl_folder() {
  local folder places=("${NCCL_HOME:-}" "${NCCL_ROOT:-}" "${EBROOTNCCL:-}")
  if folder=$(find_nvcc); then places+=("$(dirname "$(dirname "$(realpath "$folder")")")"); fi
  for folder in "${places[@]}" /usr/local /usr; do
    if [[ -n $folder && -f $folder/include/nccl.h ]] &&
      { compgen -G "$folder/lib*/libnccl.so" || compgen -G "$folder/lib/*/libnccl.so"; } >/dev/null; then
      echo "$folder" && return
    fi
  done
  return 1
}

toolkit_version() { "$(find_nvcc)" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p'; }
driver_cuda_version() { timeout 20 nvidia-smi | sed -n 's/.*CUDA Version: *\([0-9.][0-9.]*\).*/\1/p'; }
devices() { have nvidia-smi && timeout 20 nvidia-smi -L 2>/dev/null | grep '^GPU'; }

# capabilities: the compute capabilities of the GPUs here, as in sm_90: one for each kind.
capabilities() {
  timeout 20 nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
    sed -n 's/^\([0-9][0-9]*\)\.\([0-9]\)[[:space:]]*$/sm_\1\2/p' | sort -u
}

# A program that is built for one processor or GPU does not run on another, and a cluster may have several kinds that
# share this folder. Each kind has its own build folder, such as build/cpu, build/cpu-aarch64, build/cuda-sm_90.
processor=$(uname -m)
cpu_builds=build/cpu
[[ $processor == x86_64 ]] || cpu_builds+=-$processor
backend='' why='' builds=''

# choose_backend: sets backend (cpu or cuda), why, in words, and the build folder, unless that is done.
# shellcheck disable=SC2034 # read by the commands
choose_backend() {
  [[ -z $backend ]] || return 0
  backend=${COURSE_BACKEND:-}
  why="as requested"
  if [[ -n $backend ]]; then
    [[ $backend == cpu || $backend == cuda ]] ||
      die "$USAGE" "there is no backend '$backend': use cpu or cuda"
  elif ! devices >/dev/null; then
    backend=cpu why="no GPU was found"
  elif ! find_nvcc >/dev/null; then
    backend=cpu why="there is a GPU, but no nvcc: install the CUDA Toolkit; on a cluster: module load CUDA"
  else
    local driver toolkit
    driver=$(driver_cuda_version) || true
    toolkit=$(toolkit_version)
    if [[ -n $driver && ${toolkit%%.*} -gt ${driver%%.*} ]]; then
      backend=cpu why="the driver supports CUDA $driver, but the toolkit is $toolkit: load an older toolkit"
    else
      backend=cuda why="GPU found, toolkit $toolkit"
    fi
  fi
  if [[ $backend == cuda ]]; then
    CUDACXX=$(find_nvcc) || die "$MISSING" "the cuda backend needs nvcc, which was not found." \
      "  on a cluster: module load CUDA; without a GPU: ./course --backend cpu ..."
    export CUDACXX
  fi
  builds=$cpu_builds
  [[ $backend == cpu ]] || choose_cuda_folder
}

# choose_cuda_folder: sets builds for the kinds of GPUs here; without a GPU (a login node) build/cuda, which course.cmake
# compiles for several kinds.
choose_cuda_folder() {
  local capability known cure
  builds=${cpu_builds/cpu/cuda}
  known=$("$CUDACXX" --list-gpu-arch 2>/dev/null | sed -n 's/^compute_\([0-9][0-9]*\)$/\1/p' | sort -n) || true
  for capability in $(capabilities); do
    if [[ -n $known ]] && ! grep -qx "${capability#sm_}" <<<"$known"; then
      cure="an older"
      if [[ ${capability#sm_} -gt ${known##*$'\n'} ]]; then cure="a newer"; fi
      die "$MISSING" "the GPU is $capability, but CUDA $(toolkit_version) compiles only for sm_${known%%$'\n'*} to sm_${known##*$'\n'}." \
        "  load $cure toolkit: module spider CUDA"
    fi
    builds+=-$capability
  done
}
