# shellcheck shell=bash
help() { echo "./course doctor: show what this machine has installed, which backend the course uses and why, and what to do."; }

# first_line COMMAND...: the first line of its output, or "not found".
first_line() { if have "$1"; then "$@" 2>&1 | sed -n '1p'; else echo "not found"; fi; }

# doctor_nccl: the library for GPUs.
doctor_nccl() {
  local folder
  folder=$(nccl_folder) || { echo "not found (needed only with a GPU: libnccl-dev from NVIDIA's repository; on a cluster: module load NCCL)" && return; }
  echo "$(sed -nE 's/^#define NCCL_(MAJOR|MINOR|PATCH) +([0-9]+).*/\2/p' "$folder/include/nccl.h" | xargs | tr ' ' .), $folder"
}

# doctor_mpi: the MPI library, how its ranks are started, whether it is CUDA-aware, the number of ranks and GPUs.
doctor_mpi() {
  local aware gpus
  if ! have mpirun; then
    row MPI "not found (./course run installs it if a lesson needs it; on a cluster: module load OpenMPI)"
    return
  fi
  row MPI "$(first_line mpirun --version), $(readlink -f "$(command -v mpirun)")"
  have mpicxx || row "" "mpicxx not found: MPI programs cannot be compiled (Debian, Ubuntu: libopenmpi-dev)"
  aware=$(ompi_info --parsable -l 9 --all 2>/dev/null | sed -n 's/.*:mpi_built_with_cuda_support:value:\(.*\)/\1/p') || true # MPICH has none
  case $aware in
    true) row "" "CUDA-aware: accepts device pointers (to compare the speed: ./course run jacobi-mpi-versions -n 2)" ;;
    false) row "" "not CUDA-aware: the lessons copy halos through the host" ;;
    *) row "" "CUDA-aware: unknown (to test it: ./course run jacobi-mpi-versions -n 2)" ;;
  esac
  if [[ -n ${SLURM_JOB_ID:-} ]]; then
    row "" "in a Slurm job: srun starts the ranks if it supports pmix ($(srun --mpi=list 2>&1 | xargs)), otherwise mpirun"
  fi
  gpus=$({ devices || true; } | wc -l)
  if [[ $gpus -gt 0 ]]; then
    row "" "ranks: one per GPU, so -n $gpus on this machine; more ranks share the GPUs"
  else
    row "" "ranks: all ranks share $(nproc) cores (CPU backend)"
  fi
}

# doctor_python: the lessons' Python, and the libraries that it can import.
doctor_python() {
  local python
  if ! python=$(course_python); then
    row Python "the lessons' virtual environment does not exist yet: ./course run python-interop creates it"
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

# doctor_libraries: the libraries of the registry that CMake did not find.
doctor_libraries() {
  local missing
  missing=$(xargs 2>/dev/null <"$builds/missing.txt") || { echo "unknown until the first ./course run" && return; }
  missing=${missing:+not found: $missing (./course run installs the libraries of a program, or prints how to install them)}
  echo "${missing:-all libraries of the lessons were found}"
}

# doctor_findings: what stops or slows down the course on this machine. Each line ends with the command to type.
doctor_findings() {
  local driver toolkit older="module spider CUDA" packages name=${PWD##*/}
  if [[ $(free_megabytes .) -lt 2000 ]]; then
    echo "less than 2 GB are free here, and the builds need up to 500 MB each. To delete earlier builds: ./course clean"
  fi
  if [[ $(uname -r) == *[Mm]icrosoft* ]]; then # WSL
    if [[ $PWD == /mnt/[a-z]/* ]]; then
      echo "the course is on a Windows drive, where builds are slow and links are missing. To move it: cp -r ${PWD@Q} ~ && cd ~/${name@Q}"
    fi
    packages=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' libcuda1 'libnvidia-compute-*' 'nvidia-driver-*' 2>/dev/null |
      sed -n 's/^ii *//p' | xargs) || true
    if [[ -n $packages ]]; then
      echo "an NVIDIA driver for Linux is installed, but WSL uses the driver of Windows. To remove it: sudo apt-get purge $packages"
    elif [[ ! -e /usr/lib/wsl/lib/libcuda.so.1 ]]; then
      echo "no NVIDIA driver for Windows was found. If this machine has an NVIDIA GPU, install the driver in Windows, then type in PowerShell: wsl --shutdown"
    fi
  fi
  if ! find_nvcc >/dev/null; then
    if have module; then
      echo "the CUDA Toolkit is not loaded, and a GPU needs it: module load ${modules:-GCC CUDA CMake Ninja}"
    fi
  elif devices >/dev/null && driver=$(driver_cuda_version) && toolkit=$(toolkit_version) && ! at_least "${driver:-99}" "$toolkit"; then
    have module || older="sudo apt-get install cuda-toolkit-${driver/./-}"
    if [[ ${toolkit%%.*} == "${driver%%.*}" ]]; then
      echo "the toolkit ($toolkit) is newer than the driver (CUDA $driver). Minor version compatibility: programs work if nvcc compiled them for this GPU, as ./course does. Code that is only PTX fails with error 222 (nvcc -arch=compute_NN, Numba). For an older toolkit: $older"
    else
      echo "the toolkit ($toolkit) is newer than the driver (CUDA $driver), and no program that it compiles runs. For an older toolkit: $older"
    fi
  fi
}

main() {
  local name version nvcc centre modules='' slurm=''
  no_arguments doctor "$@"
  row() { printf '%-14s %s\n' "$1" "$2"; }
  row system "$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release 2>/dev/null), $(uname -m)"
  row processor "$(nproc) cores, $(awk '/MemAvailable/ { printf "%.1f", $2 / 1048576 }' \
    /proc/meminfo) GiB of memory free"
  row disk "$(free_megabytes .) MB free here"
  for name in g++ clang++ cmake ninja; do row "$name" "$(first_line "$name" --version)"; done
  for name in Catch2 nlohmann_json CLI11; do
    version=$(package_version $name)
    row $name "${version:-not found (check, test and bench install it)}"
  done
  if nvcc=$(find_nvcc); then nvcc="$(toolkit_version), $nvcc"; fi
  row "CUDA Toolkit" "${nvcc:-not found (needed only with a GPU)}"
  row GPUs "$(devices | sed '2,$s/^/               /' || echo "none found (nvidia-smi)")"
  if devices >/dev/null; then row driver "supports CUDA $(driver_cuda_version)"; fi
  row NCCL "$(doctor_nccl)"
  doctor_mpi
  doctor_python
  row pictures "$("$(compiler)" -x c++ -fsyntax-only - <<<'#include <stb/stb_image_write.h>' 2>/dev/null && echo found ||
    echo "stb_image_write not found (Debian, Ubuntu: libstb-dev): lessons draw no pictures")"
  if have sbatch; then
    slurm=$(sbatch --version 2>/dev/null || echo "installed, but this machine is not part of a cluster")
  fi
  row Slurm "${slurm:-not found}"
  # shellcheck source=jobs/facts.sh
  . jobs/facts.sh
  if centre=$(this_centre); then
    row centre "$(fact "$centre" system); its scripts and its page are in jobs/$centre"
    modules=$(fact "$centre" modules)
  fi
  choose_backend
  row backend "$backend ($why), built in $builds"
  row libraries "$(doctor_libraries)"
  row isolation "$("$builds/bin/grader/check" --isolation 2>/dev/null ||
    echo "unknown until the first ./course check")"
  doctor_findings | while read -r name; do row "to do" "$name"; done
}
