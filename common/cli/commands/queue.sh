# shellcheck shell=bash
program=lessons/19-queue-time/queue-time.py

help() {
  cat <<'HELP'
./course queue [OPTION]...: show how long jobs wait at this centre. Run it on a login node. It is the program of lesson 19.
The command only reads data: it calls sacct once, for the jobs of all users. sacct reads the accounting database, so the
scheduler has no extra work. If the centre refuses so many jobs, choose one week with -S. To use records from a file:
./course run queue-time FILE

HELP
  python3 "$program" --help
}

main() {
  have python3 || die "$MISSING" "python3 was not found: on a cluster: module load Python"
  sacct --version >/dev/null 2>&1 || die "$MISSING" "this machine is not part of a Slurm cluster: run ./course queue on a login node." \
    "  to use records from a file: ./course run queue-time lessons/19-queue-time/sample.txt.gz" \
    "  to practise: ./course slurm-lab start --accounting scc"
  program=$PWD/$program
  cd "$folder"
  exec python3 "$program" "$@"
}
