// MPI's own mpi.h, as a submission is compiled with it: a message may not be longer than the
// variable or the array that it is read from or written to, where the compiler knows how long that
// is (of a variable of the function: always). Otherwise MPI_Allreduce of two elements at the
// address of one passes: what it reads and writes beside it shows in no value.
#pragma once

#include_next <mpi.h>

extern "C" {

// Ends the rank where the elements need more than `room` bytes; see mpi_calls.hpp.
void course_expect_room(const char *call, size_t room, int count, MPI_Datatype type);

// As the C library does it with _FORTIFY_SOURCE: inlined, so that the size is known here. What it
// calls has a name of its own: clang leaves out a function that seems to call itself.
#define COURSE_BOUNDED(CALL, PARAMETERS, ARGUMENTS, EXPECTATIONS)                                  \
  int course_##CALL PARAMETERS;                                                                    \
  extern inline __attribute__((gnu_inline, always_inline)) int CALL PARAMETERS {                   \
    const char *const call = #CALL;                                                                \
    EXPECTATIONS;                                                                                  \
    return course_##CALL ARGUMENTS;                                                                \
  }
#define COURSE_EXPECT(MEMORY, COUNT, TYPE)                                                         \
  if (MEMORY != MPI_IN_PLACE)                                                                      \
  course_expect_room(call, __builtin_object_size(MEMORY, 0), COUNT, TYPE)
#define COURSE_EXPECT_BETWEEN(RANK, MEMORY, COUNT, TYPE)                                           \
  if (RANK != MPI_PROC_NULL) /* else nothing is sent or written */                                 \
  COURSE_EXPECT(MEMORY, COUNT, TYPE)

COURSE_BOUNDED(MPI_Send,
               (const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks),
               (data, count, type, to, tag, ranks), COURSE_EXPECT_BETWEEN(to, data, count, type))
COURSE_BOUNDED(MPI_Recv,
               (void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm ranks,
                MPI_Status *status),
               (data, count, type, from, tag, ranks, status),
               COURSE_EXPECT_BETWEEN(from, data, count, type))
COURSE_BOUNDED(MPI_Isend,
               (const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm ranks,
                MPI_Request *request),
               (data, count, type, to, tag, ranks, request),
               COURSE_EXPECT_BETWEEN(to, data, count, type))
COURSE_BOUNDED(MPI_Irecv,
               (void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm ranks,
                MPI_Request *request),
               (data, count, type, from, tag, ranks, request),
               COURSE_EXPECT_BETWEEN(from, data, count, type))
COURSE_BOUNDED(MPI_Sendrecv,
               (const void *data, int count, MPI_Datatype type, int to, int tag, void *came,
                int came_count, MPI_Datatype came_type, int from, int came_tag, MPI_Comm ranks,
                MPI_Status *status),
               (data, count, type, to, tag, came, came_count, came_type, from, came_tag, ranks,
                status),
               COURSE_EXPECT_BETWEEN(to, data, count, type);
               COURSE_EXPECT_BETWEEN(from, came, came_count, came_type))
COURSE_BOUNDED(MPI_Bcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm ranks),
               (data, count, type, root, ranks), COURSE_EXPECT(data, count, type))
COURSE_BOUNDED(MPI_Reduce,
               (const void *data, void *result, int count, MPI_Datatype type, MPI_Op operation,
                int root, MPI_Comm ranks),
               (data, result, count, type, operation, root, ranks),
               COURSE_EXPECT(data, count, type))
COURSE_BOUNDED(MPI_Allreduce,
               (const void *data, void *result, int count, MPI_Datatype type, MPI_Op operation,
                MPI_Comm ranks),
               (data, result, count, type, operation, ranks), COURSE_EXPECT(data, count, type);
               COURSE_EXPECT(result, count, type))

#undef COURSE_BOUNDED
#undef COURSE_EXPECT_BETWEEN
#undef COURSE_EXPECT

} // extern "C"
