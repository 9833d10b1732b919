#!/usr/bin/env bash
# The batch scripts and a real Slurm, laid out like each centre (lab/lab): each script is accepted, runs
# and says PASS; each fault below is refused by Slurm, found by jobs/lint, or both.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
. jobs/facts.sh
. common/cli/setup.sh
. common/cli/names.sh
read_registry

mapfile -t all < <(centres)
laboratory "${all[@]}" mpich
# An ordinary user's laboratory, beside the first.
second() {
  setpriv --reuid slurm --regid slurm --clear-groups env -i PATH=/usr/local/bin:/usr/bin:/bin \
    COURSE_LAB="$COURSE_LAB-user" "$course/jobs/lab/lab" "$@" 2>&1
}
course=$COURSE_LAB/course
trap '[[ ! -e $COURSE_LAB-user ]] || second stop; $lab stop; rm -rf "$tmp"' EXIT

account() { sed -n 's/^account //p' "jobs/lab/centres/$1" | head -n 1; }
on() { "$lab" exec "$@" 2>&1; }

# --- each script is accepted, and runs -------------------------------------------------------------

# Built once, and quickly: all centres share this copy of the course. Scripts of the lessons in lessons.conf run, and one with
# its defaults, from which the others differ in a name. Without the lessons whose libraries this machine lacks.
on "${all[0]}" bash -c '. common/cli/setup.sh; . common/cli/backend.sh; . common/cli/python.sh; make_python' >"$tmp/python"
quickly=(-DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 -DCMAKE_CUDA_FLAGS_DEBUG=-O1)
on "${all[0]}" cmake -S common/cpu -B build/cpu/toolkit -G Ninja "${quickly[@]}" >"$tmp/configured"
on "${all[0]}" cmake --preset cpu -DPython_EXECUTABLE="$course/build/python/bin/python" "${quickly[@]}" >>"$tmp/configured"
programs=()
for lesson in add-list $(sed -nE '/^default |^profile | none$/d; s/^([a-z][a-z0-9-]*) .*/\1/p' jobs/lessons.conf); do
  if grep -qxFf "$course/build/cpu/missing.txt" <<<"${registry[$(find_lesson "$lesson") needs]-}"; then
    echo "$lesson is not run: its library is not on this machine"
  else
    programs+=("$lesson")
  fi
done
built=$(on "${all[0]}" cmake --build --preset cpu --target "${programs[@]}" check-03-add-list-axpby)
code=$?
is "the lessons build ($(tail -n 5 <<<"$built"))" 0 $code

# small LESSON: the arguments of its first test run, which takes no time; an exercise and an answer for the array's script.
small() {
  if [ "$1" = check ]; then
    echo add-list/axpby solutions/03-add-list/axpby.cu
  else
    head -n 1 <<<"${registry[$(find_lesson "$1") run]-}" | sed -E 's/^-[nd] [0-9]+ ?//' # the script says how many ranks
  fi
}

declare -A job_of=()
for script in jobs/*/*.sh; do
  centre=$(basename "$(dirname "$script")") lesson=$(basename "$script" .sh)
  has "$script is accepted" "to start at" "$(on "$centre" sbatch --test-only -A "$(account "$centre")" "$script")"
  if [[ " ${programs[*]} check " != *" $lesson "* ]]; then
    continue
  fi
  # shellcheck disable=SC2046 # words
  job_of[$script]=$(on "$centre" sbatch --parsable --output="$centre-%x.out" \
    -A "$(account "$centre")" "$script" $(small "$lesson"))
done

# wait_for CENTRE JOB: its state once it has ended, or after 60 s.
wait_for() {
  local state=PENDING tries
  for ((tries = 0; tries < 120; tries++)); do
    state=$(on "$1" squeue -h -t all -o %T -j "$2")
    case $state in PENDING | RUNNING | COMPLETING) sleep 0.5 ;; *) break ;; esac
  done
  echo "$state"
}

# As jobs/README.md has it, word for word and in full size.
literal=$(sed -n '/^## Practise/,/^exit/ s/^\(\.\/course submit .*--wait\).*/\1/p' jobs/README.md)
has "jobs/README.md has a first job" hpc2n "$literal"
# shellcheck disable=SC2086 # words
has "the first job of jobs/README.md" $'\nPASS' "$(on hpc2n $literal)"

declare -A ran=()
for script in "${!job_of[@]}"; do
  centre=$(basename "$(dirname "$script")") lesson=$(basename "$script" .sh)
  state=$(wait_for "$centre" "${job_of[$script]}")
  output=$(cat "$course/$centre-$lesson.out" 2>&1)
  is "$script ran ($(tail -n 15 <<<"$output"))" COMPLETED "$state"
  case $lesson in
    check) has "$script says so" ' all ' "$(tail -n 1 <<<"$output")" ;;
    *) is "$script says so" PASS "$(tail -n 1 <<<"$output")" ;;
  esac
  is "$script loads its modules" "" "$(grep 'Lmod has detected' <<<"$output")"
  [[ $lesson != jacobi-* && $lesson != cloverleaf ]] || has "$script: a rank on each of two nodes" "ranks: 2" "$output"
  if [[ $state == COMPLETED ]]; then ran[$centre]=$((${ran[$centre]-0} + 1)); fi
done
for centre in "${all[@]}"; do echo "$centre: ${ran[$centre]-0} scripts accepted and run"; done

# From a folder outside the course.
job=$(on hpc2n bash -c "cd / && sbatch --parsable -A $(account hpc2n) --chdir=$course --output=chdir.out $course/jobs/hpc2n/add-list.sh 1000")
is "a job with --chdir ($(tail -n 3 "$course/chdir.out" 2>&1))" COMPLETED "$(wait_for hpc2n "$job")"

# ./course submit beyond plain sbatch.
said=$(on hpc2n ./course submit kebnekaise add-list -A "$(account hpc2n)" --wait --output=waited.out -- 1003)
has "submit with --wait, --output and arguments: the program's output" $'\nPASS' "$said"
has "submit with --test-only" "to start at" "$(on hpc2n ./course submit hpc2n add-list -A "$(account hpc2n)" --test-only)"
has "submit with --gpus beside --gpus-per-node" "Use --gpus-per-node=2 instead" \
  "$(on hpc2n ./course submit hpc2n add-list -A "$(account hpc2n)" --gpus=h100:1 -C h100)"

# The centres' own commands that their pages use.
for centre in "${all[@]}"; do
  for name in projinfo interactive gpuavail jobinfo; do
    grep -qE "(^|\`)$name\b" "jobs/$centre/README.md" || continue
    has "$name at $centre" "$COURSE_LAB/$centre/bin/$name" "$(on "$centre" which "$name")"
  done
done
is "projinfo" "$(account uppmax)" "$(on uppmax projinfo | head -n 1)"
has "gpuavail" l40s "$(on uppmax gpuavail)"
# shellcheck disable=SC2016 # the node's variable
said=$(on lunarc interactive -A "$(account lunarc)" -t 2 -p gpua100i -N 1 --ntasks-per-node=16 --gres=gpu:1 <<<'echo "node: $SLURMD_NODENAME"; exit')
is "interactive: one shell, on a node ($said)" 1 "$(grep -c 'node: c' <<<"$said")"

is "salloc without a command: a shell" inside "$(on hpc2n salloc -Q -A "$(account hpc2n)" -t 2 -n 1 -c 4 --gpus=1 -C l40s <<<'echo inside' | tail -n 1)"

# An interactive job has one task; ranks share its CPUs.
if [[ " ${programs[*]} " == *" jacobi-mpi "* ]]; then
  said=$(on hpc2n salloc -A "$(account hpc2n)" -t 2 -n 1 -c 4 --gpus=1 -C l40s ./course run jacobi-mpi -n 2 200 200 20)
  is "two ranks in an interactive job ($(tail -n 3 <<<"$said"))" PASS "$(grep -x PASS <<<"$said")"
fi

# An MPI that srun does not connect: the program stops, and what its message advises helps.
if command -v mpicxx.mpich >/dev/null; then
  # shellcheck disable=SC2016 # for the shell inside
  said=$(on mpich bash -c 'eval "$(./course env 2>/dev/null)"
    nvcc -std=c++17 -ccbin mpicxx.mpich -I. lessons/15-jacobi-mpi/jacobi-mpi.cu -o jacobi-mpich')
  is "lesson 15 compiles with MPICH ($said)" 0 $?
  said=$(on mpich srun -N 2 -t 2 ./jacobi-mpich 64 33)
  is "processes that MPI does not connect: srun's exit code ($said)" 1 $?
  has "processes that MPI does not connect" "2 processes were started, but this MPI does not connect them" "$said"
  is "processes that MPI does not connect: no result" "" "$(grep -E 'PASS|ranks:' <<<"$said")"
  said=$(on mpich env SLURM_MPI_TYPE=pmi2 srun -N 2 -t 2 ./jacobi-mpich 64 33)
  has "SLURM_MPI_TYPE=pmi2 connects them" "ranks: 2" "$said"
  is "SLURM_MPI_TYPE=pmi2: the result ($said)" PASS "$(tail -n 1 <<<"$said")"
else
  echo "the singletons are not run: mpicxx.mpich is not on this machine"
fi

for centre in "${all[@]}"; do
  has "doctor at $centre" "$(fact "$centre" system)" "$(on "$centre" ./course doctor | grep '^centre')"
done

# A module that the centre no longer has: Slurm cannot know, so the job must end by itself.
sed 's/CUDA[^ ]*/CUDA\/99/' jobs/hpc2n/add-list.sh >"$tmp/fault.sh"
cp "$tmp/fault.sh" "$course/jobs/hpc2n/fault.sh"
job=$(on hpc2n sbatch --parsable --output=fault.out -A "$(account hpc2n)" jobs/hpc2n/fault.sh)
is "a missing module ends the job" FAILED "$(wait_for hpc2n "$job")"
has "a missing module is named" "CUDA/99" "$(<"$course/fault.out")"

# An ordinary user, whose PATH has no /usr/sbin, beside this laboratory.
if [ "$EUID" = 0 ]; then
  has "an ordinary user's laboratory starts" "ready after" "$(second start hpc2n)"
  has "an ordinary user's laboratory takes a job" "to start at" \
    "$(second exec hpc2n sbatch --test-only -A "$(account hpc2n)" jobs/hpc2n/add-list.sh)"
  second stop
fi

# --- faults ----------------------------------------------------------------------------------------

# refused BY CENTRE 'SED COMMANDS': the centre's add-list.sh, edited so, is refused by Slurm, found by
# jobs/lint or both, as BY says.
declare -A faults=()
refused() {
  local by=$1 centre=$2 script=$course/jobs/$2/fault.sh who='' said
  sed "$3" "jobs/$centre/add-list.sh" >"$tmp/fault.sh"
  cp "$tmp/fault.sh" "$script"
  chmod 644 "$script"
  if ! said=$(jobs/lint --text "$script" 2>&1); then who=lint; fi
  # sbatch's own verdict on the file as it stands, but for the account when it is not what is at fault
  local options=(-A "$(account "$centre")")
  [[ $3 != *account* ]] || options=()
  if ! said+=$'\n'$(on "$centre" sbatch --test-only "${options[@]}" "$script"); then who=${who:+lint+}slurm; fi
  is "$centre, sed '$3' ($said)" "$by" "$who"
  printf '%s: %s: %s\n' "$centre" "$3" "$(grep -vE '^$| to start at ' <<<"$said" | head -n 1 | sed "s|^$script:||")"
  faults[$centre]=$((${faults[$centre]-0} + 1))
}

refused slurm hpc2n 's/--account=[^ ]*/--account=hpc2n2025-999/'
refused lint+slurm hpc2n '/--account/d'
refused lint+slurm hpc2n 's/--constraint=l40s/--constraint=l50s/'
refused lint+slurm hpc2n 's/--constraint=l40s/--constraint=l40a/'
refused slurm hpc2n "s/--constraint=l40s/--constraint='zen3\\&l40s'/"
refused lint hpc2n 's/--constraint=l40s/--constraint=mi100/'
refused slurm hpc2n 's/--gpus-per-node=1/--gpus-per-node=7/'
refused slurm hpc2n 's/--gpus-per-node=1/--gpus-per-node=h100:1/'
refused lint+slurm hpc2n 's/--gpus-per-node=1/--gpus-per-node=b200:1/'
refused lint+slurm hpc2n 's/--gpus-per-node=1/--gpus=1 --gres=gpu:l40s:1/'
refused lint+slurm hpc2n 's/--gpus-per-node=1/--gpu=1/'
refused lint+slurm hpc2n 's/--gpus-per-node=1/--gpus:l40s:1/'
refused lint hpc2n '/--gpus-per-node/d'
refused slurm hpc2n 's/--cpus-per-task=24/--cpus-per-task=65/'
refused slurm hpc2n 's/--nodes=1/--nodes=4/'
refused slurm hpc2n 's/--time=.*/--time=8-00:00:00/'
refused lint+slurm hpc2n 's/--time=.*/--time=ten/'
refused lint hpc2n '/--time/d'
refused lint+slurm hpc2n 's/--nodes=1/--nodes=<number>/'
refused lint+slurm hpc2n '1d'
refused lint+slurm hpc2n '1s/#//'
refused lint+slurm hpc2n 's/$/\r/'
refused lint hpc2n '16s/#SBATCH/SBATCH/'
refused lint hpc2n '16s/#SBATCH/# SBATCH/'
refused lint hpc2n '2s/#//'
refused lint hpc2n '2i\ulimit -s unlimited'
refused lint hpc2n '16s/--constraint/--constrain/'
refused lint hpc2n '13s/--ntasks/--tasks/'
refused lint hpc2n '16s/SBATCH/SLURM/'
refused lint+slurm hpc2n '16a#SBATCH -z 1'
refused slurm uppmax 's/--account=[^ ]*/--account=naiss2024-22-1442/'
refused lint+slurm uppmax 's/--partition=gpu/--partition=node/'
refused slurm uppmax 's/--partition=gpu/--partition=pelle/'
refused lint+slurm uppmax 's/l40s:1/a100:1/'
refused slurm uppmax 's/l40s:1/h100:3/'
refused slurm uppmax 's/l40s:1/l40s:11/'
refused lint+slurm uppmax 's/l40s:1/1:l40s/'
refused slurm uppmax 's/--time=.*/--time=3-00:00:00/'
refused lint+slurm uppmax '16a#SBATCH --gpus=1'
refused slurm uppmax '16a#SBATCH -M snowy'
refused lint+slurm lunarc 's/gpua100/gpu100/'
refused slurm lunarc 's/--gres=gpu:1/--gres=gpu:2/'
refused slurm lunarc 's/gpua100/lu48/'
refused slurm lunarc 's/--cpus-per-task=48/--cpus-per-task=49/'
refused lint+slurm lunarc 's/--gres=gpu:1/--gres=gpu:one/'
refused slurm nsc 's/--account=[^ ]*/--account=naiss2026-4-66-cpu/'
refused slurm nsc 's/--account=[^ ]*/--account=naiss2026-4-66/'
refused slurm nsc 's/--gpus-per-node=1/--gpus-per-node=5/'
refused lint+slurm nsc 's/--partition=gpu/--partition=tetralith/'
refused slurm nsc 's/--partition=gpu/--partition=cpu/'
refused slurm palmetto 's/v100:1/v100:3/'
refused slurm palmetto 's/--mem=16G/--mem=2T/'
refused slurm palmetto 's/--time=.*/--time=4-00:00:00/'
for centre in "${all[@]}"; do echo "$centre: ${faults[$centre]-0} faults refused"; done

# On a cluster, jobs/lint asks Slurm about a script without faults of its own, with the account that is given.
sed 's/--cpus-per-task=24/--cpus-per-task=65/' jobs/hpc2n/add-list.sh >"$course/jobs/hpc2n/fault.sh"
lint() { on hpc2n env SBATCH_ACCOUNT="$1" jobs/lint "${@:2}"; }
has "jobs/lint asks Slurm" "fault.sh:1: Slurm refuses it: " "$(lint "$(account hpc2n)" jobs/hpc2n/fault.sh)"
is "jobs/lint --text does not" "" "$(lint "$(account hpc2n)" --text jobs/hpc2n/fault.sh)"
is "jobs/lint: scripts that Slurm accepts" "" "$(lint "$(account hpc2n)" jobs/*/add-list.sh)"
has "jobs/lint: no account" "Slurm was not asked" "$(lint '' jobs/hpc2n/fault.sh)"

# --- and nothing is left ---------------------------------------------------------------------------

$lab stop
is "the laboratory's folder is gone" no "$([[ -e $COURSE_LAB ]] && echo yes || echo no)"
is "its processes are gone" "" "$(grep -lzxF "COURSE_LAB_PROCESS=$COURSE_LAB" /proc/[0-9]*/environ 2>/dev/null)"
finish
