# What the programs of lesson 18 do not show of the extension: DLPack as an argument, the stream of an array's
# interface, the exceptions' texts, and that it counts no reference too many.

import ctypes
import datetime
import gc
import os
import sys

import numpy as np

import python_interop
from plate import managed, numpy_step

values = np.random.default_rng(1).random((37, 65))
expected = values.copy()
numpy_step(values, expected)


# An array that knows DLPack only.
class ByDLPack:
    def __init__(self, array, device=None):
        self.array, self.stream = array, "not asked"
        self.device = device or array.__dlpack_device__()

    def __dlpack__(self, stream=None):
        self.stream = stream
        return self.array.__dlpack__(stream=stream)

    def __dlpack_device__(self):
        return self.device


# Whatever this is, it is said to be DLPack's.
class Capsule:
    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, stream=None):
        return self.capsule

    def __dlpack_device__(self):
        return now.__dlpack_device__()


# An array whose last work is on this stream.
class OnStream:
    def __init__(self, array, stream):
        self.__cuda_array_interface__ = dict(array.__cuda_array_interface__, stream=stream)


def check(what, condition):
    if not condition:
        sys.exit(f"not so: {what}")


def refuses(text, kind, call):
    try:
        call()
    except kind as error:
        check(f"'{error}' says '{text}'", text in str(error))
    else:
        sys.exit(f"accepted: {text}")


def pair():
    (now, _), (next, seen) = managed(values), managed(values)
    return now, next, seen


now, next, seen = pair()
python_interop.step(ByDLPack(now), ByDLPack(next))
check("DLPack gives the memory", np.array_equal(seen, expected))
for given, told in ((None, 1), (0, 1), (1, 1), (2, 2)):
    reader = ByDLPack(now)
    python_interop.step(reader, next, given)
    python_interop.wait(given or 0)
    check(f"stream {given} is {told} in DLPack", reader.stream == told)
host = ByDLPack(values)
try:
    python_interop.step(host, next)
    check("the device reads memory of the host", np.array_equal(np.asarray(next), expected))
except ValueError as error:
    check(f"{error}", "now is in pageable memory" in str(error))
check("memory of the host has no stream", host.stream is None)
pinned = ByDLPack(now, (3, 0))
python_interop.step(pinned, next)
check("pinned memory has no stream", pinned.stream is None)
refuses("no copy", BufferError, lambda: now.__dlpack__(copy=True))
check("no copy is asked for", now.__dlpack__(copy=None) and now.__dlpack__(copy=False))
taken = now.__dlpack__()
reads_on = np.from_dlpack(Capsule(taken))
refuses("has taken it", ValueError, lambda: python_interop.step(Capsule(taken), next))
refuses("no tensor", ValueError, lambda: python_interop.step(Capsule(datetime.datetime_CAPI), next))
refuses("instance of 'capsule'", TypeError, lambda: python_interop.step(Capsule(5), next))
refuses("32 bits", TypeError, lambda: python_interop.step(ByDLPack(values.astype(np.float32)), next))
refuses("next is not contiguous", ValueError, lambda: python_interop.step(now, ByDLPack(np.asarray(next).T)))

# What another stream still has to write is there before a step on the default stream reads it. The default stream
# waits for stream 2 by itself, but not for a non-blocking one, which is made here with the CPU backend's runtime.
stream = 2
create = getattr(ctypes.CDLL(python_interop.__file__), "cudaStreamCreateWithFlags", None)
check("the CPU backend makes streams", create is not None or "CPU backend" not in python_interop.use_device())
if create is not None:
    made = ctypes.c_void_p()
    check("a stream", create(ctypes.byref(made), 1) == 0)
    stream = made.value
now, next, seen = pair()
third, seen = managed(values)
python_interop.step(now, next, stream)
python_interop.step(OnStream(next, stream), third)
twice = expected.copy()
numpy_step(expected, twice)
check("a step waits for the stream of its argument", np.array_equal(seen, twice))

if create is not None:  # CUDA itself need not notice
    refuses("cudaEventRecord", python_interop.CudaError, lambda: python_interop.step(OnStream(now, 0x1234), next))

refuses("<class 'int'>", TypeError, lambda: python_interop.step(now, 5))
refuses("stream: ", TypeError, lambda: python_interop.step(now, next, "the default stream"))
refuses("3 dimensions", ValueError, lambda: python_interop.step(now, np.zeros((2, 2, 2))))
refuses("no cells", ValueError, lambda: python_interop.step(np.asarray(now)[:0], np.asarray(next)[:0]))
refuses("no cells", ValueError, lambda: python_interop.step(np.asarray(now)[:, :0], np.asarray(next)[:, :0]))
raw = np.asarray(python_interop.Managed(38, 65)).view(np.uint8).reshape(-1)
refuses("multiple of 8 bytes", ValueError, lambda: python_interop.step(np.ndarray((37, 65), float, raw, 4), next))
refuses("at least one row", ValueError, lambda: python_interop.Managed(0, 5))
# 2^61 + 2^30 cells, whose bytes without their upper bits are 8.6 GB
refuses("that many cells", ValueError, lambda: python_interop.Managed(3 << 29, 1431655766))
refuses("cudaMallocManaged", python_interop.CudaError, lambda: python_interop.Managed(1 << 30, 1 << 30))
check("CudaError is a RuntimeError", issubclass(python_interop.CudaError, RuntimeError))


# Nobody keeps what is no longer used: 400 times 8 MB would be 3 GB.
def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


big = np.ones((1024, 1024))
before = resident()
for _ in range(100):
    (now, view), (next, _) = managed(big), managed(big)
    python_interop.step(ByDLPack(now), next)
    np.from_dlpack(now)
    now.__dlpack__()
    view, now, next = None, None, None
    gc.collect()
check(f"memory is given back: {(resident() - before) >> 20} MB more", resident() - before < 100 << 20)
