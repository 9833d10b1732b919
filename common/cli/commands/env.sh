# shellcheck shell=bash
help() {
  cat <<'HELP'
eval "$(./course env)": use the CPU backend's nvcc in this shell. It needs no GPU: it compiles CUDA programs for the
cores of the processor. It accepts the command line of NVIDIA's nvcc, so it also works with make and CMake.
HELP
}

main() {
  local nvidia toolkit
  no_arguments env "$@"
  build_toolkit
  toolkit=$(printf %q "${nvcc%/bin/nvcc}")
  echo "export PATH=$toolkit/bin:\$PATH CUDACXX=$toolkit/bin/nvcc" # CMake prefers CUDACXX
  # For Makefiles, Meson and g++ beside NVIDIA's toolkit.
  echo "export CUDA_HOME=$toolkit CUDA_PATH=$toolkit CPATH=$toolkit/include\${CPATH:+:\$CPATH} LIBRARY_PATH=$toolkit/lib64\${LIBRARY_PATH:+:\$LIBRARY_PATH}"
  if nvidia=$(find_nvcc); then say "nvcc is now the CPU backend's compiler. NVIDIA's nvcc is still at $nvidia"; fi
}
