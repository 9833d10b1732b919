"""NumPy instead of CuPy, for the functions that both have: it shows that the arithmetic of a CuPy program is right,
and nothing about a GPU. With the environment variable WRONG its arrays are one per cent off."""

import os

import numpy
from numpy import *  # noqa: F403

factor = 1.01 if os.environ.get("WRONG") else 1


def asarray(a):
    return (numpy.array(a) * factor).astype(a.dtype)


def arange(n):
    return numpy.arange(n) * factor


def asnumpy(a):
    return numpy.array(a)


class cuda:
    class Device:
        def synchronize(self):
            pass
