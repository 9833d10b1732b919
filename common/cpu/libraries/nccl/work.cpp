// A piece of work in a stream: the calls of a group that one rank makes there.
#include "communicator.h"

#include "runtime/allocations.h"
#include "runtime/capture.h"
#include "runtime/libraries.h"
#include "runtime/timeline.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>
#include <thread>

namespace course_cpu::nccl {

std::mutex mutex;

std::condition_variable &news() {
  static auto &condition = *new std::condition_variable; // threads may wait when all ends
  return condition;
}

const char *name(Kind kind) {
  static const char *const names[] = {"ncclSend", "ncclRecv", "ncclAllReduce", "ncclReduce"};
  return names[int(kind)];
}

namespace {

int hosts = 0; // threads that have called NCCL, and live
thread_local bool is_host = false;

std::string describe(const Call &call) {
  std::string text = name(call.kind);
  if (call.kind != Kind::all_reduce)
    text += (call.kind == Kind::recv ? " from rank " : " to rank ") + std::to_string(call.root);
  return text + ", " + std::to_string(call.count) +
         (call.type == ncclFloat ? " x ncclFloat" : " x ncclDouble");
}

template <class T> void add(const std::vector<char> &from, char *to, std::size_t count) {
  T *const sums = reinterpret_cast<T *>(to);
  std::transform(sums, sums + count, reinterpret_cast<const T *>(from.data()), sums,
                 std::plus<T>());
}

// The error in the buffers of calls that run at the same time; empty: none.
std::string wrong_buffer(const Rank &rank, const std::vector<Buffers> &calls) {
  struct Buffer {
    const Call &call;
    bool written;
    const char *start;
    std::size_t bytes;
  };
  std::vector<Buffer> all;
  for (const auto &[call, send, recv] : calls) {
    if (const std::size_t bytes = call.bytes_read())
      all.push_back({call, false, send, bytes});
    if (const std::size_t bytes = call.bytes_written(rank.number))
      all.push_back({call, true, recv, bytes});
  }
  for (const Buffer &its : all) {
    const Location where = locate(its.start);
    const std::string buffer = "rank " + std::to_string(rank.number) + ", " + describe(its.call) +
                               ": the " + (its.written ? "receive" : "send") + " buffer ";
    if (where.place == Place::pageable)
      return buffer + "is not device memory: pass a pointer from cudaMalloc";
    if (where.place == Place::device && where.device != rank.device)
      return buffer + "is memory of device " + std::to_string(where.device) +
             "; the communicator has device " + std::to_string(rank.device);
    if (where.size < its.bytes)
      return buffer + "needs " + std::to_string(its.bytes) + " bytes; its array has " +
             std::to_string(where.size) + "\nNCCL counts elements, not bytes";
    for (const Buffer &other : all) {
      const bool overlap =
          its.start < other.start + other.bytes && other.start < its.start + its.bytes;
      const bool in_place = &its.call == &other.call && its.start == other.start;
      if (its.written && &its != &other && overlap && !in_place)
        return buffer + (&its.call == &other.call
                             ? "overlaps the send buffer; in place the two are the same"
                             : "overlaps a buffer of " + describe(other.call) +
                                   ": the calls of a group run at the same time");
    }
  }
  return "";
}

// The slot of the same call on another rank.
Slot counterpart(const Slot &slot, int rank) {
  if (slot.lane == Slot::collective)
    return slot;
  return {slot.lane == Slot::send ? Slot::recv : Slot::send, rank, slot.number};
}

// A wait for the message of another rank.
struct Wait {
  const Rank &rank;
  const Call &call;
  const Rank *peer; // nullptr: in another process
  std::pair<int, Slot> message;
  bool blocks_host = false; // until a rank of this process makes a call

  bool is_over() const {
    return rank.arrived.count(message) || (peer && peer->issued.count(message.second));
  }
};
std::vector<const Wait *> waits; // of this process; guarded by mutex

bool all_hosts_wait() {
  int blocked = 0;
  for (const Wait *wait : waits)
    if (wait->blocks_host && wait->is_over())
      return false;
    else
      blocked += wait->blocks_host;
  return blocked == hosts;
}

// Makes a stream advance for other processes, on a thread that ends when nothing is left to do.
void advance_for_others(Lock &, const Mark &mark) {
  static auto &wanted = *new std::map<const Stream *, std::uint64_t>;
  std::uint64_t &number = wanted[mark.stream.get()];
  const bool runs = number > 0;
  number = std::max(number, mark.number);
  if (!runs)
    std::thread([stream = mark.stream, &number] {
      Lock lock(mutex);
      for (std::uint64_t reached = 0; reached < number;) {
        const Mark mark{stream, reached = number};
        lock.unlock();
        advance(mark);
        lock.lock();
      }
      wanted.erase(stream.get());
    }).detach();
}

class Work {
public:
  Work(std::shared_ptr<Rank> rank, const std::vector<Buffers> &calls)
      : rank_(std::move(rank)), calls_(calls) {
    Lock lock(mutex);
    for (const auto &[call, send, recv] : calls_) {
      const Slot::Lane lane = call.kind == Kind::send   ? Slot::send
                              : call.kind == Kind::recv ? Slot::recv
                                                        : Slot::collective;
      const int peer = call.is_message() ? call.root : -1;
      slots_.push_back({lane, peer, rank_->calls[{lane, peer}]++});
    }
    messages_.resize(calls_.size());
  }

  // Its place in the stream is known, so peers may make it advance.
  void queued(const Mark &mark) {
    Lock lock(mutex);
    rank_->last[mark.stream.get()] = mark;
    if (has_arrived_)
      return;
    for (const Slot &slot : slots_)
      rank_->issued[slot] = mark;
    for_each_peer([&](std::size_t i, int peer) {
      if (!rank_->all->local[peer] &&
          rank_->arrived.count({peer, counterpart(slots_[i], rank_->number)}))
        advance_for_others(lock, mark);
    });
    news().notify_all();
  }

  void meet() {
    const Call &first = calls_.front().call;
    span_.emplace(Span::kernel, first.is_message() && calls_.size() > 1 ? "ncclSend, ncclRecv"
                                                                        : name(first.kind));
    const std::string wrong = wrong_buffer(*rank_, calls_);
    failed_ = devices()[rank_->device].sticky != cudaSuccess;
    if (!wrong.empty())
      fail_with(wrong, cudaErrorIllegalAddress);
    arrive();
    for_each_peer([&](std::size_t i, int peer) {
      if (!failed_)
        await(i, peer);
    });
  }

  void run() {
    if (failed_) {
      if (!error_text_.empty())
        library_fault(error_text_);
      set_sticky_error(error_);
    } else {
      for (const auto &[call, send, recv] : calls_)
        if (const std::size_t bytes = call.bytes_read())
          library_reads(send, bytes);
      for (std::size_t i = 0; i < calls_.size(); ++i)
        if (calls_[i].call.bytes_written(rank_->number))
          compute(calls_[i], messages_[i]);
    }
    span_.reset();
  }

private:
  // Calls f(i, peer) for each call and each rank that takes part in it.
  template <class F> void for_each_peer(const F &f) const {
    for (std::size_t i = 0; i < calls_.size(); ++i)
      if (calls_[i].call.is_message())
        f(i, calls_[i].call.root);
      else
        for (int peer = 0; peer < rank_->all->count(); ++peer)
          f(i, peer);
  }

  void fail_with(const std::string &text, cudaError_t error) {
    failed_ = true;
    error_text_ = text;
    error_ = error;
  }

  // Sends the messages to all, before it waits for any.
  void arrive() {
    for_each_peer([&](std::size_t i, int peer) {
      const auto &[call, values, recv] = calls_[i];
      Message message{call, failed_, {}};
      if (!failed_ && (call.kind != Kind::reduce || peer == call.root))
        message.values.assign(values, values + call.bytes_read());
      Lock lock(mutex);
      const auto other = rank_->all->local[peer];
      lock.unlock();
      if (other)
        came(*other, rank_->number, slots_[i], std::move(message));
      else
        send(*rank_, peer, slots_[i], message);
    });
    Lock lock(mutex);
    has_arrived_ = true;
    for (const Slot &slot : slots_)
      rank_->issued.erase(slot);
  }

  // Waits for the peer's message, and takes it.
  void await(std::size_t i, int peer) {
    Lock lock(mutex);
    const Call &call = calls_[i].call;
    Wait wait{
        *rank_, call, rank_->all->local[peer].get(), {peer, counterpart(slots_[i], rank_->number)}};
    waits.push_back(&wait);
    for (bool waiting = true; waiting && !failed_;) {
      if (const auto found = rank_->arrived.find(wait.message); found != rank_->arrived.end()) {
        messages_[i][peer] = std::move(found->second);
        rank_->arrived.erase(found);
        compare(call, peer, messages_[i][peer]);
        waiting = false;
      } else if (wait.is_over()) {
        const Mark mark = wait.peer->issued.at(wait.message.second);
        lock.unlock();
        const bool reached = advance(mark);
        lock.lock();
        if (!reached)
          deadlock();
      } else {
        wait_for_news(lock, wait);
      }
    }
    waits.erase(std::find(waits.begin(), waits.end(), &wait));
  }

  void wait_for_news(Lock &lock, Wait &wait) {
    const int peer = wait.message.first;
    wait.blocks_host = is_host && wait.peer;
    const auto ends = [&] { return wait.is_over() || (wait.blocks_host && all_hosts_wait()); };
    if (!news().wait_for(lock, patience, ends)) {
      report_wait(rank_->number, describe(wait.call), peer);
      news().wait(lock, ends);
    }
    wait.blocks_host = false;
    if (wait.is_over())
      return;
    const char *const theirs = wait.call.kind == Kind::send   ? "ncclRecv"
                               : wait.call.kind == Kind::recv ? "ncclSend"
                                                              : name(wait.call.kind);
    fail_with("deadlock: rank " + std::to_string(rank_->number) + " waits in " +
                  describe(wait.call) + ", and rank " + std::to_string(peer) + " has not called " +
                  theirs + " for it",
              cudaErrorLaunchTimeout);
  }

  // This rank waits in a circle.
  void deadlock() {
    std::string text =
        "deadlock: each of these calls waits for a call that comes after another of them";
    for (const Wait *wait : waits)
      text += "\n  rank " + std::to_string(wait->rank.number) + ": " + describe(wait->call);
    fail_with(text + "\nPut calls that wait for each other between ncclGroupStart and ncclGroupEnd",
              cudaErrorLaunchTimeout);
  }

  void compare(const Call &mine, int peer, const Message &message) {
    const Call &other = message.call;
    if (message.failed) {
      failed_ = true;
      return;
    }
    const bool collective = !mine.is_message();
    if (mine.count != other.count || mine.type != other.type ||
        (collective && (mine.kind != other.kind || mine.root != other.root)))
      fail_with("calls that do not match\n  rank " + std::to_string(rank_->number) + ": " +
                    describe(mine) + "\n  rank " + std::to_string(peer) + ": " + describe(other) +
                    (collective ? "\nAll ranks must call the same collectives, in the same order"
                                : "\nA send and its receive must have the same count and type"),
                cudaErrorLaunchFailure);
  }

  static void compute(const Buffers &its, const std::map<int, Message> &messages) {
    const auto &first = messages.begin()->second.values;
    std::copy(first.begin(), first.end(), its.recv);
    for (auto other = std::next(messages.begin()); other != messages.end(); ++other)
      if (its.call.type == ncclFloat)
        add<float>(other->second.values, its.recv, its.call.count);
      else
        add<double>(other->second.values, its.recv, its.call.count);
    library_writes(its.recv, its.call.bytes());
  }

  const std::shared_ptr<Rank> rank_;
  const std::vector<Buffers> calls_;
  std::vector<Slot> slots_;                      // of the calls
  std::vector<std::map<int, Message>> messages_; // for the calls, by rank
  std::optional<Span> span_;
  bool has_arrived_ = false, failed_ = false;
  std::string error_text_; // to be reported
  cudaError_t error_ = cudaErrorLaunchFailure;
};

Mark queue(const std::shared_ptr<Rank> &rank, const std::vector<Buffers> &calls,
           const std::shared_ptr<Stream> &stream, std::vector<Mark> after) {
  const auto work = std::make_shared<Work>(rank, calls);
  const Mark mark = enqueue(
      stream, [work] { work->run(); }, OnError::run, std::move(after), [work] { work->meet(); });
  work->queued(mark);
  return mark;
}

} // namespace

void launch(const std::shared_ptr<Rank> &rank, const std::vector<Buffers> &calls,
            const std::shared_ptr<Stream> &stream) {
  if (stream->capture)
    record(*stream, cudaGraphNodeTypeKernel, [rank, calls](auto &its_stream, auto after) {
      return queue(rank, calls, its_stream, std::move(after));
    });
  else
    queue(rank, calls, stream, {});
}

void came(Rank &rank, int from, const Slot &slot, Message message) {
  Lock lock(mutex);
  rank.arrived[{from, slot}] = std::move(message);
  const auto issued = rank.issued.find(counterpart(slot, from));
  if (issued != rank.issued.end() && !rank.all->local[from])
    advance_for_others(lock, issued->second);
  news().notify_all();
}

void report_wait(int rank, const std::string &call, int peer) {
  std::fprintf(stderr, "rank %d has waited %d s in %s: rank %d has not called it\n", rank,
               int(patience.count()), call.c_str(), peer);
}

void host_uses_nccl() {
  struct Host {
    Host() { count(1); }
    ~Host() { count(-1); }
    void count(int change) {
      Lock lock(mutex);
      hosts += change;
      is_host = change > 0;
      news().notify_all();
    }
  };
  thread_local const Host host;
  static_cast<void>(host);
}

} // namespace course_cpu::nccl
