// NCCL's functions: they check their arguments, and gather the calls of a group.
#include "communicator.h"

#include "course_cpu/api.h"
#include "runtime/capture.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

namespace course_cpu::nccl {
namespace {

// ---- the group of the calling thread ----

struct Queued {
  std::shared_ptr<Rank> rank;
  std::shared_ptr<Stream> stream;
  std::vector<Buffers> calls;
};

struct Group {
  ~Group() {
    if (depth > 0 && error == ncclSuccess && !queued.empty())
      std::fputs("error: a thread ends after ncclGroupStart, without ncclGroupEnd: the calls since "
                 "then were not executed\n",
                 stderr);
  }
  int depth = 0;
  bool is_one_call = false;
  ncclResult_t error = ncclSuccess; // the first of a call in it
  std::vector<std::pair<ncclComm_t *, std::shared_ptr<Rank>>> joining;
  std::vector<Queued> queued;
};
thread_local Group group;

thread_local std::string last_error;

// The ranks that live, by their handles; guarded by mutex.
auto &ranks_by_handle() {
  static auto &all = *new std::map<ncclComm_t, std::shared_ptr<Rank>>;
  return all;
}

ncclComm_t handle_of(const std::shared_ptr<Rank> &rank) {
  const auto handle = reinterpret_cast<ncclComm_t>(rank.get());
  Lock lock(mutex);
  ranks_by_handle()[handle] = rank;
  return handle;
}

std::shared_ptr<Rank> find(ncclComm_t comm) {
  Lock lock(mutex);
  const auto found = ranks_by_handle().find(comm);
  if (found != ranks_by_handle().end())
    return found->second;
  fail(ncclInvalidArgument, "there is no such communicator: it was destroyed, or never created");
  return nullptr;
}

// A thread that works for several ranks needs groups: on a GPU, a call may wait until the other
// ranks of it have made it too. So no thread makes a call for one rank without its partners of this
// process, and then one for a partner without that rank.
ncclResult_t check_alone(const Group &ready) {
  static std::atomic<int> threads{0};
  thread_local const int this_thread = ++threads; // a std::thread::id may come again
  Lock lock(mutex);
  const auto takes_part = [&](const std::shared_ptr<Rank> &rank) {
    return std::any_of(ready.queued.begin(), ready.queued.end(),
                       [&](const Queued &its) { return its.rank == rank; });
  };
  for (const auto &[rank, stream, calls] : ready.queued)
    for (const auto &[call, send, recv] : calls)
      for (const auto &other : rank->all->local) {
        if (!other || (call.is_message() && other->number != call.root) || takes_part(other))
          continue;
        if (call.is_message() && ready.is_one_call)
          continue; // is looked at when it waits
        if (other->alone == this_thread)
          return fail(
              ncclInvalidUsage,
              std::string(name(call.kind)) + ": one thread calls it for ranks " +
                  std::to_string(other->number) + " and " + std::to_string(rank->number) +
                  ", one after the other: on a GPU, the first call may never return. Put all of "
                  "them into one group: from ncclGroupStart to ncclGroupEnd");
        rank->alone = this_thread;
      }
  return ncclSuccess;
}

// Runs what a group has gathered.
ncclResult_t run(Group &ready) {
  std::vector<std::shared_ptr<Rank>> joining;
  for (const auto &[comm, rank] : ready.joining)
    joining.push_back(rank);
  if (const ncclResult_t error = connect(joining))
    return error;
  for (const auto &[comm, rank] : ready.joining)
    *comm = handle_of(rank);
  if (const ncclResult_t error = check_alone(ready))
    return error;
  for (const Queued &its : ready.queued)
    launch(its.rank, its.calls, its.stream);
  return ncclSuccess;
}

// Runs one call as a group, or as part of the one that is open.
template <class Body> ncclResult_t in_group(const Body &body) {
  group.is_one_call = group.depth == 0;
  ncclGroupStart();
  const ncclResult_t result = body();
  if (result != ncclSuccess && group.error == ncclSuccess)
    group.error = result;
  const ncclResult_t ended = ncclGroupEnd();
  return result != ncclSuccess ? result : ended;
}

// The stream of a handle, where nullptr is the default stream of the communicator's device.
std::shared_ptr<Stream> stream_of(const Rank &rank, cudaStream_t handle) {
  int before = 0;
  cudaGetDevice(&before);
  cudaSetDevice(rank.device);
  const auto stream = find_stream(handle);
  cudaSetDevice(before);
  return stream && stream->device.index == rank.device ? stream : nullptr;
}

ncclResult_t check(const Rank &rank, const Call &call) {
  const int ranks = rank.all->count();
  std::string why;
  if (call.type != ncclFloat && call.type != ncclDouble)
    why = "there is no type " + std::to_string(call.type);
  else if (call.root < 0 || call.root >= ranks)
    why = "there is no rank " + std::to_string(call.root) + ": there are ranks 0 to " +
          std::to_string(ranks - 1);
  else
    return ncclSuccess;
  return fail(ncclInvalidArgument, std::string(name(call.kind)) + ": " + why);
}

ncclResult_t queue(const void *send, void *recv, const Call &call, ncclComm_t comm,
                   cudaStream_t handle) {
  host_uses_nccl();
  return in_group([&] {
    const auto rank = find(comm);
    if (!rank)
      return ncclInvalidArgument;
    if (const ncclResult_t error = check(*rank, call))
      return error;
    const auto stream = stream_of(*rank, handle);
    if (!stream)
      return fail(ncclUnhandledCudaError,
                  std::string(name(call.kind)) + ": the stream is not a stream of device " +
                      std::to_string(rank->device) + ", the communicator's device");
    if (const cudaError_t error = capture_forbids(*stream, Use::queues))
      return fail(ncclUnhandledCudaError, cudaGetErrorString(error));
    if (call.count == 0 && call.is_message())
      return ncclSuccess;
    auto &all = group.queued;
    auto found = std::find_if(all.begin(), all.end(), [&](const Queued &queued) {
      return queued.rank == rank && queued.stream == stream;
    });
    if (found == all.end())
      found = all.insert(all.end(), {rank, stream, {}});
    found->calls.push_back({call, static_cast<const char *>(send), static_cast<char *>(recv)});
    return ncclSuccess;
  });
}

// Adds a rank to the communicator that processes join by this id.
ncclResult_t join(ncclComm_t *comm, int ranks, const std::string &id, int number, int device) {
  static auto &communicators = *new std::map<std::string, std::weak_ptr<Communicator>>;
  Lock lock(mutex);
  std::shared_ptr<Communicator> all = communicators[id].lock();
  if (!all)
    communicators[id] = all =
        std::make_shared<Communicator>(Communicator{id, std::vector<std::shared_ptr<Rank>>(ranks)});
  if (all->count() != ranks)
    return fail(ncclInvalidArgument, "another rank passed " + std::to_string(all->count()) +
                                         " as the number of ranks, this rank " +
                                         std::to_string(ranks));
  for (const auto &other : all->local)
    if (other && (other->number == number || other->device == device))
      return fail(ncclInvalidUsage, other->number == number
                                        ? "two ranks have the number " + std::to_string(number)
                                        : "ranks " + std::to_string(other->number) + " and " +
                                              std::to_string(number) + " both have device " +
                                              std::to_string(device) +
                                              ": call cudaSetDevice before ncclCommInitRank");
  all->local[number] = std::make_shared<Rank>(Rank{all, number, device});
  group.joining.push_back({comm, all->local[number]});
  return ncclSuccess;
}

constexpr char id_begins[] = "course-nccl ";

} // namespace

ncclResult_t fail(ncclResult_t result, const std::string &why) {
  last_error = why;
  if (const char *debug = std::getenv("NCCL_DEBUG"); debug && std::strcmp(debug, "VERSION"))
    std::fprintf(stderr, "NCCL WARN %s\n", why.c_str());
  return result;
}

} // namespace course_cpu::nccl

using namespace course_cpu;
using namespace course_cpu::nccl;

ncclResult_t ncclGetVersion(int *version) {
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

const char *ncclGetErrorString(ncclResult_t result) {
  static const char *const texts[] = {
      "no error",
      "unhandled cuda error (run with NCCL_DEBUG=INFO for details)",
      "unhandled system error (run with NCCL_DEBUG=INFO for details)",
      "internal error - please report this issue to the NCCL developers",
      "invalid argument (run with NCCL_DEBUG=WARN for details)",
      "invalid usage (run with NCCL_DEBUG=WARN for details)",
      "remote process exited or there was a network error",
      "NCCL operation in progress"};
  return result >= 0 && result < ncclNumResults ? texts[result] : "unknown result code";
}

const char *ncclGetLastError(ncclComm_t) { return last_error.c_str(); }

// ---- communicators ----

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  std::random_device random;
  std::memset(id, 0, sizeof *id);
  std::snprintf(id->internal, sizeof id->internal, "%s%08x%08x%08x%08x", id_begins, random(),
                random(), random(), random());
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank) {
  host_uses_nccl();
  id.internal[sizeof id.internal - 1] = '\0';
  const std::string text = id.internal;
  return in_group([&] {
    int device = 0;
    if (const cudaError_t error = cudaGetDevice(&device))
      return fail(ncclUnhandledCudaError, cudaGetErrorString(error));
    if (!comm || ranks < 1 || rank < 0 || rank >= ranks)
      return fail(ncclInvalidArgument, "rank " + std::to_string(rank) + " of " +
                                           std::to_string(ranks) + " ranks is not possible");
    if (text.rfind(id_begins, 0) != 0)
      return fail(ncclInvalidArgument, "the id is not from ncclGetUniqueId: was it sent to this "
                                       "rank?");
    return join(comm, ranks, text, rank, device);
  });
}

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int count, const int *devices) {
  if (!comms || count < 1)
    return fail(ncclInvalidArgument, std::to_string(count) + " communicators are not possible");
  ncclUniqueId id;
  int before = 0;
  ncclGetUniqueId(&id);
  cudaGetDevice(&before);
  const ncclResult_t result = in_group([&] {
    for (int rank = 0; rank < count; ++rank) {
      const int device = devices ? devices[rank] : rank;
      if (cudaSetDevice(device) != cudaSuccess) {
        cudaGetLastError(); // the program gets an error of NCCL instead
        return fail(ncclUnhandledCudaError, "there is no device " + std::to_string(device));
      }
      ncclCommInitRank(&comms[rank], count, id, rank);
    }
    return ncclSuccess;
  });
  cudaSetDevice(before);
  return result;
}

// Completes the rank's work, and closes the communicator.
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  const auto rank = find(comm);
  if (!rank)
    return ncclInvalidArgument;
  Lock lock(mutex);
  const auto last = rank->last;
  lock.unlock();
  for (const auto &[stream, mark] : last)
    advance(mark);
  lock.lock();
  ranks_by_handle().erase(comm);
  close(*rank);
  return ncclSuccess;
}

// ---- groups ----

ncclResult_t ncclGroupStart() {
  ++group.depth;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  if (group.depth == 0)
    return fail(ncclInvalidUsage, "ncclGroupEnd without ncclGroupStart");
  if (--group.depth > 0)
    return ncclSuccess;
  Group ready;
  std::swap(ready, group);
  return ready.error != ncclSuccess ? ready.error : run(ready);
}

// ---- work ----

ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  return nccl::queue(send, nullptr, {Kind::send, type, peer, count}, comm, stream);
}

ncclResult_t ncclRecv(void *recv, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return nccl::queue(nullptr, recv, {Kind::recv, type, peer, count}, comm, stream);
}

ncclResult_t ncclAllReduce(const void *send, void *recv, size_t count, ncclDataType_t type,
                           ncclRedOp_t, ncclComm_t comm, cudaStream_t stream) {
  return nccl::queue(send, recv, {Kind::all_reduce, type, 0, count}, comm, stream);
}

ncclResult_t ncclReduce(const void *send, void *recv, size_t count, ncclDataType_t type,
                        ncclRedOp_t, int root, ncclComm_t comm, cudaStream_t stream) {
  return nccl::queue(send, recv, {Kind::reduce, type, root, count}, comm, stream);
}
