// Errors in the buffers of a group's calls.
#include "clique.h"

#include "runtime/runtime.h"

namespace course_cpu::nccl {
namespace {

struct Buffer {
  const Call *call;
  bool written;
  const char *start;
  std::size_t bytes;
};

std::vector<Buffer> buffers_of(const Rank &rank, const std::vector<Buffers> &calls) {
  std::vector<Buffer> all;
  for (const Buffers &its : calls) {
    const int ranks = rank.clique->count;
    if (const std::size_t bytes = bytes_read(its.call, rank.rank, ranks))
      all.push_back({&its.call, false, its.send, bytes});
    if (const std::size_t bytes = bytes_written(its.call, rank.rank, ranks))
      all.push_back({&its.call, true, its.recv, bytes});
  }
  return all;
}

// The error in a buffer that is written while the group reads or writes the other; empty: none.
std::string overlap(const Rank &rank, const Buffer &written, const Buffer &other) {
  if (!written.written || &written == &other || written.start >= other.start + other.bytes ||
      other.start >= written.start + written.bytes)
    return "";
  if (written.call != other.call)
    return "overlaps a buffer of " + describe(*other.call) +
           ": the calls of a group run at the same time";
  const Call &call = *written.call;
  const std::size_t before = call.count * size_of(call.type) * rank.rank;
  const bool gathers = call.kind == Kind::all_gather, scatters = call.kind == Kind::reduce_scatter;
  if (written.start + (gathers ? before : 0) == other.start + (scatters ? before : 0))
    return "";
  return std::string("overlaps the send buffer; in place ") +
         (gathers    ? "the send buffer is the receive buffer + rank * count"
          : scatters ? "it is the send buffer + rank * count"
                     : "the two are the same");
}

} // namespace

std::string wrong_buffer(const Rank &rank, const std::vector<Buffers> &calls) {
  const std::vector<Buffer> all = buffers_of(rank, calls);
  for (const Buffer &its : all) {
    const Location where = locate(its.start);
    const std::string buffer = "rank " + std::to_string(rank.rank) + ", " + describe(*its.call) +
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
      if (const std::string why = overlap(rank, its, other); !why.empty())
        return buffer + why;
  }
  return "";
}

} // namespace course_cpu::nccl
