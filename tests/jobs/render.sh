#!/usr/bin/env bash
# jobs/render: a script that was changed by hand is found (jobs.rendered: none of the committed ones is); a new lesson has one, without a line.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
. jobs/facts.sh

cp -r jobs "$tmp/jobs"
for lesson in lessons/[0-9]*/; do mkdir -p "$tmp/$lesson"; done
echo 'jobs/render wrote this' >>"$tmp/jobs/hpc2n/add-list.sh"
output=$("$tmp/jobs/render" --check 2>&1)
is "an edited script is a difference" 1 $?
has "the difference is shown" "-jobs/render wrote this" "$output"
"$tmp/jobs/render" && "$tmp/jobs/render" --check
is "rendering again corrects it" 0 $?

touch "$tmp/jobs/nsc/forgotten.sh"
output=$("$tmp/jobs/render" --check 2>&1)
has "a script without a lesson is named" "forgotten.sh" "$output"
rm "$tmp/jobs/nsc/forgotten.sh"

mkdir "$tmp/lessons/98-halo" "$tmp/lessons/99-dots"
echo 'halo 00:05:00 2 2 nccl --rows 4096 --steps 10' >>"$tmp/jobs/lessons.conf"
output=$("$tmp/jobs/render" --check 2>&1)
has "a lesson without its script is named" "halo.sh" "$output"
"$tmp/jobs/render"
has "a lesson without a line has the default" '#SBATCH --time=00:10:00' "$(<"$tmp/jobs/hpc2n/dots.sh")"
script=$(<"$tmp/jobs/hpc2n/halo.sh")
for line in '#SBATCH --job-name=halo' '#SBATCH --time=00:05:00' '#SBATCH --nodes=2' '#SBATCH --ntasks-per-node=2' \
  '#SBATCH --gpus-per-node=2' "OpenMPI/4.1.5 $(fact hpc2n nccl_modules)" 'program" --rows 4096 --steps 10'; do
  has "one line makes the script of a lesson on two nodes" "$line" "$script"
done
has "several processes start with the launcher for MPI" 'mpirun --bind-to none "' "$(<"$tmp/jobs/lunarc/halo.sh")"
for script in "$tmp"/jobs/*/halo.sh; do
  output=$(jobs/lint --text "$script" && bash -n "$script" 2>&1)
  is "$script is sound: $output" 0 $?
done

echo 'echo {colour}' >>"$tmp/jobs/template.sh"
output=$("$tmp/jobs/render" 2>&1)
is "a name that nothing fills is an error" 2 $?
has "and is said" "the template has {colour}, which has no value" "$output"

# Every centre has every fact that the template needs; every fact has a year and a source.
for name in system host account gpu resources cpus modules mpi_modules nccl_modules python_modules launcher mpi_launcher; do
  is "each centre has the fact $name" "$(grep -c '^\[' jobs/centres.conf)" "$(grep -c "^$name  *= " jobs/centres.conf)"
done
is "facts without a date and a source" "" "$(grep '^[a-z_]* *=' jobs/centres.conf | grep -vE '# (unverified, )?20[0-9-]+, [A-Za-z]+')"

# The pages agree with the scripts.
for centre in $(centres); do
  has "jobs/$centre/README.md loads the script's modules" "module load $(fact "$centre" modules)" "$(<"jobs/$centre/README.md")"
  is "jobs/$centre/README.md has the practice cluster's account" "$(sed -n 's/^account /=/p' "jobs/lab/centres/$centre" | head -n 1)" \
    "$(sed -n 's/^export SBATCH_ACCOUNT\(=[^ ]*\).*/\1/p' "jobs/$centre/README.md")"
  has "jobs/$centre/README.md: log in" "ssh USER@$(fact "$centre" host)\`" "$(<"jobs/$centre/README.md")"
  has "jobs/README.md leads to $centre" "]($centre/README.md)" "$(<jobs/README.md)"
  [ "$centre" != palmetto ] || continue # lessons/gpu-shell.md is for Sweden
  for line in "\`$(fact "$centre" host)\`" "module load $(fact "$centre" modules)"; do
    has "lessons/gpu-shell.md, $centre" "$line" "$(<lessons/gpu-shell.md)"
  done
done

# Every line is of a lesson of the course.
while read -r lesson _; do
  is "lessons/ has $lesson, of jobs/lessons.conf" 1 "$(find lessons -maxdepth 1 -name "[0-9][0-9]-$lesson" | wc -l)"
done < <(grep -v -e '^#' -e '^$' -e '^check ' -e '^profile ' -e '^default ' jobs/lessons.conf)

has "a wrong word: what render takes" "jobs/render --check   compare" "$(jobs/render --nonsense 2>&1)"

finish
