// The texts of nvcc --help and --version.
#include "config.h" // written by CMake
#include "options.hpp"

namespace course_cpu::nvcc {

std::string version() {
  const std::string release =
      std::to_string(COURSE_CUDA_MAJOR) + '.' + std::to_string(COURSE_CUDA_MINOR);
  return "nvcc: NVIDIA (R) Cuda compiler driver\n"
         "(not NVIDIA's, but this course's CPU backend, which accepts the same command line)\n"
         "Host compiler " COURSE_HOST_COMPILER "\n"
         "Cuda compilation tools, release " +
         release + ", V" + release + ".0\n";
}

std::string help() {
  return R"(Usage: nvcc [options] file...

Compiles CUDA C++ for a machine without a GPU: kernels run on the cores of the processor. This nvcc
accepts the command line of NVIDIA's nvcc. The manual of NVIDIA's nvcc describes the options.

Files: .cu; .cpp .cc .cxx .c (passed to the host compiler); .o .a .so (passed to the linker).

Supported, in every spelling that NVIDIA's nvcc accepts:
  phases        -c -dc -dlink -lib -shared -E -M -MM -run; without one: compile and link
  output        -o FILE, -odir FOLDER, -MD -MMD -MF -MT -MP
  preprocessor  -I -isystem -include -D -U
  compiler      -O0 to -O3, -g, -G (as -g), -std=c++17 or later (older ones become c++17 in .cu files),
                -x cu|c++|c, -rdc=true, -fmad=false, -w, -Werror all-warnings
  host compiler -ccbin PROGRAM (or NVCC_CCBIN), -Xcompiler OPTIONS, --forward-unknown-to-host-compiler
  linker        -l -L -Xlinker OPTIONS, -static, -cudart static|shared|none
  driver        -v, -dryrun, -keep, --keep-dir FOLDER, --options-file FILE; NVCC_PREPEND_FLAGS and
                NVCC_APPEND_FLAGS

Accepted without effect: options for GPU code (-arch, -gencode, -maxrregcount, -Xptxas,
-lineinfo, -use_fast_math, --expt-relaxed-constexpr, --extended-lambda, ...).
Refused: -ptx, -cubin, -fatbin, and options that NVIDIA's nvcc does not have.

Its own options:
  --instrument         builds a program for the tools (memcheck, racecheck, initcheck, synccheck),
                       which check every access: COURSE_CPU_TOOL=racecheck ./a.out. Needs g++.
  --translate IN OUT   only writes IN.cu as C++. Headers that have to be translated are written next to OUT
  --second-reader none|alone
                       whether clang (else NVIDIA's nvcc) looks for host code in kernels and device code in host
                       functions: not at all, or nothing else is done. Without this option: next to the compiler
  --precompile         writes cuda_runtime.h, precompiled for these options, to the file of -o; with
                       --second-reader alone, precompiled by clang, into the folder of -o

Without -O, kernels are compiled with -O0, like host code.
__CUDACC__, __NVCC__ and __CUDACC_VER_MAJOR__ are defined. Host and device code are compiled together,
only once. __CUDA_ARCH__ is 860 in the bodies of __global__ and __device__ functions, in __host__
__device__ functions when a kernel calls them, and in an #if around device functions. Elsewhere it is
undefined.
)";
}

} // namespace course_cpu::nvcc
