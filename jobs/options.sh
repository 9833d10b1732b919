# shellcheck shell=bash disable=SC2034 # read by lint and submit, which source this file
# The options of sbatch in any release of Slurm 23.02 to 26.05 (the tables in its src/common/slurm_opt.c):
# "=" takes a value, "?" may take one (joined by "=").
options='account= acctg-freq= array= autocomplete= batch= bb= bbf= begin= chdir= cluster=
  cluster-constraint= clusters= comment= consolidate-segments constraint= container= container-id=
  container-type= context= contiguous core-spec= cores-per-socket= cpu-freq= cpus-per-gpu=
  cpus-per-task= deadline= delay-boot= dependency= distribution= error= exclude= exclusive? export=
  export-file= external extra= extra-node-info= get-user-env? gid= gpu-bind= gpu-freq= gpus=
  gpus-per-node= gpus-per-socket= gpus-per-task= gres= gres-flags= help hint= hold ignore-pbs input=
  job-name= kill-on-invalid-dep= licenses= mail-type= mail-user= mcs-label= mem= mem-bind= mem-per-cpu=
  mem-per-gpu= mem-update= mincpus= network= nice? no-kill? no-requeue nodefile= nodelist= nodes=
  ntasks= ntasks-per-core= ntasks-per-gpu= ntasks-per-node= ntasks-per-socket= ntasks-per-tres=
  oom-kill-step? open-mode= output= overcommit oversubscribe parsable partition= power= prefer=
  priority= profile= propagate? qos= quiet reboot requeue? reservation= resources= resv-ports? segment=
  signal= sockets-per-node= spread-job spread-segments stepmgr switches= tasks-per-node= test-only
  thread-spec= threads-per-core= time= time-min= tmp= tres-bind= tres-per-task= uid= usage use-min-nodes
  verbose version wait wait-all-nodes= wckey= wrap='
# Old forms that sbatch still takes.
declare -A old_form_of=(['#SLURM']='#SBATCH' [--tasks-per-node]=--ntasks-per-node [packjob]=hetjob)
declare -A takes=() long=()
for option in $options; do
  takes[${option%[=?]}]=${option##*[a-z]}
done
for pair in A=account a=array B=extra-node-info b=begin C=constraint c=cpus-per-task D=chdir \
  d=dependency e=error F=nodefile G=gpus H=hold h=help i=input J=job-name k=no-kill L=licenses M=clusters \
  m=distribution N=nodes n=ntasks O=overcommit o=output p=partition q=qos Q=quiet S=core-spec \
  s=oversubscribe t=time V=version v=verbose W=wait w=nodelist x=exclude; do
  long[${pair%%=*}]=${pair#*=}
done

# takes_next WORD: is the value of this option the next word?
takes_next() {
  local name=''
  case $1 in
    --*=*) ;;
    --*) name=${1#--} ;;
    -[A-Za-z]) name=${long[${1:1}]-} ;;
  esac
  [[ -n $name && ${takes[$name]-} == "=" ]]
}
