"""Twin of lesson 03: c = a + b, two lists of floats.

Run:     python lessons/18-python-interop/twins/add_list.py [n]
Beside:  add-list-versions
"""

import numpy as np
from twin import (Twin, blocks, cuda, cuda_clock, cupy, cupy_clock, hashed, numba, on_host,
                  simulated, sizes, torch, torch_clock)

if numba:
    @numba.njit(parallel=True)
    def add_on_all_cores(a, b, c):
        for i in numba.prange(len(c)):
            c[i] = a[i] + b[i]
        return c

if cuda:
    @cuda.jit
    def add(a, b, c):
        i = cuda.grid(1)
        if i < c.size:
            c[i] = a[i] + b[i]

if cuda and not simulated:  # the simulator has no vectorize
    @numba.vectorize(["float32(float32, float32)"], target="cuda")
    def vector_add(a, b):
        return a + b


(n,) = sizes([100_000_000], [100_000_000])
i = np.arange(n, dtype=np.uint32)
a = hashed(i, 2654435761).astype(np.float32) * np.float32(2**-24)
b = hashed(i, 2246822519).astype(np.float32) * np.float32(2**-20)
want = (a.astype(np.float64) + b).astype(np.float32)  # the sum in double is exact: rounded once


def right(c):
    return np.array_equal(on_host(c), want)  # false with any NaN


def nothing_yet():
    return np.full(n, np.nan, np.float32)


twin = Twin(f"add-list: {n} floats", "GB/s", 1e-9)
bytes_moved = 3 * 4 * n

# From host memory to host memory.
for what in ("one core", "all cores", "host to host"):
    twin.beside("add-list-versions", what, bytes_moved)
c = nothing_yet()
twin.figure("NumPy: np.add(a, b, out=c)", bytes_moved, lambda: np.add(a, b, out=c), right)
twin.figure("NumPy: a + b, a new array", bytes_moved, lambda: a + b, right)
if numba:
    c = nothing_yet()
    twin.figure("Numba: prange, all cores", bytes_moved, lambda: add_on_all_cores(a, b, c), right)
if cuda and not simulated:
    twin.figure("Numba CUDA: vectorize, host to host", bytes_moved, lambda: vector_add(a, b), right)
if cupy:
    twin.figure("CuPy: host to host", bytes_moved,
                lambda: cupy.asnumpy(cupy.asarray(a) + cupy.asarray(b)), right)
if torch:
    twin.figure("PyTorch: host to host", bytes_moved,
                lambda: (torch.from_numpy(a).cuda() + torch.from_numpy(b).cuda()).cpu(), right)

# The copies alone.
copies = [("copy a and b to the device", 2 * 4 * n), ("copy c to the host", 4 * n)]
for what, amount in copies:
    twin.beside("add-list-versions", what, amount)
if cupy:
    def to_device():
        d_a, d_b = cupy.asarray(a), cupy.asarray(b)
        cupy.cuda.Device().synchronize()
        return d_a, d_b

    d_a, d_b = to_device()
    d_c = d_a + d_b
    twin.figure("CuPy: copy a and b to the device", copies[0][1], to_device,
                lambda lists: np.array_equal(on_host(lists[1]), b))
    twin.figure("CuPy: copy c to the host", copies[1][1], lambda: cupy.asnumpy(d_c), right)
    del d_a, d_b, d_c

# On the device.
twin.beside("add-list-versions", "add, 256 threads per block", bytes_moved)
twin.beside("add-list-versions", "add4, 16-byte loads", bytes_moved)
if cuda:
    d_a, d_b, d_c = cuda.to_device(a), cuda.to_device(b), cuda.to_device(nothing_yet())

    def launch():
        add[blocks(n, 256), 256](d_a, d_b, d_c)
        return d_c

    twin.figure("Numba CUDA: kernel, 256 threads per block", bytes_moved, launch, right, cuda_clock)
    if not simulated:
        twin.figure("Numba CUDA: vectorize, a new array", bytes_moved, lambda: vector_add(d_a, d_b),
                    right, cuda_clock)
    del d_a, d_b, d_c
if cupy:
    d_a, d_b, d_c = cupy.asarray(a), cupy.asarray(b), cupy.asarray(nothing_yet())
    twin.figure("CuPy: cp.add(a, b, out=c)", bytes_moved, lambda: cupy.add(d_a, d_b, out=d_c),
                right, cupy_clock)
    twin.figure("CuPy: a + b, a new array", bytes_moved, lambda: d_a + d_b, right, cupy_clock)
    del d_a, d_b, d_c
if torch:
    d_a, d_b, d_c = [torch.from_numpy(x).cuda() for x in (a, b, nothing_yet())]
    twin.figure("PyTorch: torch.add(a, b, out=c)", bytes_moved,
                lambda: torch.add(d_a, d_b, out=d_c), right, torch_clock)

twin.verdict()
