#!/bin/sh
# The steps from a submission to a worker, each a process that the grader watches:
#   compile-worker.sh compile SETTINGS WORKER FOLDER SOURCE NAME   FOLDER/NAME.o, whose main is NAME_main
#   compile-worker.sh link SETTINGS WORKER FOLDER HARNESS OBJECT...   FOLDER/WORKER; the submission's OBJECT first
#   compile-worker.sh control SETTINGS WORKER FOLDER               a program without a fault, from the same tools
# WORKER is worker, or worker-instrumented: one whose every access a tool sees.
# Exit code 1: the submission is wrong, and stdout and stderr say at which line or name. 2: parts of the grader's own
# are not built. 3: something failed, which may not be the submission's doing: the control tells.
# SETTINGS, which CMake writes, has root, nvcc, flags, libraries and owners: words for a shell, since paths may
# have spaces. owners: archives whose functions a submission may not replace.
# shellcheck disable=SC2154
set -eu

step=$1 settings=$2 worker=$3 folder=$4
shift 4
# shellcheck source=/dev/null
. "$settings"
[ "$worker" != worker-instrumented ] || nvcc="$nvcc --instrument"

# compiler WORD...
compiler() { eval "$nvcc \"\$@\""; }

# symbols OPTION FILE...: "TYPE NAME" of each.
symbols() { nm -P "$@" 2>/dev/null | sed -n 's/^\([^ ]*\) \([A-Za-z]\).*/\2 \1/p'; }

# no_blind_spots SOURCE: what the hooks of the instrumented program do not see may not be in it.
no_blind_spots() {
  eval "compiler $flags -E \"\$1\"" 2>/dev/null | sed 's/"[^"\\]*\(\\.[^"\\]*\)*"/""/3g' |
    awk -v source="\"$1\"" '
      /^# [0-9]+ "/ { line = $2 - 1; mine = index($0, source) > 0; next }
      { ++line }
      mine && /no_sanitize|no_instrument|(^|[^A-Za-z0-9_])_*asm_*([^A-Za-z0-9_]|$)/ {
        print source ":" line ": error: inline assembly and no_sanitize are not allowed here: what kernels load " \
                     "and store is looked at"
        found = 1
        exit
      }
      END { exit found }'
}

case $step in
compile)
  source=$1 name=$2
  code=0
  if [ "$worker" = worker-instrumented ]; then
    no_blind_spots "$source" >"$folder/$name.blind" &
  fi
  eval "compiler $flags -MD -MF \"\$folder/\$name.d\" -c \"\$source\" -o \"\$folder/\$name.o\"" >"$folder/$name.said" 2>&1 || code=3
  cat "$folder/$name.said"
  wait
  if [ -s "$folder/$name.blind" ]; then cat "$folder/$name.blind" && exit 1; fi
  if [ "$code" != 0 ]; then
    # A full disk, too, is told with the line at which the compiler was.
    ! grep -E ':[0-9]+(:[0-9]+)?: (fatal )?error: |\([0-9]+\): error' "$folder/$name.said" |
      grep -qv ' error: error \(writing\|closing\) ' || code=1
    exit "$code"
  fi
  # For kernels without Landlock. A list of files with a blank between them; a blank in a name has a \ before it.
  if sed 's/\\ /\x01/g' "$folder/$name.d" | tr ' \001' '\n ' | grep . | xargs -d '\n' realpath -m -- |
    grep -v -x -F "$(realpath "$source")" | grep -E "^$(realpath -m "$root" | sed 's/[^A-Za-z0-9/]/\\&/g')/(solutions|tests/bank)/" >/dev/null; then
    echo "$source includes a file of solutions/ or tests/bank/"
    exit 1
  fi
  objcopy --redefine-sym "main=${name}_main" "$folder/$name.o" || exit 3
  ;;
link)
  submission=$2
  eval "set -- \"\$@\" $libraries"
  for part in "$@"; do
    case $part in
    /*) [ -e "$part" ] || { echo "$part is not built; ./course check builds it" && exit 2; } ;;
    esac
  done
  # What the harness and the runtime define, and what they call of C's and C++'s libraries.
  eval "symbols -g \"\$1\" $owners" |
    sed -n -e '/^[TDBRi] /p' -e '/^U [A-Za-z]/p' -e '/^U __real_/p' -e '/^U _Z\(St\|NSt\|NKSt\|[nd][wla]\)/p' |
    sed 's/^. //' | grep -v -x learner_main | sort -u >"$folder/owned"
  symbols -g --defined-only "$submission" | sed 's/^[^ ]* //' | sort -u >"$folder/defined"
  comm -12 "$folder/owned" "$folder/defined" >"$folder/taken"
  if [ -s "$folder/taken" ]; then
    c++filt <"$folder/taken" | sed 's/^/the file defines a name of the grader or of a library: /'
    exit 1
  fi
  if ! compiler "$@" -o "$folder/$worker" >"$folder/linker" 2>&1; then
    # What the harness calls and nobody defines is the contract's function.
    sed -n "s/.*undefined reference to \`\(.*\)'.*/the file does not define \1/p" "$folder/linker" | sort -u | grep . && exit 1
    cat "$folder/linker"
    ! grep -q 'multiple definition of' "$folder/linker" || exit 1
    exit 3
  fi
  chmod 755 "$folder/$worker" # whatever the umask: it runs as another user
  ;;
control)
  eval "compiler $flags \"\$root/tests/grader/control.cu\" $libraries -o \"\$folder/control\""
  ;;
esac
