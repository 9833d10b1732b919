# shellcheck shell=bash
help() { echo "./course completion: complete commands and names with the Tab key in this shell: eval \"\$(./course completion)\""; }

main() {
  local commands=() names=()
  no_arguments completion "$@"
  read_registry
  commands=(common/cli/commands/*.sh)
  commands=("${commands[@]##*/}")
  names=("${lessons[@]#*-}" "${exercises[@]#*-}")
  cat <<CODE
_course() {
  local words="${commands[*]%.sh}"
  if [[ \$COMP_CWORD -gt 1 ]]; then words="${names[*]}"; fi
  mapfile -t COMPREPLY < <(compgen -W "\$words" -- "\$2")
}
complete -o default -F _course ./course course
CODE
}
