# Lesson 04 in Numba: version 2, one kernel with a loop for all steps of a pixel.
#
# Run: python lessons/04-mandelbrot/mandelbrot_numba.py [width max_steps]

import sys
import time

import numpy as np
from numba import cuda


def count_steps(x, y, max_steps):
    u, v, step = 0.0, 0.0, 0
    while step < max_steps and u * u + v * v <= 4.0:
        u, v = u * u - v * v + x, 2.0 * u * v + y
        step += 1
    return step


count_steps_on_device = cuda.jit(device=True)(count_steps)


@cuda.jit
def all_steps(steps, max_steps):
    col, row = cuda.grid(2)
    width = steps.shape[0]
    if col < width and row < width:
        x, y = (col + 0.5) * 2.5 / width - 2.0, (row + 0.5) * 2.5 / width - 1.25
        steps[row, col] = count_steps_on_device(x, y, max_steps)


width, max_steps = [int(word) for word in sys.argv[1:]] or (2048, 100)
d_steps = cuda.to_device(np.full((width, width), -1, np.int32))
grid = (width + 31) // 32, (width + 3) // 4
for what in "with the compiler", "compiled":
    start = time.perf_counter()
    all_steps[grid, (32, 4)](d_steps, max_steps)
    cuda.synchronize()
    print(f"{what}: {1e3 * (time.perf_counter() - start):.3f} ms")

# Compare about 1000 pixels with Python. Another rounding may change the steps of a few pixels.
steps = d_steps.copy_to_host()
pixels = [divmod(i, width) for i in range(0, width * width, width * width // 1000 | 1)]
equal = sum(steps[row, col] == count_steps((col + 0.5) * 2.5 / width - 2, (row + 0.5) * 2.5 / width - 1.25, max_steps)
            for row, col in pixels)
print("PASS" if equal >= 0.99 * len(pixels) else "FAIL")
