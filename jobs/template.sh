#!/bin/bash -l
# {lesson} on {system}, GPU: {gpu}. Submit it from the course's folder:
#
#     {submit}
#
# jobs/render writes this file from jobs/template.sh, centres.conf and lessons.conf: change it there.
#
#SBATCH --job-name={lesson}
#SBATCH --output={output} # the output, in the folder where you type sbatch
#SBATCH --account=your-account # Slurm refuses this name: yours comes from -A or SBATCH_ACCOUNT
#SBATCH --time={time} # Slurm ends the job after this time; a shorter one waits less
#SBATCH --nodes={nodes} # computers, which Slurm calls nodes
#SBATCH --ntasks-per-node={gpus} # processes on each node: one per GPU
#SBATCH --cpus-per-task={cpus} # CPUs of each process: at most its GPU's share of the node
{resources}

set -euo pipefail # the first command that fails ends the job

# Slurm starts a copy of this file in the folder where you typed sbatch: the course is that folder, or one above it.
until [ -f course ] || [ "$PWD" = / ]; do cd ..; done
[ -f course ] || { echo "sbatch was typed outside the course: cd to its folder first, or add --chdir=FOLDER" >&2; exit 1; }

module purge # "The following modules were not unloaded" is no error
module load {modules}

# Which node, which GPU? Without a GPU the job ends here, but in the practice cluster, which sets COURSE_BACKEND.
backend=${COURSE_BACKEND:-cuda}
echo "node: $(hostname)"
[ "$backend" != cuda ] || nvidia-smi --list-gpus

{commands}
