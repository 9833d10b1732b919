// What the worker of an exercise about MPI adds to MPI; included by worker.cpp alone.
//
// A program may not rely on messages being buffered, nor on when they arrive. Here it cannot: a
// send ends when its receive has begun, and every other message leaves late. And each rank keeps a
// note of the call that it waits in, in the file waits.RANK. When all ranks wait, and each has
// asked for its messages in vain for a fifth of a second of its own CPU time, rank 0 ends them, and
// the judge reads the notes: so a deadlock says who waits for whom. CPU time, since a rank that
// others keep from its core has not asked. Nor may a program give MPI device memory, which not
// every MPI takes; here none does. An error of MPI ends the rank, and so does a request that the
// function leaves without a wait.
#pragma once

#include "common/grader/device_guard.hpp"
#include "common/grader/note.hpp"

#include <mpi.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace course {

inline int rank_of_this_process() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

// The note lies in a mapped file: what stands there outlives the process.
// This rank's own note, or another's; nothing where there is none yet.
inline Note *note_of(int rank, bool own) {
  const std::string path = "waits." + std::to_string(rank);
  const int file = open(path.c_str(), own ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR, 0600);
  struct stat status;
  if (file < 0)
    return nullptr;
  void *memory = MAP_FAILED;
  if (own ? ftruncate(file, sizeof(Note)) == 0
          : fstat(file, &status) == 0 && status.st_size == sizeof(Note))
    memory = mmap(nullptr, sizeof(Note), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<Note *>(memory);
}

inline double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

// Looks at all notes twenty times a second; ends the ranks in a deadlock, with exit code EDEADLK.
[[noreturn]] inline void watch_for_deadlock(int ranks) {
  std::vector<Note *> notes(ranks);
  std::vector<unsigned long> before(ranks);
  std::vector<double> start(ranks); // of each rank's CPU time since the last move of any rank
  for (bool asked = false; !asked;) {
    usleep(50'000);
    bool still = true;
    for (int rank = 0; rank < ranks; ++rank) {
      if (!notes[rank])
        notes[rank] = note_of(rank, false);
      const unsigned long moved = notes[rank] ? notes[rank]->moved : 0;
      still = still && notes[rank] && notes[rank]->call[0] && moved == before[rank];
      before[rank] = moved;
    }
    asked = still;
    for (int rank = 0; rank < ranks; ++rank) {
      const double now = notes[rank] ? seconds_of(notes[rank]->cpu_time) : 0;
      if (!still)
        start[rank] = now;
      asked = asked && now - start[rank] > 0.2;
    }
  }
  for (Note *note : notes)
    note->last = true;
  _exit(EDEADLK);
}

// While it lives, the note says that this rank waits in `call`.
class Waiting {
public:
  explicit Waiting(const std::string &call) : note_(own()) {
    if (note_.last)
      return;
    std::snprintf(note_.call, sizeof note_.call, "%s", call.c_str());
    note_.moved = note_.moved + 1;
  }
  ~Waiting() {
    if (note_.last)
      return;
    note_.call[0] = 0;
    note_.moved = note_.moved + 1;
  }
  Waiting(const Waiting &) = delete;
  Waiting &operator=(const Waiting &) = delete;

  static Note &own() {
    static Note *const note = [] {
      const int rank = rank_of_this_process();
      Note *mine = note_of(rank, true);
      if (!mine || clock_getcpuclockid(getpid(), &mine->cpu_time))
        std::exit(3);
      int ranks = 0;
      PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
      if (rank == 0)
        std::thread(watch_for_deadlock, ranks).detach();
      return mine;
    }();
    return *note;
  }

private:
  Note &note_;
};

// Notes the waits of NCCL, too. Its threads sleep, so one asks in their place, after a while: what
// counts is CPU time.
inline void note_waits_of_nccl() {
  static std::optional<Waiting> waiting;
  static std::atomic<bool> asks{false};
  Waiting::own(); // by this thread
  std::thread([] {
    for (;; usleep(20'000))
      while (asks)
        sched_yield();
  }).detach();
  watch_waits(
      [](const char *call) {
        waiting.emplace(call);
        asks = true;
      },
      [] {
        asks = false;
        waiting.reset();
      });
}

// Says what this rank did wrong, and in which call, and ends it.
[[noreturn]] inline void refuse(const std::string &why, const std::string &call) {
  std::fprintf(stderr, "rank %d%s%s: %s\n", rank_of_this_process(), call.empty() ? "" : ", ",
               call.c_str(), why.c_str());
  std::fflush(stdout);
  std::_Exit(EXIT_FAILURE); // half a reply is none: it is not written
}

[[noreturn]] inline void refuse(const std::string &why) { refuse(why, Waiting::own().call); }

// An error of MPI ends the rank with a line; what Open MPI itself says gets lost at times.
inline void end_on_error(MPI_Comm *ranks, int *error, ...) {
  char why[MPI_MAX_ERROR_STRING];
  int length = 0, kind = 0, count = 0;
  PMPI_Error_class(*error, &kind);
  PMPI_Comm_size(*ranks, &count);
  if (kind == MPI_ERR_RANK)
    refuse("no such rank: there " +
           (count == 1 ? "is rank 0 alone" : "are ranks 0 to " + std::to_string(count - 1)) +
           ", and MPI_PROC_NULL where there is no neighbour");
  if (kind == MPI_ERR_TRUNCATE)
    refuse("the message is longer than the receive asks for; MPI counts elements, not bytes");
  PMPI_Error_string(*error, why, &length);
  refuse(why);
}
inline void report_errors() {
  MPI_Errhandler handler;
  PMPI_Comm_create_errhandler(end_on_error, &handler);
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
}

// What every message's memory has to be. Asked before the note says that the rank waits: the first
// call of CUDA takes a GPU's driver long.
inline void expect_host(const std::string &call, const void *memory) {
  if (is_device_memory(memory))
    refuse("the pointer is a device pointer; copy the data to the host first", call);
}

inline std::string rank_name(int rank) {
  return rank == MPI_PROC_NULL    ? "MPI_PROC_NULL"
         : rank == MPI_ANY_SOURCE ? "any rank"
                                  : "rank " + std::to_string(rank);
}

// Every other message is a millisecond late, each rank's in its own turn.
inline void leave_late() {
  static int messages = rank_of_this_process();
  if (++messages % 2 == 0)
    usleep(1000);
}

// What the requests that have not been waited for are about.
struct Pending {
  std::string what;
  bool persistent = false;    // may be left as it is
  std::string_view sent = {}; // the bytes of a send whose elements lie side by side
  std::size_t hash = std::hash<std::string_view>()(sent);

  // MPI may read that memory until the send has been waited for.
  bool has_changed() const { return hash != std::hash<std::string_view>()(sent); }
};

inline Pending pending_send(bool persistent, int to, const void *data, int count,
                            MPI_Datatype type) {
  MPI_Aint begin = 0, extent = 0;
  int size = 0;
  PMPI_Type_get_extent(type, &begin, &extent);
  PMPI_Type_size(type, &size);
  const bool side_by_side = begin == 0 && extent == size;
  const bool stays = !persistent && side_by_side && to != MPI_PROC_NULL;
  return {"send to " + rank_name(to),
          persistent,
          {static_cast<const char *>(data), stays ? std::size_t(count) * size : 0}};
}

inline std::map<MPI_Request, Pending> &requests() {
  static std::map<MPI_Request, Pending> all;
  return all;
}

inline std::string about(MPI_Request request) {
  const auto found = requests().find(request);
  return found == requests().end() ? "" : " " + found->second.what + ";";
}

// At its end the requests that MPI has taken back are no longer pending.
class Completing {
public:
  Completing(int count, MPI_Request *all) : all_(all), before_(all, all + count) {}
  ~Completing() {
    for (std::size_t i = 0; i < before_.size(); ++i)
      if (all_[i] == MPI_REQUEST_NULL) {
        const auto found = requests().find(before_[i]);
        if (found == requests().end())
          continue;
        if (found->second.has_changed())
          refuse("the memory of the " + found->second.what +
                 " was changed before the send had been waited for");
        requests().erase(found);
      }
  }
  Completing(const Completing &) = delete;
  Completing &operator=(const Completing &) = delete;

private:
  MPI_Request *all_;
  std::vector<MPI_Request> before_;
};

// A message that nobody waits for may be under way when its memory is used again.
inline void expect_no_requests() {
  for (const auto &[request, pending] : requests())
    if (!pending.persistent)
      refuse("the " + pending.what + " has not been waited for at the end of the function: its " +
             "memory may still be in use");
}

} // namespace course

// Called by bounded/mpi.h, which knows how much room there is.
extern "C" void course_expect_room(const char *call, size_t room, int count, MPI_Datatype type) {
  int bytes = 0;
  if (room != size_t(-1) && PMPI_Type_size(type, &bytes) == MPI_SUCCESS && count > 0 &&
      room < size_t(count) * bytes)
    course::refuse(std::string(call) + " asks for " + std::to_string(count) + " elements of " +
                   std::to_string(bytes) + " bytes, and its variable or array has " +
                   std::to_string(room) + " bytes");
}

// The calls that can wait. MPI lets a program put its own before the library's: PMPI_X is MPI_X.
extern "C" {

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks) {
  const std::string call = "MPI_Send to " + course::rank_name(to);
  course::expect_host(call, data);
  course::leave_late();
  const course::Waiting waiting(call);
  return PMPI_Ssend(data, count, type, to, tag, ranks);
}

int MPI_Ssend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks) {
  const std::string call = "MPI_Ssend to " + course::rank_name(to);
  course::expect_host(call, data);
  course::leave_late();
  const course::Waiting waiting(call);
  return PMPI_Ssend(data, count, type, to, tag, ranks);
}

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm ranks,
             MPI_Status *status) {
  const std::string call = "MPI_Recv from " + course::rank_name(from);
  course::expect_host(call, data);
  const course::Waiting waiting(call);
  return PMPI_Recv(data, count, type, from, tag, ranks, status);
}

int MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int to, int tag, void *came,
                 int came_count, MPI_Datatype came_type, int from, int came_tag, MPI_Comm ranks,
                 MPI_Status *status) {
  const std::string call =
      "MPI_Sendrecv to " + course::rank_name(to) + ", from " + course::rank_name(from);
  course::expect_host(call, data);
  course::expect_host(call, came);
  course::leave_late();
  const course::Waiting waiting(call);
  return PMPI_Sendrecv(data, count, type, to, tag, came, came_count, came_type, from, came_tag,
                       ranks, status);
}

int MPI_Sendrecv_replace(void *data, int count, MPI_Datatype type, int to, int tag, int from,
                         int came_tag, MPI_Comm ranks, MPI_Status *status) {
  const std::string call =
      "MPI_Sendrecv_replace to " + course::rank_name(to) + ", from " + course::rank_name(from);
  course::expect_host(call, data);
  course::leave_late();
  const course::Waiting waiting(call);
  return PMPI_Sendrecv_replace(data, count, type, to, tag, from, came_tag, ranks, status);
}

// Buffered sends wait for nobody: MPI refuses them where no buffer is attached, or too small a one.
int MPI_Bsend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks) {
  course::expect_host("MPI_Bsend to " + course::rank_name(to), data);
  course::leave_late();
  return PMPI_Bsend(data, count, type, to, tag, ranks);
}

// Sends that are waited for later. Of persistent ones, that one which waits for its receive.
#define COURSE_SENDS_LATER(CALL, SEND, PERSISTENT)                                                 \
  int CALL(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks,        \
           MPI_Request *request) {                                                                 \
    course::expect_host(#CALL " to " + course::rank_name(to), data);                               \
    if (!PERSISTENT)                                                                               \
      course::leave_late();                                                                        \
    const int status = SEND(data, count, type, to, tag, ranks, request);                           \
    course::requests()[*request] = course::pending_send(PERSISTENT, to, data, count, type);        \
    return status;                                                                                 \
  }
COURSE_SENDS_LATER(MPI_Isend, PMPI_Issend, false)
COURSE_SENDS_LATER(MPI_Ibsend, PMPI_Ibsend, false)
COURSE_SENDS_LATER(MPI_Send_init, PMPI_Ssend_init, true)
COURSE_SENDS_LATER(MPI_Bsend_init, PMPI_Bsend_init, true)
#undef COURSE_SENDS_LATER

// Ready mode relies on a receive that has been posted: here it brings a message no further than an
// ordinary send.
#define COURSE_IS(CALL) __attribute__((alias(#CALL)))
decltype(MPI_Send) MPI_Rsend COURSE_IS(MPI_Send);
decltype(MPI_Isend) MPI_Irsend COURSE_IS(MPI_Isend);
decltype(MPI_Isend) MPI_Issend COURSE_IS(MPI_Isend);
decltype(MPI_Send_init) MPI_Rsend_init COURSE_IS(MPI_Send_init);
decltype(MPI_Send_init) MPI_Ssend_init COURSE_IS(MPI_Send_init);

// The names by which bounded/mpi.h calls them.
decltype(MPI_Send) course_MPI_Send COURSE_IS(MPI_Send);
decltype(MPI_Recv) course_MPI_Recv COURSE_IS(MPI_Recv);
decltype(MPI_Isend) course_MPI_Isend COURSE_IS(MPI_Isend);
decltype(MPI_Irecv) course_MPI_Irecv COURSE_IS(MPI_Irecv);
decltype(MPI_Sendrecv) course_MPI_Sendrecv COURSE_IS(MPI_Sendrecv);
decltype(MPI_Bcast) course_MPI_Bcast COURSE_IS(MPI_Bcast);
decltype(MPI_Reduce) course_MPI_Reduce COURSE_IS(MPI_Reduce);
decltype(MPI_Allreduce) course_MPI_Allreduce COURSE_IS(MPI_Allreduce);
#undef COURSE_IS

int MPI_Recv_init(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm ranks,
                  MPI_Request *request) {
  course::expect_host("MPI_Recv_init from " + course::rank_name(from), data);
  const int status = PMPI_Recv_init(data, count, type, from, tag, ranks, request);
  course::requests()[*request] = {"receive from " + course::rank_name(from), true};
  return status;
}

int MPI_Start(MPI_Request *request) {
  course::leave_late();
  return PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request all[]) {
  course::leave_late();
  return PMPI_Startall(count, all);
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm ranks,
              MPI_Request *request) {
  course::expect_host("MPI_Irecv from " + course::rank_name(from), data);
  const int status = PMPI_Irecv(data, count, type, from, tag, ranks, request);
  course::requests()[*request] = {"receive from " + course::rank_name(from)};
  return status;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  const course::Waiting waiting("MPI_Wait for:" + course::about(*request));
  const course::Completing completing(1, request);
  return PMPI_Wait(request, status);
}

int MPI_Waitall(int count, MPI_Request all[], MPI_Status *statuses) {
  std::string call = "MPI_Waitall for:";
  for (int i = 0; i < count; ++i)
    call += course::about(all[i]);
  const course::Waiting waiting(call);
  const course::Completing completing(count, all);
  return PMPI_Waitall(count, all, statuses);
}

// The other calls that may complete a request.
#define COURSE_COMPLETES(CALL, PARAMETERS, ARGUMENTS, COUNT, REQUESTS)                             \
  int CALL PARAMETERS {                                                                            \
    const course::Completing completing(COUNT, REQUESTS);                                          \
    return P##CALL ARGUMENTS;                                                                      \
  }
COURSE_COMPLETES(MPI_Waitany, (int count, MPI_Request all[], int *index, MPI_Status *status),
                 (count, all, index, status), count, all)
COURSE_COMPLETES(MPI_Waitsome,
                 (int count, MPI_Request all[], int *done, int indices[], MPI_Status *statuses),
                 (count, all, done, indices, statuses), count, all)
COURSE_COMPLETES(MPI_Test, (MPI_Request * request, int *done, MPI_Status *status),
                 (request, done, status), 1, request)
COURSE_COMPLETES(MPI_Testall, (int count, MPI_Request all[], int *done, MPI_Status *statuses),
                 (count, all, done, statuses), count, all)
COURSE_COMPLETES(MPI_Testany,
                 (int count, MPI_Request all[], int *index, int *done, MPI_Status *status),
                 (count, all, index, done, status), count, all)
COURSE_COMPLETES(MPI_Testsome,
                 (int count, MPI_Request all[], int *done, int indices[], MPI_Status *statuses),
                 (count, all, done, indices, statuses), count, all)
#undef COURSE_COMPLETES

// Who gives back the request of a message that is under way never learns when its memory is free.
int MPI_Request_free(MPI_Request *request) {
  const auto found = course::requests().find(*request);
  if (found != course::requests().end() && found->second.persistent)
    course::requests().erase(found);
  return PMPI_Request_free(request);
}

int MPI_Barrier(MPI_Comm ranks) {
  const course::Waiting waiting("MPI_Barrier");
  return PMPI_Barrier(ranks);
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm ranks) {
  const course::Waiting waiting("MPI_Bcast from " + course::rank_name(root));
  return PMPI_Bcast(data, count, type, root, ranks);
}

int MPI_Reduce(const void *data, void *result, int count, MPI_Datatype type, MPI_Op operation,
               int root, MPI_Comm ranks) {
  const course::Waiting waiting("MPI_Reduce to " + course::rank_name(root));
  return PMPI_Reduce(data, result, count, type, operation, root, ranks);
}

int MPI_Allreduce(const void *data, void *result, int count, MPI_Datatype type, MPI_Op operation,
                  MPI_Comm ranks) {
  const course::Waiting waiting("MPI_Allreduce");
  return PMPI_Allreduce(data, result, count, type, operation, ranks);
}

int MPI_Gatherv(const void *data, int count, MPI_Datatype type, void *all, const int counts[],
                const int places[], MPI_Datatype all_type, int root, MPI_Comm ranks) {
  const course::Waiting waiting("MPI_Gatherv to " + course::rank_name(root));
  return PMPI_Gatherv(data, count, type, all, counts, places, all_type, root, ranks);
}

int MPI_Finalize() {
  const course::Waiting waiting("MPI_Finalize: it has done its part");
  return PMPI_Finalize();
}

} // extern "C"
