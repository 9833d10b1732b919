# Each task of the array checks one file.
exercise=${1:?usage: sbatch --array=1-N jobs/{centre}/check.sh EXERCISE FILE...}
shift
[ -n "${SLURM_ARRAY_TASK_ID:-}" ] || [ $# = 1 ] || { echo "there are $# files: add --array=1-$#" >&2; exit 2; }
task=${SLURM_ARRAY_TASK_ID:-1}
[ "$task" -le $# ] || { echo "task $task of the array has no file: there are $#" >&2; exit 2; }
file=${!task}
[ "${file#/}" != "$file" ] || file=$SLURM_SUBMIT_DIR/$file
name=${file//[[:cntrl:]]/?}
echo "exercise: $exercise, answer: $name"
# The state comes from the exit code, so the output of an answer cannot change it. It is an error until the check has ended.
result=$SLURM_SUBMIT_DIR/check-${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}_$task.result
states=(right wrong error error not-started)
printf 'error %s %s\n' "$exercise" "$name" >"$result"
code=0
./course --backend "$backend" check "$exercise" --file "$file" || code=$?
printf '%s %s %s\n' "${states[code]:-error}" "$exercise" "$name" >"$result"
exit "$code"
