#!/bin/sh
# The steps from a submission to a worker, each a process that the grader watches:
#   compile-worker.sh compile SETTINGS WORKER FOLDER SOURCE NAME MAIN COUNTED   FOLDER/NAME.o
#     MAIN is `main` where main() is kept, renamed to NAME_main; COUNTED is `counted` where loads and stores are
#     counted. Each is '' where not.
#   compile-worker.sh link SETTINGS WORKER FOLDER HARNESS OBJECT...   FOLDER/WORKER; the submission's OBJECT first
#   compile-worker.sh read SETTINGS WORKER FOLDER SOURCE           the second reader of the CPU backend's nvcc
#   compile-worker.sh control SETTINGS WORKER FOLDER               a program without a fault, from the same tools
# WORKER is worker, or worker-instrumented: one whose every access a tool sees.
# Exit code 1: the submission is wrong, and stdout and stderr say at which line or name. 9: parts of the grader's own
# are not built. Any other: something failed, which may not be the submission's doing: the control tells.
# SETTINGS, which CMake writes, has root, nvcc, blind_spots, flags, warnings, libraries, owners and one_reader: words for a shell,
# since paths may have spaces. owners: archives whose functions a submission may not replace. COURSE_NO_WARNINGS: nobody
# reads them, and they take a fifth of the time.
# shellcheck disable=SC2154
set -eu
export LC_ALL=C.UTF-8 # messages of compilers and linkers are parsed

step=$1 settings=$2 worker=$3 folder=$4
shift 4
# shellcheck source=/dev/null
. "$settings"
[ "$worker" != worker-instrumented ] || nvcc="$nvcc --instrument"
[ -n "${COURSE_NO_WARNINGS:-}" ] || flags="$flags $warnings"

[ "$step" != compile ] || nvcc="$nvcc $one_reader"

# compiler WORD...
compiler() { eval "$nvcc \"\$@\""; }

# device_guard.hpp and course_cpu_grader.h.
grader_names='^course_cpu::tools::|^course(_cpu)?::(guard|limit|treat|check|counted|live|device|take|watch|mask|unmask|host)_[a-z_]*\(|^course(_cpu)?::launches\('

# symbols FILE...: "BINDING SECTION NAME" of each that other files see; in UND are those that it only uses. (nm first
# loads the plugins of compilers, which takes ten times as long.)
symbols() { readelf -sW "$@" 2>/dev/null | awk 'NF > 7 && $5 ~ /^(GLOBAL|WEAK|UNIQUE)$/ { print $5, $7, $8 }'; }

# look_for_blind_spots SOURCE COUNTED INTO: what the hooks of the instrumented program do not see may not be in it. Only
# its own lines matter: g++ leaves out those of the precompiled header.
look_for_blind_spots() {
  code=0
  eval "compiler $flags -Xcompiler=-fpch-preprocess -E \"\$1\"" 2>/dev/null | eval "$blind_spots \"\$1\" \"\$2\"" >"$3" || code=$?
  echo "$code" >"$3.code"
}

case $step in
compile)
  source=$1 name=$2 main=$3 counted=$4
  code=0
  if [ "$worker" = worker-instrumented ]; then
    look_for_blind_spots "$source" "$counted" "$folder/$name.blind" &
  fi
  make_object() {
    eval "compiler $flags $* -MD -MF \"\$folder/\$name.d\" -c \"\$source\" -o \"\$folder/\$name.o\"" >"$folder/$name.said" 2>&1
  }
  # Compiled again as it is where that fails (a main without a return can be no other function) or a message has the
  # other name.
  if [ -n "$main" ] || ! make_object "-include \"\$root/common/grader/worker/no_main.hpp\"" ||
    grep -q main_of_program "$folder/$name.said"; then
    make_object || code=3
  fi
  [ ! -s "$folder/$name.said" ] || cat "$folder/$name.said"
  wait
  if [ "$worker" = worker-instrumented ]; then
    read -r blind <"$folder/$name.blind.code" || blind=3
    cat "$folder/$name.blind"
    [ "$blind" = 0 ] || exit $((blind == 1 ? 1 : 3))
  fi
  if [ "$code" != 0 ]; then
    # A full disk, too, is told with the line at which the compiler was.
    if grep -E ':[0-9]+(:[0-9]+)?: (fatal )?error: |\([0-9]+\): error' "$folder/$name.said" |
      grep -qv ' error: error \(writing\|closing\) '; then
      code=1
    fi
    exit "$code"
  fi
  # For kernels without Landlock. A list of files with a blank between them; a blank in a name has a \ before it.
  if awk '{ gsub(/\\ /, "\001"); n = split($0, files, " ")
            for (i = 1; i <= n; ++i) { gsub(/\001/, " ", files[i]); print files[i] } }' "$folder/$name.d" |
    xargs -d '\n' realpath -m -- "$root" "$source" |
    awk 'NR == 1 { root = $0 } NR == 2 { source = $0 }
         $0 != source && (index($0, root "/solutions/") == 1 || index($0, root "/tests/") == 1 && /\/answers\//) { found = 1 }
         END { exit !found }'; then
    echo "$source includes a file of solutions/, or an answer in tests/"
    exit 1
  fi
  # Functions of C whose loads and stores nobody counts, also where a header calls them.
  if [ -n "$counted" ]; then
    uncounted=$(symbols "$folder/$name.o" | awk '$2 == "UND" { print $3 }' |
      grep -E -x 'wmem(cpy|move|set|pcpy)|(__)?mempcpy|memccpy|bcopy|swab|__w?mem[a-z]*_chk' | head -n 1)
    if [ -n "$uncounted" ]; then
      echo "$source calls $uncounted, whose loads and stores are not counted: what kernels load and store is counted here"
      exit 1
    fi
  fi
  objcopy --redefine-sym "main=${name}_main" "$folder/$name.o" || exit 3
  ;;
read)
  eval "compiler $flags --second-reader alone \"\$1\"" 2>&1
  ;;
link)
  submission=$2
  eval "set -- \"\$@\" $libraries"
  for part in "$@"; do
    case $part in
    /*) [ -e "$part" ] || { echo "$part is not built; ./course check builds it" && exit 9; } ;;
    esac
  done
  # The submission may not define what the harness and the runtime define, and what they call of C's and C++'s libraries.
  symbols "$submission" >"$folder/symbols"
  eval "symbols \"\$1\" $owners" |
    awk 'own { defined[$3] = $2 != "UND"; next }
         $1 == "GLOBAL" && defined[$3] &&
         ($2 ~ /^[0-9]/ || $2 == "UND" && $3 ~ /^([A-Za-z]|__real_|_Z(St|NSt|NKSt|[nd][wla]))/) { print $3 }' \
      own=1 "$folder/symbols" own=0 - | sort -u >"$folder/taken"
  if [ -s "$folder/taken" ]; then
    c++filt <"$folder/taken" | sed 's/^/the file defines a name of the grader or of a library: /'
    exit 1
  fi
  # Nor does it use what the grader asks of the runtime, and what the runtime tells the tools.
  if awk '$2 == "UND" { print $3 }' "$folder/symbols" | c++filt | grep -E "$grader_names" >"$folder/taken"; then
    sed 's/^/the file uses a name of the grader: /' "$folder/taken"
    exit 1
  fi
  umask 022 # the worker runs as another user
  if ! compiler "$@" -o "$folder/$worker" >"$folder/linker" 2>&1; then
    # A function that the harness calls and no file defines is the contract's function.
    sed -n "s/.*undefined reference to [\`']\(.*\)'.*/the file does not define \1, nor does a library of this exercise/p" "$folder/linker" | sort -u | grep . && exit 1
    cat "$folder/linker"
    ! grep -q 'multiple definition of' "$folder/linker" || exit 1
    exit 3
  fi
  ;;
control)
  eval "compiler $flags \"\$root/common/grader/commands/control.cu\" $libraries -o \"\$folder/control\""
  ;;
esac
