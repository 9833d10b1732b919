# shellcheck shell=bash
help() {
  cat <<'HELP'
./course test [--all] [--fresh]: run the tests of the course itself, after you have changed the course.
To test your own work: ./course check NAME
A test that passed before does not run again if its files are the same.
  --all    run all tests, including the tests with Slurm, which this command installs (CI=true does the same)
  --fresh  also run tests that passed before with the same files
Without --all: every program, every solution, one wrong answer per misconception, and tests that take a few seconds.
HELP
}

# want_pictures: installs stb_image_write, with which lessons draw, and img2webp, which makes an animation of the frames,
# if this machine's packages have them.
want_pictures() {
  local package packages=() known=()
  may_install || return 0
  [[ -e /usr/include/stb/stb_image_write.h ]] || packages+=(libstb-dev)
  have img2webp || packages+=(webp)
  for package in "${packages[@]}"; do
    if [[ -n $(candidate "$package") ]]; then known+=("$package"); fi
  done
  if [[ ${#known[@]} -gt 0 ]]; then install "drawing pictures" "${known[@]}"; fi
}

# stamps_key: a hash of everything that the result of every test depends on in addition to its own files: this machine's
# compilers, packages and devices, variables, the course's scripts and headers, and the CPU backend.
stamps_key() {
  {
    uname -srm
    nproc
    "$(compiler)" -v 2>&1
    dpkg-query -W 2>/dev/null || rpm -qa 2>/dev/null | sort
    ls build/python*/lib/*/site-packages 2>/dev/null
    echo "${SLURM_JOB_ID:+in a job}" # then ranks start by srun
    env | grep -E '^(COURSE_|CUDA_|NVCC_|LC_|LANG|CC=|CXX=|LOADEDMODULES=)' | sort
    if [[ $backend == cuda ]]; then devices && driver_cuda_version && "$CUDACXX" --version; fi
    {
      find common course common/grader/judge.cmake tests/{stamped,test.cmake,exercises.cmake} \
        \( -path common/cpu -o -path common/grader \) -prune -o -type f ! -name '*.md' -print0
      if [[ $backend == cpu ]]; then find -L "$builds"/toolkit/{bin,include,lib64} -type f -print0; fi
    } | sort -z | xargs -0 sha256sum
  } | sha256sum
}

# count_tests [OPTION]...: how many tests ctest has with these options.
count_tests() { ctest --test-dir "$builds" -N "$@" | sed -n 's/^Total Tests: //p'; }

main() {
  local all=${CI:-false} fresh=false suite=all tests=() missing unchanged left_out code=0
  while [[ $# -gt 0 ]]; do
    case $1 in
      --all) all=true ;;
      --fresh) fresh=true ;;
      *) die "$USAGE" "to test your work: ./course check $1" \
        "  (./course test, without a name, runs the tests of the course itself)" ;;
    esac
    shift
  done
  if [[ $all == true ]] && may_install; then require_slurm; fi
  require_toolchain && read_registry
  if may_install; then
    prepare ON "${known_libraries[@]}"
  else
    make_python || true # of what this machine has
    prepare ON
  fi
  missing=$(missing_libraries "${known_libraries[@]}" | xargs) || true # none is missing
  if [[ -n $missing ]]; then say "Tests that need $missing are left out, because it is not installed (see ./course doctor)"; fi
  if [[ $all == true ]]; then
    want_pictures
  else
    suite=quick tests=(-L quick)
  fi
  build "suite-$suite"
  if [[ $backend == cpu ]]; then unset CUDA_VISIBLE_DEVICES; fi # some tests have three devices
  if [[ ${CI:-} != true ]]; then
    COURSE_STAMPS=$PWD/$builds/stamps COURSE_STAMPS_KEY=$(stamps_key)
    export COURSE_STAMPS COURSE_STAMPS_KEY
    if [[ $fresh == true ]]; then export COURSE_FRESH=1; fi
  fi
  if [[ $backend == cuda && $(nvidia-smi --query-gpu=compute_mode --format=csv,noheader | sort -u) == Default ]]; then
    export COURSE_GPU_SHARED=1
  fi
  left_out=$(($(count_tests) - $(count_tests "${tests[@]}"))) # before: it writes a LastTest.log, too
  # One more than there are processors: some tests wait, for Slurm or for a time limit.
  ctest --test-dir "$builds" "${tests[@]}" -j $(($(nproc) + 1)) --output-on-failure --progress || code=$?
  unchanged=$(grep -c '^unchanged since it passed' "$builds/Testing/Temporary/LastTest.log") || true
  if [[ $unchanged -gt 0 ]]; then echo "$unchanged of these tests were not run again, because they passed before with the same files. --fresh runs them."; fi
  if [[ $left_out -gt 0 ]]; then echo "$left_out more tests were left out. ./course test --all runs them."; fi
  return $code
}
