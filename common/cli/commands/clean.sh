# shellcheck shell=bash
help() { echo "./course clean: delete everything that was built. Your progress stays."; }

main() {
  no_arguments clean "$@"
  [[ -d build ]] || return 0
  find build -mindepth 1 -maxdepth 1 ! -name progress -exec rm -rf {} +
}
