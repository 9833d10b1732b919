// The table of missing CUDA features, and the search in a message for a name of it.
#include "features.hpp"

#include "words.hpp"

#include <string_view>

namespace course_cpu::nvcc {
namespace {

struct Feature {
  const char *names; // how they begin, with blanks between; one that ends with `.` is whole
  const char *words;
};

const Feature features[] = {
    {"texture. textureReference cudaBindTexture cudaUnbindTexture cudaGetTexture",
     "texture references, which are not in CUDA 12 either: read the array through a pointer"},
    {"cudaTexture cudaCreateTexture cudaDestroyTexture cudaGetTextureObject tex1D tex2D tex3D "
     "texCubemap cudaAddressMode cudaFilterMode cudaReadMode cudaResource CUtex cudaBoundaryMode",
     "textures: read the array through a pointer (const float *__restrict__), and write the test "
     "of the edges and the interpolation yourself"},
    {"cudaSurface cudaCreateSurface cudaDestroySurface surf1D surf2D surf3D surfCubemap surface.",
     "surfaces: write the array through a pointer"},
    {"cudaArray cudaMallocArray cudaMalloc3DArray cudaFreeArray cudaMallocMipmapped cudaMipmapped "
     "cudaChannelFormat cudaCreateChannelDesc cudaMemcpyToArray cudaMemcpyFromArray "
     "cudaMemcpy2DToArray cudaMemcpy2DFromArray cudaExtentArray srcArray dstArray",
     "CUDA arrays, the memory of textures: cudaMalloc and cudaMallocPitch give ordinary memory"},
    {"cudaMalloc3D cudaMemcpy3D cudaMemset2D cudaMemset3D cudaExtent cudaPos. cudaPitchedPtr "
     "make_cudaExtent make_cudaPos make_cudaPitchedPtr",
     "copies and fills in three dimensions, and fills in two: cudaMemcpy2D copies the rows of a "
     "slice, cudaMemset sets whole arrays"},
    {"cudaMemcpyPeer.", "cudaMemcpyPeer: cudaMemcpyPeerAsync copies between devices"},
    {"cudaThreadSetCache cudaThreadGetCache cudaFuncSetCache cudaFuncSetShared cudaDeviceSetCache "
     "cudaDeviceGetCache cudaDeviceSetShared "
     "cudaDeviceGetShared cudaFuncCache cudaSharedMem",
     "preferences for caches and banks, which no GPU since 2014 follows: leave the call out"},
    {"cudaInitDevice cudaChooseDevice cudaGetDeviceFlags cudaHostGetFlags cudaStreamGetFlags "
     "cudaStreamGetPriority cudaStreamGetDevice cudaGetSymbolSize cudaMemcpyFromSymbolAsync "
     "cudaOccupancy cudaLaunchKernelExC cudaThreadSetLimit cudaThreadGetLimit",
     "this call of the runtime API"},
    {"__shfl __any. __all. __ballot.",
     "shuffles and votes without a mask, which CUDA 13 does not have either: "
     "__shfl_down_sync(0xffffffff, value, 1) names the lanes"},
    {"cuda/pipeline cooperative_groups/memcpy_async.h",
     "pipelines of copies: cuda::memcpy_async with a cuda::barrier, or __pipeline_memcpy_async "
     "(cuda_pipeline.h)"},
    {"rcbrt rhypot norm3d rnorm3d norm4d rnorm4d normcdf erfcx sinpi cospi sincospi fdivide __tanf "
     "__exp10f "
     "__log10f __saturatef",
     "this function of CUDA's mathematics: write it with the functions of <cmath>"},
    {"__fadd_r __fsub_r __fmul_r __fdiv_r __fmaf_r __frcp_r __fsqrt_r __frsqrt_r __dadd_r __dsub_r "
     "__dmul_r __ddiv_r __fma_r __drcp_r __dsqrt_r __float2u __float2l __double2i __double2u "
     "__double2l __double2f __double2h __int2 __uint2 __ll2 __ull2 __hiloint2",
     "arithmetic and conversions with this rounding: operators round to the nearest number, "
     "static_cast<int>(x) towards zero"},
    {"__mulhi __umulhi __mul64hi __umul64hi __byte_perm __funnelshift __sad. __usad. __rhadd "
     "__brevll llmin llmax",
     "this function of integers: compute with 64 bits, or with shifts"},
    {"__ldca __ldcg __ldlu __ldcv __stcg __stwb __stwt",
     "this hint to the caches: it has __ldg, __ldcs and __stcs"},
    {"__hsub __hdiv __hneg __habs __hmax __hmin __heq __hne __hlt __hle __hgt __hge __hb __his "
     "hsqrt hrsqrt hrcp hexp hlog hsin hcos hceil hfloor hrint htrunc h2exp h2log h2sqrt h2rsqrt "
     "h2rcp h2sin h2cos h2ceil h2floor h2rint h2trunc __h2div __half2 "
     "__halves2half2 make_half2 __low2 __high2 __lowhigh2 make_bfloat162",
     "this function of halves: use operators, or compute in float (__half2float) (or cuda_fp16.h "
     "is not included)"},
    {"cudaGraphics cudaGL cudaD3D cudaVDPAU cudaEGL cuda_gl_interop.h cuda_d3d GL/ GLFW/ "
     "DirectXMath.h D3Dcompiler.h vulkan/ rendercheck_gl.h helper_gl.h",
     "graphics (OpenGL, Direct3D, Vulkan): compute without a window, and write an image"},
    {"cudaIpc cudaMemPoolExport cudaMemPoolImport cudaMemPoolPtrExport cudaExternal "
     "cudaImportExternal cudaDestroyExternal cudaSignalExternal "
     "cudaWaitExternal nvSci",
     "memory shared with other processes or interfaces: send the data with MPI or NCCL"},
    {"nvcuda wmma bmma_sync experimental.",
     "this part of wmma (it has half, __nv_bfloat16 and tf32), or mma.h is not included"},
    {"cuda/ptx cuTensorMap CUtensorMap",
     "wgmma and TMA, instructions of Hopper and later GPUs: nvcuda::wmma computes such products"},
    {"DeviceSegmented DevicePartition DeviceSpmv DeviceAdjacentDifference "
     "DeviceRadixSort DeviceMergeSort DeviceRunLengthEncode BlockRadixSort BlockMergeSort "
     "BlockHistogram BlockExchange BlockScan BlockLoad BlockStore WarpReduce WarpScan "
     "CachingDeviceAllocator KeyValuePair cub/",
     "this part of CUB: it has DeviceReduce, DeviceScan, DeviceSelect::If, DeviceHistogram and "
     "BlockReduce, and Thrust has sort, sort_by_key, reduce_by_key and for_each"},
    {"thrust/",
     "this part of Thrust: it has transform, for_each, reduce, scan, sort, sort_by_key, "
     "reduce_by_key and copy_if; other algorithms are a kernel of a few lines (or the header of "
     "this one is not included)"},
    {"cooperative_groups/scan.h",
     "scans of groups: add what shfl_up of the group returns, or use cub::DeviceScan"},
    {"nccl NCCL",
     "this part of NCCL: it has ncclSend, ncclRecv, ncclAllReduce and ncclReduce of floats "
     "and doubles, with ncclSum, in groups (or nccl.h is not included)"},
    {"cufft", "cuFFT: on CPUs FFTW has the same transforms"},
    {"cusparse", "cuSPARSE: a product of a sparse matrix in CSR form is a kernel of a few lines"},
    {"cusolver", "cuSOLVER: on CPUs LAPACK has the same solvers"},
    {"cudnn", "cuDNN"},
    {"cutensor cutlass", "cuTENSOR and CUTLASS: cuBLAS has matrix products"},
    {"npp Npp", "NPP, the library for images"},
    {"nvjpeg", "nvJPEG"},
    {"nvrtc", "NVRTC, which compiles kernels while a program runs: compile them with the program"},
    {"nvml", "NVML: cudaGetDeviceProperties returns the properties of a device"},
    {"cupti", "CUPTI: COURSE_TIMELINE=FOLDER records a timeline"},
    {"this_cluster cluster_group cudaLaunchAttributeClusterDimension",
     "thread block clusters: blocks can wait for each other at the end of a kernel, or in a "
     "cooperative grid"},
    {"cuInit cuDevice cuDriver cuGetError cuCtx cuMem cuModule cuLaunch cuFunction cuLink "
     "cuLibrary "
     "cuKernel CUDA_ERROR CUresult. CUdevice CUcontext. CUmodule CUfunction CUlink CUstream. "
     "CUevent. CU_",
     "the driver API: the runtime API (cudaMalloc, kernel<<<...>>>) does the same"},
    {"__nv_fp8 __nv_cvt", "this part of cuda_fp8.h: it converts one float at a time, both ways (or "
                          "cuda_fp8.h is not included)"},
    {"__vabs __vadd __vavg __vcmp __vhadd __viadd __vib __vimax __vimin __vmax __vmin __vneg "
     "__vsad "
     "__vset __vsub",
     "operations on packed integers: compute with each byte or half word"},
    {"cuda/latch cuda/semaphore cuda/std/latch cuda/std/semaphore",
     "latches and semaphores: count with an atomic (cuda::atomic), or wait at a cuda::barrier"},
    {"__builtin_nv __nvvm", "this function of NVIDIA's compiler"},
    {"cudaStreamTailLaunch cudaStreamFireAndForget cuda_device_runtime_api.h",
     "kernels that launch kernels (dynamic parallelism): let the host launch the next one"},
    {"cudaGraphAdd cudaGraphC cudaGraphDe cudaGraphE cudaGraphGet cudaGraphHost "
     "cudaGraphInstantiateFlag cudaGraphInstantiateWithP cudaGraphKernel cudaGraphMem "
     "cudaGraphNode cudaGraphRemove cudaGraphSet cudaKernelNode cudaMemsetParams cudaMemcpyNode "
     "cudaHostNode cudaChildGraph cudaConditional cudaMemAllocNode cudaMemFreeNode "
     "cudaStreamBeginCaptureTo cudaStreamGetCapture cudaStreamUpdateCapture cudaEventRecord "
     "cudaEventWait cudaDeviceGraphMem cudaDeviceGetGraph cudaDeviceSetGraph",
     "graphs made node by node, or with conditions, events or memory of their own: capture the "
     "work from a stream (cudaStreamBeginCapture), and cudaGraphExecUpdate changes arguments"},
    {"cudaMemPool cudaMallocFromPool cudaDeviceGetMemPool cudaDeviceSetMemPool cudaMemAccess "
     "cudaMemAllocation",
     "memory pools of a program's own: cudaMallocAsync takes from the default one, and "
     "cudaMemPoolSetAttribute sets its threshold"},
    {"cublasLt CUBLASLT cublasXt",
     "cuBLASLt and cuBLASXt: cublasGemmEx (cublas_v2.h) has products of halves and floats"},
    {"cublas CUBLAS",
     "this part of cuBLAS: it has gemm, gemv, axpy, dot and nrm2 of floats and doubles, "
     "gemmBatched, cublasGemmEx and cublasHgemm (or cublas_v2.h is not included)"},
    {"cuda/ nv/", "this header of libcu++"},
    {"curand CURAND",
     "this generator or distribution of cuRAND: it has uniform floats by XORWOW and Philox; two of "
     "them give a normal number, sqrt(-2 log x) cos(2 pi y) (or curand.h, curand_kernel.h is not "
     "included)"},
};

// The unknown name: after "no member named", else the first in quotes, or a header without quotes.
std::string_view unknown_name(std::string_view message) {
  if (const std::size_t end = message.find(": No such file or directory"); end != message.npos)
    return message.substr(0, end);
  if (const std::size_t end = message.find("' file not found"); end != message.npos) // clang
    return message.substr(1, end - 1);
  bool is_unknown = false;
  for (const char *words :
       {"was not declared", "has not been declared", "does not name a", "has no member named",
        "is not a member of", "unknown type name", "use of undeclared identifier",
        "no member named", "no template named", "is not a class", "is not a namespace",
        "depend on a template parameter"})
    is_unknown |= message.find(words) != message.npos;
  if (!is_unknown)
    return {};
  const std::size_t member = message.find("no member named '");
  const std::size_t begin = message.find('\'', member == message.npos ? 0 : member);
  const std::size_t end = begin == message.npos ? begin : message.find('\'', begin + 1);
  if (end == message.npos)
    return {};
  const std::string_view name = message.substr(begin + 1, end - begin - 1);
  const std::size_t scope = name.rfind("::");
  return scope == name.npos ? name : name.substr(scope + 2);
}

} // namespace

std::string missing_feature(const std::string &message) {
  const std::string_view name =
      message.find("member of 'thrust'") != message.npos ? "thrust/" : unknown_name(message);
  for (const Feature &feature : features)
    for (const std::string &prefix : shell_words(feature.names))
      if (prefix.back() == '.' ? name == prefix.substr(0, prefix.size() - 1)
                               : starts_with(name, prefix))
        return std::string("the CPU backend does not have ") + feature.words;
  return "";
}

} // namespace course_cpu::nvcc
