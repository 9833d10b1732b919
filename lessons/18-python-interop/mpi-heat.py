# Lesson 18: a plate in parts, one per MPI rank. mpi4py exchanges the rows at the borders, the kernel takes the steps.
#
# Run: ./course run mpi-heat -n 3

import sys

import numpy as np
from mpi4py import MPI

import heat

ny, nx, steps = 302, 500, 50
comm = MPI.COMM_WORLD
above = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
below = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL
node = comm.Split_type(MPI.COMM_TYPE_SHARED)  # the ranks of this node
heat.check(heat.library.heat_use_device(node.rank))


def copy_row(to, source):
    heat.check(heat.library.heat_copy(to, source, 8 * nx))  # 8 bytes per cell


def exchange(part, rows):
    """Send the first and the last inner row to the neighbours, and receive their rows into the halo."""
    first = heat.address_of(part)
    row = [first + 8 * nx * y for y in (0, 1, rows, rows + 1)]
    out, into = np.empty(nx), np.empty(nx)
    for inner, halo, to, source in ((row[1], row[3], above, below), (row[2], row[0], below, above)):
        copy_row(out.ctypes.data, inner)  # waits for the kernel
        comm.Sendrecv(out, to, recvbuf=into, source=source)
        if source != MPI.PROC_NULL:
            copy_row(halo, into.ctypes.data)


start = np.zeros((ny, nx))
start[0] = 100
first = (ny - 2) * comm.rank // comm.size  # with the halo: rows first to last + 1
last = (ny - 2) * (comm.rank + 1) // comm.size
now, next = heat.DeviceArray(start[first:last + 2]), heat.DeviceArray(start[first:last + 2])
for _ in range(steps):
    exchange(now, last - first)
    heat.step(now, next)
    now, next = next, now

expected, other = start.copy(), start.copy()
for _ in range(steps):
    heat.numpy_step(expected, other)
    expected, other = other, expected
correct = np.array_equal(heat.to_host(now)[1:-1], expected[first + 1:last + 1])
correct = comm.allreduce(correct, op=MPI.LAND)
if comm.rank == 0:
    heat.library.heat_print_device()
    print(f"{ny} x {nx} cells, {comm.size} ranks, {steps} steps")
    print("PASS" if correct else "FAIL", flush=True)
sys.exit(0 if correct else 1)
