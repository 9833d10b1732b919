# shellcheck shell=bash
help() {
  cat <<'HELP'
./course shell: a bash whose nvcc is the CPU backend's, which needs no GPU (see ./course env --help). Its
prompt says so; exit leaves it.
HELP
}

main() {
  no_arguments shell "$@"
  build_toolkit
  cd "$folder"
  exec bash --rcfile <(
    echo "if [ -f ~/.bashrc ]; then . ~/.bashrc; fi"
    echo "PATH=$(printf %q "${nvcc%/*}"):\$PATH"
    echo "PS1=\"[nvcc: no GPU] \$PS1\""
  ) -i
}
