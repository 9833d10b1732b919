#!/bin/sh
# Compiles a submission the way that grading does:
#   compile-worker.sh SETTINGS SOURCE HARNESS.o FOLDER WORKER
# leaves FOLDER/WORKER; worker-checked is the worker with the checks. SETTINGS, which CMake writes,
# names the compilers. Exit code 1: the submission does not compile; the compiler's own words are on
# stdout and stderr. 2: the grader's own parts are not built.
# The variables below come from SETTINGS: words for a shell, since paths may have spaces.
# shellcheck disable=SC2154
set -eu

settings=$1 source=$2 harness=$3 folder=$4 worker=$5
# shellcheck source=/dev/null
. "$settings"
if [ "$worker" = worker-checked ]; then
  translate=$translate_checked cxx=$cxx_checked libraries=$libraries_checked
fi

eval "set -- $libraries"
for part in "$harness" "$@"; do
  case $part in
  /*) [ -e "$part" ] || { echo "$part is not built; ./course check builds it" && exit 2; } ;;
  esac
done

# with COMMAND ARGUMENT...: COMMAND is words for a shell.
with() {
  command=$1
  shift
  eval "timeout 60 $command \"\$@\"" && return
  [ $? -ne 124 ] || echo "stopped after 60 s: $command" # the compiler has said nothing
  exit 1
}

if [ "$backend" = cpu ]; then
  with "$translate" -I "$root" -M "$folder/translated.d" "$source" "$folder/learner.cpp"
  with "$cxx" -MD -MF "$folder/learner.d" -c "$folder/learner.cpp" -o "$folder/learner.o"
else
  with "$nvcc" -MD -MF "$folder/learner.d" -c "$source" -o "$folder/learner.o"
fi
# A list of files with a blank between them; a blank in a name has a \ before it.
if sed 's/\\ /\x01/g' "$folder"/*.d | tr ' \001' '\n ' | grep -v -x -F "$source" | grep -q -F "$root/solutions/"; then
  echo "$source includes a file of solutions/"
  exit 1
fi
objcopy --redefine-sym main=learner_main "$folder/learner.o"
with "$link" "$harness" "$folder/learner.o" "$@" -o "$folder/$worker"
chmod 755 "$folder/$worker" # whatever the umask: it runs as another user
