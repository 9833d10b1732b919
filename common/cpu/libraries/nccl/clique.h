// NCCL on the CPU backend: what its files share.
//
// The design. A clique is a set of ranks, each with a device, in one process or in several of one
// machine. All that ranks do is to send messages.
//
// - A call is work in a stream (runtime/context.h). The calls of a group that go to one stream of
//   one rank are one piece of work. A call is known by its slot: collectives are counted by the
//   communicator, sends and receives by the communicator and the peer. Calls in a captured stream
//   are counted when the graph is launched.
// - When the stream comes to the work, the rank *arrives*: each other rank of the call gets a
//   message with the call (kind, count, type, operation, root), and with the values that it needs,
//   copied now; so a rank may go on, and work in place, whoever still computes. Then it waits for
//   the others' messages, compares their calls with its own, and computes in the order of the
//   ranks: sums are the same bits on all ranks. Nothing ends before all of its ranks have arrived.
//   NCCL may be more generous, and promises no more.
// - A thread that makes a collective call for one rank and then for another one of the same clique
//   needs a group: on a GPU the first call may wait forever. The second call returns
//   ncclInvalidUsage.
// - The tools see what each call reads and writes, as part of the operation that ncclGroupEnd
//   queues. They do not see that a call also orders the ranks.
// - No thread serves a stream; whoever waits runs it. So a rank that waits for another one of its
//   process makes that one's stream advance, up to the call, on its own thread (Operation::meet).
//   A rank of another process is asked by the message itself: the thread that reads it starts one
//   that makes the stream advance, as soon as the call is queued there.
// - Deadlocks. A stream that has to advance, and is being run by the very thread that asks, is a
//   circle. A call that no rank will ever make is one when all host threads that use NCCL
//   wait for such. Both are told, with the ranks and their calls, and are a fault
//   (cudaErrorLaunchTimeout) of the devices. Between processes the library cannot know whether
//   a rank will still call; there it tells when a rank has ended.
// - Faults: buffers that are no device memory, too short or another device's; calls that differ.
//   They are told, the device gets a sticky error, and so do the ranks that wait for it.
// - Processes meet at abstract Unix sockets, named by the id and the rank: they need no folder and
//   no shared memory, so they work in the grader's sandbox; nothing is left behind when a process
//   dies, and the others are told of it. Every rank reads on a thread for each connection, so a
//   write always comes to an end. (MPI is not linked: the program brings the id over.)
#pragma once

#include "nccl.h"

#include "runtime/context.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace course_cpu::nccl {

// ---- calls ----

enum class Kind : int { send, recv, all_reduce, broadcast, reduce, reduce_scatter, all_gather };

// As all ranks of a collective must make it.
struct Call {
  Kind kind;
  ncclDataType_t type;
  ncclRedOp_t op;
  int root; // of a send or receive the peer
  std::uint64_t count;
};

std::string describe(const Call &call);
const char *name(Kind kind);
bool is_reduction(Kind kind);
std::size_t size_of(ncclDataType_t type);
std::size_t bytes_read(const Call &call, int rank, int ranks); // of its send buffer
std::size_t bytes_written(const Call &call, int rank, int ranks);

// The part of a rank's send buffer that another one needs, in bytes.
struct Part {
  std::size_t offset, bytes;
};
Part part_for(const Call &call, int from, int to);

// to[i] = to[i] op from[i]; and what ncclAvg does at the end.
void combine(const Call &call, char *to, const char *from);
void divide(const Call &call, char *values, int ranks);

// ---- ranks ----

// Which call of a rank: of its collectives, of its sends to a peer, of its receives from one.
struct Slot {
  enum Lane : int { collective, send, recv } lane;
  int peer; // -1: all
  std::uint64_t number;

  bool operator<(const Slot &o) const {
    return std::tie(lane, peer, number) < std::tie(o.lane, o.peer, o.number);
  }
};

// The slot of the same call on another rank.
Slot counterpart(const Slot &slot, int rank);

struct Message {
  Call call;
  bool failed; // the rank has a fault, and has told it
  std::shared_ptr<const std::vector<char>> values;
  Part part; // of them
};

class Connection;
struct Clique;

struct Rank {
  std::shared_ptr<Clique> clique;
  int rank, device;
  std::vector<std::shared_ptr<Connection>> connections;      // by rank; empty: of this process
  std::map<std::pair<Slot::Lane, int>, std::uint64_t> calls; // so far, of a lane and a peer
  std::map<Slot, Mark> issued;                               // that have not arrived
  std::map<std::pair<int, Slot>, Message> arrived;           // of others: the rank and its slot
  std::map<const Stream *, Mark> last;                       // of each stream
  std::vector<bool> gone;                                    // connections that have ended
  std::atomic<ncclResult_t> async_error{ncclSuccess};
  std::multiset<void *> registered; // buffers
  bool aborted = false;
  bool has_recorded = false; // a call in a graph
  int alone = 0;             // the last thread that made calls for it without those of the others
};

struct Clique {
  int count;
  std::vector<std::shared_ptr<Rank>> local; // by rank; empty: in another process, or not yet here
};

extern std::mutex mutex; // of all cliques and ranks
extern std::condition_variable &news();
using Lock = std::unique_lock<std::mutex>;

// ---- connections.cpp ----

// Waits until all ranks of the cliques have joined. `id` names the clique.
ncclResult_t connect(const std::vector<std::shared_ptr<Rank>> &joining, const std::string &id);
void send(Connection &connection, const Slot &slot, const Message &message);
void close(Rank &rank);

// ---- buffers.cpp ----

struct Buffers {
  Call call;
  const char *send;
  char *recv;
};

// The error in the buffers of calls that run at the same time; empty: none.
std::string wrong_buffer(const Rank &rank, const std::vector<Buffers> &calls);

// ---- work.cpp ----

// Queues calls of one rank on one stream.
void launch(const std::shared_ptr<Rank> &rank, const std::vector<Buffers> &calls,
            const std::shared_ptr<Stream> &stream);
void came(Rank &rank, int from, const Slot &slot, Message message); // from another process

// A rank that has waited for so long says once in which call, and for whom: it may be for ever.
constexpr std::chrono::seconds patience{5};
void tell_wait(int rank, const std::string &call, const std::string &others);
void host_uses_nccl(); // the calling thread

// ---- errors.cpp ----

ncclResult_t fail(ncclResult_t result, const std::string &why); // for ncclGetLastError

} // namespace course_cpu::nccl
