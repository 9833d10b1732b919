# shellcheck shell=bash
help() {
  cat <<'HELP'
./course slurm-lab start [--accounting] [CENTRE]...   a Slurm like the centre's, on this machine, to
                                           practise; --accounting: with sacct (needs MariaDB);
                                           scc: the cluster of lesson 19, with four partitions
./course slurm-lab exec CENTRE [COMMAND]   a command as on its login node; none: a shell, whose
                                           prompt names the centre
./course slurm-lab stop                    end it, and remove everything
HELP
}

main() {
  if [[ ! ${1-} =~ ^(start|exec|stop)$ ]]; then help >&2 && exit "$USAGE"; fi
  exec jobs/lab/lab "$@"
}
