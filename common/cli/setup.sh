# Finds and installs what ./course needs from a machine; sourced.
# Each function prints its progress on standard error; die ends the command.
# shellcheck shell=bash disable=SC2034,SC2154 # variables of the commands, of backend.sh

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

# may_install: whether packages may be installed on this machine: never in a batch job.
may_install() {
  have apt-get && [[ -z ${SLURM_JOB_ID:-} && ! ${COURSE_INSTALL:-} =~ ^([nN]|0|off) ]] || return 1
  [[ $EUID -eq 0 ]] && return
  have sudo && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }
}

as_root() { if [[ $EUID -eq 0 ]]; then "$@"; else sudo "$@"; fi; }

# agree: if there is a terminal, asks once in each command whether to install packages. After a no, may_install is false.
agree() {
  local answer
  [[ -z ${COURSE_INSTALL:-} && -t 0 ]] || return 0
  read -rp "Install the missing packages with apt-get, as root? [Y/n] " answer 2>/dev/tty || answer=no
  COURSE_INSTALL=yes
  if [[ $answer == [nN]* ]]; then COURSE_INSTALL=no; fi
}

# elsewhere COLUMN PACKAGE...: what the Debian packages are called in Fedora (1), or as a cluster's modules (2).
elsewhere() {
  local column=$1 package library names
  shift
  for package; do
    names=()
    case ${package%/*} in
      g++) names=(gcc-c++ GCC) ;;
      cmake) names=(cmake CMake) ;;
      ninja-build) names=(ninja-build Ninja) ;;
      catch2) names=(catch-devel Catch2) ;;
      nlohmann-json3-dev) names=(json-devel nlohmann_json) ;;
      libcli11-dev) names=(cli11-devel CLI11) ;;
      *) # of a library in the registry
        for library in "${known_libraries[@]}"; do
          [[ " ${registry[$library debian]-} " == *" ${package%%=*} "* ]] || continue
          names=("${registry[$library fedora]}" "${registry[$library modules]}")
          break
        done
        ;;
    esac
    tr ' ' '\n' <<<"${names[column - 1]-}"
  done | awk '!seen[$0]++' | xargs
}

# offer REASON PACKAGE...: installs with apt, after printing the packages, the sizes and the reason. False where it does not.
apt_options=()
offer() {
  local reason=$1
  shift
  local line=(apt-get "${apt_options[@]}" install -y --no-install-recommends "$@")
  may_install || return 1
  say "Packages for $reason are missing. To install them, this command runs as root:"
  say "  ${line[*]}"
  # The sizes only: --print-uris installs nothing.
  { LC_ALL=C "${line[@]}" --print-uris 2>/dev/null || true; } |
    sed -n 's/^\(Need to get\|After this operation\)/  &/p' >&2
  agree && may_install || return 1
  "${line[@]}" --simulate >/dev/null 2>&1 || as_root apt-get "${apt_options[@]}" update -qq >/dev/null || true
  as_root env DEBIAN_FRONTEND=noninteractive "${line[@]}" >/dev/null
}

# install REASON PACKAGE...: the same for packages without which the command ends.
install() {
  local reason=$1 nvidia='' fedora modules
  if offer "$@"; then return; fi
  shift
  if [[ $* == *nccl* ]]; then nvidia="NCCL is in NVIDIA's package repository: docs.nvidia.com/deeplearning/nccl"; fi
  fedora=$(elsewhere 1 "$@") modules=$(elsewhere 2 "$@")
  die "$MISSING" "missing packages for $reason: $*" \
    "Install them, then run the same command again:" \
    "  Debian, Ubuntu   sudo apt-get install $*" \
    ${fedora:+"  Fedora, RHEL     sudo dnf install $fedora"} \
    ${modules:+"  a cluster        module load $modules (module spider finds the versions)"} \
    ${nvidia:+"$nvidia"}
}

# require_toolchain: a C++ compiler, CMake and Ninja.
require_toolchain() {
  local packages=()
  compiler >/dev/null || packages+=(g++)
  have cmake || packages+=(cmake)
  have ninja || packages+=(ninja-build)
  if [[ ${#packages[@]} -gt 0 ]]; then install "building the lessons" "${packages[@]}"; fi
  # Before 1.13, Ninja ends a file's name at these characters in a compiler's list of the files that it has read.
  if [[ $PWD == *[\'\"\&?]* ]] && ! at_least "$(ninja --version)" 1.13; then
    say "This folder's path has ' \" & or ?, so Ninja $(ninja --version) builds everything again each time. Ninja 1.13 does not." \
      "Rename the folder, or: pipx install ninja"
  fi
}

# offer_second_reader: clang, with which check finds host code in kernels: once, and only where packages can be installed.
offer_second_reader() {
  local offered=$builds/second-reader-offered
  [[ $backend == cpu && ! -e $offered ]] || return 0
  if compgen -c clang++ >/dev/null || have nvcc || [[ -x /usr/local/cuda/bin/nvcc ]] || ! may_install; then return; fi
  touch "$offered"
  offer "finding host code in kernels" clang || return 0
  rm -rf "$cpu_builds/toolkit/precompiled/second-reader" # made without it
}

# require_slurm [ARGUMENT]...: the packages that ./course slurm-lab start needs with these arguments.
require_slurm() {
  local missing packages
  missing=$(jobs/lab/lab packages "$@")
  read -ra packages <<<"$missing"
  if [[ ${#packages[@]} -gt 0 ]]; then install "the practice cluster" "${packages[@]}"; fi
}

# require_cmake: ends the command where there is no CMake that is new enough.
require_cmake() {
  have cmake || die "$MISSING" "this command needs CMake, which is not installed: ./course run hello-gpu installs it, or prints how to install it"
  at_least "$(cmake_version)" 3.25 ||
    die "$MISSING" "cmake $(cmake_version) is too old: the course needs 3.25 or newer." \
      "  on a cluster: module load CMake; elsewhere: pipx install cmake"
}

# package_version NAME: of the newest package of this name that CMake can find here; nothing where there
# is none.
package_version() {
  local folders=() prefix module=EBROOT${1^^}
  IFS=: read -ra folders <<<"${CMAKE_PREFIX_PATH:-}:${!module:-}:/usr/local:/usr"
  for prefix in "${folders[@]}"; do
    [[ -n $prefix ]] || continue
    cat "$prefix"/{lib*,lib/*,share}/cmake/"$1/$1"ConfigVersion.cmake 2>/dev/null || true
  done | sed -n 's/^set(PACKAGE_VERSION "\(.*\)")/\1/p' | sort -V | tail -n 1
}

# packages_of LIBRARY: its Debian packages; of NCCL the newest that are built for the toolkit's CUDA.
packages_of() {
  local version=''
  if [[ $1 == nccl ]]; then
    version=$(toolkit_version)
    version=$(apt-cache madison libnccl2 2>/dev/null |
      sed -n "s/.*| *\([^ ]*+cuda${version%%.*}\.[^ ]*\) .*/=\1/p" | head -n 1)
  fi
  sed -E "s/[^ ]+/&$version/g" <<<"${registry[$1 debian]-}"
}

candidate() { LC_ALL=C apt-cache policy "$1" | sed -n 's/^  Candidate: \([0-9.]*\).*/\1/p'; }

# require_test_packages: Catch2 3.4, nlohmann-json and CLI11, for check, test and bench. They are the distribution's packages,
# or on Debian 12 a backport; elsewhere CMake downloads a pinned release.
require_test_packages() {
  local packages=()
  if ! fetched nlohmann_json && [[ -z $(package_version nlohmann_json) ]]; then packages+=(nlohmann-json3-dev); fi
  if ! fetched CLI11 && [[ -z $(package_version CLI11) ]]; then packages+=(libcli11-dev); fi
  if ! fetched Catch2 && ! at_least "$(package_version Catch2)" 3.4; then packages+=(catch2); fi
  if [[ ${#packages[@]} -eq 0 ]] || ! may_install; then return 0; fi
  agree && may_install || return 0 # before apt's lists are read again
  [[ -n $(candidate "${packages[0]}") ]] || as_root apt-get update -qq >/dev/null
  if [[ ${packages[-1]} == catch2 ]] && ! at_least "$(candidate catch2)" 3.4; then
    unset 'packages[-1]'
    if grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release; then
      use_backports
      packages+=(catch2/bookworm-backports)
    fi
  fi
  if [[ ${#packages[@]} -gt 0 ]]; then install "check, test and bench" "${packages[@]}"; fi
  apt_options=()
}

# fetched PACKAGE: whether CMake has downloaded it (packages.cmake).
fetched() { compgen -G "build/sources/$1-*" >/dev/null; }

# use_backports: makes install read the machine's package sources and Debian's backports. /etc/apt does not change.
use_backports() {
  if apt-cache madison catch2 | grep -q backports; then return; fi
  mkdir -p build
  {
    cat /etc/apt/sources.list 2>/dev/null || true
    echo 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm-backports main'
  } >build/backports.list
  apt_options=(-o "Dir::Etc::sourcelist=$PWD/build/backports.list")
  as_root apt-get "${apt_options[@]}" update -qq >/dev/null
}
