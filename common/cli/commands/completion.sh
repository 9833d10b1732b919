# shellcheck shell=bash
help() { echo "./course completion: complete commands and names with the Tab key in this shell: eval \"\$(./course completion)\""; }

main() {
  local commands=()
  no_arguments completion "$@"
  read_registry
  commands=(common/cli/commands/*.sh)
  commands=("${commands[@]##*/}")
  cat <<CODE
_course() {
  local words="${commands[*]%.sh}"
  if [[ \$COMP_CWORD -gt 1 ]]; then words="${exercises[*]#*-} ${exercises[*]#*/}"; fi
  if [[ \${COMP_WORDS[1]} =~ ^(run|check|build|bench|profile|submit)$ && \$COMP_CWORD -gt 1 ]]; then words+=" ${lessons[*]#*-}"; fi
  mapfile -t COMPREPLY < <(compgen -W "\$words" -- "\$2")
}
complete -o default -F _course ./course course
CODE
}
