# Lesson 18, deep dive: pybind11, managed memory, and CuPy's RawModule, each compared with NumPy.
#
# Run: ./course run other-ways

import ctypes
import sys
import weakref
from pathlib import Path

import numpy as np

import heat
import other_ways


def verify(what, correct):
    print(f"  {what}: {'right' if correct else 'WRONG'}")
    if not correct:
        print("FAIL")
        sys.exit(1)


def refuses(values, kind):
    try:
        other_ways.steps(values, 1)
    except kind:
        return True


# [managed]
library = ctypes.CDLL(other_ways.__file__)
library.heat_free.argtypes = [ctypes.c_void_p]


class ManagedArray:
    """An array in managed memory, for the host and the device."""

    def __init__(self, *shape):
        address = ctypes.c_void_p()
        heat.check(library.heat_allocate_managed(ctypes.byref(address), ctypes.c_size_t(8 * int(np.prod(shape)))))
        weakref.finalize(self, library.heat_free, address.value)
        self.__array_interface__ = self.__cuda_array_interface__ = {
            "version": 3, "shape": shape, "typestr": "<f8", "data": (address.value, False), "strides": None}
# [end]


heat.library.heat_print_device()
start = np.random.default_rng(18).random((203, 517))
once = start.copy()
heat.numpy_step(start, once)

plate = start.copy()
other_ways.steps(plate, 1)
verify("pybind11", np.array_equal(plate, once))
verify("pybind11 refuses float32", refuses(start.astype(np.float32), TypeError))
verify("pybind11 refuses one dimension", refuses(start[0].copy(), ValueError))

now, next = ManagedArray(203, 517), ManagedArray(203, 517)
view = np.asarray(next)  # no copy
np.asarray(now)[:] = view[:] = start
heat.step(now, next)
heat.wait()  # until the kernel has ended, the host must not use the arrays
verify("managed memory", np.array_equal(view, once))
alive = weakref.ref(next)
del next
verify("the view keeps its owner", alive() is not None and np.array_equal(view, once))
del view
verify("no view, no owner", alive() is None)

try:
    import cupy

    cupy.cuda.runtime.getDeviceCount()
except Exception as error:  # not installed, or no GPU
    print(f"  CuPy's RawModule is skipped: {' '.join(str(error).split())}")
else:
    text = Path(__file__).with_name("python-interop.cu").read_text()
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
