# Lesson 18: a kernel in a shared library, called with ctypes: first with a NumPy array, then with device arrays.
#
# Run: ./course run python-interop

import ctypes
import statistics
import sys
import time
import weakref
from pathlib import Path

import numpy as np

import heat

# [ctypes]
library = ctypes.CDLL("python_interop.so")
plate_type = np.ctypeslib.ndpointer(np.float64, ndim=2, flags=["C_CONTIGUOUS", "WRITEABLE"])
library.heat_steps.argtypes = [plate_type, ctypes.c_int, ctypes.c_int, ctypes.c_int]

plate = np.random.default_rng(18).random((203, 517))
error = library.heat_steps(plate, *plate.shape, 2)  # two steps
# [end]
heat.check(error)
library.heat_print_device()
start = np.random.default_rng(18).random((203, 517))


def verify(what, correct):
    if not correct:
        print(f"wrong: {what}\nFAIL")
        sys.exit(1)


def refused(values):
    """Return why ctypes rejects this array, or None."""
    try:
        library.heat_steps(values, *values.shape, 1)
    except ctypes.ArgumentError as error:
        return error


def row(what, work, steps=1):
    """Print the time of one step: the median of three runs of `work`, after one warm-up run."""
    times = []
    for _ in range(4):
        begin = time.perf_counter()
        work()
        heat.wait()
        times.append((time.perf_counter() - begin) / steps)
    print(f"  {what:30} {1e3 * statistics.median(times[1:]):9.4f} ms")


# Both functions are compared with NumPy, bit by bit. An array with a NaN is not equal to any array.
once, twice = start.copy(), start.copy()
heat.numpy_step(start, once)
heat.numpy_step(once, twice)
verify("heat_steps", np.array_equal(plate, twice))
now, next = heat.DeviceArray(start), heat.DeviceArray(start)
heat.step(now, next)
heat.step(next, now)
verify("heat_step", np.array_equal(heat.to_host(now), twice))
alive = weakref.ref(now)
del now
verify("an array without a name still exists", alive() is None)

reasons = refused(start.astype(np.float32)), refused(start.T)
verify("an array of another type or layout was accepted", all(reasons))
print(f"\nrefused by ctypes:\n  float32:    {reasons[0]}\n  transposed: {reasons[1]}")

start = np.random.default_rng(18).random((2001, 2003))
plate, once = start.copy(), start.copy()
now, next = heat.DeviceArray(start), heat.DeviceArray(start)
print(f"\none step of {start.shape[0]} x {start.shape[1]} cells:")
row("NumPy", lambda: heat.numpy_step(start, once))
row("heat_steps, 1 step per call", lambda: heat.check(library.heat_steps(plate, *plate.shape, 1)))
row("heat_steps, 20 steps per call", lambda: heat.check(library.heat_steps(plate, *plate.shape, 20)), 20)
row("heat_step, DeviceArray", lambda: [heat.step(now, next) for _ in range(20)], 20)
tiny = heat.DeviceArray(start[:3, :3]), heat.DeviceArray(start[:3, :3])
row("heat_step, 3 x 3 cells", lambda: [heat.step(*tiny) for _ in range(500)], 500)

try:
    import cupy

    d_now, d_next = cupy.asarray(start), cupy.asarray(start)
    stream = cupy.cuda.get_current_stream().ptr
except Exception as error:  # not installed, or no GPU
    print(f"  CuPy arrays are skipped: {' '.join(str(error).split())}")
else:
    row("heat_step, CuPy arrays", lambda: [heat.step(d_now, d_next, stream) for _ in range(20)], 20)
    verify("heat_step with CuPy arrays", np.array_equal(cupy.asnumpy(d_next), once))
    view = cupy.asarray(next)  # a view: no copy
    del next  # the view keeps the owner alive
    verify("a CuPy view", np.array_equal(cupy.asnumpy(view), once))

    text = Path(__file__).with_suffix(".cu").read_text()
    text = text.split("// [kernel]")[1].split("// [end]")[0]
    # [rawmodule]
    module = cupy.RawModule(code=text, options=("-std=c++17",), name_expressions=["step"])
    kernel = module.get_function("step")
    now, next = cupy.asarray(start), cupy.asarray(start)
    ny, nx = start.shape
    kernel(((nx + 31) // 32, (ny + 7) // 8), (32, 8), (now, next, np.int32(ny), np.int32(nx)))
    # [end]
    verify("CuPy's RawModule", np.array_equal(cupy.asnumpy(next), once))
print("PASS")
