// A piece of work in a stream: the calls of a group that one rank makes there.
#include "clique.h"

#include "runtime/capture.h"
#include "runtime/libraries.h"
#include "runtime/runtime.h"
#include "runtime/timeline.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <thread>

namespace course_cpu::nccl {

std::mutex mutex;

std::condition_variable &news() {
  static auto &condition = *new std::condition_variable; // threads may wait when all ends
  return condition;
}

namespace {

// ---- host threads ----

// A thread's wait for a call that a rank of this process has not made.
struct Wait {
  const Rank *rank, *peer;
  int from; // the peer's number
  Slot slot;

  bool goes_on() const {
    return rank->aborted || rank->arrived.count({from, slot}) || peer->issued.count(slot);
  }
};

int hosts = 0;                   // threads that have called NCCL, and live
std::vector<const Wait *> waits; // of such threads
thread_local bool is_host = false;

bool all_hosts_wait() {
  return int(waits.size()) == hosts &&
         std::none_of(waits.begin(), waits.end(), [](const Wait *wait) { return wait->goes_on(); });
}

// The calls in which ranks of this process wait, each with its rank; guarded by mutex.
std::vector<std::pair<int, const Call *>> awaiting;

// ---- asking streams to advance, for other processes ----

// A thread for each stream that is asked, as long as it has to run.
void advance_for_peers(Lock &, const Mark &mark) {
  static auto &wanted = *new std::map<const Stream *, Mark>;
  const bool runs = wanted.count(mark.stream.get());
  Mark &its = wanted[mark.stream.get()];
  if (its.number < mark.number)
    its = mark;
  if (runs)
    return;
  std::thread([stream = mark.stream] {
    Lock lock(mutex);
    for (std::uint64_t reached = 0; reached < wanted[stream.get()].number;) {
      const Mark mark = wanted[stream.get()];
      lock.unlock();
      advance(mark);
      lock.lock();
      reached = mark.number;
    }
    wanted.erase(stream.get());
  }).detach();
}

bool asked_by_other_process(const Rank &rank, const Slot &slot) {
  for (int peer = 0; peer < rank.clique->count; ++peer)
    if (rank.connections[peer] && rank.arrived.count({peer, counterpart(slot, rank.rank)}))
      return true;
  return false;
}

// ---- the work ----

class Work {
public:
  Work(std::shared_ptr<Rank> rank, const std::vector<Buffers> &calls) : rank_(std::move(rank)) {
    Lock lock(mutex);
    for (const Buffers &its : calls) {
      const Slot::Lane lane = its.call.kind == Kind::send   ? Slot::send
                              : its.call.kind == Kind::recv ? Slot::recv
                                                            : Slot::collective;
      const int peer = lane == Slot::collective ? -1 : its.call.root;
      steps_.push_back({its, {lane, peer, rank_->calls[{lane, peer}]++}, {}});
    }
  }

  // Its place in the stream is known, so peers may make it advance.
  void queued(const Mark &mark) {
    Lock lock(mutex);
    rank_->last[mark.stream.get()] = mark;
    if (has_arrived_)
      return;
    for (const Step &step : steps_)
      rank_->issued[step.slot] = mark;
    for (const Step &step : steps_)
      if (asked_by_other_process(*rank_, step.slot))
        return advance_for_peers(lock, mark), news().notify_all();
    news().notify_all();
  }

  void meet() {
    span_.emplace(Span::kernel, title());
    const std::string wrong = wrong_buffer(*rank_, calls());
    failed_ = !wrong.empty() || devices()[rank_->device].sticky != cudaSuccess;
    if (!wrong.empty())
      fault(wrong, cudaErrorIllegalAddress, ncclUnhandledCudaError);
    arrive();
    for (Step &step : steps_)
      for (int peer = 0; peer < rank_->clique->count && !failed_; ++peer)
        if (takes_part(step, peer))
          await(step, peer);
  }

  void run() {
    if (failed_) {
      if (!fault_.empty())
        library_fault(fault_);
      set_sticky_error(error_);
    } else {
      for (const Step &step : steps_)
        if (const std::size_t bytes = bytes_read(step.its.call, rank_->rank, rank_->clique->count))
          library_reads(step.its.send, bytes);
      for (const Step &step : steps_)
        if (bytes_written(step.its.call, rank_->rank, rank_->clique->count))
          compute(step);
    }
    span_.reset();
  }

private:
  struct Step {
    Buffers its;
    Slot slot;
    std::map<int, Message> came; // by rank
  };

  // The title in a timeline.
  const char *title() const {
    const Kind kind = steps_.front().its.call.kind;
    bool same = true, point_to_point = true;
    for (const Step &step : steps_) {
      same = same && step.its.call.kind == kind;
      point_to_point = point_to_point && step.slot.lane != Slot::collective;
    }
    return same ? name(kind) : point_to_point ? "ncclSend, ncclRecv" : "NCCL, a group";
  }

  std::vector<Buffers> calls() const {
    std::vector<Buffers> all;
    for (const Step &step : steps_)
      all.push_back(step.its);
    return all;
  }

  bool takes_part(const Step &step, int peer) const {
    return step.slot.lane == Slot::collective || step.slot.peer == peer;
  }

  void fault(const std::string &text, cudaError_t error, ncclResult_t result) {
    failed_ = true;
    fault_ = text;
    error_ = error;
    rank_->async_error = result;
  }

  // Sends the messages to all, before it waits for any.
  void arrive() {
    std::vector<std::pair<std::shared_ptr<Connection>, std::pair<Slot, Message>>> others;
    std::vector<std::shared_ptr<const std::vector<char>>> values;
    for (const Step &step : steps_) {
      const char *const begin = step.its.send;
      const std::size_t bytes =
          failed_ ? 0 : bytes_read(step.its.call, rank_->rank, rank_->clique->count);
      values.push_back(std::make_shared<const std::vector<char>>(begin, begin + bytes));
    }
    {
      Lock lock(mutex);
      has_arrived_ = true;
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        const Step &step = steps_[i];
        rank_->issued.erase(step.slot);
        for (int peer = 0; peer < rank_->clique->count; ++peer) {
          if (!takes_part(step, peer))
            continue;
          const Part part = failed_ ? Part{0, 0} : part_for(step.its.call, rank_->rank, peer);
          const Message message{step.its.call, failed_, values[i], part};
          if (rank_->connections[peer])
            others.push_back({rank_->connections[peer], {step.slot, message}});
          else
            rank_->clique->local[peer]->arrived[{rank_->rank, step.slot}] = message;
        }
      }
      news().notify_all();
    }
    for (const auto &[connection, what] : others)
      send(*connection, what.first, what.second);
  }

  struct Awaiting {
    const std::pair<int, const Call *> its;
    Awaiting(int rank, const Call &call) : its(rank, &call) { awaiting.push_back(its); }
    ~Awaiting() { awaiting.erase(std::find(awaiting.begin(), awaiting.end(), its)); }
    Awaiting(const Awaiting &) = delete;
    Awaiting &operator=(const Awaiting &) = delete;
  };

  // Waits for the peer's message, and takes it.
  void await(Step &step, int peer) {
    const Slot theirs = counterpart(step.slot, rank_->rank);
    Lock lock(mutex);
    const Awaiting waiting(rank_->rank, step.its.call);
    for (;;) {
      const auto found = rank_->arrived.find({peer, theirs});
      if (found != rank_->arrived.end()) {
        step.came[peer] = std::move(found->second);
        rank_->arrived.erase(found);
        return compare(step, peer);
      }
      if (rank_->aborted) {
        failed_ = true;
        return;
      }
      if (rank_->connections[peer]) {
        if (rank_->gone[peer])
          return fault("rank " + std::to_string(rank_->rank) + ", " + describe(step.its.call) +
                           ": rank " + std::to_string(peer) +
                           " has ended, or destroyed its communicator, without calling it",
                       cudaErrorLaunchFailure, ncclRemoteError);
        wait_for_news(lock, step.its.call, peer, [&] {
          return rank_->arrived.count({peer, theirs}) || rank_->aborted || rank_->gone[peer];
        });
        continue;
      }
      const Rank &other = *rank_->clique->local[peer];
      if (const auto issued = other.issued.find(theirs); issued != other.issued.end()) {
        const Mark mark = issued->second;
        lock.unlock();
        const bool reached = advance(mark);
        lock.lock();
        if (!reached)
          return deadlock();
        continue;
      }
      const Wait wait{rank_.get(), &other, peer, theirs};
      const auto nobody_calls = [] { return is_host && all_hosts_wait(); };
      if (is_host)
        waits.push_back(&wait);
      wait_for_news(lock, step.its.call, peer, [&] { return wait.goes_on() || nobody_calls(); });
      const bool never = nobody_calls();
      if (is_host)
        waits.erase(std::find(waits.begin(), waits.end(), &wait));
      if (never)
        return nobody_will(step, peer);
    }
  }

  // Waits until the peer's news fit.
  template <class Fits>
  void wait_for_news(Lock &lock, const Call &call, int peer, const Fits &fit) {
    if (news().wait_for(lock, patience, fit))
      return;
    tell_wait(rank_->rank, describe(call), "rank " + std::to_string(peer));
    news().wait(lock, fit);
  }

  // This rank waits in a circle.
  void deadlock() {
    std::string text =
        "deadlock: each of these calls waits for a call that comes after another of them";
    for (const auto &[rank, call] : awaiting)
      text += "\n  rank " + std::to_string(rank) + ": " + describe(*call);
    fault(text + "\nPut calls that wait for each other between ncclGroupStart and ncclGroupEnd",
          cudaErrorLaunchTimeout, ncclInternalError);
  }

  void nobody_will(const Step &step, int peer) {
    const char *const theirs = step.slot.lane == Slot::send   ? "ncclRecv"
                               : step.slot.lane == Slot::recv ? "ncclSend"
                                                              : name(step.its.call.kind);
    fault("deadlock: rank " + std::to_string(rank_->rank) + " waits in " + describe(step.its.call) +
              ", and rank " + std::to_string(peer) + " has not called " + theirs + " for it" +
              (rank_->clique->local[peer]->has_recorded
                   ? "\nA call in a graph is made when the graph is launched"
                   : ""),
          cudaErrorLaunchTimeout, ncclInternalError);
  }

  void compare(const Step &step, int peer) {
    const Message &message = step.came.at(peer);
    const Call &mine = step.its.call, &other = message.call;
    if (message.failed) {
      failed_ = true;
      error_ = cudaErrorLaunchFailure;
      rank_->async_error = ncclRemoteError;
      return;
    }
    const bool collective = step.slot.lane == Slot::collective;
    const bool same = mine.count == other.count && mine.type == other.type &&
                      (!collective || (mine.kind == other.kind &&
                                       (!is_reduction(mine.kind) || mine.op == other.op) &&
                                       (mine.root == other.root || (mine.kind != Kind::broadcast &&
                                                                    mine.kind != Kind::reduce))));
    if (!same)
      fault("calls that do not match\n  rank " + std::to_string(rank_->rank) + ": " +
                describe(mine) + "\n  rank " + std::to_string(peer) + ": " + describe(other) +
                (collective ? "\nAll ranks must call the same collectives, in the same order"
                            : "\nA send and its receive must have the same count and type"),
            cudaErrorLaunchFailure, ncclInvalidUsage);
  }

  void compute(const Step &step) const {
    const Call &call = step.its.call;
    const int ranks = rank_->clique->count;
    char *const to = step.its.recv;
    const std::size_t bytes = call.count * size_of(call.type);
    bool first = true;
    for (const auto &[peer, message] : step.came) {
      if (message.part.bytes == 0)
        continue;
      const char *const from = message.values->data() + message.part.offset;
      if (call.kind == Kind::all_gather)
        std::memcpy(to + peer * bytes, from, bytes);
      else if (first)
        std::memcpy(to, from, bytes);
      else
        combine(call, to, from);
      first = false;
    }
    if (is_reduction(call.kind))
      divide(call, to, ranks);
    library_writes(to, bytes_written(call, rank_->rank, ranks));
  }

  std::shared_ptr<Rank> rank_;
  std::vector<Step> steps_;
  std::optional<Span> span_;
  bool has_arrived_ = false, failed_ = false;
  std::string fault_; // to be told
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

Slot counterpart(const Slot &slot, int rank) {
  switch (slot.lane) {
  case Slot::send:
    return {Slot::recv, rank, slot.number};
  case Slot::recv:
    return {Slot::send, rank, slot.number};
  default:
    return slot;
  }
}

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

void came(Rank &rank, int from, const Slot &slot, Message message) {
  Lock lock(mutex);
  rank.arrived[{from, slot}] = std::move(message);
  const auto issued = rank.issued.find(counterpart(slot, from));
  if (issued != rank.issued.end())
    advance_for_peers(lock, issued->second);
  news().notify_all();
}

void tell_wait(int rank, const std::string &call, const std::string &others) {
  std::fprintf(stderr, "rank %d has waited %d s in %s: %s has not called it\n", rank,
               int(patience.count()), call.c_str(), others.c_str());
}

void host_uses_nccl() {
  struct Host {
    Host() {
      Lock lock(mutex);
      ++hosts;
      is_host = true;
    }
    ~Host() {
      Lock lock(mutex);
      --hosts;
      is_host = false;
      news().notify_all();
    }
  };
  thread_local const Host host;
  (void)host;
}

} // namespace course_cpu::nccl
