# Exercise 18-python-interop/dangling-view: a bug hunt. Arrays change their values.
#
# Run: ./course run python-interop/dangling-view
#
# dangling-view.cu is the library. A field owns memory from field_allocate. It is freed by field_free after the field, its
# parts and their arrays are gone, and not later. Parts and arrays are views: they have no copy of the values.

import ctypes
import gc
import sys
import weakref

import numpy as np

library = ctypes.CDLL("dangling_view.so")
library.field_allocate.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_float]
library.field_free.argtypes = [ctypes.c_void_p]


class Field:
    """`count` floats in managed memory, which NumPy and CuPy can view."""

    def __init__(self, count, value):
        address = ctypes.c_void_p()
        if library.field_allocate(ctypes.byref(address), count, value) != 0:
            raise MemoryError("field_allocate failed")
        self.describe(address.value, count)
        # TODO 1: find the bug. When is the memory freed?
        weakref.finalize(self, lambda: library.field_free(self.address))
        # TODO end

    def describe(self, address, count):
        self.address = address
        self.count = count
        self.__array_interface__ = self.__cuda_array_interface__ = {
            "version": 3, "shape": (count,), "typestr": "<f4", "data": (address, False), "strides": None}

    def part(self, first, count):
        """Return `count` elements from `first` on, as a Field that uses the same memory."""
        part = Field.__new__(Field)
        part.describe(self.address + 4 * first, count)
        # TODO 2: find the bug. What happens if the part outlives this field?
        part.owner = None
        # TODO end
        return part

    def array(self):
        """Return a NumPy array that uses the same memory."""
        # TODO 3: find the bug. What does the array keep alive?
        address = ctypes.cast(self.address, ctypes.POINTER(ctypes.c_float))
        return np.ctypeslib.as_array(address, (self.count,))
        # TODO end


def count(what, expected):
    """Return whether so many allocations are alive."""
    gc.collect()
    print(f"  {what}: {library.field_living()} allocations are alive, expected: {expected}")
    return library.field_living() == expected


if __name__ == "__main__":
    field = Field(1000, 20.5)
    part = field.part(10, 5)
    del field
    correct = count("a part, without its field", 1)
    if correct:
        array = part.array()
        del part
        correct = count("an array, without its part", 1) and (array == 20.5).all()
        del array
        correct = count("nothing is left", 0) and correct
    print("PASS" if correct else "FAIL")
    sys.exit(not correct)
