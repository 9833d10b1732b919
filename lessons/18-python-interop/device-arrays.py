# Lesson 18: arrays and streams of CuPy, Numba and PyTorch in the same extension, without a copy.
#
# Run: ./course run device-arrays

import sys

import numpy as np

import python_interop
from plate import managed, numpy_step


# Of each library: its device's name, its copy of `values` on the device, its view of a Managed array, a stream of
# its own as a number, and a copy on the host.
class CuPy:
    def __init__(self):
        import cupy

        self.device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        self.stream = cupy.cuda.Stream(non_blocking=True)
        self.number = self.stream.ptr
        self.array = self.view = cupy.asarray
        self.to_host = cupy.asnumpy


class Numba:
    def __init__(self):
        from numba import cuda

        name = cuda.get_current_device().name
        self.device = name.decode() if isinstance(name, bytes) else name
        self.stream = cuda.stream()
        self.number = int(self.stream)
        self.array, self.view = cuda.to_device, cuda.as_cuda_array
        self.to_host = lambda array: array.copy_to_host()


class PyTorch:
    def __init__(self):
        import torch

        self.device = torch.cuda.get_device_name(0)
        self.stream = torch.cuda.Stream()
        self.number = self.stream.cuda_stream
        self.array = self.view = lambda values: torch.as_tensor(values, device="cuda")
        self.to_host = lambda array: array.cpu().numpy()


def is_right(library, values):
    expected = values.copy()
    numpy_step(values, expected)

    # The library's own arrays, on the library's own stream.
    now, next = library.array(values), library.array(values)
    python_interop.wait()  # for their copies, on the default stream
    python_interop.step(now, next, library.number)
    python_interop.wait(library.number)
    correct = np.array_equal(library.to_host(next), expected)

    # Managed arrays, as the library views them: the result is seen by NumPy.
    (first, _), (second, seen) = managed(values), managed(values)
    python_interop.step(library.view(first), library.view(second))
    return correct and np.array_equal(seen, expected)


def main():
    device = python_interop.use_device()
    print(f"device: {device}\n")
    values = np.random.default_rng(18).random((203, 517))
    correct = True
    for kind in (CuPy, Numba, PyTorch):
        try:
            library = kind()
        except Exception as error:  # not installed, or no GPU: each library has its own
            print(f"   {kind.__name__}: left out, {' '.join(str(error).split())}")
            continue
        if library.device != device:
            print(f"   {kind.__name__}: left out, it uses {library.device}")
            continue
        right = is_right(library, values)
        print(f"   {kind.__name__}: {'the same as NumPy' if right else 'not what NumPy computes'}")
        correct &= right
    print("PASS" if correct else "FAIL")
    return 0 if correct else 1


sys.exit(main())
