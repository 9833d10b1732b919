# From what a learner typed to a program that is built, for run and profile; sourced.
# shellcheck shell=bash disable=SC2034,SC2154 # variables of the commands, of backend.sh

# up_to_date PROGRAM COMMAND: whether PROGRAM was built by this command, and no file that it read has changed.
up_to_date() {
  local rule file files=()
  [[ -x $1 && -e $1.d && $(cat "$1.command" 2>/dev/null) == "$2" ]] || return 1
  rule=$(<"$1.d") # of make: TARGET: FILE...
  rule=${rule#*: }
  rule=${rule//$'\\\n'/ }
  rule=${rule//'\ '/$'\x01'}
  read -d '' -ra files <<<"${rule//'$$'/$}" || true
  for file in "${files[@]//$'\x01'/ }"; do
    file=${file//'\#'/#}
    if [[ ! -e $file || $file -nt $1.command ]]; then return 1; fi
  done
}

# build_own FILE TOOL: builds a .cu file that is none of the course's, with a TOOL for the backend's tools;
# sets program. It lies below the build folder, in a folder with the file's path.
build_own() {
  local name command nccl place=$PWD/$builds/own$1
  local links
  local options=(-O3 "-Xcompiler=-Wall,-Wno-sign-compare,-Wno-unused-variable,-Wno-unused-but-set-variable")
  say "backend: $backend ($why)"
  if [[ $backend == cuda ]]; then
    nvcc=$CUDACXX
    # With lines of kernels and of host code, for compute-sanitizer and the profilers; and the libraries that it uses.
    options+=(-arch=native -lineinfo -Xcompiler=-g1 -Xlinker --as-needed)
    mapfile -t links < <(printf '%s\n' "${registry[@]}" | sed -n 's/^CUDA::/-l/p')
    if nccl=$(nccl_folder); then
      options+=(-I "$nccl/include" -L "$nccl/lib" -L "$nccl/lib64" -Xlinker "-rpath=$nccl/lib:$nccl/lib64")
      links+=(-lnccl)
    fi
  else
    if [[ -n $2 ]]; then
      place=$PWD/$builds/own-instrumented$1
      options[0]=--instrument
      build_toolkit instrumented
    else
      build_toolkit
    fi
    if [[ -e $cpu_builds/toolkit/lib64/libcublas_static.a ]]; then links=(-lcublas); fi
    links+=(-lnccl)
  fi
  name=$(basename "$1" .cu)
  program=$place/$name
  mkdir -p "$place" 2>/dev/null || die "$MISSING" "cannot write to $place"
  command=("$nvcc" -std=c++17 -I "$PWD" "${options[@]}" -MD -MF "$program.d" "$1" -o "$program" "${links[@]}")
  lock_folder
  # The compiler is a file that the program was made from, too.
  if [[ $nvcc -nt $program.command ]] || ! up_to_date "$program" "${command[*]}"; then
    say "Compiling $1 ..."
    rm -f "$program.command"
    echo "${command[*]}" >"$program.command.new" # older than what changes while it compiles
    "${command[@]}" >&2 || build_failed "$1 was not built: the compiler's first message above shows the line"
    mv "$program.command.new" "$program.command"
  fi
  unlock_folder
}

# find_any GIVEN: what a learner's word means; sets name, and target, program and libraries, or file. Ends the
# command where it means nothing.
find_any() {
  local lesson exercise
  require_toolchain && read_registry
  target='' program='' file='' libraries=()
  name=$(named "$1")
  if lesson=$(find_lesson "$name"); then
    target=${lesson#*-} program=$target name=$lesson
    read -ra libraries <<<"$(needs "$program")"
  elif lesson=$(find_program "$name"); then
    target=$name program=$name name=$lesson
    read -ra libraries <<<"$(needs "$program")"
  elif exercise=$(find_exercise "$name"); then
    target=exercise-${exercise/\//-} program=exercises/${exercise#*/} name=$exercise
    read -ra libraries <<<"$(needs "$name")"
  elif [[ $1 == *.cu ]]; then
    file=$(cd "$folder" && realpath -m "$1")
    [[ -f $file ]] || die "$USAGE" "there is no file $file"
  else
    unknown_name "lesson or exercise" "$name"
  fi
}

# launch_with RANKS: sets launcher, which starts the program where MPI has to.
launch_with() {
  launcher=()
  if [[ " ${libraries[*]} " =~ " mpi"(4py)?" " ]]; then
    launcher=("$PWD/common/cli/ranks.sh" "${1:-${SLURM_NTASKS:-1}}")
  elif [[ -n $1 ]]; then
    die "$USAGE" "$name does not use MPI: -n works only with MPI programs"
  fi
}

# build_found TOOL: builds what find_any has found, with a TOOL for the backend's tools; sets program to its path.
build_found() {
  if [[ -n $file ]]; then
    build_own "$file" "$1"
    return
  fi
  prepare none "${libraries[@]}"
  if [[ -n $1 && $backend == cpu ]]; then target=$target-instrumented program=instrumented/$program; fi
  build "$target"
  program=$PWD/$builds/bin/$program
}

# ranks_named WORD: the number of ranks that -n WORD asks for.
ranks_named() {
  [[ ${1:-} =~ ^[1-9][0-9]{0,3}$ ]] || die "$USAGE" "-n takes a number of ranks, such as -n 4"
  echo "$1"
}
