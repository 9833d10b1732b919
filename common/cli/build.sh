# From any machine to a built program; sourced. It builds in the folder $builds (backend.sh), and in $cpu_builds/toolkit
# the CPU backend's nvcc with its headers and libraries.
# shellcheck shell=bash disable=SC2034,SC2119,SC2120,SC2153,SC2154 # variables of setup.sh, backend.sh, the commands

free_megabytes() { df -Pm "$1" | awk 'NR == 2 { print $4 }'; }

# build_failed MESSAGE...: ends the command with the exit code $build_failure. If the disk is full, it prints that instead.
build_failure=1
build_failed() {
  if [[ $(free_megabytes .) -lt 100 ]]; then
    die "$MISSING" "the disk is full: $PWD has $(free_megabytes .) MB free, and a build needs up to 500 MB." \
      "  ./course clean deletes earlier builds; df -h . shows the free space"
  fi
  die "$build_failure" "$@"
}

# lock_folder, unlock_folder: between them no other terminal or job builds in $builds.
lock_folder() {
  local code=0
  if ! mkdir -p "$builds" 2>/dev/null || [[ ! -w $builds ]]; then
    die "$MISSING" "cannot write to $PWD/$builds: clone the course into a folder of your own"
  fi
  exec {lock}>"$builds.lock"
  have flock || return 0
  flock -w 1 -E 75 "$lock" || code=$? # some file systems have no locks
  if [[ $code -eq 75 ]]; then
    say "Another ./course command is building in this folder. Waiting for it ..."
    flock "$lock"
  fi
}
unlock_folder() { exec {lock}>&-; }

# remove_moved FOLDER SOURCE: removes the build folder if it was made for another source folder.
remove_moved() {
  local home
  [[ -f $1/CMakeCache.txt ]] || return 0
  home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$1/CMakeCache.txt")
  if [[ $home != "$2" ]]; then
    say "The course was moved here from $home. Building everything again."
    rm -rf "$1" && mkdir -p "$1"
  fi
}

# run_cmake FOLDER ARGUMENT...: configures FOLDER. Ends the command where that fails.
run_cmake() {
  local log=$1/configure.log
  require_cmake
  say "Configuring $1 ..."
  mkdir -p "$1"
  if cmake "${@:2}" >"$log" 2>&1; then return; fi
  rm -f "$1/build.ninja"
  tail -n 30 "$log" >&2
  build_failed "cmake failed: its complete output is in $log"
}

# run_ninja FOLDER TARGET...: shows the messages of the compiler and the errors of ninja itself. Prints one line if the
# build takes longer than a moment, and nothing if everything is up to date.
run_ninja() {
  local names=("${@:2}") progress status=0 here
  here=$(printf '%s/' "$PWD" | sed 's/[][\.*^$|+?(){}]/\\&/g') # messages name files from here
  names=("${names[@]#exercise-}")
  if [[ $2 == all ]]; then names=("$1"); fi
  { read -rt 1.5 <> <(:) || say "Building ${names[*]#check-} ..."; } & # the read waits without a child process
  progress=$!
  ninja -C "$1" "${@:2}" 2>&1 |
    sed -uE '/^FAILED: /{N;d}; /^\[[0-9]+\/[0-9]+\] |^ninja: (Entering|build stopped|no work)|Re-checking globbed|cmake --build|^-- /d; s|^(In file included from )?'"$here"'|\1|' >&2 ||
    status=$?
  kill "$progress" 2>/dev/null || true
  wait "$progress" 2>/dev/null || true
  if [[ $status -ne 0 ]]; then
    build_failed "the build failed: the first error message above shows the file and the line"
  fi
}

# build_toolkit [TARGET]...: the CPU backend's nvcc and what its programs link; sets nvcc.
build_toolkit() {
  local builds=$cpu_builds
  local folder=$builds/toolkit
  require_toolchain
  lock_folder
  remove_moved "$folder" "$PWD/common/cpu"
  if [[ ! -f $folder/build.ninja ]]; then run_cmake "$folder" -S common/cpu -B "$folder" -G Ninja; fi
  run_ninja "$folder" all "$@"
  unlock_folder
  nvcc=$PWD/$folder/bin/nvcc
}

# configure TIER [again]: runs CMake, with the tests up to this tier (none, quick, commit, nightly), where it has not run yet, or
# again; sets `configured` where it ran. Tests that are on stay on: run and test share one folder.
configure() {
  local folder=$builds cache=$builds/CMakeCache.txt tier=$1 had=none known python options=(-DBUILD_TESTING=OFF)
  if [[ $backend == cpu && ! -x $folder/toolkit/bin/nvcc ]]; then build_toolkit; fi # here its steps are shown
  lock_folder
  remove_moved "$folder" "$PWD"
  if [[ -f $cache ]] && ! grep -q "^COURSE_BACKEND:STRING=$backend$" "$cache"; then rm -rf "$folder" && mkdir -p "$folder"; fi # of plain CMake
  if [[ ${2-} == again ]]; then rm -f "$folder/build.ninja"; fi
  if grep -qs '^BUILD_TESTING:BOOL=ON' "$cache"; then had=$(sed -n 's/^COURSE_TIER:STRING=//p' "$cache"); fi
  for known in none quick commit nightly; do # the higher of both
    if [[ $known == "$1" || $known == "$had" ]]; then tier=$known; fi
  done
  if [[ ! -f $folder/build.ninja || $tier != "$had" || ! common/cmake/registry.json -ot $folder/missing.txt ]] ||
    { [[ $1 != none ]] && grep -qx tests "$folder/missing.txt"; }; then
    if [[ $tier != none ]]; then options=(-DBUILD_TESTING=ON -DCOURSE_TIER="$tier"); fi
    if python=$(course_python); then options+=(-DPython_EXECUTABLE="$PWD/$python"); fi
    run_cmake "$folder" --preset "$backend" -B "$folder" -DCOURSE_SOURCES="$PWD/build/sources" "${options[@]}"
    configured=yes
  fi
  unlock_folder
}

# build TARGET...: in the build folder.
build() {
  lock_folder
  run_ninja "$builds" "$@"
  unlock_folder
}

# missing_libraries LIBRARY...: those of them that CMake did not find when it configured.
missing_libraries() { grep -xFf "$builds/missing.txt" <<<"$(printf '%s\n' "$@")" | sort -u; }

# needs NAME...: the libraries that these exercises, lessons and programs of lessons need.
needs() {
  local name lesson
  for name; do
    lesson=$(find_program "$name") || lesson=$name
    echo "${registry[$lesson/$name needs]-${registry[$lesson needs]-}}"
  done | xargs
}

# prepare TIER [LIBRARY]...: from any machine to a configured build folder, with the tests up to this tier, or none.
prepare() {
  local tier=$1 library missing found packages=()
  shift
  choose_backend
  say "backend: $backend ($why)"
  require_toolchain
  if [[ $tier != none ]]; then require_test_packages; fi
  if [[ " $* " == *"python "* ]]; then make_python || true; fi # else its packages are missing: see below
  configured=
  configure "$tier"
  if [[ $tier != none ]] && grep -qx tests "$builds/missing.txt"; then
    die "$MISSING" "Catch2, nlohmann-json or CLI11 is not installed on this machine and could not be downloaded: see $builds/configure.log" \
      "  on a cluster: module load Catch2 nlohmann_json CLI11 (module spider finds the versions)," \
      "  or run this command once on the login node, if the login node has internet access"
  fi
  if ! missing_libraries "$@" >/dev/null; then return; fi
  # It may have come since: another module, a package. Else it is installed.
  if [[ -z $configured ]]; then configure "$tier" again; fi
  missing=$(missing_libraries "$@") || return 0
  for library in $missing; do
    read -ra found <<<"$(packages_of "$library")"
    packages+=("${found[@]}")
  done
  if [[ ${#packages[@]} -eq 0 ]]; then return; fi # a part of the CUDA Toolkit: the build prints which is missing
  install "this part of the course" "${packages[@]}"
  if [[ " $* " == *"python "* ]]; then
    make_python || die "$MISSING" "no Python on this machine can import numpy and pybind11, although their packages are installed"
  fi
  configure "$tier" again
}
