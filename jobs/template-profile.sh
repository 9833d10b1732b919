# Two reports on a program, in a folder of this job: the timeline (nsys), and the counters of its kernels (ncu).
program=${1:?usage: sbatch jobs/{centre}/profile.sh PROGRAM [ARGUMENT]...}
shift
[ ! -f "$SLURM_SUBMIT_DIR/$program" ] || program=$SLURM_SUBMIT_DIR/$program # a file of your own
course=$PWD/course reports=$SLURM_SUBMIT_DIR/profile-$SLURM_JOB_ID status=0
mkdir -p "$reports"
cd "$reports"
"$course" --backend "$backend" profile "$program" -- "$@" || status=$?
"$course" --backend "$backend" profile --kernels "$program" -- "$@" || status=$? # no permission: see lesson 13
echo
echo "Type these lines on your own computer. Nsight Systems and Nsight Compute need no GPU there:"
echo "  scp -r ${USER:-USER}@{host}:$reports ."
echo "  nsys-ui $(basename "$reports")/*.nsys-rep"
echo "  ncu-ui $(basename "$reports")/*.ncu-rep"
exit "$status"
