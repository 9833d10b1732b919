// Records a rank's calls of MPI for a timeline (timeline_records.hpp): a library that ./course
// profile loads before MPI's (LD_PRELOAD). MPI names each of its functions twice, so that such a
// library can take the place of MPI_Send and call PMPI_Send. The calls below show: all by which the
// course's programs move data or wait, and their usual relatives.
#include "common/cpu/runtime/timeline_records.hpp"

#include <mpi.h>

namespace {

course_timeline::Recorder &recorder() {
  static auto &its = *new course_timeline::Recorder("mpi");
  return its;
}

template <class Call> int recorded(const char *name, const Call &call) {
  if (!recorder().is_on())
    return call();
  const std::int64_t begin = course_timeline::now();
  const int result = call();
  recorder().add(course_timeline::mpi, "mpi", name, begin, course_timeline::now());
  return result;
}

} // namespace

// Parameters, then the arguments of the call.
#define RECORD(NAME, PARAMETERS, ARGUMENTS)                                                        \
  extern "C" int MPI_##NAME PARAMETERS {                                                           \
    return recorded("MPI_" #NAME, [&] { return PMPI_##NAME ARGUMENTS; });                          \
  }

RECORD(Barrier, (MPI_Comm comm), (comm))
RECORD(Bcast, (void *data, int n, MPI_Datatype type, int root, MPI_Comm comm),
       (data, n, type, root, comm))
RECORD(Reduce,
       (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
       (in, out, n, type, op, root, comm))
RECORD(Allreduce, (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
       (in, out, n, type, op, comm))
RECORD(Allgather,
       (const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype other,
        MPI_Comm comm),
       (in, n, type, out, m, other, comm))
RECORD(Gather,
       (const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype other, int root,
        MPI_Comm comm),
       (in, n, type, out, m, other, root, comm))
RECORD(Send, (const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm),
       (data, n, type, to, tag, comm))
RECORD(Recv,
       (void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status),
       (data, n, type, from, tag, comm, status))
RECORD(Isend,
       (const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
        MPI_Request *request),
       (data, n, type, to, tag, comm, request))
RECORD(Irecv,
       (void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
        MPI_Request *request),
       (data, n, type, from, tag, comm, request))
RECORD(Sendrecv,
       (const void *out, int n, MPI_Datatype type, int to, int tag, void *in, int m,
        MPI_Datatype other, int from, int its_tag, MPI_Comm comm, MPI_Status *status),
       (out, n, type, to, tag, in, m, other, from, its_tag, comm, status))
RECORD(Wait, (MPI_Request * request, MPI_Status *status), (request, status))
RECORD(Waitall, (int n, MPI_Request *requests, MPI_Status *statuses), (n, requests, statuses))

extern "C" int MPI_Finalize() {
  if (recorder().is_on())
    recorder().write();
  return PMPI_Finalize();
}
