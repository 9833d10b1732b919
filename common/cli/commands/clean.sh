# shellcheck shell=bash
help() { echo "./course clean: delete everything that was built."; }

main() {
  no_arguments clean "$@"
  rm -rf build
}
