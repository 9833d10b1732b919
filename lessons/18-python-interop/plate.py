# What the programs share: a plate's temperatures in managed memory, NumPy's step, and the clock.

import statistics
import time

import numpy as np

import python_interop


# An array of managed memory with these values, and NumPy's view of it: the same memory.
def managed(values):
    array = python_interop.Managed(*values.shape)
    view = np.asarray(array)
    view[:] = values
    return array, view


# The reference: a step as NumPy does it, in the order of the kernel's sum, so to the same bits.
def numpy_step(now, next):
    next[1:-1, 1:-1] = 0.25 * (now[1:-1, :-2] + now[1:-1, 2:] + now[:-2, 1:-1] + now[2:, 1:-1])


# Prints one row: what was measured, its value and unit.
def figure(what, value, unit):
    print(f"   {what:40} {value:10.4g} {unit}")


# Seconds that `work` takes: median of `runs`, after one that is not measured.
def seconds(work, runs=11):
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])
