#!/bin/bash
# {lesson} on {system}, GPU: {gpu}. Submit it from the course's folder:
#
#     sbatch -A {account} jobs/{centre}/{lesson}.sh
#
# jobs/render writes this file from jobs/template.sh, centres.conf and lessons.conf: change it there.
#
#SBATCH --job-name={lesson}
#SBATCH --output=%x-%j.out        # the output, in the folder where you type sbatch
#SBATCH --account=your-account    # Slurm refuses this name: yours comes from -A or SBATCH_ACCOUNT
#SBATCH --time={time}
#SBATCH --nodes={nodes}
#SBATCH --ntasks-per-node={gpus}
#SBATCH --cpus-per-task={cpus}
{resources}

set -euo pipefail # the first command that fails ends the job

# Slurm runs a copy of this file, so the course is looked for upward from where you typed sbatch.
root=${SLURM_SUBMIT_DIR:-$PWD}
until [ -f "$root/course" ]; do
  [ "$root" != / ] || { echo "sbatch was typed outside the course: cd to its folder first" >&2; exit 1; }
  root=$(dirname "$root")
done
cd "$root"

module purge
module load {modules}

# Which node, which GPU? Without a GPU the job ends here.
backend=${COURSE_BACKEND:-cuda}
echo "node: $(hostname)"
[ "$backend" != cuda ] || nvidia-smi --list-gpus

{commands}
