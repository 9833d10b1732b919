// MPI's own mpi.h, as a submission is compiled with it: a sum of numbers may not be longer than the
// variable or the array that it is read from or written to, where the compiler knows how long that
// is (of a variable of the function: always). Otherwise MPI_Allreduce of two elements at the
// address of one passes: what it reads and writes past its end changes no value.
#pragma once

#include_next <mpi.h>

extern "C" {

// Ends the rank where the elements need more than `room` bytes; see mpi_calls.hpp.
void course_expect_room(const char *call, size_t room, int count, MPI_Datatype type);

// MPI's functions under other names: clang leaves out a function that seems to call itself.
decltype(MPI_Reduce) course_MPI_Reduce;
decltype(MPI_Allreduce) course_MPI_Allreduce;

// As the C library does it with _FORTIFY_SOURCE: inlined, so that the size is known here.

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
