# shellcheck shell=bash
help() {
  cat <<'HELP'
eval "$(./course env)": makes nvcc in this shell the CPU backend's, which needs no GPU: it compiles CUDA for
the cores of the processor. It takes the command line of NVIDIA's, also from make and CMake.
HELP
}

main() {
  local nvidia
  no_arguments env "$@"
  build_toolkit
  echo "PATH=$(printf %q "${nvcc%/*}"):\$PATH; export PATH"
  if nvidia=$(find_nvcc); then say "nvcc is now the CPU backend's; NVIDIA's is still $nvidia"; fi
}
