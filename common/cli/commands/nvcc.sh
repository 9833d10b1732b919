# shellcheck shell=bash
help() {
  cat <<'HELP'
./course nvcc ARGUMENT...: the CPU backend's nvcc, which needs no GPU. It takes the command line of NVIDIA's:
  ./course nvcc -O3 -std=c++17 -o solver solver.cu && ./solver
./course nvcc --path prints its path, for a Makefile or CMake:
  make NVCC="$(./course nvcc --path)"
  cmake -DCMAKE_CUDA_COMPILER="$(./course nvcc --path)" ...
HELP
  if [[ -x $cpu_builds/toolkit/bin/nvcc ]]; then echo && "$cpu_builds/toolkit/bin/nvcc" --help; fi
}

main() {
  build_toolkit
  if [[ $* == --path ]]; then echo "$nvcc" && exit; fi
  cd "$folder"
  exec "$nvcc" "$@"
}
