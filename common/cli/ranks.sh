#!/bin/bash
# ranks.sh N PROGRAM [ARGUMENT]...: runs an MPI program on N ranks and ends with its exit code, or with 3 if
# this machine cannot start ranks. Inside a Slurm job, srun starts the ranks on all nodes of the job. Elsewhere, mpirun
# starts them on this machine.
set -u

ranks=$1
shift
if [[ -n ${SLURM_JOB_ID:-} ]] && srun --mpi=list 2>&1 | grep -qw pmix; then
  # --overlap: in an interactive job the shell itself is a step, which holds the CPUs and GPUs.
  options=(--overlap --mpi=pmix --kill-on-bad-exit=1 --ntasks="$ranks" --cpus-per-task="${SLURM_CPUS_PER_TASK:-1}")
  [[ $ranks -le ${SLURM_NTASKS:-1} ]] || options+=(--overcommit) # they share its CPUs
  exec srun "${options[@]}" "$@"
fi
if ! command -v mpirun >/dev/null; then
  echo "cannot start MPI ranks: mpirun was not found." >&2
  echo "  Debian, Ubuntu: sudo apt-get install libopenmpi-dev openmpi-bin" >&2
  echo "  on a cluster: module load OpenMPI, built with your compiler (module spider OpenMPI)" >&2
  exit 3
fi

if [[ -r /proc/net/fib_trie ]] && ! grep -qs '127\.0\.0\.1' /proc/net/fib_trie; then
  echo "cannot start MPI ranks: mpirun needs the network interface lo, which is down: ip link set lo up" >&2
  exit 3
fi

# Without Slurm the ranks are on this machine, which need not have ssh.
[[ -n ${SLURM_JOB_ID:-} ]] || export OMPI_MCA_plm=${OMPI_MCA_plm:-isolated}
options=(-n "$ranks")
if mpirun --version 2>&1 | grep -q 'Open MPI'; then
  # More ranks than cores may share them, and a rank may use several.
  options+=(--map-by :OVERSUBSCRIBE --bind-to none)
  [[ $EUID -ne 0 ]] || options+=(--allow-run-as-root)
fi
exec mpirun "${options[@]}" "$@"
