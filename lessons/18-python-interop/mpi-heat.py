# Lesson 18: a heated plate in parts, one per rank of MPI: halos and norms by mpi4py, steps by the extension.
#
# Run: ./course run mpi-heat -n 3

import sys

import numpy as np
from mpi4py import MPI

import python_interop
from plate import managed, numpy_step

ny, nx, steps = 302, 500, 50
comm = MPI.COMM_WORLD


# The plate at the start: cold, one edge warm.
def start():
    plate = np.zeros((ny, nx))
    plate[0] = 1
    return plate


# The rows of a rank's part: the first, and the first of the next rank.
def part(rank):
    rows = ny - 2
    return 1 + rows * rank // comm.size, 1 + rows * (rank + 1) // comm.size


# [exchange]
# The outer rows of the part are copies of the neighbours' rows. Managed memory is memory of the host, too, so
# any MPI reads the views of NumPy.
def exchange(view):
    above = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
    below = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL
    comm.Sendrecv(view[1], above, recvbuf=view[-1], source=below)
    comm.Sendrecv(view[-2], below, recvbuf=view[0], source=above)
# [end]


def iterate(now, next):
    for _ in range(steps):
        exchange(now[1])
        python_interop.step(now[0], next[0])  # it waits: then the host may send what the kernel wrote
        now, next = next, now
    change = np.array(np.sum((now[1][1:-1] - next[1][1:-1]) ** 2))
    comm.Allreduce(MPI.IN_PLACE, change)
    return now[1], np.sqrt(change)


def main():
    node = comm.Split_type(MPI.COMM_TYPE_SHARED)
    device = python_interop.use_device(node.rank)
    first, past_last = part(comm.rank)
    rows = slice(first - 1, past_last + 1)
    plates = managed(start()[rows]), managed(start()[rows])
    result, norm = iterate(*plates)

    expected, other = start(), start()
    for _ in range(steps):
        numpy_step(expected, other)
        expected, other = other, expected
    wanted = np.sqrt(np.sum((expected - other) ** 2))
    here = np.array_equal(result[1:-1], expected[first:past_last]) and abs(norm - wanted) <= 1e-12 * wanted
    correct = comm.allreduce(bool(here), op=MPI.LAND)
    if comm.rank == 0:
        print(f"device: {device}\n{ny} x {nx} cells, ranks: {comm.size}")
        print(f"{steps} steps, norm of the last change {norm:.6f}")
        print("PASS" if correct else "FAIL")
    return 0 if correct else 1


sys.exit(main())
