#!/usr/bin/env bash
# jobs/submit: what it hands to sbatch, and what it says when it cannot.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

stand_in sbatch <<'END'
if [[ $* == *wrong-project* ]]; then
  echo "sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified" >&2
  exit 1
fi
if [[ $* == *--help* ]]; then echo "Usage: sbatch" && exit; fi
echo 4711
END

# submit [ARGUMENT]...: sets status, output and calls.
path=$tmp/bin:$PATH
submit() {
  rm -f "$tmp/calls"
  output=$(cd "$tmp" && env -u SBATCH_ACCOUNT ${account:+SBATCH_ACCOUNT="$account"} PATH="$path" "$root/submit" "$@" 2>&1)
  status=$?
  calls=$(cat "$tmp/calls" 2>/dev/null)
}
# In a copy of the course: jobs write their output where it lies.
mkdir "$tmp/copy"
cp -r jobs common "$tmp/copy"
root=$tmp/copy/jobs account=

# The job of the stand-in waits, runs, and ends as $ENDS says (forgotten: Slurm no longer knows it); its output is where
# $STDOUT says.
stand_in scontrol <<'END'
turn=$(grep -c '^scontrol' "$(dirname "$0")/../calls")
case $turn in
  [1-3]) state=PENDING ;;
  [4-5]) state=RUNNING ;;
  [6-7]) state=COMPLETING ;;
  *) [[ ${ENDS-} != forgotten ]] || exit 1; state=${ENDS-COMPLETED} ;;
esac
echo "JobId=4711 JobState=$state Reason=Priority NodeList=b-cn1601 StdOut=$STDOUT Power= "
END
stand_in sleep </dev/null

for form in "-A hpc2n2026-001" "-Ahpc2n2026-001" "--account=hpc2n2026-001" "--account hpc2n2026-001"; do
  # shellcheck disable=SC2086 # words
  submit hpc2n add-list $form --time=00:05:00
  is "with $form: status ($output)" 0 "$status"
  is "with $form: what sbatch gets" "sbatch --parsable $form --time=00:05:00 jobs/hpc2n/add-list.sh" "$(head -n 1 <<<"$calls")"
  has "with $form: the job's number" "submitted: job 4711" "$output"
done
account=uppmax2026-1-1
submit uppmax add-list
is "with SBATCH_ACCOUNT: what sbatch gets" "sbatch --parsable jobs/uppmax/add-list.sh" "$(head -n 1 <<<"$calls")"

printf 'one\nPASS\n' >"$tmp/copy/add-list-4711.out"
for ends in COMPLETED FAILED; do
  ENDS=$ends submit uppmax add-list --wait
  is "--wait, $ends: status ($output)" "$([ $ends = COMPLETED ] && echo 0 || echo 1)" "$status"
  is "--wait, $ends: sbatch is not told" "sbatch --parsable jobs/uppmax/add-list.sh" "$(head -n 1 <<<"$calls")"
  is "--wait, $ends: what is said" "waits (Priority)
running on b-cn1601" "$(sed -n '2,3p' <<<"$output")"
  has "--wait, $ends: how it ended" "job 4711: $ends" "$output"
  is "--wait, $ends: the output" PASS "$(tail -n 1 <<<"$output")"
done
ENDS=forgotten submit uppmax add-list --wait
is "--wait, a forgotten job: status ($output)" 0 "$status"
has "--wait, a forgotten job: how it ended" "job 4711: ended" "$output"
printf 'elsewhere\nPASS\n' >"$tmp/else where.out"
STDOUT="$tmp/else where.out" submit uppmax add-list --wait --output=elsewhere.out
has "--wait with --output: the output" $'elsewhere\nPASS' "$output"
submit uppmax add-list --time 5 -- 1000 --fast
is "arguments for the program: what sbatch gets" "sbatch --parsable --time 5 jobs/uppmax/add-list.sh 1000 --fast" "$(head -n 1 <<<"$calls")"
for form in 1000 "--time=5 1000" "--time 5 1000" "--wait 1000" "--test-only 1000"; do
  # shellcheck disable=SC2086 # words
  submit uppmax add-list $form
  is "a bare argument, $form: status ($output)" 2 "$status"
  has "a bare argument, $form: the cure" "./course submit uppmax add-list ... -- 1000" "$output"
done
submit Pelle add-list
is "a system's name: what sbatch gets" "sbatch --parsable jobs/uppmax/add-list.sh" "$(head -n 1 <<<"$calls")"
submit NSC add-list
is "a centre in capitals: what sbatch gets" "sbatch --parsable jobs/nsc/add-list.sh" "$(head -n 1 <<<"$calls")"
submit uppmax check --array=1-3
is "check without answers: status" 2 "$status"
has "check without answers: the cure" "./course submit uppmax check -- add-list/axpby answers/*.cu" "$output"
submit uppmax check --array=2 -- axpby a.cu /class/b.cu
is "check: what sbatch gets, the answers as seen from where it is given" \
  "sbatch --parsable --array=2 jobs/uppmax/check.sh axpby $tmp/a.cu /class/b.cu" "$(head -n 1 <<<"$calls")"
submit uppmax check -- axpby /class/a.cu /class/b.cu
is "check without --array: a task for each answer" "sbatch --parsable --array=1-2 jobs/uppmax/check.sh axpby /class/a.cu /class/b.cu" "$(head -n 1 <<<"$calls")"
submit uppmax add-list --help
is "sbatch's own help" "Usage: sbatch" "$output"
submit uppmax add-list --time
is "an option without its value: status ($output)" 2 "$status"
has "an option without its value" "--time needs a value" "$output"
submit uppmax add-list -A -- 1000
is "an option without its value, before --: status ($output)" 2 "$status"

# An array: until all tasks have ended, then the outputs of all. $ENDS has a state for all tasks, or one for each.
sed -i '/^echo "JobId/,$d' "$tmp/bin/scontrol"
cat >>"$tmp/bin/scontrol" <<'END'
tasks=(1 2)
read -ra last <<<"$state"
if [ "$turn" -lt 4 ]; then tasks=(4294967294); fi
for task in "${tasks[@]}"; do
  if [ "$task" = 2 ] && [ "$turn" -lt 9 ]; then state=RUNNING; else state=${last[task - 1]-$last}; fi
  echo "JobId=4711 JobState=$state Reason=None NodeList=n1 StdOut=$STDOUT/a b-$task.out Power= "
done
END
for task in 1 2; do echo "task $task" >"$tmp/a b-$task.out"; done
STDOUT=$tmp submit uppmax check --wait -- axpby /class/a.cu /class/b.cu
is "an array with --wait: status ($output)" 0 "$status"
has "an array with --wait: where the outputs are" "the output: $tmp/a b-*.out" "$output"
has "an array with --wait: the outputs" $'task 1\ntask 2' "$output"
for ends in "FAILED COMPLETED" "COMPLETED FAILED"; do
  ENDS=$ends STDOUT=$tmp submit uppmax check --wait -- axpby /class/a.cu /class/b.cu
  is "an array with --wait, $ends: status ($output)" 1 "$status"
  has "an array with --wait, $ends: how it ended" "job 4711: FAILED" "$output"
done
account=

submit hpc2n add-list
is "without an account: status" 2 "$status"
has "without an account: its form there" "hpc2nYYYY-NNN" "$output"
has "without an account: the cure" "./course submit hpc2n add-list -A NAME" "$output"
is "without an account: nothing is submitted" "" "$calls"

submit hpcn add-list -A x
is "a centre misspelt: status" 2 "$status"
has "a centre misspelt" "there is no centre 'hpcn'" "$output"
submit hpc2n addlist -A x
is "a lesson misspelt: status" 2 "$status"
has "a lesson misspelt" "there is no script for hpc2n 'addlist'" "$output"
submit hpc2n
is "too few arguments: status" 2 "$status"
has "too few arguments: the centres" "hpc2n uppmax lunarc nsc palmetto" "$output"

submit hpc2n add-list -A wrong-project
is "refused by Slurm: status" 1 "$status"
has "refused by Slurm: its own words" "Invalid account" "$output"
has "refused by Slurm: where to read on" "jobs/hpc2n/README.md" "$output"
for form in --gpus=2 "--gpus 2" "-G 2" -G2; do
  # shellcheck disable=SC2086 # words
  submit hpc2n add-list -A wrong-project $form
  has "refused with $form: what to override" "Use --gpus-per-node=2 instead" "$output"
done
submit hpc2n add-list -A wrong-project --gpus-per-node=2
has "refused with --gpus-per-node: where to read on" "jobs/hpc2n/README.md" "$output"
stand_in hostname <<<"echo login1.cosmos.lunarc.lu.se"
submit hpc2n add-list -A wrong-project
has "another centre's script, refused" "but this is COSMOS (LUNARC, Lund): ./course submit lunarc add-list" "$output"
rm "$tmp/bin/hostname"

path=$(printf '%s:' /usr/bin /bin) # without Slurm there is no sbatch
if ! PATH=$path command -v sbatch >/dev/null; then
  submit hpc2n add-list -A x
  is "no sbatch: status" 3 "$status"
  has "no sbatch: where to go" "log in to Kebnekaise" "$output"
  has "no sbatch: what works here" "./course run add-list" "$output"
fi

# A script with a fault is not submitted.
sed -i '/--time/d' "$tmp/copy/jobs/hpc2n/add-list.sh"
path=$tmp/bin:$PATH
submit hpc2n add-list -A x
is "a faulty script: status" 1 "$status"
has "a faulty script: the fault" "has no time limit" "$output"
is "a faulty script: nothing is submitted" "" "$calls"

finish
