// NCCL on the CPU backend: what its files share.
//
// - A call is work in a stream (runtime/stream.h). The calls of a group that go to one stream of
//   one rank are one piece of work. A call is known by its slot: collectives are counted by the
//   rank, sends and receives by the rank and the peer. Calls in a captured stream are counted when
//   the graph is launched.
// - When the stream comes to the work, the rank *arrives*: each other rank of the call gets a
//   message with the call and with the values that it needs, copied now; so a rank may go on, and
//   work in place, whoever still computes. Then it waits for the others' messages, compares their
//   calls with its own, and computes in the order of the ranks: sums are the same bits on all
//   ranks. Nothing ends before all of its ranks have arrived.
// - The tools see what each call reads and writes, as part of the operation that ncclGroupEnd
//   queues. They do not see that a call also orders the ranks.
// - No thread serves a stream; the thread that waits runs it. So a rank that waits for another rank
//   of its process makes that rank's stream advance, up to the call, on its own thread
//   (Operation::meet). A message from another process starts a thread that makes the stream
//   advance.
// - Deadlocks. A stream that has to advance, and is being run by the very thread that needs it, is
//   a circle. A call that no rank will ever make is found when all host threads that use NCCL wait
//   for such calls. Both are reported, with the ranks and their calls, and are an error
//   (cudaErrorLaunchTimeout) of the devices. Between processes the library only reports that a rank
//   has waited for long.
// - Wrong buffers and calls that do not match are reported, the device gets a sticky error, and so
//   do the ranks that wait for it.
#pragma once

#include "nccl.h"

#include "runtime/device.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace course_cpu::nccl {

enum class Kind : int { send, recv, all_reduce, reduce };

// As all ranks of a collective must make it.
struct Call {
  Kind kind;
  ncclDataType_t type;
  int root; // of a send or receive the peer
  std::uint64_t count;

  bool is_message() const { return kind == Kind::send || kind == Kind::recv; }
  std::size_t bytes() const { return count * (type == ncclFloat ? sizeof(float) : sizeof(double)); }
  std::size_t bytes_read() const { return kind == Kind::recv ? 0 : bytes(); }
  std::size_t bytes_written(int rank) const {
    return kind == Kind::send || (kind == Kind::reduce && rank != root) ? 0 : bytes();
  }
};

struct Buffers {
  Call call;
  const char *send;
  char *recv;
};

// The number of a call: among a rank's collectives, its sends to a peer, its receives from a peer.
struct Slot {
  enum Lane : int { collective, send, recv, join } lane;
  int peer; // -1: all
  std::uint64_t number;

  bool operator<(const Slot &o) const {
    return std::tie(lane, peer, number) < std::tie(o.lane, o.peer, o.number);
  }
};

struct Message {
  Call call;
  bool failed; // the rank has an error, and has reported it
  std::vector<char> values;
};

struct Communicator;

struct Rank {
  std::shared_ptr<Communicator> all;
  int number, device;
  std::map<std::pair<Slot::Lane, int>, std::uint64_t> calls{}; // so far, of a lane and a peer
  std::map<Slot, Mark> issued{};                               // that have not arrived
  std::map<std::pair<int, Slot>, Message> arrived{};           // of others: the rank and its slot
  std::map<const Stream *, Mark> last{};                       // of each stream
  int alone = 0; // the last thread that made calls for it without calls of their partners
  int socket = -1;
};

struct Communicator {
  std::string id;
  std::vector<std::shared_ptr<Rank>> local; // by number; empty: in another process, or not yet here

  int count() const { return int(local.size()); }
};

extern std::mutex mutex; // of all communicators and ranks
extern std::condition_variable &news();
using Lock = std::unique_lock<std::mutex>;

// ---- api.cpp ----

ncclResult_t fail(ncclResult_t result, const std::string &why); // for ncclGetLastError

// ---- work.cpp ----

const char *name(Kind kind);
// Queues calls of one rank on one stream.
void launch(const std::shared_ptr<Rank> &rank, const std::vector<Buffers> &calls,
            const std::shared_ptr<Stream> &stream);
void came(Rank &rank, int from, const Slot &slot, Message message); // the message of a rank
void host_uses_nccl();                                              // the calling thread

// A rank that has waited for so long reports once in which call, and for whom.
constexpr std::chrono::seconds patience{5};
void report_wait(int rank, const std::string &call, int peer);

// ---- processes.cpp ----

// Waits until all ranks of the communicators of these ranks have joined.
ncclResult_t connect(const std::vector<std::shared_ptr<Rank>> &joining);
// False: the peer has ended, or is not there yet.
bool send(const Rank &rank, int peer, const Slot &slot, const Message &message);
void close(Rank &rank);

} // namespace course_cpu::nccl
