"""NumPy in CuPy's place, for the functions that both have: it shows that the arithmetic of what is written
for CuPy is right, and nothing about a GPU. With WRONG set its arrays are one per cent off."""

import os
import time

import numpy
from numpy import *  # noqa: F403

__version__ = f"{numpy.__version__} of NumPy in its place"
factor = 1.01 if os.environ.get("WRONG") else 1


def asarray(a):
    return (numpy.array(a) * factor).astype(a.dtype)


def arange(n):
    return numpy.arange(n) * factor


def asnumpy(a):
    return numpy.array(a)


class cuda:
    def is_available():
        return True

    def get_elapsed_time(start, stop):
        return 1e3 * (stop.seconds - start.seconds)

    class Device:
        def synchronize(self):
            pass

    class Event:
        def record(self):
            self.seconds = time.perf_counter()

        def synchronize(self):
            pass
