// What the worker of an exercise about MPI adds to MPI; included by worker.cpp alone.
//
// A program may not rely on messages being buffered, nor on when they arrive. Here it cannot: a
// send ends when its receive has begun, and every other message leaves late. And each rank keeps a
// note of the call that it waits in, in the file waits.RANK, which the judge reads when it had to
// stop the ranks: so a deadlock says who waits for whom.
#pragma once

#include <mpi.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace course {

inline int rank_of_this_process() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

// While it lives, the note says that this rank waits in `call`.
class Waiting {
public:
  explicit Waiting(const std::string &call) { std::snprintf(note(), size, "%s", call.c_str()); }
  ~Waiting() { note()[0] = 0; }
  Waiting(const Waiting &) = delete;
  Waiting &operator=(const Waiting &) = delete;

private:
  static constexpr std::size_t size = 256;
  // In a mapped file: what stands there outlives the process.
  static char *note() {
    static char *const memory = [] {
      const std::string path = "waits." + std::to_string(rank_of_this_process());
      const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
      if (file < 0 || ftruncate(file, size) != 0)
        std::exit(3);
      void *const mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      close(file);
      if (mapped == MAP_FAILED)
        std::exit(3);
      return static_cast<char *>(mapped);
    }();
    return memory;
  }
};

inline std::string rank_name(int rank) {
  return rank == MPI_PROC_NULL    ? "nobody"
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
inline std::map<MPI_Request, std::string> &requests() {
  static std::map<MPI_Request, std::string> all;
  return all;
}

inline std::string about(MPI_Request request) {
  const auto found = requests().find(request);
  return found == requests().end() ? "" : " " + found->second + ";";
}

} // namespace course

// The calls that can wait. MPI lets a program put its own before the library's: PMPI_X is MPI_X.
extern "C" {

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks) {
  course::leave_late();
  const course::Waiting waiting("MPI_Send to " + course::rank_name(to));
  return PMPI_Ssend(data, count, type, to, tag, ranks);
}

int MPI_Ssend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks) {
  course::leave_late();
  const course::Waiting waiting("MPI_Ssend to " + course::rank_name(to));
  return PMPI_Ssend(data, count, type, to, tag, ranks);
}

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm ranks,
             MPI_Status *status) {
  const course::Waiting waiting("MPI_Recv from " + course::rank_name(from));
  return PMPI_Recv(data, count, type, from, tag, ranks, status);
}

int MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int to, int tag, void *came,
                 int came_count, MPI_Datatype came_type, int from, int came_tag, MPI_Comm ranks,
                 MPI_Status *status) {
  course::leave_late();
  const course::Waiting waiting("MPI_Sendrecv to " + course::rank_name(to) + ", from " +
                                course::rank_name(from));
  return PMPI_Sendrecv(data, count, type, to, tag, came, came_count, came_type, from, came_tag,
                       ranks, status);
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks,
              MPI_Request *request) {
  course::leave_late();
  const int status = PMPI_Issend(data, count, type, to, tag, ranks, request);
  course::requests()[*request] = "send to " + course::rank_name(to);
  return status;
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm ranks,
              MPI_Request *request) {
  const int status = PMPI_Irecv(data, count, type, from, tag, ranks, request);
  course::requests()[*request] = "receive from " + course::rank_name(from);
  return status;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  const course::Waiting waiting("MPI_Wait for:" + course::about(*request));
  return PMPI_Wait(request, status);
}

int MPI_Waitall(int count, MPI_Request all[], MPI_Status *statuses) {
  std::string call = "MPI_Waitall for:";
  for (int i = 0; i < count; ++i)
    call += course::about(all[i]);
  const course::Waiting waiting(call);
  return PMPI_Waitall(count, all, statuses);
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
