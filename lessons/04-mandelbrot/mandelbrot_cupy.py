# Lesson 04 in CuPy: version 1, one step for all pixels. Every array operation is a kernel.
#
# Run: python lessons/04-mandelbrot/mandelbrot_cupy.py [width max_steps]

import sys
import time

import cupy as cp


def all_steps(width, max_steps):
    axis = (cp.arange(width) + 0.5) * 2.5 / width
    c = (axis - 2) + 1j * (axis[:, None] - 1.25)
    z = cp.zeros_like(c)
    steps = cp.zeros(c.shape, cp.int32)
    for _ in range(max_steps):
        inside = z.real**2 + z.imag**2 <= 4
        z = cp.where(inside, z * z + c, z)
        steps += inside
    return steps


def count_steps(c, max_steps):
    z, step = 0, 0
    while step < max_steps and z.real**2 + z.imag**2 <= 4:
        z, step = z * z + c, step + 1
    return step


width, max_steps = [int(word) for word in sys.argv[1:]] or (2048, 100)
for what in "first call", "second call":
    start = time.perf_counter()
    d_steps = all_steps(width, max_steps)
    cp.cuda.Device().synchronize()
    print(f"{what}: {1e3 * (time.perf_counter() - start):.3f} ms")

# Compare about 1000 pixels with Python. Another rounding may change the steps of a few pixels.
steps = cp.asnumpy(d_steps)
pixels = [divmod(i, width) for i in range(0, width * width, width * width // 1000 | 1)]
equal = sum(steps[row, col] == count_steps(complex((col + 0.5) * 2.5 / width - 2, (row + 0.5) * 2.5 / width - 1.25), max_steps)
            for row, col in pixels)
print("PASS" if equal >= 0.99 * len(pixels) else "FAIL")
