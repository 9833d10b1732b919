# shellcheck shell=bash
# shellcheck source=common/cli/program.sh
source common/cli/program.sh

help() {
  cat <<'HELP'
./course queue [OPTION]...: how long do jobs wait at this centre? Lesson 19's program, on a login node.
  -p PARTITION,...   these partitions (none: all)
  -it FIRST,FACTOR   classes of size: the first bound, and the factor to the next (none: 4,4)
  -m                 classes by GB hours instead of CPU hours
  -S FROM  -E TO     jobs that became eligible in between: 2026-10-01 or 2026-10-01T08:30:00, in UTC
                     (none: the last 30 days). Where the centre refuses so many, ask for a week
  --plot FILE.svg    how the waits are distributed, and the forecasts, as a picture
It reads only: one call of sacct, for the jobs of all users. sacct asks the accounting database; the controller,
which schedules jobs, is not asked. Records in a file: ./course run queue-time FILE
HELP
}

main() {
  local name target file program libraries
  have sacct || die "$MISSING" "there is no sacct here: ./course queue is for the login node of a Slurm cluster." \
    "  records in a file: ./course run queue-time lessons/19-queue-time/sample.txt.gz" \
    "  to practise: ./course slurm-lab start --accounting scc"
  find_any queue-time
  choose_backend
  build_found ''
  cd "$folder"
  exec "$program" "$@"
}
