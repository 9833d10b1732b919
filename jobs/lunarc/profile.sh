#!/bin/bash -l
# profile on COSMOS (LUNARC, Lund), GPU: A100. Submit it from the course's folder:
#
#     sbatch -A luYYYY-N-NN jobs/lunarc/profile.sh PROGRAM
#
# jobs/render writes this file from jobs/template.sh, centres.conf and lessons.conf: change it there.
#
#SBATCH --job-name=profile
#SBATCH --output=%x-%j.out              # the output, in the folder where you type sbatch
#SBATCH --account=your-account          # not a real account: give yours with -A or SBATCH_ACCOUNT
#SBATCH --time=00:20:00                 # time limit: Slurm ends the job; a shorter limit may start earlier
#SBATCH --nodes=1                       # nodes (computers)
#SBATCH --ntasks-per-node=1             # processes on each node: one per GPU
#SBATCH --cpus-per-task=48              # CPUs of each process: at most its GPU's share of the node
#SBATCH --partition=gpua100             # the nodes with GPUs have their own queue
#SBATCH --gres=gpu:1                    # GPUs on each node

set -euo pipefail # the first command that fails ends the job
: "${SLURM_JOB_ID:?this is a batch script: submit it with sbatch}"

# Slurm starts a copy of this file in the folder where you typed sbatch: the course is that folder, or one above it.
until [ -f course ] || [ "$PWD" = / ]; do cd ..; done
[ -f course ] || { echo "sbatch was typed outside the course: cd to its folder first, or add --chdir=FOLDER" >&2; exit 1; }

module purge # "The following modules were not unloaded" is not an error
module load GCC/12.3.0 CUDA/12.1.1 CMake/3.26.3 Ninja/1.11.1

# Print the node and its GPUs. Without a GPU the job ends here, whatever COURSE_BACKEND is. The practice cluster has no GPU,
# so it sets a variable of its own.
backend=${COURSE_PRACTICE_BACKEND:-cuda}
echo "node: $(hostname)"
[ "$backend" != cuda ] || nvidia-smi --list-gpus

# Two reports on a program, in a folder of this job: the timeline (nsys), and the counters of its kernels (ncu).
program=${1:?usage: sbatch jobs/lunarc/profile.sh PROGRAM [ARGUMENT]...}
shift
[ ! -f "$SLURM_SUBMIT_DIR/$program" ] || program=$SLURM_SUBMIT_DIR/$program # a file of your own
course=$PWD/course reports=$SLURM_SUBMIT_DIR/profile-$SLURM_JOB_ID status=0
mkdir -p "$reports"
cd "$reports"
"$course" --backend "$backend" profile "$program" -- "$@" || status=$?
"$course" --backend "$backend" profile --kernels "$program" -- "$@" || status=$? # no permission: see lesson 13
echo
echo "Type these lines on your own computer. Nsight Systems and Nsight Compute need no GPU there:"
echo "  scp -r ${USER:-USER}@cosmos.lunarc.lu.se:$reports ."
echo "  nsys-ui $(basename "$reports")/*.nsys-rep"
echo "  ncu-ui $(basename "$reports")/*.ncu-rep"
exit "$status"
