# shellcheck shell=bash
help() {
  cat <<'HELP'
./course slurm-lab start [--accounting] [CENTRE]...   start a practice cluster on this machine: Slurm with
                                           the centre's partitions. --accounting adds sacct (needs MariaDB).
                                           The centre scc is the cluster of lesson 19, with four partitions
./course slurm-lab exec CENTRE [COMMAND]   run a command as on the centre's login node. Without a command:
                                           open a shell; its prompt shows the name of the centre
./course slurm-lab stop                    stop the practice cluster and delete its files
HELP
}

main() {
  if [[ ! ${1-} =~ ^(start|exec|stop)$ ]]; then help >&2 && exit "$USAGE"; fi
  if [[ $1 == start ]]; then require_slurm "${@:2}"; fi
  exec jobs/lab/lab "$@"
}
