#!/usr/bin/env bash
# jobs/lint: silent about the course's scripts, and one message, the right one, for each fault below.
# shellcheck source-path=SCRIPTDIR disable=SC2016 # $ stands for the last line, in sed
. "$(dirname "$0")/common.sh"

output=$(jobs/lint --text jobs/*/*.sh 2>&1)
is "the course's scripts have no fault" "0 " "$? $output"

# fault CENTRE 'SED COMMANDS' 'LINE: MESSAGE': the centre's add-list.sh, edited so, gets this message and no other.
fault() {
  local script=$tmp/$1/add-list.sh got
  mkdir -p "$tmp/$1"
  sed "$2" "jobs/$1/add-list.sh" >"$script"
  if cmp -s "jobs/$1/add-list.sh" "$script"; then
    is "sed $2 changes jobs/$1/add-list.sh" changed unchanged
  fi
  got=$(jobs/lint --text "$script" 2>&1)
  is "sed '$2' on $1: status" 1 $?
  is "sed '$2' on $1" "$script:$3" "$got"
}

# Lines that are no directives.
fault hpc2n '1s/#//' '1: sbatch takes only a file whose first line starts with #!, as in #!/bin/bash'
fault hpc2n '1d' '1: sbatch takes only a file whose first line starts with #!, as in #!/bin/bash'
fault hpc2n '16s/#SBATCH/SBATCH/' '16: not a directive for Slurm: write #SBATCH --constraint=l40s'
fault hpc2n '16s/#SBATCH/# SBATCH/' '16: not a directive for Slurm: write #SBATCH --constraint=l40s'
fault hpc2n '16s/#SBATCH/#SBACTH/' '16: not a directive for Slurm: write #SBATCH --constraint=l40s'
fault hpc2n '16s/#SBATCH/#sbatch/' '16: not a directive for Slurm: write #SBATCH --constraint=l40s'
fault hpc2n '16s/^/ /' '16: not a directive for Slurm: write #SBATCH --constraint=l40s'
fault hpc2n '2s/#//' '8: Slurm ignores all #SBATCH lines from here on, because a command comes before them, on line 2; move them up'
fault hpc2n '$a#SBATCH --mem=4G' '40: Slurm ignores all #SBATCH lines from here on, because a command comes before them, on line 18; move them up'
fault hpc2n 's/$/\r/' "1: sbatch refuses Windows line ends: sed -i 's/\\r\$//' $tmp/hpc2n/add-list.sh"

# The whole line, as it should be: options that a shell or its commands would take for their own, quotes, an apostrophe.
for options in '-n 4' '-e run.err' '-n 1 -e "my file.err"' '--output=run\\%j.out' "--comment=don't"; do
  fault hpc2n "16s|#SBATCH .*|#SBTACH $options|" "16: not a directive for Slurm: write #SBATCH ${options/\\\\/\\}"
done

# Variables, which sbatch leaves as they are.
fault hpc2n 's/--account=[^ ]*/--account=$PROJ/' '10: --account=$PROJ: sbatch does not expand variables in #SBATCH lines: write the value, or give the option to sbatch on the command line'
for file in '$HOME/run-%j.out' 'log-$SLURM_JOB_ID.out'; do
  fault hpc2n "16a#SBATCH --output=$file" "17: --output=$file: sbatch does not expand variables in #SBATCH lines, and the output may be lost: write the path, with %j for the job's number and %u for the user"
done

# Options that sbatch does not have, or not so.
fault hpc2n '16s/--constraint/--constrainty/' '16: sbatch has no option --constrainty'
fault hpc2n '16a#SBATCH --gpu=1' '17: sbatch has no option --gpu'
fault hpc2n '16a#SBATCH --gpus:l40s:1' '17: sbatch has no option --gpus:l40s:1; is it --gpus=l40s:1?'
fault hpc2n '16a#SBATCH -z 1' '17: sbatch has no option -z'
fault hpc2n '16s/--constraint/constraint/' '16: "constraint=l40s" does not belong to an option: an option starts with - or --'
fault hpc2n '16s/=l40s//' '16: --constraint needs a value'

# Forms that sbatch takes, and that should not be written.
fault hpc2n '13s/--ntasks/--tasks/' '13: --tasks-per-node is an old form of --ntasks-per-node'
fault hpc2n '16s/SBATCH/SLURM/' '16: #SLURM is an old form of #SBATCH'
fault hpc2n '16a#SBATCH packjob' '17: packjob is an old form of hetjob'
fault hpc2n '16s/--constraint/--constrain/' '16: --constrain is short for --constraint: write the whole name'

# One mistake, one message.
fault hpc2n '15s/--gpus-per-node=/--gpus:/' '15: sbatch has no option --gpus:1; is it --gpus=1?'
fault hpc2n '15s/=1//' '15: --gpus-per-node needs a value'
fault hpc2n '15s/#//' '15: not a directive for Slurm: write #SBATCH --gpus-per-node=1'
fault hpc2n '11s/--time/--tiem/' '11: sbatch has no option --tiem'
fault hpc2n '11s/=[^ ]*//' '11: --time needs a value'
fault hpc2n 's/--account/--acount/' '10: sbatch has no option --acount'

# Missing or malformed requests.
fault hpc2n '/--account/d' '1: has no account: add --account=your-account, and give your own account with -A or SBATCH_ACCOUNT'
fault hpc2n '/--time/d' "1: has no time limit: add --time=HH:MM:SS (a centre's default can be one minute)"
fault hpc2n 's/--time=.*/--time=10min/' '11: --time=10min is not a time: write HH:MM:SS or DAYS-HH:MM:SS'
fault hpc2n 's/--time=.*/--time=*FIXME*/' '11: --time=*FIXME* is not filled in'
fault lunarc 's/--nodes=1/--nodes=<number>/' '12: --nodes=<number> is not filled in'
fault hpc2n '/--gpus-per-node/d' '1: requests no GPU: add --gpus-per-node, as in the other scripts of the centre'
fault uppmax 's/l40s:1/1:l40s/' '16: --gpus-per-node=1:l40s: write a number, or TYPE:NUMBER'
fault uppmax '16a#SBATCH --gpus=1' '17: --gpus without a GPU type and --gpus-per-node with one: Slurm refuses this, so keep only one of them'
fault hpc2n '15s/.*/#SBATCH --gpus=1 --gres=gpu:l40s:1/' '15: --gpus without a GPU type and --gres with one: Slurm refuses this, so keep only one of them'
fault lunarc 's/--nodes=1/-n 24/' '12: --ntasks=24 with --ntasks-per-node=1 may use as many nodes as tasks: add --nodes'

# Resources that the centre does not have.
fault hpc2n 's/=l40s /=l40a /' '16: hpc2n has no l40a for --constraint; jobs/centres.conf has: v100 a40 a6000 a100 l40s h100 mi100 nvidia_gpu amd_gpu GPU_SP GPU_DP GPU_AI GPU_ML intel_cpu broadwell skylake amd_cpu zen3 zen4 largemem'
fault hpc2n "s/--constraint=l40s/-C 'zen4|l50s'/" '16: hpc2n has no l50s for --constraint; jobs/centres.conf has: v100 a40 a6000 a100 l40s h100 mi100 nvidia_gpu amd_gpu GPU_SP GPU_DP GPU_AI GPU_ML intel_cpu broadwell skylake amd_cpu zen3 zen4 largemem'
fault hpc2n '16a#SBATCH -p gpu' '17: hpc2n has no gpu for --partition; jobs/centres.conf has: batch'
fault uppmax 's/l40s:1/a100:1/' '16: uppmax has no a100 for --gpus-per-node; jobs/centres.conf has: l40s h100 t4'
fault lunarc 's/gpua100/gpu100/' '15: lunarc has no gpu100 for --partition; jobs/centres.conf has: lu32 lu48 gpua100 gpua100i gpua40'
fault hpc2n 's/=l40s /=mi100 /' '16: mi100 is an AMD card: CUDA does not run on it'
fault hpc2n '15s/=1/=mi100:1/' '15: mi100 is an AMD card: CUDA does not run on it'

# Other ways to write what is right.
for edit in 's/--constraint=l40s/-C l40s/' 's/--constraint=l40s/-Cl40s/' 's/--constraint=l40s/--constraint l40s  # why/' \
  "s/--constraint=l40s/-C 'zen4\&l40s'/" 's/--gpus-per-node=1/--gres=gpu:l40s:1/' 's/--time=.*/-t 1-12/' \
  's/--constraint=l40s/-C [l40s*2\&a100*1]/' 's/--gpus-per-node=1/--gres=gpu:l40s:1,nvme:10/' 's/--gpus-per-node=1/--gpus=l40s:1,a100:1/' \
  '16a#SBATCH --job-name="my first job"' '16a#SBATCH --comment "try -z 4 later"' '16a#SBATCH --extra-node-info=2:8:*' \
  's/--nodes=1/-N 1 --exclusive --requeue/' '16s/SBATCH /SBATCH/' '16a#SBATCH hetjob' '16a#SBATCH --cluster=a' '16a##SBATCH --gpu=1'; do
  sed "$edit" jobs/hpc2n/add-list.sh >"$tmp/hpc2n/add-list.sh"
  output=$(jobs/lint --text "$tmp/hpc2n/add-list.sh" 2>&1)
  is "sed '$edit' is no fault" "0 " "$? $output"
done

# Slices of a GPU and lists of partitions; of a centre whose table does not know them, nothing is said.
mkdir "$tmp/elsewhere"
for edit in 's/gpu:1/gpu:a100_1g.5gb:1/' 's/gpu:1/gpu:a100_1g.5gb/' 's/--gres=gpu:1/--gpus-per-node=1g.10gb:1/' \
  's/--gres=gpu:1/--gpus=a100-80:1/' 's/=gpua100 /=gpua100,gpua40 /'; do
  sed "$edit" jobs/lunarc/add-list.sh >"$tmp/elsewhere/add-list.sh"
  cmp -s jobs/lunarc/add-list.sh "$tmp/elsewhere/add-list.sh" && is "sed $edit changes the script" changed unchanged
  output=$(jobs/lint --text "$tmp/elsewhere/add-list.sh" 2>&1)
  is "sed '$edit' is no fault" "0 " "$? $output"
done
fault lunarc 's/=gpua100 /=gpua100,gpu40 /' '15: lunarc has no gpu40 for --partition; jobs/centres.conf has: lu32 lu48 gpua100 gpua100i gpua40'

output=$(jobs/lint --text "$tmp/nothing.sh" 2>&1)
is "a script that is not there" "2 jobs/lint: cannot read $tmp/nothing.sh" "$? $output"
output=$(jobs/lint --text "$tmp" 2>&1)
is "a folder" "2 jobs/lint: cannot read $tmp" "$? $output"
output=$(jobs/lint 2>&1)
is "no script: status" 2 $?

finish
