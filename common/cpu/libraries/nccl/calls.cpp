// NCCL's calls: their words, their arithmetic, and the errors in their buffers.
#include "communicator.h"

#include "cuda_fp16.h"
#include "runtime/runtime.h"

#include <algorithm>

namespace course_cpu::nccl {
namespace {

template <class T> void combine_as(const Call &call, char *to, const char *from) {
  T *const a = reinterpret_cast<T *>(to);
  const T *const b = reinterpret_cast<const T *>(from);
  const auto wide = [](T x) { // integers that are too large wrap around
    if constexpr (std::is_integral_v<T>)
      return static_cast<std::common_type_t<unsigned, std::make_unsigned_t<T>>>(x);
    else
      return x;
  };
  std::transform(a, a + call.count, b, a, [op = call.op, wide](T x, T y) {
    switch (op) {
    case ncclProd:
      return static_cast<T>(wide(x) * wide(y));
    case ncclMax:
      return x < y ? y : x;
    case ncclMin:
      return y < x ? y : x;
    default:
      return static_cast<T>(wide(x) + wide(y));
    }
  });
}

struct Type {
  const char *name;
  std::size_t bytes;
  void (*combine)(const Call &call, char *to, const char *from);
};
template <class T> constexpr Type type(const char *name) {
  return {name, sizeof(T), combine_as<T>};
}
constexpr Type types[] = {type<std::int8_t>("ncclInt8"),   type<std::uint8_t>("ncclUint8"),
                          type<std::int32_t>("ncclInt32"), type<std::uint32_t>("ncclUint32"),
                          type<std::int64_t>("ncclInt64"), type<std::uint64_t>("ncclUint64"),
                          type<__half>("ncclHalf"),        type<float>("ncclFloat"),
                          type<double>("ncclDouble")};

struct Buffer {
  const Call *call;
  bool written;
  const char *start;
  std::size_t bytes;
};

// True if one of the buffers is written, and they share bytes. A collective may work in place.
bool conflict(const Buffer &written, const Buffer &other) {
  return written.written && &written != &other && written.start < other.start + other.bytes &&
         other.start < written.start + written.bytes &&
         !(written.call == other.call && written.start == other.start);
}

} // namespace

const char *name(Kind kind) {
  static const char *const names[] = {"ncclSend", "ncclRecv", "ncclAllReduce", "ncclReduce"};
  return names[int(kind)];
}

std::string describe(const Call &call) {
  static const char *const ops[] = {"ncclSum", "ncclProd", "ncclMax", "ncclMin"};
  std::string text = name(call.kind);
  if (call.kind != Kind::all_reduce)
    text += (call.kind == Kind::recv ? " from rank " : " to rank ") + std::to_string(call.root);
  text += ", " + std::to_string(call.count) + " x " + types[call.type].name;
  return call.is_message() ? text : text + ", " + ops[call.op];
}

std::size_t Call::bytes() const { return count * types[type].bytes; }

void combine(const Call &call, char *to, const char *from) {
  types[call.type].combine(call, to, from);
}

std::string wrong_buffer(const Rank &rank, const std::vector<Buffers> &calls) {
  std::vector<Buffer> all;
  for (const Buffers &its : calls) {
    if (const std::size_t bytes = its.call.bytes_read())
      all.push_back({&its.call, false, its.send, bytes});
    if (const std::size_t bytes = its.call.bytes_written(rank.number))
      all.push_back({&its.call, true, its.recv, bytes});
  }
  for (const Buffer &its : all) {
    const Location where = locate(its.start);
    const std::string buffer = "rank " + std::to_string(rank.number) + ", " + describe(*its.call) +
                               ": the " + (its.written ? "receive" : "send") + " buffer ";
    if (where.place == Place::pageable)
      return buffer + "is not device memory: pass a pointer from cudaMalloc";
    if (where.place == Place::device && where.device != rank.device)
      return buffer + "is memory of device " + std::to_string(where.device) +
             "; the communicator has device " + std::to_string(rank.device);
    if (where.size < its.bytes)
      return buffer + "needs " + std::to_string(its.bytes) + " bytes; its array has " +
             std::to_string(where.size) + "\nNCCL counts elements, not bytes";
    for (const Buffer &other : all)
      if (conflict(its, other))
        return buffer + (its.call == other.call
                             ? "overlaps the send buffer; in place the two are the same"
                             : "overlaps a buffer of " + describe(*other.call) +
                                   ": the calls of a group run at the same time");
  }
  return "";
}

} // namespace course_cpu::nccl
