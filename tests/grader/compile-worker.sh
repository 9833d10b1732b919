#!/bin/sh
# Compiles a submission the way that grading does:
#   compile-worker.sh SETTINGS SOURCE HARNESS.o FOLDER WORKER
# leaves FOLDER/WORKER; worker-checked is the worker with the checks. SETTINGS, which CMake writes,
# names the compilers. Exit code 1: the submission does not compile; the compiler's own words are on
# stdout and stderr. 2: the grader's own parts are not built.
# The variables below come from SETTINGS; its lists are split into words on purpose.
# shellcheck disable=SC2086,SC2154
set -eu

settings=$1 source=$2 harness=$3 folder=$4 worker=$5
# shellcheck source=/dev/null
. "$settings"
if [ "$worker" = worker-checked ]; then
  translate=$translate_checked cxx=$cxx_checked libraries=$libraries_checked
fi

for part in "$harness" $libraries; do
  case $part in
  /*) [ -e "$part" ] || { echo "$part is not built; ./course check builds it" && exit 2; } ;;
  esac
done

if [ "$backend" = cpu ]; then
  timeout 60 $translate -I "$root" -M "$folder/translated.d" "$source" "$folder/learner.cpp" || exit 1
  timeout 60 $cxx -MD -MF "$folder/learner.d" -c "$folder/learner.cpp" -o "$folder/learner.o" || exit 1
else
  timeout 60 $nvcc -MD -MF "$folder/learner.d" -c "$source" -o "$folder/learner.o" || exit 1
fi
if cat "$folder"/*.d | tr ' ' '\n' | grep -v -x -F "$source" | grep -q "$root/solutions/"; then
  echo "$source includes a file of solutions/"
  exit 1
fi
objcopy --redefine-sym main=learner_main "$folder/learner.o"
timeout 60 $link "$harness" "$folder/learner.o" $libraries -o "$folder/$worker" || exit 1
chmod 755 "$folder/$worker" # whatever the umask: it runs as another user
