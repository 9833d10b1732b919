# shellcheck shell=bash
help() { echo "./course clean: remove everything that was built."; }

main() {
  no_arguments clean "$@"
  rm -rf build
}
