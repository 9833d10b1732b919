# What ./course needs from a machine: sourced by it, never run alone.
# Each function says what it does on standard error; die ends the command.
# shellcheck shell=bash

readonly USAGE=2 MISSING=3 # exit codes, with 1 for work that fails

if [[ -t 2 && -z ${NO_COLOR:-} ]]; then grey=$'\e[90m' plain=$'\e[0m'; else grey='' plain=''; fi

have() { command -v "$1" >/dev/null 2>&1; }
say() { printf '%s%s%s\n' "$grey" "$*" "$plain" >&2; }

# die CODE MESSAGE...: one line for each message.
die() {
  local code=$1
  shift
  printf '%s\n' "$@" >&2
  exit "$code"
}

# at_least VERSION WANTED: whether the version is WANTED or newer.
at_least() { [[ $(printf '%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }

cmake_version() { cmake --version | sed -n 's/^cmake version \([0-9.]*\).*/\1/p'; }

compiler() {
  local name
  for name in ${CXX:+"$CXX"} c++ g++ clang++; do
    have "$name" && echo "$name" && return
  done
  return 1
}

# --- installing -----------------------------------------------------------------------------------

# may_install: whether this machine's packages are ours to install. In a batch job nothing is.
may_install() {
  have apt-get && [[ -z ${SLURM_JOB_ID:-} ]] || return 1
  [[ $EUID -eq 0 ]] && return
  have sudo && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }
}

as_root() { if [[ $EUID -eq 0 ]]; then "$@"; else sudo "$@"; fi; }

# elsewhere COLUMN PACKAGE...: what the Debian packages are called in Fedora (1), or as a cluster's modules (2).
elsewhere() {
  local column=$1 package names
  shift
  for package; do
    case ${package%/*} in
      g++) names=(gcc-c++ GCC) ;;
      cmake) names=(cmake CMake) ;;
      ninja-build) names=(ninja-build Ninja) ;;
      catch2) names=(catch-devel Catch2) ;;
      libopenblas-dev) names=(openblas-devel OpenBLAS) ;;
      libopenmpi-dev) names=(openmpi-devel OpenMPI) ;;
      *) continue ;;
    esac
    echo "${names[column - 1]}"
  done | xargs
}

# install REASON PACKAGE...: with apt, after saying what, how much and why.
install() {
  local reason=$1
  shift
  if ! may_install; then
    die $MISSING "missing on this machine, for $reason: $*" \
      "Install it, then give the same command again:" \
      "  Debian, Ubuntu   sudo apt-get install $*" \
      "  Fedora, RHEL     sudo dnf install $(elsewhere 1 "$@")" \
      "  a cluster        module load $(elsewhere 2 "$@") (module spider finds the versions)"
  fi
  local line=(apt-get install -y --no-install-recommends "$@")
  say "This machine lacks what $reason needs. Now follows, as root:"
  say "  ${line[*]}"
  apt-get install -s --no-install-recommends "$@" >/dev/null 2>&1 ||
    as_root apt-get update -qq >/dev/null || true
  # The sizes only: --print-uris installs nothing.
  { LC_ALL=C apt-get install --print-uris --no-install-recommends "$@" 2>/dev/null || true; } |
    sed -n 's/^\(Need to get\|After this operation\)/  &/p' >&2
  as_root env DEBIAN_FRONTEND=noninteractive "${line[@]}" >/dev/null ||
    die $MISSING "apt-get could not install: $*. Its message is above."
}

# require_toolchain: a C++ compiler, CMake and Ninja.
require_toolchain() {
  local packages=()
  compiler >/dev/null || packages+=(g++)
  have cmake || packages+=(cmake)
  have ninja || packages+=(ninja-build)
  if [[ ${#packages[@]} -gt 0 ]]; then install "building the lessons" "${packages[@]}"; fi
  at_least "$(cmake_version)" 3.25 ||
    die $MISSING "cmake $(cmake_version) is too old; 3.25 or newer is needed." \
      "  on a cluster: module load CMake; elsewhere: pipx install cmake"
}

# catch2_version: that of the newest Catch2 that CMake can find here; nothing where there is none.
catch2_version() {
  local folders=() prefix
  IFS=: read -ra folders <<<"${CMAKE_PREFIX_PATH:-}:${EBROOTCATCH2:-}:/usr/local:/usr"
  for prefix in "${folders[@]}"; do
    [[ -n $prefix ]] || continue
    cat "$prefix"/{lib*,lib/*,share}/cmake/Catch2/Catch2ConfigVersion.cmake 2>/dev/null || true
  done | sed -n 's/^set(PACKAGE_VERSION "\(.*\)")/\1/p' | sort -V | tail -n 1
}

# packages_of LIBRARY: the Debian packages of what a lesson links (LIBRARIES in CMakeLists.txt).
packages_of() {
  case $1 in
    cublas) echo libopenblas-dev ;; # on the CPU backend; the CUDA Toolkit has its own
    mpi) echo libopenmpi-dev openmpi-bin ;;
  esac
}

# missing_libraries LIBRARY...: those of them that CMake did not find when it configured.
missing_libraries() {
  comm -12 <(printf '%s\n' "$@" | sort) \
    <(sed -n 's/^COURSE_MISSING:INTERNAL=//p' "build/$backend/CMakeCache.txt" | tr ';' '\n' | sort)
}

candidate() { LC_ALL=C apt-cache policy "$1" | sed -n 's/^  Candidate: \([0-9.]*\).*/\1/p'; }

# require_catch2: Catch2 3.4, for the tests: the distribution's, or Debian's backport; where neither
# is to be had, CMake fetches the pinned release.
require_catch2() {
  [[ -d build/$backend/_deps/catch2-src ]] && return
  at_least "$(catch2_version)" 3.4 && return
  may_install || return 0
  [[ -n $(candidate catch2) ]] || as_root apt-get update -qq >/dev/null
  if at_least "$(candidate catch2)" 3.4; then
    install "testing" catch2
  elif grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release; then
    if ! apt-cache madison catch2 | grep -q backports; then
      say "Catch2 3 comes from Debian's backports; their address goes to /etc/apt/sources.list.d."
      echo 'deb http://deb.debian.org/debian bookworm-backports main' |
        as_root tee /etc/apt/sources.list.d/bookworm-backports.list >/dev/null
      as_root apt-get update -qq >/dev/null
    fi
    install "testing" catch2/bookworm-backports
  fi
}

# require_slurm: the packages of the practice cluster (tests/jobs/lab).
require_slurm() {
  local package packages=()
  for package in slurmctld slurmd slurm-client munge lmod openmpi-bin; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || packages+=("$package")
  done
  if [[ ${#packages[@]} -gt 0 ]]; then install "the practice cluster" "${packages[@]}"; fi
}

# want_pictures: stb_image_write, with which lessons draw. Where it is not to be had they do without.
want_pictures() {
  if [[ -e /usr/include/stb/stb_image_write.h ]] || ! may_install || [[ -z $(candidate libstb-dev) ]]; then
    return 0
  fi
  install "drawing pictures" libstb-dev
}

# --- the backend ----------------------------------------------------------------------------------

find_nvcc() {
  local nvcc
  for nvcc in "${CUDACXX:-}" "$(command -v nvcc)" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc"; do
    [[ -x $nvcc ]] && echo "$nvcc" && return
  done
  return 1
}

toolkit_version() { "$(find_nvcc)" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p'; }
driver_cuda_version() { timeout 20 nvidia-smi | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p'; }
devices() { have nvidia-smi && timeout 20 nvidia-smi -L 2>/dev/null | grep '^GPU'; }

# choose_backend: sets backend (cpu or cuda) and why, in words.
# shellcheck disable=SC2034 # read by ./course
choose_backend() {
  backend=${COURSE_BACKEND:-}
  why="as asked"
  if [[ -n $backend ]]; then
    [[ $backend == cpu || $backend == cuda ]] ||
      die $USAGE "there is no backend '$backend': use cpu or cuda"
  elif ! devices >/dev/null; then
    backend=cpu why="no GPU answers here"
  elif ! find_nvcc >/dev/null; then
    backend=cpu why="there is a GPU, but no nvcc: install the CUDA Toolkit, or module load CUDA"
  else
    local driver toolkit
    driver=$(driver_cuda_version)
    toolkit=$(toolkit_version)
    if [[ ${toolkit%%.*} -gt ${driver%%.*} ]]; then
      backend=cpu why="the driver knows CUDA $driver, the toolkit is $toolkit: load an older one"
    else
      backend=cuda why="a GPU answers, toolkit $toolkit"
    fi
  fi
  if [[ $backend == cuda ]]; then
    CUDACXX=$(find_nvcc) || die $MISSING "the cuda backend needs nvcc, and there is none." \
      "  on a cluster: module load CUDA; without a GPU: ./course --backend cpu ..."
    export CUDACXX
  fi
}

# --- building -------------------------------------------------------------------------------------

free_megabytes() { df -Pm "$1" | awk 'NR == 2 { print $4 }'; }

# build_failed MESSAGE...: ends the command; says so first where the disk is the reason.
build_failed() {
  if [[ $(free_megabytes .) -lt 100 ]]; then
    die $MISSING "the disk is full: $(free_megabytes .) MB are free in $PWD, a build takes up to 500." \
      "  ./course clean frees what earlier builds hold; df -h . shows the disk"
  fi
  die 1 "$@"
}

# lock_folder, unlock_folder: between them no other terminal or job builds in the build folder.
lock_folder() {
  local code=0
  if ! mkdir -p "build/$backend" 2>/dev/null || [[ ! -w build/$backend ]]; then
    die $MISSING "cannot write to $PWD/build/$backend: clone the course to a place of your own"
  fi
  exec {lock}>"build/$backend.lock"
  have flock || return 0
  flock -w 1 -E 75 "$lock" || code=$? # some file systems know no locks
  if [[ $code -eq 75 ]]; then
    say "Another ./course builds here: waiting for it ..."
    flock "$lock"
  fi
}
unlock_folder() { exec {lock}>&-; }

# configure ON|OFF [anew]: the build folder, with or without the tests; nothing where it stands already.
# Tests that are on stay on: run and test share one folder.
configure() {
  local folder=build/$backend log home
  lock_folder
  if [[ ${2-} == anew ]]; then rm -f "$folder/build.ninja"; fi
  if [[ -f $folder/build.ninja ]]; then
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt")
    if [[ $home != "$PWD" ]]; then
      say "The course has moved from $home: building anew."
      rm -rf "$folder" && mkdir -p "$folder"
    elif [[ $1 == OFF ]] || grep -q '^COURSE_TESTS:BOOL=ON' "$folder/CMakeCache.txt"; then
      unlock_folder
      return
    fi
  fi
  say "Configuring $folder ..."
  log=$folder/configure.log
  if ! cmake --preset "$backend" -DCOURSE_TESTS="$1" >"$log" 2>&1; then
    rm -f "$folder/build.ninja"
    if grep -qi 'build step for catch2 failed' "$log"; then
      die $MISSING "the tests need Catch2 3.4, which is not on this machine and could not be downloaded: see $log" \
        "  a cluster: module load Catch2 (module spider finds the versions), or" \
        "  give this command once on the login node, which may reach the internet"
    fi
    tail -n 30 "$log" >&2
    build_failed "cmake --preset $backend failed; all it said is in $log"
  fi
  unlock_folder
}

# build TARGET...: one line for each step; nothing when all is up to date.
build() {
  lock_folder
  NINJA_STATUS="${grey}[%f/%t]${plain} " cmake --build "build/$backend" --target "$@" 2>&1 |
    { grep --line-buffered -vE 'no work to do|Re-checking globbed|^-- ' || true; } >&2 ||
    build_failed "the build failed: the compiler's first message above names the file and line"
  unlock_folder
}
