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

// A program that frees the request of a message under way cannot know when its memory is free.
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
