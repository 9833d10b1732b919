# Lesson 18: one kernel, called from Python in three ways: what a call costs, and what a copy costs.
#
# Run: ./course run python-interop

import ctypes
import sys
from pathlib import Path

import numpy as np

import python_interop
from plate import figure, managed, numpy_step, seconds

# [ctypes]
library = ctypes.CDLL(python_interop.__file__)
library.heat_step.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p]


def ctypes_step(now, next, stream):
    ny, nx = now.shape
    error = library.heat_step(now.ctypes.data, next.ctypes.data, ny, nx, stream)
    if error != 0:
        raise RuntimeError(f"heat_step: CUDA error {error}")
# [end]


# [rawmodule]
# CuPy compiles the kernel's text, taken from python-interop.cu, while this program runs.
def rawmodule_step(cupy):
    text = Path(__file__).with_suffix(".cu").read_text()
    text = text.split("// [kernel]")[1].split("// [end]")[0]
    module = cupy.RawModule(code=text, options=("--std=c++17",), name_expressions=["step"])
    kernel = module.get_function("step")

    def step(now, next, _):  # on CuPy's current stream, which is the default stream here
        ny, nx = now.shape
        kernel(((nx + 31) // 32, (ny + 7) // 8), (32, 8), (now, next, np.int32(ny), np.int32(nx)))

    return step
# [end]


# The module cupy, or why its way is left out.
def find_cupy(device):
    try:
        import cupy

        found = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    except Exception as error:  # CuPy has a type of its own for each
        return None, error
    if found != device:
        return None, f"CuPy uses {found}"
    return cupy, None


# Whether ten steps of `step` lead where NumPy's lead, to the last bit. `view`: of a Managed array.
def is_right(name, step, view):
    values = np.random.default_rng(18).random((203, 517))
    expected, other = values.copy(), values.copy()
    first, second = managed(values)[0], managed(values)[0]
    now, next = view(first), view(second)
    for _ in range(10):
        numpy_step(expected, other)
        step(now, next, 0)
        expected, other, now, next = other, expected, next, now
    python_interop.wait()
    correct = np.array_equal(np.asarray(first), expected)
    if not correct:
        print(f"  {name}: not what NumPy computes")
    return correct


# Seconds of one call: of many, on a plate so small that the kernel hardly counts.
def call_seconds(step, view):
    calls = 1000
    now, next = view(python_interop.Managed(3, 3)), view(python_interop.Managed(3, 3))

    def work():
        for _ in range(calls):
            step(now, next, 0)
        python_interop.wait()

    return seconds(work) / calls


# A step on managed memory, and one on arrays of NumPy's own that are copied there and back.
def measure_copies():
    own = np.random.default_rng(18).random((2048, 2048))
    result, expected = own.copy(), own.copy()
    (now, now_view), (next, next_view) = managed(own), managed(own)

    def with_copies():
        np.copyto(now_view, own)
        python_interop.step(now, next)
        np.copyto(result, next_view)

    figure("a step, 2048 x 2048", 1e3 * seconds(lambda: python_interop.step(now, next)), "ms")
    figure("with copies from and to NumPy's arrays", 1e3 * seconds(with_copies), "ms")
    figure("in NumPy", 1e3 * seconds(lambda: numpy_step(own, expected)), "ms")
    return np.array_equal(result, expected)


def main():
    device = python_interop.use_device()
    print(f"device: {device}\n\nper call")
    ways = [
        ("ctypes", ctypes_step, np.asarray),
        ("pybind11", python_interop.step, lambda array: array),
        ("pybind11, views of NumPy", python_interop.step, np.asarray),
    ]
    cupy, reason = find_cupy(device)
    if cupy is not None:
        ways.append(("CuPy's RawModule", rawmodule_step(cupy), cupy.asarray))
    correct = True
    for name, step, view in ways:
        correct &= is_right(name, step, view)
        figure(name, 1e6 * call_seconds(step, view), "us")
    if cupy is None:
        print(f"   CuPy's RawModule: left out, {reason}")
    print("\nper copy")
    correct &= measure_copies()
    print("PASS" if correct else "FAIL")
    return 0 if correct else 1


sys.exit(main())
