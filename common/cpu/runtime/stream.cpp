// Streams: queues of work that the waiting thread runs, or a thread of ours when none waits for
// long.
#include "stream.h"
#include "observer.h"
#include "runtime.h"
#include "timeline.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <system_error>
#include <unordered_map>

namespace course_cpu {
namespace {

constexpr size_t longest_queue = 1024; // as on a device: a launch into a full queue waits

std::mutex mutex; // of all queues
std::uint64_t next_sequence = 0, next_choice = 0;
std::uint64_t finished = 0; // operations, of all streams

// The objects of the runtime are made when the first call needs them: a program may call CUDA
// before main, in the constructor of an object outside of all functions. They are never destroyed,
// as somebody may still wait when all ends.

std::condition_variable &progress() {
  static auto &condition = *new std::condition_variable;
  return condition;
}

std::unordered_map<const void *, std::shared_ptr<Stream>> &handles() {
  static auto &map = *new std::unordered_map<const void *, std::shared_ptr<Stream>>;
  return map;
}

using Lock = std::unique_lock<std::mutex>;

// A thread's wait for the operation of a stream that another thread runs.
struct Wait {
  const Stream *stream;
  std::uint64_t before; // the stream's `done` when it began
};
std::map<std::thread::id, Wait> &threads_waiting() { // guarded by mutex
  static auto &map = *new std::map<std::thread::id, Wait>;
  return map;
}

// True if this thread runs the stream, or the thread that runs it waits for this one.
bool waits_for_this_thread(const Stream *stream) {
  while (stream->running && stream->runner != std::this_thread::get_id()) {
    const auto found = threads_waiting().find(stream->runner);
    if (found == threads_waiting().end() || found->second.stream->done > found->second.before)
      return false;
    stream = found->second.stream;
  }
  return stream->running;
}

bool finish(Lock &lock, const Mark &mark);

// Runs the first pending operation of a stream, or waits for the thread that already runs it.
// False: that thread waits for this one, or is this one, or what the operation comes after waits
// for it; so nobody ever will.
bool step(Lock &lock, const std::shared_ptr<Stream> &stream) {
  if (stream->running) {
    if (waits_for_this_thread(stream.get()))
      return false;
    std::uint64_t before = stream->done;
    threads_waiting()[std::this_thread::get_id()] = {stream.get(), before};
    progress().wait(lock, [&] { return stream->done > before || !stream->running; });
    threads_waiting().erase(std::this_thread::get_id());
    return true;
  }
  stream->running = true;
  stream->runner = std::this_thread::get_id();
  Operation operation = std::move(stream->pending.front());
  for (const Mark &mark : operation.after)
    if (!finish(lock, mark)) {
      stream->pending.front() = std::move(operation);
      stream->running = false;
      progress().notify_all();
      return false;
    }
  if (operation.always || stream->device.sticky == cudaSuccess) {
    const Stream *const outer = running_stream;
    running_stream = stream.get();
    if (operation.meet) {
      lock.unlock();
      operation.meet();
      lock.lock();
    }
    lock.unlock();
    tools::begin_operation(operation.sequence);
    operation.work();
    tools::end_operation();
    running_stream = outer;
    lock.lock();
  }
  stream->pending.pop_front();
  stream->done++;
  finished++;
  stream->running = false;
  progress().notify_all();
  return true;
}

bool finish(Lock &lock, const Mark &mark) {
  while (mark.stream && mark.stream->done < mark.number)
    if (!step(lock, mark.stream))
      return false;
  return true;
}

// Which of a device's streams goes on next, of those that fit: the one with the oldest work, or as
// COURSE_CPU_ORDER says. Empty when no work is pending there.
template <class Fits> std::shared_ptr<Stream> choose(const Device &device, const Fits &fits) {
  std::vector<std::shared_ptr<Stream>> busy;
  for (const auto &stream : device.streams)
    if (!stream->pending.empty() && fits(*stream))
      busy.push_back(stream);
  if (busy.empty())
    return nullptr;
  switch (order().kind) {
  case Order::reverse:
    return busy.back();
  case Order::random:
    return busy[scramble(order().seed, next_choice++) % busy.size()];
  default:
    return *std::min_element(busy.begin(), busy.end(), [](const auto &a, const auto &b) {
      // A running operation is moved out of the queue but for its number.
      return a->pending.front().sequence < b->pending.front().sequence;
    });
  }
}

std::shared_ptr<Stream> choose(const Device &device) {
  return choose(device, [](const Stream &) { return true; });
}

// ---- work that nobody waits for ----
//
// A device works while the host calls nothing, and a host may wait for a flag that a kernel or a
// host function sets. So a thread of the runtime looks, as long as work is queued: where nothing
// was queued and nothing has run for a while, nobody is about to wait, and it runs operations until
// the host calls again.

constexpr std::chrono::milliseconds between_looks{10};
constexpr unsigned looks = 5, looks_when_counting = 300; // at which nothing has happened

std::condition_variable &work_queued() {
  static auto &condition = *new std::condition_variable;
  return condition;
}
bool looker_sleeps = false; // guarded by mutex
thread_local bool looker = false;

// True if a stream can go on without waiting for another stream or another rank.
bool goes_on_alone(const Stream &stream) {
  if (stream.running || stream.pending.front().meet)
    return false;
  const auto &after = stream.pending.front().after;
  return std::all_of(after.begin(), after.end(), [](const Mark &mark) {
    return !mark.stream || mark.stream->done >= mark.number;
  });
}

std::shared_ptr<Stream> choose_alone() {
  for (const Device &device : devices())
    if (auto stream = choose(device, goes_on_alone))
      return stream;
  return nullptr;
}

bool any_runs() {
  for (const Device &device : devices())
    for (const auto &stream : device.streams)
      if (stream->running)
        return true;
  return false;
}

[[noreturn]] void look_for_silence() {
  looker = true;
  const unsigned patience = tools::counts_waits() ? looks_when_counting : looks;
  std::uint64_t seen = 0;
  unsigned silent = 0;
  for (Lock lock(mutex);;) {
    lock.unlock();
    std::this_thread::sleep_for(between_looks);
    lock.lock();
    silent = next_sequence + finished == seen && !any_runs() ? silent + 1 : 0;
    seen = next_sequence + finished;
    if (silent < patience)
      continue;
    while (const auto stream = next_sequence + finished == seen ? choose_alone() : nullptr) {
      step(lock, stream);
      ++seen;
    }
    looker_sleeps = next_sequence == finished;
    work_queued().wait(lock, [] { return !looker_sleeps; });
  }
}

// Work has been queued.
void wake_looker() {
  static bool started = false; // guarded by mutex
  if (!started) {
    started = true;
    try {
      std::thread(look_for_silence).detach();
    } catch (const std::system_error &) {
      // A process that may have no more threads: work runs when the host waits.
    }
  }
  if (looker_sleeps) {
    looker_sleeps = false;
    work_queued().notify_one();
  }
}

// The order of the legacy default stream: its work waits for all blocking streams, and they for it.
void add_legacy_order(const std::shared_ptr<Stream> &stream, std::vector<Mark> &after) {
  Device &device = stream->device;
  if (!stream->blocking())
    return;
  for (const auto &other : device.streams)
    if (other != stream && other->blocking() && (tools::on || !other->pending.empty()) &&
        (stream == device.default_stream || other == device.default_stream))
      after.push_back({other, other->issued});
}

// The default stream that cudaStreamPerThread names: one for each host thread and device.
std::shared_ptr<Stream> per_thread_stream(Device &device) {
  auto &own = of_this_thread<std::vector<std::shared_ptr<Stream>>>();
  own.resize(devices().size());
  auto &stream = own[device.index];
  if (!stream) {
    stream = std::make_shared<Stream>(device);
    device.streams.push_back(stream);
  }
  return stream;
}

void remove_destroyed(Device &device) {
  auto &all = device.streams;
  all.erase(std::remove_if(all.begin(), all.end(), [](auto &stream) { return stream->destroyed; }),
            all.end());
}

std::shared_ptr<Stream> add_stream_locked(Device &device, unsigned flags) {
  auto stream = std::make_shared<Stream>(device);
  stream->flags = flags;
  device.streams.push_back(stream);
  return stream;
}

} // namespace

std::shared_ptr<Stream> add_stream(Device &device, unsigned flags) {
  Lock lock(mutex);
  return add_stream_locked(device, flags);
}

cudaError_t create_stream(cudaStream_t *handle, unsigned flags) {
  return api_call([&] {
    if (!handle || flags > cudaStreamNonBlocking)
      return cudaErrorInvalidValue;
    Lock lock(mutex);
    Device &device = current_device();
    auto stream = add_stream_locked(device, flags);
    static std::uintptr_t last = 0; // no handle names a second stream when the first is destroyed
    last += 16;
    *handle = reinterpret_cast<cudaStream_t>(last);
    handles()[*handle] = stream;
    tools::created("a stream", *handle);
    return cudaSuccess;
  });
}

std::shared_ptr<Stream> take_stream(cudaStream_t handle) {
  Lock lock(mutex);
  const auto found = handles().find(handle);
  if (found == handles().end())
    return nullptr;
  const auto stream = found->second;
  handles().erase(found);
  tools::destroyed("a stream", handle);
  return stream;
}

void destroy(const std::shared_ptr<Stream> &stream) {
  // On a device the call returns at once and the work goes on; nobody could wait for it here. The
  // tools know that the host has not waited so far.
  Lock lock(mutex);
  finish(lock, {stream, stream->issued});
  stream->destroyed = true;
  if (!tools::on)
    remove_destroyed(stream->device);
}

std::shared_ptr<Stream> find_stream(cudaStream_t handle) {
  Device &device = current_device();
  if (handle == nullptr || handle == cudaStreamLegacy)
    return device.default_stream;
  Lock lock(mutex);
  if (handle == cudaStreamPerThread)
    return per_thread_stream(device);
  auto found = handles().find(handle);
  return found == handles().end() ? nullptr : found->second;
}

Mark queue(const std::shared_ptr<Stream> &stream, std::function<void()> work, OnError on_error,
           std::vector<Mark> after, std::function<void()> meet) {
  Lock lock(mutex);
  while (stream->pending.size() >= longest_queue && step(lock, stream)) {
  }
  add_legacy_order(stream, after);
  const Mark mark{stream, ++stream->issued};
  tools::queued(next_sequence, mark, after);
  stream->pending.push_back({std::move(work), std::move(after), next_sequence++,
                             on_error == OnError::run, std::move(meet)});
  wake_looker();
  return mark;
}

bool reached(const Mark &mark) {
  Lock lock(mutex);
  return !mark.stream || mark.stream->done >= mark.number;
}

void finish(const Mark &mark) {
  Lock lock(mutex);
  const bool waits = mark.stream && mark.stream->done < mark.number;
  if (waits)
    tools::host_waits();
  const Span span(Span::wait, waits ? "wait for the device" : nullptr);
  finish(lock, mark);
  tools::host_waited(mark);
}

bool advance(const Mark &mark) {
  Lock lock(mutex);
  return finish(lock, mark);
}

// A loop of queries comes to an end, and is one wait: the host asks again, and has queued nothing
// since.
bool query(const Mark &mark) {
  struct Unanswered {
    const Stream *stream;
    std::uint64_t number, sequence;
    bool operator==(const Unanswered &other) const {
      return stream == other.stream && number == other.number && sequence == other.sequence;
    }
  };
  static thread_local Unanswered last{};
  static thread_local bool waits = false;
  Lock lock(mutex);
  const Unanswered now{mark.stream.get(), mark.number, next_sequence};
  const bool again = last == now && mark.stream;
  if (again && !waits)
    tools::host_waits();
  waits = again;
  if (!mark.stream || mark.stream->done >= mark.number) {
    last = {};
    tools::host_waited(mark);
    return true;
  }
  last = now;
  if (!mark.stream->running)
    step(lock, mark.stream);
  return false;
}

void finish_all(Device &device) {
  Lock lock(mutex);
  auto stream = choose(device);
  if (stream)
    tools::host_waits();
  const Span span(Span::wait, stream ? "wait for the device" : nullptr);
  for (; stream; stream = choose(device))
    step(lock, stream);
  for (const auto &stream : device.streams)
    tools::host_waited({stream, stream->issued});
  remove_destroyed(device);
}

bool is_looker() { return looker; }

} // namespace course_cpu
