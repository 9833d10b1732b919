"""The functions of python_interop.so for arrays in device memory, and a class that owns such memory."""

import ctypes
import weakref

import numpy as np

# [declare]
library = ctypes.CDLL("python_interop.so")
address, size, integer = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
library.heat_step.argtypes = [address, address, integer, integer, address]
library.heat_message.restype = ctypes.c_char_p
# [end]
library.heat_allocate.argtypes = [ctypes.POINTER(address), size]
library.heat_copy.argtypes = [address, address, size]
library.heat_free.argtypes = [address]
library.heat_wait.argtypes = [address]


# [check]
def check(error):
    if error != 0:
        raise RuntimeError(library.heat_message(error).decode())
# [end]


# [owner]
class DeviceArray:
    """A copy of a NumPy array in device memory. The object owns the memory."""

    def __init__(self, values):
        values = np.ascontiguousarray(values, np.float64)
        address = ctypes.c_void_p()
        check(library.heat_allocate(address, values.nbytes))
        weakref.finalize(self, library.heat_free, address.value)
        check(library.heat_copy(address, values.ctypes.data, values.nbytes))
        self.__cuda_array_interface__ = {
            "version": 3, "shape": values.shape, "typestr": "<f8", "data": (address.value, False), "strides": None}
# [end]


# [interface]
def address_of(array):
    about = array.__cuda_array_interface__
    if about["typestr"] != "<f8" or about.get("strides") is not None:
        raise TypeError("the kernel needs a contiguous float64 array")
    return about["data"][0]


def step(now, next, stream=0):
    shape = now.__cuda_array_interface__["shape"]
    if len(shape) != 2 or next.__cuda_array_interface__["shape"] != shape:
        raise ValueError("the kernel needs two arrays of the same shape, with two dimensions")
    check(library.heat_step(address_of(now), address_of(next), *shape, stream))
# [end]


def wait(stream=0):
    """Wait until all work in the stream has ended."""
    check(library.heat_wait(stream))


def to_host(array):
    """Copy a device array into a new NumPy array, after all work in the default stream."""
    values = np.empty(array.__cuda_array_interface__["shape"])
    check(library.heat_copy(values.ctypes.data, address_of(array), values.nbytes))
    return values


def numpy_step(now, next):
    """The same step in NumPy. It adds in the kernel's order, so the results are equal to the last bit."""
    next[1:-1, 1:-1] = 0.25 * (now[1:-1, :-2] + now[1:-1, 2:] + now[:-2, 1:-1] + now[2:, 1:-1])
