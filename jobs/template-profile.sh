# Two reports on a program, in a folder of this job: the timeline (nsys), and the counters of its kernels (ncu).
: "${1:?usage: sbatch jobs/{centre}/profile.sh PROGRAM [ARGUMENT]...}"
course=$PWD/course reports=$SLURM_SUBMIT_DIR/profile-$SLURM_JOB_ID
mkdir "$reports"
cd "$reports"
"$course" --backend "$backend" profile "$1" -- "${@:2}"
"$course" --backend "$backend" profile --kernels "$1" -- "${@:2}" || echo "no counters: see lesson 13"
echo
echo "Type these lines on your own computer. Nsight Systems and Nsight Compute need no GPU there:"
echo "  scp -r $USER@{host}:$reports ."
echo "  nsys-ui $(basename "$reports")/*.nsys-rep"
echo "  ncu-ui $(basename "$reports")/*.ncu-rep"
