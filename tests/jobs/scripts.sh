#!/usr/bin/env bash
# Every batch script, run from a copy as Slurm does, with stand-ins for the modules, the GPU, ./course and
# the launchers: what it calls, in which order, and what ends it.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
. jobs/facts.sh

course=$tmp/course
mkdir -p "$course/lessons/deep" "$tmp/spool"
for name in module nvidia-smi; do
  stand_in "$name" <<'END'
[ "$FAULT" != "$(basename "$0") $1" ] || exit 1
[ "$1" != --list-gpus ] || echo "GPU 0: NVIDIA L40S"
END
done
# The build leaves a program that says which backend and arguments it has.
stand_in course <<'END'
[ "$FAULT" != "course $3" ] || exit 1
if [ "$3" = check ] && [ "${CHECK_EXIT-}" = killed ]; then kill -9 $PPID; fi
if [ "$3" = check ]; then echo "right axpby all 11 public tests pass" && exit "${CHECK_EXIT:-0}"; fi
if [ "$3" = build ]; then
  mkdir -p "build/$2-sm_89/bin"
  printf '#!/bin/bash\necho "$0 $*: PASS"; exit %s\n' "${PROGRAM_EXIT:-0}" >"build/$2-sm_89/bin/$4"
  chmod +x "build/$2-sm_89/bin/$4"
  echo "build/$2-sm_89/bin/$4"
fi
END
ln -s "$tmp/bin/course" "$course/course"
for name in srun mpirun; do
  stand_in "$name" <<'END'
until [[ $1 == build/* ]]; do shift; done
exec "$@"
END
done

# job SCRIPT [VARIABLE=VALUE]...: runs it with "${arguments[@]}" as a job of its own, submitted in the folder $from, by a
# learner who uses the CPU backend on the login node; sets status, output and calls.
arguments=() from=$course/lessons/deep
job() {
  cp "$1" "$tmp/spool/slurm_script"
  rm -rf "$course/build" "$tmp/calls"
  output=$(cd "$from" && COURSE_BACKEND=cpu COURSE_CPU_DEVICES=4 PATH="$tmp/bin:$PATH" FAULT='' SLURM_CPUS_PER_TASK=8 \
    SLURM_JOB_ID=77 SLURM_SUBMIT_DIR="$from" env "${@:2}" /bin/bash "$tmp/spool/slurm_script" "${arguments[@]}" 2>&1)
  status=$?
  calls=$(cat "$tmp/calls" 2>/dev/null)
}

for script in jobs/*/*.sh; do
  centre=$(basename "$(dirname "$script")") lesson=$(basename "$script" .sh)
  [[ $lesson != check && $lesson != profile ]] || continue

  modules=$(fact "$centre" modules)
  read -r _ _ nodes gpus library _ <<<"$(job_lessons | grep "^$lesson ")"
  if [ $((nodes * gpus)) != 1 ]; then modules+=" $(fact "$centre" mpi_modules)"; fi # several processes
  if [ "$library" != - ]; then modules+=" $(fact "$centre" "${library}_modules")"; fi
  job "$script"
  is "$script: status ($output)" 0 "$status"
  is "$script: its calls" "module purge
module load $modules
nvidia-smi --list-gpus
course --backend cuda build $lesson" "$(head -n 4 <<<"$calls")"
  has "$script: the launcher" "bin/$lesson" "$(sed -n 5p <<<"$calls")"
  is "$script: says first where it runs" "node: $(hostname)
GPU 0: NVIDIA L40S" "$(head -n 2 <<<"$output")"
  has "$script: the lesson's own output" "build/cuda-sm_89/bin/$lesson" "$(tail -n 1 <<<"$output")"

  job "$script" COURSE_PRACTICE_BACKEND=cpu
  is "$script in the practice cluster: status ($output)" 0 "$status"
  has "$script in the practice cluster: the backend" "course --backend cpu build" "$calls"
  is "$script in the practice cluster: asks for no GPU" "" "$(grep nvidia-smi <<<"$calls")"

  # The first failure ends the job: nothing more is called.
  for fault in "module load" "nvidia-smi --list-gpus" "course build"; do
    job "$script" FAULT="$fault"
    is "$script, when $fault fails: status" 1 "$status"
    has "$script, when $fault fails: its last call" "${fault/course/course --backend cuda}" "$(tail -n 1 <<<"$calls")"
  done
  job "$script" PROGRAM_EXIT=3
  is "$script, when the lesson fails: status" 3 "$status"

  from=$tmp
  job "$script"
  from=$course/lessons/deep
  is "$script, submitted from outside: status" 1 "$status"
  is "$script, submitted from outside" "sbatch was typed outside the course: cd to its folder first, or add --chdir=FOLDER" "$output"
done

# Both reports of a program, in a folder of the job, and how to fetch them.
for script in jobs/*/profile.sh; do
  arguments=(profiling 30 20)
  rm -rf "$course"/lessons/deep/profile-77
  job "$script" USER=ann
  is "$script: status ($output)" 0 "$status"
  is "$script" "course --backend cuda profile profiling -- 30 20
course --backend cuda profile --kernels profiling -- 30 20" "$(tail -n 2 <<<"$calls")"
  touch "$course/lessons/deep/mine.cu"
  arguments=(mine.cu 7)
  job "$script"
  has "$script, a file of one's own" "profile $course/lessons/deep/mine.cu -- 7" "$calls"
  job "$script" FAULT='course profile'
  has "$script, a profiler fails: what there is can be fetched" "scp -r" "$output"
  arguments=(profiling 30 20)
  job "$script" USER=ann
  has "$script: how to fetch the reports" \
    "scp -r ann@$(fact "$(basename "$(dirname "$script")")" host):$course/lessons/deep/profile-77 ." "$output"
  arguments=()
  job "$script"
  has "$script, without a program" "usage: sbatch jobs/" "$output"
done

# The array: task N checks the N-th file, from where sbatch was typed.
for script in jobs/*/check.sh; do
  for task in 1 2; do
    arguments=(axpby one.cu /class/two.cu)
    job "$script" SLURM_ARRAY_TASK_ID=$task
    is "$script, task $task: status ($output)" 0 "$status"
    is "$script, task $task" "course --backend cuda check axpby --file $([ $task = 1 ] &&
      echo "$course/lessons/deep/one.cu" || echo /class/two.cu)" "$(tail -n 1 <<<"$calls")"
  done
  has "$script: names the answer" "exercise: axpby, answer: /class/two.cu" "$output"
  # The class list: a line for each task, by the exit code of check and by nothing that is printed.
  for code in 0:right 1:wrong 2:error 3:error 4:not-started 137:error; do
    arguments=(axpby $'/class/a b\nright axpby c.cu')
    rm -f "$course"/lessons/deep/*.result
    job "$script" SLURM_ARRAY_TASK_ID=1 CHECK_EXIT="${code%:*}"
    is "$script, check ends with ${code%:*}" "${code%:*}" "$status"
    is "$script, check ends with ${code%:*}: the class list" "${code#*:} axpby /class/a b?right axpby c.cu" \
      "$(cat "$course"/lessons/deep/check-77_1.result)"
  done
  job "$script" SLURM_ARRAY_TASK_ID=1 CHECK_EXIT=killed
  has "$script, the job is killed" "error axpby /class/a b" "$(cat "$course"/lessons/deep/check-77_1.result)"
  arguments=(axpby one.cu /class/two.cu)
  job "$script" SLURM_ARRAY_TASK_ID=3
  is "$script, a task without a file: status" 2 "$status"
  has "$script, a task without a file" "task 3 of the array has no file: there are 2" "$output"
  job "$script"
  has "$script, two files and no array" "there are 2 files: add --array=1-2" "$output"
  arguments=()
  job "$script"
  has "$script, without an exercise" "usage: sbatch --array=1-N jobs/" "$output"
done
finish
