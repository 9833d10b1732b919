# Each task of the array checks one file.
exercise=${1:?usage: sbatch --array=1-N jobs/{centre}/check.sh EXERCISE FILE...}
shift
task=${SLURM_ARRAY_TASK_ID:-1}
[ "$task" -le $# ] || { echo "task $task of the array has no file: there are $#" >&2; exit 2; }
file=${!task}
[ "${file#/}" != "$file" ] || file=$SLURM_SUBMIT_DIR/$file
echo "exercise: $exercise, answer: $file"
code=0
./course --backend "$backend" check "$exercise" --file "$file" || code=$?
# The state comes from the exit code, so the output of an answer cannot change it.
states=(right wrong error error not-started)
printf '%s %s %s\n' "${states[code]:-error}" "$exercise" "${file//[[:cntrl:]]/?}" \
  >"$SLURM_SUBMIT_DIR/check-${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}_$task.result"
exit "$code"
