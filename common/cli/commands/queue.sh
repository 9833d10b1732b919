# shellcheck shell=bash
# shellcheck source=common/cli/program.sh
source common/cli/program.sh

help() {
  cat <<'HELP'
./course queue [OPTION]...: show how long jobs wait at this centre. Run it on a login node. It is the program of lesson 19.
  -p PARTITION,...   only these partitions (default: all)
  -it FIRST,FACTOR   size classes: the upper bound of the first class, and the factor to the next bound (default: 4,4)
  -m                 size classes in GB hours instead of CPU hours
  -S FROM  -E TO     jobs that became eligible between these times: 2026-10-01 or 2026-10-01T08:30:00, in UTC
                     (default: the last 30 days). If the centre refuses so many jobs, choose one week
  --plot FILE.svg    draw the results as a picture
The command only reads data: it calls sacct once, for the jobs of all users. sacct reads the accounting database, so the
scheduler has no extra work. To use records from a file: ./course run queue-time FILE
HELP
}

main() {
  local name target file program libraries
  have sacct || die "$MISSING" "sacct was not found: run ./course queue on the login node of a Slurm cluster." \
    "  to use records from a file: ./course run queue-time lessons/19-queue-time/sample.txt.gz" \
    "  to practise: ./course slurm-lab start --accounting scc"
  find_any queue-time
  choose_backend
  build_found ''
  cd "$folder"
  exec "$program" "$@"
}
