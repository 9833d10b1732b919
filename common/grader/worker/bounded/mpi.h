// MPI's own mpi.h, as a submission is compiled with it: a message may not be longer than the
// variable or the array that it is read from or written to, where the compiler knows how long that
// is (of a variable of the function: always). Otherwise MPI_Allreduce of two elements at the
// address of one passes: what it reads and writes past its end changes no value.
#pragma once

#include_next <mpi.h>

extern "C" {

// Ends the rank where the elements need more than `room` bytes; see mpi_calls.hpp.
void course_expect_room(const char *call, size_t room, int count, MPI_Datatype type);

// MPI's functions under other names: clang leaves out a function that seems to call itself.
decltype(MPI_Send) course_MPI_Send;
decltype(MPI_Recv) course_MPI_Recv;
decltype(MPI_Isend) course_MPI_Isend;
decltype(MPI_Irecv) course_MPI_Irecv;
decltype(MPI_Sendrecv) course_MPI_Sendrecv;
decltype(MPI_Bcast) course_MPI_Bcast;
decltype(MPI_Reduce) course_MPI_Reduce;
decltype(MPI_Allreduce) course_MPI_Allreduce;

// As the C library does it with _FORTIFY_SOURCE: inlined, so that the size is known here. No macro
// writes them, since compilers name it in messages. Nothing is sent to MPI_PROC_NULL.

[[gnu::gnu_inline, gnu::always_inline]] extern inline int
MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks) {
  if (to != MPI_PROC_NULL)
    course_expect_room("MPI_Send", __builtin_object_size(data, 0), count, type);
  return course_MPI_Send(data, count, type, to, tag, ranks);
}

[[gnu::gnu_inline, gnu::always_inline]] extern inline int MPI_Recv(void *data, int count,
                                                                   MPI_Datatype type, int from,
                                                                   int tag, MPI_Comm ranks,
                                                                   MPI_Status *status) {
  if (from != MPI_PROC_NULL)
    course_expect_room("MPI_Recv", __builtin_object_size(data, 0), count, type);
  return course_MPI_Recv(data, count, type, from, tag, ranks, status);
}

[[gnu::gnu_inline, gnu::always_inline]] extern inline int MPI_Isend(const void *data, int count,
                                                                    MPI_Datatype type, int to,
                                                                    int tag, MPI_Comm ranks,
                                                                    MPI_Request *request) {
  if (to != MPI_PROC_NULL)
    course_expect_room("MPI_Isend", __builtin_object_size(data, 0), count, type);
  return course_MPI_Isend(data, count, type, to, tag, ranks, request);
}

[[gnu::gnu_inline, gnu::always_inline]] extern inline int MPI_Irecv(void *data, int count,
                                                                    MPI_Datatype type, int from,
                                                                    int tag, MPI_Comm ranks,
                                                                    MPI_Request *request) {
  if (from != MPI_PROC_NULL)
    course_expect_room("MPI_Irecv", __builtin_object_size(data, 0), count, type);
  return course_MPI_Irecv(data, count, type, from, tag, ranks, request);
}

[[gnu::gnu_inline, gnu::always_inline]] extern inline int
MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int to, int tag, void *received,
             int receive_count, MPI_Datatype receive_type, int from, int receive_tag,
             MPI_Comm ranks, MPI_Status *status) {
  if (to != MPI_PROC_NULL)
    course_expect_room("MPI_Sendrecv", __builtin_object_size(data, 0), count, type);
  if (from != MPI_PROC_NULL)
    course_expect_room("MPI_Sendrecv", __builtin_object_size(received, 0), receive_count,
                       receive_type);
  return course_MPI_Sendrecv(data, count, type, to, tag, received, receive_count, receive_type,
                             from, receive_tag, ranks, status);
}

[[gnu::gnu_inline, gnu::always_inline]] extern inline int
MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm ranks) {
  course_expect_room("MPI_Bcast", __builtin_object_size(data, 0), count, type);
  return course_MPI_Bcast(data, count, type, root, ranks);
}

[[gnu::gnu_inline, gnu::always_inline]] extern inline int MPI_Reduce(const void *data, void *result,
                                                                     int count, MPI_Datatype type,
                                                                     MPI_Op operation, int root,
                                                                     MPI_Comm ranks) {
  if (data != MPI_IN_PLACE)
    course_expect_room("MPI_Reduce", __builtin_object_size(data, 0), count, type);
  return course_MPI_Reduce(data, result, count, type, operation, root, ranks);
}

[[gnu::gnu_inline, gnu::always_inline]] extern inline int
MPI_Allreduce(const void *data, void *result, int count, MPI_Datatype type, MPI_Op operation,
              MPI_Comm ranks) {
  if (data != MPI_IN_PLACE)
    course_expect_room("MPI_Allreduce", __builtin_object_size(data, 0), count, type);
  course_expect_room("MPI_Allreduce", __builtin_object_size(result, 0), count, type);
  return course_MPI_Allreduce(data, result, count, type, operation, ranks);
}

} // extern "C"
