// NCCL's functions: they look at their arguments, and gather the calls of a group.
#include "clique.h"

#include "course_cpu/api.h"
#include "runtime/capture.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <random>

struct ncclComm {
  std::shared_ptr<course_cpu::nccl::Rank> rank;
};

namespace course_cpu::nccl {
namespace {

// ---- the group of the calling thread ----

struct Joiner {
  ncclComm_t *comm;
  std::shared_ptr<Rank> rank;
  std::string id;
};

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
  std::vector<Joiner> joiners;
  std::vector<Queued> queued;
};
thread_local Group group;

// Cliques that processes join by an id, by that id.
auto &cliques() {
  static auto &all = *new std::map<std::string, std::weak_ptr<Clique>>;
  return all;
}

std::vector<ncclComm_t> &handles() { // those that live; guarded by mutex
  static auto &all = *new std::vector<ncclComm_t>;
  return all;
}

std::shared_ptr<Rank> find(ncclComm_t comm) {
  Lock lock(mutex);
  const bool lives = std::find(handles().begin(), handles().end(), comm) != handles().end();
  return lives ? comm->rank : nullptr;
}

ncclComm_t handle_of(std::shared_ptr<Rank> rank) {
  Lock lock(mutex);
  handles().push_back(new ncclComm{std::move(rank)});
  return handles().back();
}

// Runs the body of a function on the rank of a communicator.
template <class Body> ncclResult_t with_rank(ncclComm_t comm, const Body &body) {
  const auto rank = find(comm);
  return rank ? body(rank)
              : fail(ncclInvalidArgument, "there is no such communicator: it was destroyed, or "
                                          "never created");
}

template <class T> ncclResult_t give(T *to, T value) {
  if (!to)
    return fail(ncclInvalidArgument, "a null pointer instead of the address of a variable");
  *to = value;
  return ncclSuccess;
}

ncclResult_t result_of(cudaError_t error) {
  if (error == cudaSuccess)
    return ncclSuccess;
  cudaGetLastError(); // the program gets an error of NCCL instead
  return fail(ncclUnhandledCudaError, cudaGetErrorString(error));
}

std::shared_ptr<Rank> new_rank(std::shared_ptr<Clique> clique, int number, int device) {
  auto rank = std::make_shared<Rank>();
  rank->connections.resize(clique->count);
  rank->gone.resize(clique->count);
  rank->clique = std::move(clique);
  rank->rank = number;
  rank->device = device;
  return rank;
}

// A thread that works for several ranks needs groups: on GPUs the call for the first one may wait
// for the others' before it returns. So a rank whose `call` waits for others was served alone, and
// no other rank may have been by the same thread.
ncclResult_t check_alone(const std::shared_ptr<Rank> &rank, const Call &call) {
  static std::atomic<int> threads{0};
  thread_local const int this_thread = ++threads; // a std::thread::id may come again
  Lock lock(mutex);
  for (const auto &other : rank->clique->local)
    if (other && other != rank && other->alone == this_thread)
      return fail(
          ncclInvalidUsage,
          std::string(name(call.kind)) + ": one thread calls it for ranks " +
              std::to_string(other->rank) + " and " + std::to_string(rank->rank) +
              ", one after the other: on a GPU, the first call may never return. Put all of "
              "them into one group: from ncclGroupStart to ncclGroupEnd");
  rank->alone = this_thread;
  return ncclSuccess;
}

// The first call of a message between two ranks of this process, of which the group has one only:
// NCCL connects the two, and waits for the other's group.
ncclResult_t check_partners(const Group &ready) {
  const auto lacks_partner = [&](const Rank &rank, const Call &call) {
    Lock lock(mutex);
    const auto &partner = rank.clique->local[call.root];
    return partner && std::none_of(ready.queued.begin(), ready.queued.end(),
                                   [&](const Queued &queued) { return queued.rank == partner; });
  };
  for (const Queued &its : ready.queued)
    for (const Buffers &buffers : its.calls) {
      const Call &call = buffers.call;
      if (call.kind != Kind::send && call.kind != Kind::recv)
        continue;
      if (lacks_partner(*its.rank, call))
        if (const ncclResult_t error = check_alone(its.rank, call))
          return error;
    }
  return ncclSuccess;
}

// NCCL's rule for graphs: of a communicator, a group has calls in captured streams or in others.
ncclResult_t check_capture(const Group &ready) {
  for (const Queued &its : ready.queued)
    for (const Queued &other : ready.queued)
      if (its.rank == other.rank && its.stream->capture != other.stream->capture)
        return fail(ncclInvalidUsage, "the streams of a communicator's group are all captured by "
                                      "the same graph, or none of them is");
  return ncclSuccess;
}

// Runs what a group has gathered.
ncclResult_t run(Group &ready) {
  for (const Joiner &joiner : ready.joiners) {
    std::vector<std::shared_ptr<Rank>> together; // of one clique
    for (const Joiner &other : ready.joiners)
      if (other.id == joiner.id)
        together.push_back(other.rank);
    if (together.front() != joiner.rank)
      continue; // has been there
    if (const ncclResult_t error = connect(together, joiner.id))
      return error;
  }
  for (const Joiner &joiner : ready.joiners)
    *joiner.comm = handle_of(joiner.rank);
  if (const ncclResult_t error = check_capture(ready))
    return error;
  if (!ready.is_one_call) // such a call is looked at when it waits
    if (const ncclResult_t error = check_partners(ready))
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

ncclResult_t check(const Rank &rank, const Buffers &its) {
  const Call &call = its.call;
  const int ranks = rank.clique->count;
  const std::string who = std::string(name(call.kind)) + ": ";
  if (call.type < 0 || call.type > ncclFloat64)
    return fail(ncclInvalidArgument, who + "there is no type " + std::to_string(call.type));
  if (call.op < 0 || call.op >= ncclNumOps)
    return fail(ncclInvalidArgument, who + "there is no operation " + std::to_string(call.op));
  if (call.root < 0 || call.root >= ranks)
    return fail(ncclInvalidArgument, who + "there is no rank " + std::to_string(call.root) +
                                         ": there are ranks 0 to " + std::to_string(ranks - 1));
  if ((!its.send && bytes_read(call, rank.rank, ranks)) ||
      (!its.recv && bytes_written(call, rank.rank, ranks)))
    return fail(ncclInvalidArgument, who + "a buffer is a null pointer");
  return ncclSuccess;
}

ncclResult_t queue(const void *send, void *recv, const Call &call, ncclComm_t comm,
                   cudaStream_t handle) {
  host_uses_nccl();
  return in_group([&] {
    return with_rank(comm, [&](const std::shared_ptr<Rank> &rank) {
      const Buffers its{call, static_cast<const char *>(send), static_cast<char *>(recv)};
      if (const ncclResult_t error = check(*rank, its))
        return error;
      const auto stream = stream_of(*rank, handle);
      if (!stream)
        return fail(ncclUnhandledCudaError,
                    std::string(name(call.kind)) + ": the stream is not a stream of device " +
                        std::to_string(rank->device) + ", the communicator's device");
      if (const cudaError_t error = capture_forbids(*stream, Use::queues))
        return fail(ncclUnhandledCudaError, cudaGetErrorString(error));
      const bool is_message = call.kind == Kind::send || call.kind == Kind::recv;
      if (group.is_one_call && !is_message)
        if (const ncclResult_t error = check_alone(rank, call))
          return error;
      if (call.count == 0 && is_message)
        return ncclSuccess;
      auto &all = group.queued;
      auto found = std::find_if(all.begin(), all.end(), [&](const Queued &queued) {
        return queued.rank == rank && queued.stream == stream;
      });
      if (found == all.end())
        found = all.insert(all.end(), {rank, stream, {}});
      found->calls.push_back(its);
      return ncclSuccess;
    });
  });
}

ncclResult_t join(ncclComm_t *comm, int ranks, const std::string &id, int number, int device) {
  Lock lock(mutex);
  std::shared_ptr<Clique> clique = cliques()[id].lock();
  if (!clique) {
    clique = std::make_shared<Clique>();
    clique->count = ranks;
    clique->local.resize(ranks);
    cliques()[id] = clique;
  }
  if (clique->count != ranks)
    return fail(ncclInvalidArgument, "another rank passed " + std::to_string(clique->count) +
                                         " as the number of ranks, this rank " +
                                         std::to_string(ranks));
  for (const auto &other : clique->local)
    if (other && (other->rank == number || other->device == device))
      return fail(ncclInvalidUsage, other->rank == number
                                        ? "two ranks have the number " + std::to_string(number)
                                        : "ranks " + std::to_string(other->rank) + " and " +
                                              std::to_string(number) + " both have device " +
                                              std::to_string(device) +
                                              ": call cudaSetDevice before ncclCommInitRank");
  clique->local[number] = new_rank(clique, number, device);
  group.joiners.push_back({comm, clique->local[number], id});
  return ncclSuccess;
}

// Completes the rank's work, and closes the communicator.
ncclResult_t end(ncclComm_t comm, bool abort) {
  return with_rank(comm, [&](const std::shared_ptr<Rank> &rank) {
    Lock lock(mutex);
    rank->aborted = abort;
    news().notify_all();
    const auto last = rank->last;
    lock.unlock();
    for (const auto &[stream, mark] : last)
      advance(mark);
    lock.lock();
    handles().erase(std::find(handles().begin(), handles().end(), comm));
    close(*rank);
    delete comm;
    return ncclSuccess;
  });
}

std::string host_name() {
  char name[64] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

constexpr char id_begins[] = "course-nccl ";

} // namespace
} // namespace course_cpu::nccl

using namespace course_cpu;
using namespace course_cpu::nccl;

ncclResult_t ncclGetVersion(int *version) { return give(version, NCCL_VERSION_CODE); }

// ---- communicators ----

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  if (!id)
    return fail(ncclInvalidArgument, "a null pointer instead of the address of an id");
  std::random_device random;
  std::memset(id, 0, sizeof *id);
  std::snprintf(id->internal, sizeof id->internal, "%s%08x%08x%08x%08x %s", id_begins, random(),
                random(), random(), random(), host_name().c_str());
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank) {
  host_uses_nccl();
  id.internal[sizeof id.internal - 1] = '\0';
  const std::string text = id.internal;
  const std::string name = text.substr(0, text.rfind(' '));
  return in_group([&] {
    int device = 0;
    if (const ncclResult_t error = result_of(cudaGetDevice(&device)))
      return error;
    if (!comm || ranks < 1 || rank < 0 || rank >= ranks)
      return fail(ncclInvalidArgument, "rank " + std::to_string(rank) + " of " +
                                           std::to_string(ranks) + " ranks is not possible");
    if (text.rfind(id_begins, 0) != 0)
      return fail(ncclInvalidArgument, "the id is not from ncclGetUniqueId: was it sent to this "
                                       "rank?");
    if (text.substr(name.size() + 1) != host_name())
      return fail(ncclSystemError, "the CPU backend connects only processes of one machine, but "
                                   "the id comes from another machine");
    return join(comm, ranks, name, rank, device);
  });
}

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int count, const int *devices) {
  host_uses_nccl();
  int there = 0;
  if (const ncclResult_t error = result_of(cudaGetDeviceCount(&there)))
    return error;
  if (!comms || count < 1)
    return fail(ncclInvalidArgument, std::to_string(count) + " communicators are not possible");
  const auto clique = std::make_shared<Clique>();
  clique->count = count;
  std::vector<bool> taken(there);
  for (int rank = 0; rank < count; ++rank) {
    const int device = devices ? devices[rank] : rank;
    if (device < 0 || device >= there)
      return fail(ncclUnhandledCudaError, "there is no device " + std::to_string(device));
    if (taken[device])
      return fail(ncclInvalidUsage, "device " + std::to_string(device) + " is in the list twice");
    taken[device] = true;
    clique->local.push_back(new_rank(clique, rank, device));
  }
  for (int rank = 0; rank < count; ++rank)
    comms[rank] = handle_of(clique->local[rank]);
  return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  return with_rank(comm, [](const auto &rank) {
    Lock lock(mutex);
    const auto last = rank->last;
    lock.unlock();
    for (const auto &[stream, mark] : last)
      advance(mark);
    return ncclSuccess;
  });
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) { return end(comm, false); }
ncclResult_t ncclCommAbort(ncclComm_t comm) { return end(comm, true); }

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error) {
  return with_rank(comm, [&](auto &rank) { return give(error, rank->async_error.load()); });
}

ncclResult_t ncclCommCount(const ncclComm_t comm, int *count) {
  return with_rank(comm, [&](auto &rank) { return give(count, rank->clique->count); });
}

ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *number) {
  return with_rank(comm, [&](auto &rank) { return give(number, rank->rank); });
}

ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device) {
  return with_rank(comm, [&](auto &rank) { return give(device, rank->device); });
}

// ---- memory: here any device memory will do, and a registration is only a handle ----

ncclResult_t ncclMemAlloc(void **pointer, size_t bytes) {
  return result_of(cudaMalloc(pointer, bytes));
}

ncclResult_t ncclMemFree(void *pointer) { return result_of(cudaFree(pointer)); }

ncclResult_t ncclCommRegister(const ncclComm_t comm, void *buffer, size_t, void **handle) {
  return with_rank(comm, [&](auto &rank) {
    Lock lock(mutex);
    rank->registered.insert(buffer);
    return give(handle, buffer);
  });
}

ncclResult_t ncclCommDeregister(const ncclComm_t comm, void *handle) {
  return with_rank(comm, [&](auto &rank) {
    Lock lock(mutex);
    const auto its = rank->registered.find(handle);
    if (handle && its == rank->registered.end())
      return fail(ncclInvalidUsage,
                  "this handle is not from ncclCommRegister of this communicator");
    if (handle)
      rank->registered.erase(its);
    return ncclSuccess;
  });
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
  return nccl::queue(send, nullptr, {Kind::send, type, ncclSum, peer, count}, comm, stream);
}

ncclResult_t ncclRecv(void *recv, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return nccl::queue(nullptr, recv, {Kind::recv, type, ncclSum, peer, count}, comm, stream);
}

ncclResult_t ncclAllReduce(const void *send, void *recv, size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  return nccl::queue(send, recv, {Kind::all_reduce, type, op, 0, count}, comm, stream);
}

ncclResult_t ncclBroadcast(const void *send, void *recv, size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t stream) {
  return nccl::queue(send, recv, {Kind::broadcast, type, ncclSum, root, count}, comm, stream);
}

ncclResult_t ncclBcast(void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream) {
  return ncclBroadcast(buffer, buffer, count, type, root, comm, stream);
}

ncclResult_t ncclReduce(const void *send, void *recv, size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream) {
  return nccl::queue(send, recv, {Kind::reduce, type, op, root, count}, comm, stream);
}

ncclResult_t ncclReduceScatter(const void *send, void *recv, size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  return nccl::queue(send, recv, {Kind::reduce_scatter, type, op, 0, count}, comm, stream);
}

ncclResult_t ncclAllGather(const void *send, void *recv, size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
  return nccl::queue(send, recv, {Kind::all_gather, type, ncclSum, 0, count}, comm, stream);
}
