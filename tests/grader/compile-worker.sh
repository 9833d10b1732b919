#!/bin/sh
# Compiles a submission the way that grading does:
#   compile-worker.sh SETTINGS SOURCE HARNESS FOLDER WORKER [USED...]
# leaves FOLDER/WORKER; worker-instrumented is one whose every access a tool sees. USED: files of
# other exercises whose functions SOURCE calls. Exit code 1: the submission does not compile; the
# compiler's own words are on stdout and stderr. 2: the grader's own parts are not built, or USED does not
# compile.
# SETTINGS, which CMake writes, has root, nvcc, flags and libraries: words for a shell, since paths may
# have spaces.
# shellcheck disable=SC2154
set -eu

settings=$1 source=$2 harness=$3 folder=$4 worker=$5
shift 5
# shellcheck source=/dev/null
. "$settings"
[ "$worker" != worker-instrumented ] || nvcc="$nvcc --instrument"

# compiler WORD...
compiler() {
  eval "timeout 60 $nvcc \"\$@\"" && return
  [ $? -ne 124 ] || echo "stopped after 60 s: nvcc $*" # the compiler has said nothing
  return 1
}

# compile SOURCE NAME: FOLDER/NAME.o, whose main is NAME_main, and FOLDER/NAME.d.
compile() {
  eval "compiler $flags -MD -MF \"\$folder/\$2.d\" -c \"\$1\" -o \"\$folder/\$2.o\"" &&
    objcopy --redefine-sym "main=$2_main" "$folder/$2.o"
}

number=0
for used in "$@"; do # beside SOURCE: a verdict waits for both
  number=$((number + 1))
  compile "$used" "used$number" &
  shift
  set -- "$@" "$folder/used$number.o"
done
compile "$source" learner || { wait && exit 1; }
wait

# A list of files with a blank between them; a blank in a name has a \ before it. A path may take detours.
if sed 's/\\ /\x01/g' "$folder/learner.d" | tr ' \001' '\n ' | grep . | xargs -d '\n' realpath -m -- |
  grep -v -x -F "$(realpath "$source")" | grep -F "$(realpath -m "$root/solutions")/" >/dev/null; then
  echo "$source includes a file of solutions/"
  exit 1
fi

set -- "$harness" "$folder/learner.o" "$@"
eval "set -- \"\$@\" $libraries"
for part in "$@"; do
  case $part in
  /*) [ -e "$part" ] || { echo "$part is not built; ./course check builds it" && exit 2; } ;;
  esac
done
if ! compiler "$@" -o "$folder/$worker" >"$folder/linker" 2>&1; then
  # What the harness calls and nobody defines is the contract's function.
  sed -n "s/.*undefined reference to \`\(.*\)'.*/the file does not define \1/p" "$folder/linker" | sort -u | grep . ||
    cat "$folder/linker"
  exit 1
fi
chmod 755 "$folder/$worker" # whatever the umask: it runs as another user
