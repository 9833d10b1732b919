"""Twin of lesson 04: how many steps each pixel takes to leave the disc |z| <= 2, in double.

Run:     python lessons/18-python-interop/twins/mandelbrot.py [width [max_steps]]
Beside:  mandelbrot, mandelbrot-versions

NumPy and CuPy work in passes, a step for all pixels; Numba has a loop for each pixel. A pixel near
the edge of the set may have other steps where z^2 + c is rounded otherwise.
"""

import numpy as np
from twin import Twin, blocks, cuda, cuda_clock, cupy, cupy_clock, numba, on_host, sizes


def steps_of(x, y, max_steps):
    """One pixel: Python's, for the proof; Numba compiles it for the CPU and for the GPU."""
    u, v, step = 0.0, 0.0, 0
    while step < max_steps and u * u + v * v <= 4.0:
        u, v = u * u - v * v + x, 2.0 * u * v + y
        step += 1
    return step


if numba:
    steps_on_cpu = numba.njit(steps_of)

    @numba.njit(parallel=True)
    def loops(steps, max_steps):
        width = steps.shape[0]
        for row in numba.prange(width):
            for col in range(width):
                steps[row, col] = steps_on_cpu((col + 0.5) * 2.5 / width - 2.0,
                                               (row + 0.5) * 2.5 / width - 1.25, max_steps)
        return steps

if cuda:
    steps_on_device = cuda.jit(device=True)(steps_of)

    @cuda.jit
    def fused(steps, max_steps):
        col, row = cuda.grid(2)
        width = steps.shape[0]
        if col < width and row < width:
            steps[row, col] = steps_on_device((col + 0.5) * 2.5 / width - 2.0,
                                              (row + 0.5) * 2.5 / width - 1.25, max_steps)


def passes(xp, width, max_steps):
    """xp: NumPy or CuPy. Each line of the loop makes one array or several."""
    axis = (xp.arange(width) + 0.5) * 2.5 / width
    c = (axis - 2) + 1j * (axis[:, None] - 1.25)
    z = xp.zeros_like(c)
    steps = xp.zeros(c.shape, xp.int32)
    for _ in range(max_steps):
        inside = z.real**2 + z.imag**2 <= 4
        z = xp.where(inside, z * z + c, z)
        steps += inside
    return steps


def right(steps, max_steps):
    """About two thousand pixels beside Python's own loop. Of those that never leave, in the large
    cardioid and the disc to its left, all have max_steps; of the others one in a hundred may
    differ."""
    steps = on_host(steps)
    width = len(steps)
    wrong = checked = 0
    for pixel in range(0, width * width, width * width // 2000 | 1):
        row, col = divmod(pixel, width)
        x, y = (col + 0.5) * 2.5 / width - 2, (row + 0.5) * 2.5 / width - 1.25
        q = (x - 0.25)**2 + y * y
        if q * (q + x - 0.25) < 0.25 * y * y or (x + 1)**2 + y * y < 0.0625:
            if steps[row, col] != max_steps:
                return False
        else:
            checked += 1
            wrong += steps[row, col] != steps_of(x, y, max_steps)
    return 100 * wrong <= checked


width, max_steps = sizes([8192, 1000], [500, 200])
twin = Twin(f"mandelbrot: {width} x {width} pixels, {max_steps} steps, double", "Gstep/s", 1e-9)
cpp_steps = None
for program, what in (("mandelbrot", "one kernel"), ("mandelbrot", "a kernel per step"),
                      ("mandelbrot-versions", "double, warps of 32 x 1 pixels"),
                      ("mandelbrot-versions", "double, |z| every 16 steps")):
    cpp_steps = twin.beside(program, what)


def all_steps(steps):
    return float(on_host(steps).sum())


def right_as_cpp(steps):
    """Right, and in sum as many as in C++, but for roundings."""
    return right(steps, max_steps) and (
        cpp_steps is None or abs(all_steps(steps) / cpp_steps - 1) < 1e-3)


# NumPy would take minutes for a GPU's picture: there its own is smaller, and its rate compares.
part = min(width, 500)
twin.figure("NumPy, in passes" if part == width else f"NumPy, in passes, {part} x {part} pixels",
            all_steps, lambda: passes(np, part, max_steps), lambda steps: right(steps, max_steps),
            same_size=part == width)
if numba:
    steps = np.full((width, width), -1, np.int32)
    twin.figure("Numba: prange, all cores", all_steps, lambda: loops(steps, max_steps),
                right_as_cpp)
if cuda:
    d_steps = cuda.to_device(np.full((width, width), -1, np.int32))

    def launch():
        fused[(blocks(width, 32), blocks(width, 4)), (32, 4)](d_steps, max_steps)
        return d_steps

    twin.figure("Numba CUDA: one kernel", all_steps, launch, right_as_cpp, cuda_clock)
    del d_steps
if cupy:
    twin.figure("CuPy, in passes", all_steps, lambda: passes(cupy, width, max_steps), right_as_cpp,
                cupy_clock)

twin.verdict()
