// The checks that an MPI worker adds to MPI, at each call of mpi_calls.hpp.
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

#include "common/grader/worker/device_guard.hpp"
#include "common/grader/worker/note.hpp"

#include <mpi.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
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
           (count == 1 ? "is only rank 0" : "are ranks 0 to " + std::to_string(count - 1)) +
           "; use MPI_PROC_NULL if there is no neighbour");
  if (kind == MPI_ERR_TRUNCATE)
    refuse("the message is longer than the receive allows; MPI counts elements, not bytes");
  PMPI_Error_string(*error, why, &length);
  refuse(why);
}
inline void report_errors() {
  MPI_Errhandler handler;
  PMPI_Comm_create_errhandler(end_on_error, &handler);
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
}

// Refuses messages in device memory. Asked before the note says that the rank waits: the first CUDA
// call takes a GPU's driver long.
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

// A request that has not been waited for.
struct Pending {
  std::string what;
  std::string_view sent = {}; // the bytes of a send whose elements lie side by side
  std::size_t hash = std::hash<std::string_view>()(sent);

  // MPI may read that memory until the send has been waited for.
  bool has_changed() const { return hash != std::hash<std::string_view>()(sent); }
};

inline Pending pending_send(int to, const void *data, int count, MPI_Datatype type) {
  MPI_Aint begin = 0, extent = 0;
  int size = 0;
  PMPI_Type_get_extent(type, &begin, &extent);
  PMPI_Type_size(type, &size);
  const bool side_by_side = begin == 0 && extent == size;
  const bool stays = side_by_side && to != MPI_PROC_NULL;
  return {"send to " + rank_name(to),
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
                 " was changed before the program waited for the send");
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
  if (!requests().empty())
    refuse("the function ended without a wait for the " + requests().begin()->second.what +
           ": its memory may still be in use");
}

} // namespace course
