# The names of lessons and exercises that a learner may type, and their entries in the registry; sourced.
# shellcheck shell=bash disable=SC2034 # variables of the commands

lessons=(lessons/[0-9]*/README.md) # NN-slug
lessons=("${lessons[@]#lessons/}")
lessons=("${lessons[@]%/README.md}")

# read_registry: sets exercises and known_libraries, names in the order of the registry, and registry: registry[NAME FIELD]
# is a field as common/cmake/registry.cmake prints it, one line per element of a list. CMake's output is kept in build/.
declare -A registry=()
exercises=() known_libraries=()
read_registry() {
  local folder=common/cmake kept=build/registry.sh text
  if [[ $folder/registry.json -ot $kept && $folder/registry.cmake -ot $kept ]]; then
    text=$(<"$kept")
  else
    require_cmake
    text=$(cmake -P "$folder/registry.cmake" 2>&1) || die "$USAGE" "$text"
    text=known_libraries=${text#*known_libraries=} # without CMake's warnings
    { mkdir -p build && echo "$text" >"$kept.$$" && mv "$kept.$$" "$kept"; } 2>/dev/null || true
  fi
  eval "$text"
}

# file_of EXERCISE: its file below exercises/ and solutions/: NAME.py if it needs the library python, else NAME.cu.
file_of() { if [[ " ${registry[$1 needs]-} " =~ [[:space:]]python[[:space:]] ]]; then echo "$1.py"; else echo "$1.cu"; fi; }

# named WORD: the name that it is; a path of the course's becomes one, from its root or from the learner's folder.
named() {
  local path=${1%/}
  if [[ -e $folder/$path ]]; then
    path=$(realpath --no-symlinks --relative-to=. "$folder/$path")
  fi
  case $path in
    lessons/*) path=${path##*/} ;;
    exercises/*) path=${path#exercises/} ;;
    *) echo "$1" && return ;;
  esac
  path=${path%.c*}
  echo "${path%.py}"
}

# find_lesson NAME: its folder's name. Takes 3, 03, add-list, 03-add-list.
find_lesson() {
  local lesson number=none
  if [[ $1 =~ ^[0-9]{1,3}$ ]]; then number=$(printf '%02d' "$((10#$1))"); fi
  for lesson in "${lessons[@]}"; do
    if [[ $1 == "$lesson" || $1 == "${lesson#*-}" || $number == "${lesson%%-*}" ]]; then
      echo "$lesson"
      return
    fi
  done
  return 1
}

# find_program NAME: the folder of the lesson that has a program of this file name, such as matmul-versions.
find_program() {
  local lesson
  for lesson in "${lessons[@]}"; do
    if [[ -f lessons/$lesson/$1.cu || -f lessons/$lesson/$1.cpp || -f lessons/$lesson/$1.py ]]; then
      echo "$lesson"
      return
    fi
  done
  return 1
}

# find_exercise NAME: NN-slug/name. Takes axpby, add-list/axpby, 3/axpby.
find_exercise() {
  local lesson='' exercise
  if [[ $1 == */* ]]; then lesson=$(find_lesson "${1%%/*}") || return 1; fi
  for exercise in "${exercises[@]}"; do
    if [[ ${exercise#*/} == "${1#*/}" && ${exercise%/*} == "${lesson:-${exercise%/*}}" ]]; then
      echo "$exercise"
      return
    fi
  done
  return 1
}

# nearest WORD NAME...: "Did you mean NAME? " for the one name that differs from WORD in the fewest letters, at most in a third
# of them; nothing where there is none.
nearest() {
  printf '%s\n' "$@" | awk '
    function plain(text) { text = tolower(text); gsub(/[ _]/, "-", text); return text }
    function least(a, b) { return a < b ? a : b }
    # The Levenshtein distance.
    function distance(a, b,   i, j, row, above, left) {
      for (j = 0; j <= length(b); j++) row[j] = j
      for (i = 1; i <= length(a); i++) {
        above = row[0]; row[0] = i
        for (j = 1; j <= length(b); j++) {
          left = row[j]
          row[j] = least(least(row[j], row[j - 1]) + 1, above + (substr(a, i, 1) != substr(b, j, 1)))
          above = left
        }
      }
      return row[length(b)]
    }
    NR == 1 { word = plain($0); best = int(length(word) / 3) + 1; next }
    { d = distance(word, plain($0)); if (d < best) { best = d; name = $0 } }
    END { if (name != "") printf "Did you mean %s? ", name }'
}

# unknown_name WHAT NAME: ends the command.
unknown_name() {
  local names=()
  if [[ $1 != exercise ]]; then names+=("${lessons[@]#*-}"); fi
  if [[ $1 != lesson ]]; then names+=("${exercises[@]#*/}" "${exercises[@]#*-}"); fi
  if [[ $2 =~ [.](c|cc|cpp|cxx|CU|Cu)$ ]]; then
    die "$USAGE" "there is no $1 '$2'. The name of a CUDA file ends in .cu"
  fi
  die "$USAGE" "there is no $1 '$2'. $(nearest "$2" "${names[@]}")./course list --all shows all lessons and exercises"
}

# no_option COMMAND WORD, no_arguments COMMAND [WORD]...: end the command.
no_option() { die "$USAGE" "$1 has no option '$2'. See ./course $1 --help"; }
no_arguments() { [[ $# -eq 1 ]] || die "$USAGE" "$1 takes no arguments, but '$2' was given. See ./course $1 --help"; }

# tool_named WORD...: the tools that --tool WORD asks for; ends the command where there is none.
tool_named() {
  [[ ${1:-} =~ ^(memcheck|racecheck|initcheck|synccheck|all)$ ]] ||
    die "$USAGE" "--tool takes memcheck, racecheck, initcheck, synccheck or all; run also takes count"
  echo "$1"
}
