// A piece of work in a stream: the calls of a group that one rank makes there.
#include "communicator.h"

#include "runtime/capture.h"
#include "runtime/libraries.h"
#include "runtime/runtime.h"
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

namespace {

int hosts = 0; // threads that have called NCCL, and live
thread_local bool is_host = false;

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
    return rank.arrived.count(message) ||
           (peer ? peer->issued.count(message.second) : rank.gone[message.first]);
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
    for (std::size_t i = 0; i < calls_.size(); ++i)
      for (int peer : peers(i))
        if (!rank_->all->local[peer] &&
            rank_->arrived.count({peer, counterpart(slots_[i], rank_->number)}))
          advance_for_others(lock, mark);
    news().notify_all();
  }

  void meet() {
    span_.emplace(Span::kernel, title());
    const std::string wrong = wrong_buffer(*rank_, calls_);
    failed_ = devices()[rank_->device].sticky != cudaSuccess;
    if (!wrong.empty())
      fail_with(wrong, cudaErrorIllegalAddress);
    arrive();
    for (std::size_t i = 0; i < calls_.size(); ++i)
      for (int peer : peers(i))
        if (!failed_)
          await(i, peer);
  }

  void run() {
    if (failed_) {
      if (!error_text_.empty())
        library_fault(error_text_);
      set_sticky_error(error_);
    } else {
      for (const Buffers &its : calls_)
        if (const std::size_t bytes = its.call.bytes_read())
          library_reads(its.send, bytes);
      for (std::size_t i = 0; i < calls_.size(); ++i)
        if (calls_[i].call.bytes_written(rank_->number))
          compute(calls_[i], messages_[i]);
    }
    span_.reset();
  }

private:
  // The title in a timeline.
  const char *title() const {
    const Kind kind = calls_.front().call.kind;
    bool same = true, messages = true;
    for (const auto &[call, send, recv] : calls_) {
      same = same && call.kind == kind;
      messages = messages && call.is_message();
    }
    return same ? name(kind) : messages ? "ncclSend, ncclRecv" : "NCCL, a group";
  }

  // The ranks that take part in a call.
  std::vector<int> peers(std::size_t i) const {
    if (calls_[i].call.is_message())
      return {calls_[i].call.root};
    std::vector<int> all(rank_->all->count());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  void fail_with(const std::string &text, cudaError_t error) {
    failed_ = true;
    error_text_ = text;
    error_ = error;
  }

  // Sends the messages to all, before it waits for any.
  void arrive() {
    const auto nothing = std::make_shared<const std::vector<char>>();
    std::vector<std::shared_ptr<const std::vector<char>>> values(calls_.size(), nothing);
    for (std::size_t i = 0; i < calls_.size() && !failed_; ++i)
      values[i] = std::make_shared<const std::vector<char>>(
          calls_[i].send, calls_[i].send + calls_[i].call.bytes_read());
    const auto message_for = [&](std::size_t i, int peer) {
      const Call &call = calls_[i].call;
      return Message{call, failed_,
                     call.kind != Kind::reduce || peer == call.root ? values[i] : nothing};
    };
    Lock lock(mutex);
    has_arrived_ = true;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      rank_->issued.erase(slots_[i]);
      for (int peer : peers(i))
        if (const auto &other = rank_->all->local[peer])
          other->arrived[{rank_->number, slots_[i]}] = message_for(i, peer);
    }
    news().notify_all();
    lock.unlock();
    for (std::size_t i = 0; i < calls_.size(); ++i)
      for (int peer : peers(i))
        if (!rank_->all->local[peer])
          send(*rank_, peer, slots_[i], message_for(i, peer));
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
      } else if (!wait.peer && rank_->gone[peer]) {
        fail_with("rank " + std::to_string(rank_->number) + ", " + describe(call) + ": rank " +
                      std::to_string(peer) +
                      " has ended, or destroyed its communicator, without calling it",
                  cudaErrorLaunchFailure);
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
    fail_with(
        "deadlock: rank " + std::to_string(rank_->number) + " waits in " + describe(wait.call) +
            ", and rank " + std::to_string(peer) + " has not called " + theirs + " for it" +
            (wait.peer->has_recorded ? "\nA call in a graph is made when the graph is launched"
                                     : ""),
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
        (collective && (mine.kind != other.kind || mine.op != other.op || mine.root != other.root)))
      fail_with("calls that do not match\n  rank " + std::to_string(rank_->number) + ": " +
                    describe(mine) + "\n  rank " + std::to_string(peer) + ": " + describe(other) +
                    (collective ? "\nAll ranks must call the same collectives, in the same order"
                                : "\nA send and its receive must have the same count and type"),
                cudaErrorLaunchFailure);
  }

  static void compute(const Buffers &its, const std::map<int, Message> &messages) {
    bool first = true;
    for (const auto &[peer, message] : messages) {
      if (first)
        std::copy(message.values->begin(), message.values->end(), its.recv);
      else
        combine(its.call, its.recv, message.values->data());
      first = false;
    }
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
  if (stream->capture) {
    rank->has_recorded = true;
    record(*stream, cudaGraphNodeTypeKernel, [rank, calls](auto &its_stream, auto after) {
      return queue(rank, calls, its_stream, std::move(after));
    });
  } else {
    queue(rank, calls, stream, {});
  }
}

void came(Rank &rank, int from, const Slot &slot, const Message &message) {
  Lock lock(mutex);
  rank.arrived[{from, slot}] = message;
  const auto issued = rank.issued.find(counterpart(slot, from));
  if (issued != rank.issued.end())
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
