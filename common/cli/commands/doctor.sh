# shellcheck shell=bash
help() { echo "./course doctor: what this machine has, and which backend is used and why."; }

# first_line COMMAND...: the first line of what it says; "not found" where it is not there.
first_line() { if have "$1"; then "$@" 2>&1 | sed -n '1p'; else echo "not found"; fi; }

# compiles CODE OPTION...: says "found" where the compiler takes both.
compiles() { "$(compiler)" -x c++ - -o /dev/null "${@:2}" <<<"$1" 2>/dev/null && echo found; }

# doctor_nccl: the library for GPUs.
doctor_nccl() {
  local folder version
  if ! folder=$(nccl_folder); then
    row NCCL "not found (needed for a GPU only: libnccl-dev of NVIDIA's repository; on a cluster: module load NCCL)"
    return
  fi
  version=$(sed -nE 's/^#define NCCL_(MAJOR|MINOR|PATCH) +([0-9]+).*/\2/p' "$folder/include/nccl.h" | xargs | tr ' ' .)
  row NCCL "$version, $folder"
}

# doctor_mpi: which MPI, who starts its ranks, whether it takes device pointers, ranks against GPUs.
doctor_mpi() {
  local aware gpus
  if ! have mpirun; then
    row MPI "not found (lessons that need it install it; on a cluster: module load OpenMPI)"
    return
  fi
  row MPI "$(first_line mpirun --version), $(readlink -f "$(command -v mpirun)")"
  have mpicxx || row "" "no mpicxx: nothing can be compiled for it (Debian, Ubuntu: libopenmpi-dev)"
  aware=$(ompi_info --parsable -l 9 --all 2>/dev/null | sed -n 's/.*:mpi_built_with_cuda_support:value:\(.*\)/\1/p') || true # MPICH has none
  case $aware in
    true) row "" "CUDA-aware: takes device pointers (./course run jacobi-mpi-versions -n 2 compares)" ;;
    false) row "" "not CUDA-aware: halos go through the host" ;;
    *) row "" "CUDA-aware: unknown; ./course run jacobi-mpi-versions -n 2 tells" ;;
  esac
  if [[ -n ${SLURM_JOB_ID:-} ]]; then
    row "" "in a Slurm job: srun starts ranks where it knows pmix ($(srun --mpi=list 2>&1 | xargs)), else mpirun"
  fi
  gpus=$({ devices || true; } | wc -l)
  if [[ $gpus -gt 0 ]]; then
    row "" "ranks: one for each GPU, so -n $gpus on this machine; more ranks share the GPUs"
  else
    row "" "ranks: they share the $(nproc) cores of the CPU backend"
  fi
}

# doctor_python: that of the lessons, and which libraries it imports.
doctor_python() {
  local python
  if ! python=$(course_python); then
    row Python "none for the lessons yet: ./course run python-interop makes it"
    return
  fi
  row Python "$("$python" --version | cut -d ' ' -f 2), $python"
  row "" "$("$python" - <<'CODE'
from importlib import import_module
found = []
for name in ["numpy", "pybind11", "mpi4py", "cupy", "numba", "torch"]:
    try:
        found.append(f"{name} {import_module(name).__version__}")
    except ImportError:
        found.append(f"no {name}")
print(", ".join(found))
CODE
  )"
}

# doctor_libraries: those of the registry that CMake did not find.
doctor_libraries() {
  local missing
  missing=$(xargs 2>/dev/null <"$builds/missing.txt") || { echo "known after the first ./course run" && return; }
  missing=${missing:+not found: $missing (./course run installs what a program needs, or says how)}
  echo "${missing:-all that lessons need}"
}

main() {
  local name version nvcc centre slurm=''
  no_arguments doctor "$@"
  row() { printf '%-14s %s\n' "$1" "$2"; }
  row system "$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release 2>/dev/null), $(uname -m)"
  row processor "$(nproc) cores, $(awk '/MemAvailable/ { printf "%.1f", $2 / 1048576 }' \
    /proc/meminfo) GiB of memory free"
  row disk "$(free_megabytes .) MB free here"
  for name in g++ clang++ cmake; do row "$name" "$(first_line "$name" --version)"; done
  row ninja "$(first_line ninja --version)"
  for name in Catch2 nlohmann_json CLI11; do
    version=$(package_version $name)
    row $name "${version:-not found (check, test and bench install it)}"
  done
  if nvcc=$(find_nvcc); then nvcc="$(toolkit_version), $nvcc"; fi
  row "CUDA Toolkit" "${nvcc:-not found (needed for a GPU only)}"
  row GPUs "$(devices | sed '2,$s/^/               /' || echo "none answers (nvidia-smi)")"
  if devices >/dev/null; then row driver "knows CUDA $(driver_cuda_version)"; fi
  doctor_nccl
  doctor_mpi
  doctor_python
  row pictures "$(compiles '#include <stb/stb_image_write.h>' -c ||
    echo "no stb_image_write (Debian, Ubuntu: libstb-dev): lessons draw none")"
  row animations "$(command -v img2webp || echo "no img2webp (Debian, Ubuntu: webp): lessons leave frames only")"
  if have sbatch; then
    slurm=$(sbatch --version 2>/dev/null || echo "installed, but this machine is part of no cluster")
  fi
  row Slurm "${slurm:-not found}"
  # shellcheck source=jobs/facts.sh
  . jobs/facts.sh
  if centre=$(this_centre); then
    row centre "$(fact "$centre" system): its scripts and its page are in jobs/$centre"
  fi
  choose_backend
  row backend "$backend ($why), built in $builds"
  row libraries "$(doctor_libraries)"
  row isolation "$("$builds/bin/grader/check" --isolation 2>/dev/null ||
    echo "of what is checked: known after the first ./course check")"
}
