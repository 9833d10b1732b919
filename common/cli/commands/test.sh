# shellcheck shell=bash
help() {
  cat <<'HELP'
./course test [--all | --nightly [K/8]] [--fresh]: run the tests of the course itself, after you have changed the course.
To test your own work: ./course check NAME
A test that passed before does not run again if its files are the same.
  --all      also the slower tests, before you commit: every judge, every known wrong answer, and the whole CPU backend
  --nightly  run the rest, or an eighth of it, 1/8 to 8/8: all answers under all tools, other compilers and systems, a real
             Slurm. This command installs what they need. The numbers that judges draw are new each time, so no test is skipped
  --fresh    also run tests that passed before with the same files
Without --all: the program of each page, every solution, a wrong answer for each exercise, the command, and links.
HELP
}

# want_pictures: installs stb_image_write, with which lessons draw, if this machine's packages have it.
want_pictures() {
  if [[ -e /usr/include/stb/stb_image_write.h ]] || ! may_install || [[ -z $(candidate libstb-dev) ]]; then return; fi
  offer "drawing pictures" libstb-dev || true
}

# stamps_key: a hash of the machine, on which the result of every test depends: compilers, libraries, devices, variables.
# The course's own files are in the key of each test (tests/test.cmake).
stamps_key() {
  {
    uname -srm
    nproc
    "$(compiler)" -v
    cmake --version
    clang++ --version
    mpirun --version
    PATH=$PATH:/sbin ldconfig -p | awk '/libmpi\.so|libopenblas\.so/ { print $NF }' | xargs readlink -f
    "$(course_python)" -c 'import sys, numpy, pybind11; print(sys.version, numpy.__version__, pybind11.__version__)'
    echo "${SLURM_JOB_ID:+in a job}" # then ranks start with srun
    env | grep -E '^(COURSE_|CUDA_|NVCC_|LC_|LANG|CC=|CXX=|LOADEDMODULES=)' | sort
    if [[ $backend == cuda ]]; then devices && driver_cuda_version && "$CUDACXX" --version; fi
  } 2>&1 | sha256sum
}

main() {
  local tier=quick fresh=false missing unchanged code=0
  while [[ $# -gt 0 ]]; do
    case $1 in
      --all) tier=commit ;;
      --nightly)
        tier=nightly
        if [[ ${2-} == [1-8]/8 ]]; then
          tier+=-${2%/8}
          shift
        elif [[ ${2--} != -* ]]; then
          die "$USAGE" "--nightly takes an eighth, 1/8 to 8/8, but '$2' was given"
        fi
        ;;
      --fresh) fresh=true ;;
      -*) no_option test "$1" ;;
      *) die "$USAGE" "to test your work: ./course check $1" \
        "  (./course test, without a name, runs the tests of the course itself)" ;;
    esac
    shift
  done
  if [[ $tier == nightly* ]] && may_install; then require_slurm; fi
  require_toolchain && read_registry
  if may_install; then
    prepare "${tier%-?}" "${known_libraries[@]}"
  else
    make_python || true # of what this machine has
    prepare "${tier%-?}"
  fi
  missing=$(missing_libraries "${known_libraries[@]}" | xargs) || true # none is missing
  if [[ -n $missing ]]; then say "Tests that need $missing are left out, because it is not installed (see ./course doctor)"; fi
  if [[ $tier != quick ]]; then want_pictures; fi
  if [[ $tier == nightly* ]]; then
    export COURSE_SEED=${COURSE_SEED:-$(od -An -N3 -tx1 /dev/urandom | tr -d ' \n')}
    say "seed of the judges' numbers: $COURSE_SEED (COURSE_SEED=$COURSE_SEED repeats this run)"
  fi
  build "suite-$tier"
  if [[ $backend == cpu ]]; then unset CUDA_VISIBLE_DEVICES; fi # some tests have three devices
  if [[ ${CI:-} != true && $tier != nightly* ]]; then
    COURSE_STAMPS=$PWD/$builds/stamps COURSE_STAMPS_KEY=$(stamps_key)
    export COURSE_STAMPS COURSE_STAMPS_KEY
    if [[ $fresh == true ]]; then export COURSE_FRESH=1; fi
  fi
  # One more than there are processors: some tests wait, for Slurm or for a time limit.
  ctest --test-dir "$builds" -L "^$tier\$" -j $(($(nproc) + 1)) --output-on-failure --progress || code=$?
  unchanged=$(grep -c '^unchanged since it passed' "$builds/Testing/Temporary/LastTest.log") || true
  if [[ $unchanged -gt 0 ]]; then echo "$unchanged of these tests were not run again, because they passed before with the same files. --fresh runs them."; fi
  case $tier in
    quick) echo "./course test --all also runs the slower tests; --nightly runs the rest." ;;
    commit) echo "./course test --nightly runs the rest." ;;
  esac
  return $code
}
