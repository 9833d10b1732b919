// Reads and writes of the calls, and their arithmetic.
#include "clique.h"

#include "cuda_fp16.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace course_cpu::nccl {
namespace {

// Calls f with a null pointer of the type.
template <class F> auto with_type(ncclDataType_t type, const F &f) {
  switch (type) {
  case ncclInt8:
    return f(static_cast<std::int8_t *>(nullptr));
  case ncclUint8:
    return f(static_cast<std::uint8_t *>(nullptr));
  case ncclInt32:
    return f(static_cast<std::int32_t *>(nullptr));
  case ncclUint32:
    return f(static_cast<std::uint32_t *>(nullptr));
  case ncclInt64:
    return f(static_cast<std::int64_t *>(nullptr));
  case ncclUint64:
    return f(static_cast<std::uint64_t *>(nullptr));
  case ncclFloat16:
    return f(static_cast<__half *>(nullptr));
  case ncclFloat32:
    return f(static_cast<float *>(nullptr));
  case ncclFloat64:
    return f(static_cast<double *>(nullptr));
  }
  std::abort(); // the API has looked
}

// Conversions to the type of the arithmetic, and back.
float wide(__half value) { return __half2float(value); }
template <class T> T wide(T value) { return value; }
template <class T, class W> T narrow(W value) { return static_cast<T>(value); }
template <> __half narrow<__half, float>(float value) { return __float2half(value); }

template <class W> W apply(ncclRedOp_t op, W a, W b) {
  switch (op) {
  case ncclProd:
    return static_cast<W>(a * b);
  case ncclMax:
    return std::max(a, b);
  case ncclMin:
    return std::min(a, b);
  default: // also ncclAvg, until divide
    return static_cast<W>(a + b);
  }
}

const char *name(ncclDataType_t type) {
  static const char *const names[] = {"ncclInt8",   "ncclUint8", "ncclInt32",
                                      "ncclUint32", "ncclInt64", "ncclUint64",
                                      "ncclHalf",   "ncclFloat", "ncclDouble"};
  return names[type];
}

const char *name(ncclRedOp_t op) {
  static const char *const names[] = {"ncclSum", "ncclProd", "ncclMax", "ncclMin", "ncclAvg"};
  return names[op];
}

} // namespace

const char *name(Kind kind) {
  static const char *const names[] = {"ncclSend",      "ncclRecv",   "ncclAllReduce",
                                      "ncclBroadcast", "ncclReduce", "ncclReduceScatter",
                                      "ncclAllGather"};
  return names[int(kind)];
}

bool is_reduction(Kind kind) {
  return kind == Kind::all_reduce || kind == Kind::reduce || kind == Kind::reduce_scatter;
}

std::string describe(const Call &call) {
  std::string text = name(call.kind);
  if (call.kind == Kind::send || call.kind == Kind::reduce)
    text += " to rank " + std::to_string(call.root);
  if (call.kind == Kind::recv || call.kind == Kind::broadcast)
    text += " from rank " + std::to_string(call.root);
  text += ", " + std::to_string(call.count) + " x " + name(call.type);
  return is_reduction(call.kind) ? text + ", " + name(call.op) : text;
}

std::size_t size_of(ncclDataType_t type) {
  return with_type(type, [](auto *values) { return sizeof *values; });
}

std::size_t bytes_read(const Call &call, int rank, int ranks) {
  const std::size_t bytes = call.count * size_of(call.type);
  switch (call.kind) {
  case Kind::recv:
    return 0;
  case Kind::broadcast:
    return rank == call.root ? bytes : 0;
  case Kind::reduce_scatter:
    return bytes * ranks;
  default:
    return bytes;
  }
}

std::size_t bytes_written(const Call &call, int rank, int ranks) {
  const std::size_t bytes = call.count * size_of(call.type);
  switch (call.kind) {
  case Kind::send:
    return 0;
  case Kind::reduce:
    return rank == call.root ? bytes : 0;
  case Kind::all_gather:
    return bytes * ranks;
  default:
    return bytes;
  }
}

Part part_for(const Call &call, int from, int to) {
  const std::size_t bytes = call.count * size_of(call.type);
  switch (call.kind) {
  case Kind::recv:
    return {0, 0};
  case Kind::broadcast:
    return {0, from == call.root ? bytes : 0};
  case Kind::reduce:
    return {0, to == call.root ? bytes : 0};
  case Kind::reduce_scatter:
    return {to * bytes, bytes};
  default:
    return {0, bytes};
  }
}

void combine(const Call &call, char *to, const char *from) {
  with_type(call.type, [&](auto *type) {
    using T = std::remove_pointer_t<decltype(type)>;
    T *const a = reinterpret_cast<T *>(to);
    const T *const b = reinterpret_cast<const T *>(from);
    for (std::size_t i = 0; i < call.count; ++i)
      a[i] = narrow<T>(apply(call.op, wide(a[i]), wide(b[i])));
  });
}

void divide(const Call &call, char *values, int ranks) {
  if (call.op != ncclAvg)
    return;
  with_type(call.type, [&](auto *type) {
    using T = std::remove_pointer_t<decltype(type)>;
    T *const a = reinterpret_cast<T *>(values);
    for (std::size_t i = 0; i < call.count; ++i) {
      const auto sum = wide(a[i]);
      a[i] = narrow<T>(decltype(sum)(sum / static_cast<decltype(sum)>(ranks)));
    }
  });
}

} // namespace course_cpu::nccl
