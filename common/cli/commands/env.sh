# shellcheck shell=bash
help() {
  cat <<'HELP'
eval "$(./course env)": use the CPU backend's nvcc in this shell. It needs no GPU: it compiles CUDA programs for the
cores of the processor. It accepts the command line of NVIDIA's nvcc, so it also works with make and CMake.
HELP
}

main() {
  local nvidia
  no_arguments env "$@"
  build_toolkit
  echo "export PATH=$(printf %q "${nvcc%/*}"):\$PATH CUDACXX=$(printf %q "$nvcc")" # CMake prefers CUDACXX
  if nvidia=$(find_nvcc); then say "nvcc is now the CPU backend's compiler. NVIDIA's nvcc is still at $nvidia"; fi
}
