// MPI's functions as the worker of an exercise about MPI has them: ranks.hpp says what they add.
// Included by worker.cpp alone.
#pragma once

#include "common/grader/worker/ranks.hpp"

#include <string>

// Called by bounded/mpi.h, which knows how much room there is.
extern "C" void course_expect_room(const char *call, size_t room, int count, MPI_Datatype type) {
  int bytes = 0;
  if (room != size_t(-1) && PMPI_Type_size(type, &bytes) == MPI_SUCCESS && count > 0 &&
      room < size_t(count) * bytes)
    course::refuse(std::string(call) + " uses " + std::to_string(count) + " elements of " +
                   std::to_string(bytes) + " bytes, but its variable or array has only " +
                   std::to_string(room) + " bytes");
}

// The calls that can wait. MPI lets a program put its own before the library's: PMPI_X is MPI_X.
extern "C" {

#define COURSE_SENDS(CALL)                                                                         \
  int CALL(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks) {      \
    const std::string call = #CALL " to " + course::rank_name(to);                                 \
    course::expect_host(call, data);                                                               \
    course::leave_late();                                                                          \
    const course::Waiting waiting(call);                                                           \
    return PMPI_Ssend(data, count, type, to, tag, ranks);                                          \
  }
COURSE_SENDS(MPI_Send)
COURSE_SENDS(MPI_Ssend)
#undef COURSE_SENDS

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
  if (data == came && to != MPI_PROC_NULL && from != MPI_PROC_NULL)
    course::refuse(call + ": sends from the memory into which it receives. The two buffers must "
                          "not overlap; MPI_Sendrecv_replace takes one for both");
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

// Sends that are waited for later.
#define COURSE_STARTS_SEND(CALL)                                                                   \
  int CALL(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks,        \
           MPI_Request *request) {                                                                 \
    course::expect_host(#CALL " to " + course::rank_name(to), data);                               \
    course::leave_late();                                                                          \
    const int status = PMPI_Issend(data, count, type, to, tag, ranks, request);                    \
    course::requests()[*request] = course::pending_send(to, data, count, type);                    \
    return status;                                                                                 \
  }
COURSE_STARTS_SEND(MPI_Isend)
COURSE_STARTS_SEND(MPI_Issend)
#undef COURSE_STARTS_SEND

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

#define COURSE_WAITS(CALL, PARAMETERS, ARGUMENTS, TEXT)                                            \
  int CALL PARAMETERS {                                                                            \
    const course::Waiting waiting(#CALL TEXT);                                                     \
    return P##CALL ARGUMENTS;                                                                      \
  }
COURSE_WAITS(MPI_Barrier, (MPI_Comm ranks), (ranks), )
COURSE_WAITS(MPI_Bcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm ranks),
             (data, count, type, root, ranks), " from " + course::rank_name(root))
COURSE_WAITS(MPI_Reduce,
             (const void *data, void *result, int count, MPI_Datatype type, MPI_Op operation,
              int root, MPI_Comm ranks),
             (data, result, count, type, operation, root, ranks), " to " + course::rank_name(root))
COURSE_WAITS(MPI_Allreduce,
             (const void *data, void *result, int count, MPI_Datatype type, MPI_Op operation,
              MPI_Comm ranks),
             (data, result, count, type, operation, ranks), )
COURSE_WAITS(MPI_Finalize, (), (), ": it has done its part")
#undef COURSE_WAITS

// The names by which bounded/mpi.h calls them.
decltype(MPI_Reduce) course_MPI_Reduce __attribute__((alias("MPI_Reduce")));
decltype(MPI_Allreduce) course_MPI_Allreduce __attribute__((alias("MPI_Allreduce")));

} // extern "C"
