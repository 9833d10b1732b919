# Exercise 18-python-interop/in-background: a library takes the steps of a plate, while Python goes on.
#
# Run: ./course run python-interop/in-background
#
# in-background.cu is the library. It has three functions: heat_start, heat_wait and heat_message.

import ctypes
import sys

import numpy as np

library = ctypes.CDLL("in_background.so")
# TODO 1: declare argtypes of heat_start and heat_wait, and restype of heat_message
library.heat_start.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_double, ctypes.c_int, ctypes.c_void_p]
library.heat_wait.argtypes = [ctypes.c_void_p]
library.heat_message.restype = ctypes.c_char_p
# TODO end


def check(error):
    """Raise a RuntimeError with CUDA's message, unless the error code is 0."""
    if error != 0:
        raise RuntimeError(library.heat_message(error).decode())


def check_plate(plate):
    """Raise an exception unless the library can use the memory of `plate`.

    TypeError: it is not a NumPy array, or its elements are not float32.
    ValueError: it has not two dimensions, is not contiguous, or is read-only.
    """
    # TODO 2: raise these exceptions
    if not isinstance(plate, np.ndarray) or plate.dtype != np.float32:
        raise TypeError("a NumPy array of float32 is needed")
    if plate.ndim != 2 or not plate.flags.c_contiguous or not plate.flags.writeable:
        raise ValueError("a contiguous, writeable array with two dimensions is needed")
    # TODO end


class Steps:
    """`count` steps of `plate`, in the background, in a CUDA stream (its address, or None: the default stream).

    The library uses the memory of the plate until wait() has returned. Then the plate has the result.
    """

    def __init__(self, plate, rate, count, stream=None):
        check_plate(plate)
        self.stream = stream
        # TODO 3: start the steps in the stream; keep the plate alive until wait() has returned
        check(library.heat_start(plate.ctypes.data, *plate.shape, rate, count, stream))
        self.plate = plate
        # TODO end

    def wait(self):
        check(library.heat_wait(self.stream))
        self.plate = None


if __name__ == "__main__":
    plate = np.zeros((5, 7), np.float32)
    plate[0] = 100
    work = Steps(plate, 1, 2)
    print("Python goes on")
    work.wait()
    print(plate.round(1))
    correct = plate[2, 3] == 6.25 and plate[1, 1] == 31.25
    print("PASS" if correct else "FAIL")
    sys.exit(not correct)
