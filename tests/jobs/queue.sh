#!/usr/bin/env bash
# ./course queue on the login node of a cluster: jobs of each kind that lesson 19 speaks of, and what it makes of them.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

laboratory --accounting scc
on() { $lab exec scc "$@" 2>&1; }
submit() { on sbatch --parsable -o /dev/null -t 10 "$@"; }

# wait_for STATE JOB: until squeue has it in that state, or 30 s.
wait_for() {
  local tries
  for ((tries = 0; tries < 60; tries++)); do
    [[ $(on squeue -h -t all -o %T -j "$2") != "$1" ]] || return 0
    sleep 0.5
  done
  on squeue -t all
}

# Both nodes of fat are taken, so these wait: one until it is cancelled, one for fat or gpu, all of which is taken, too,
# and tasks of an array.
all=$(submit -p fat -N 2 --exclusive --wrap "sleep 300")
submit -p gpu -N 2 --exclusive --wrap "sleep 300" >"$tmp/gpu"
wait_for RUNNING "$all"
impatient=$(submit -p fat --wrap true)
submit -p fat,gpu --wrap true >"$tmp/either"
submit -p fat --array=1-5 --wrap true >"$tmp/array"
submit -p fat --array=1-99:2 --wrap true >"$tmp/step" # 50 tasks
# These start.
submit -p medium --wrap "sleep 1" >"$tmp/plain"
submit -p medium -n 1 --exclusive --wrap "sleep 1" >"$tmp/exclusive"
submit -p int -c 4 --wrap "sleep 1" >"$tmp/int"
first=$(submit -p int --wrap "sleep 2")
after=$(submit -p int -d "afterok:$first" --wrap true)
submit -p medium --array=1-3%1 --wrap "sleep 1" >"$tmp/limited"
printf '#!/bin/bash\n#SBATCH -o /dev/null -t 10 -p medium\n#SBATCH hetjob\n#SBATCH -p int\nsleep 1\n' >"$COURSE_LAB/course/het.sh"
on sbatch --parsable het.sh >"$tmp/het"
held=$(submit -p medium -H --wrap true)
submit -p medium -H --wrap true >"$tmp/held" # and stays so
lost=$(submit -p medium --requeue --wrap "sleep 300")
wait_for RUNNING "$lost"
on scontrol requeuehold "$lost" # its second record stays held
on scontrol release "$held"
on scancel "$impatient"
wait_for COMPLETED "$after"
wait_for COMPLETED "$held"
has "int takes no job of 5 CPUs" "More processors requested than permitted" "$(on sbatch -p int -c 5 --wrap true)"
has "int takes no job of 3 hours" "time limit is invalid" "$(on sbatch -p int -t 3:00:00 --wrap true)"

said=$(on ./course queue)
# Started: two that are exclusive, and one that is so in medium; plain; int; the two of the dependency; three tasks; two
# parts; the held one; the lost one, once. sacct leaves out what is held, and for two minutes the lost one's second record,
# which waits after that: so 3 wait, or 4.
for ((try = 0; try < 20; try++)); do # a record reaches the database some seconds later, in parts
  [[ $said != *"14 jobs started; "[34]" still wait; 1 were cancelled"* ]] || break
  sleep 1
  said=$(on ./course queue)
done
echo "$said"
has "what became of the jobs" "records: 14 jobs started; " "$said"
has "who gave up" " still wait; 1 were cancelled while they waited" "$said"
has "the empty classes of int" " NA                       NA" "$(grep '^int ' <<<"$said")"
has "the program's verdict" PASS "$(tail -n 1 <<<"$said")"
has "tasks that wait share a line, and count as many" "(57)" "$(grep '^fat ' <<<"$said")"
has "a job for two partitions counts in both" "(2)" "$(grep '^gpu ' <<<"$said")"
has "a partition that does not exist" "no job was in a partition 'nonexistent'" \
  "$(on ./course queue -p nonexistent)"
said=$(on ./course queue -p medium,gpu,int -it 4,4 -m -S 2020-01-01 --plot waits.svg)
is "the options of the program ($(tail -n 3 <<<"$said"))" "picture: waits.svg" "$(grep '^picture' <<<"$said")"

# The controller is not asked.
controller=$(<"$COURSE_LAB/scc/run/slurmctld.pid")
on scontrol shutdown
timeout 60 tail --pid="$controller" -f /dev/null
has "no controller answers" "Unable to contact slurm controller" "$(on timeout 60 squeue)"
has "sacct does" PASS "$(on ./course queue | tail -n 1)"
finish
