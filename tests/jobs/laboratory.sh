#!/usr/bin/env bash
# The practice cluster, as far as it needs no Slurm: the ports that it takes, and what its stop removes.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
lab=jobs/lab/lab

# free_ports BLOCK...: what the function finds while all its blocks of 200 ports are in use but these.
free_ports() {
  stand_in awk <<END
for ((block = 0; block < 75; block++)); do
  [[ " $* " == *" \$block "* ]] || printf '%04X\n' \$((17000 + block * 200 + 3))
done
END
  PATH=$tmp/bin:$PATH bash -c 'set -euo pipefail; die() { echo "${*:2}"; exit "$1"; }
    source <(sed -n "/^free_ports()/,/^}/p" "$1") && free_ports' bash $lab
}
for turn in {1..10}; do
  is "the only free block of ports, turn $turn" $((17000 + 42 * 200)) "$(free_ports 42)"
done
is "no free block of ports" "there are no 200 free ports between 17000 and 32000" "$(free_ports)"

# stop FOLDER: sets status and output.
stop() {
  output=$(COURSE_LAB=$1 $lab stop 2>&1)
  status=$?
}
mkdir "$tmp/mine"
stop "$tmp/mine"
is "stop with somebody's folder: status" 2 "$status"
is "stop with somebody's folder" "lab: $tmp/mine is not a practice cluster: nothing is deleted" "$output"
is "stop with somebody's folder: it stays" yes "$([ -d "$tmp/mine" ] && echo yes)"
mkdir "$tmp"/mine/{munge,dev,home,course}
stop "$tmp/mine"
is "stop: status ($output)" 0 "$status"
is "stop: the folder is gone" no "$([ -e "$tmp/mine" ] || echo no)"
stop "$tmp/mine"
is "stop twice: status ($output)" 0 "$status"

# A start that fails ends what it has started, and does not wait for it.
mkdir -p "$tmp"/mine/{munge,dev,home,course}
# shellcheck disable=SC2016 # for the shell inside
timeout 20 bash -c 'set -euo pipefail; COURSE_LAB=$2 parts=(munge dev home course); user() { id -un; }
  source <(sed -n "/^command_stop()/,/^}/p" "$1")
  COURSE_LAB_PROCESS=$2 sleep 60 & command_stop' bash $lab "$tmp/mine"
is "stop with a child: status" 0 $?
is "stop with a child: the folder is gone" no "$([ -e "$tmp/mine" ] || echo no)"

for folder in relative "$tmp/a b"; do
  stop "$folder"
  is "COURSE_LAB=$folder: status" 2 "$status"
  has "COURSE_LAB=$folder" "an absolute path without spaces" "$output"
done
finish
