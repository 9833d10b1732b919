#!/bin/bash -l
# {lesson} on {system}, GPU: {gpu}. Submit it from the course's folder:
#
#     {submit}
#
# jobs/render writes this file from jobs/template.sh, centres.conf and lessons.conf: change it there.
#
#SBATCH --job-name={lesson}
#SBATCH --output={output} # the output, in the folder where you type sbatch
#SBATCH --account=your-account # not a real account: give yours with -A or SBATCH_ACCOUNT
#SBATCH --time={time} # time limit: Slurm ends the job; a shorter limit may start earlier
#SBATCH --nodes={nodes} # nodes (computers)
#SBATCH --ntasks-per-node={gpus} # processes on each node: one per GPU
#SBATCH --cpus-per-task={cpus} # CPUs of each process: at most its GPU's share of the node
{resources}

set -euo pipefail # the first command that fails ends the job
: "${SLURM_JOB_ID:?this is a batch script: submit it with sbatch}"

# Slurm starts a copy of this file in the folder where you typed sbatch: the course is that folder, or one above it.
until [ -f course ] || [ "$PWD" = / ]; do cd ..; done
[ -f course ] || { echo "sbatch was typed outside the course: cd to its folder first, or add --chdir=FOLDER" >&2; exit 1; }

module purge # "The following modules were not unloaded" is not an error
module load {modules}

# Print the node and its GPUs. Without a GPU the job ends here, whatever COURSE_BACKEND is. The practice cluster has no GPU,
# so it sets a variable of its own.
backend=${COURSE_PRACTICE_BACKEND:-cuda}
echo "node: $(hostname)"
[ "$backend" != cuda ] || nvidia-smi --list-gpus

{commands}
