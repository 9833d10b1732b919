# The lessons and exercises of registry.txt, which says what its lines mean; sourced.
# shellcheck shell=bash

declare -A registry_fields=() # of each name, "lesson" NN-slug or "exercise" NN-slug/NAME: " | field | field"
lessons=() exercises=()       # their names, in the order of the file

read_registry() {
  local file=${BASH_SOURCE[0]%/*}/../cmake/registry.txt line number=0 kind name
  local word='[A-Za-z0-9._/=,+-]+' lesson='[0-9]{2}-[a-z0-9-]+' library='( cublas| curand| libpython| mpi| mpi4py| nccl| python)'
  local exercise="$lesson/[a-z0-9-]+"
  local is_lesson="^lesson $lesson( \| (needs$library+|run( $word)*|refuse( $word)+|(bench|program) [a-z0-9-]+$library*))*$"
  local is_exercise="^exercise $exercise( \| (needs$library+|counted|uses $exercise))*$"
  while IFS= read -r line || [[ -n $line ]]; do
    number=$((number + 1))
    [[ -n $line && $line != '#'* ]] || continue
    if [[ ! $line =~ $is_lesson && ! $line =~ $is_exercise ]]; then
      echo "$file:$number: neither a lesson nor an exercise, as the file's first lines describe them: $line" >&2
      exit 2
    fi
    kind=${line%% *} name=${line#* }
    name=${name%% *}
    if [[ $kind == lesson ]]; then lessons+=("$name"); else exercises+=("$name"); fi
    registry_fields[$name]=${line#"$kind $name"}
  done <"$file"
}

# registry FIELD NAME: what follows the field's name in the line of NAME; a line for each such field.
registry() {
  local fields field
  IFS='|' read -ra fields <<<"${registry_fields[$2]}"
  for field in "${fields[@]}"; do
    read -r field <<<"$field"
    if [[ ${field%% *} == "$1" ]]; then
      field=${field#"$1"}
      echo "${field# }"
    fi
  done
}

read_registry
