"""What the twins share: the libraries that are here, a proof before each time, and rows for
./course bench python. Run as a program it prints the versions, and what is left out.
"""

import ctypes
import importlib
import os
import statistics
import sys
import time
import warnings

import numpy as np


def optional(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


# Two that do not matter here: the proofs' grids are small on purpose, and an interface may change.
for message in (".*under-utilization", "cupyx.jit.rawkernel is experimental"):
    warnings.filterwarnings("ignore", message=message)

left_out = []  # a line for each library that is


def on_gpu(package, label, is_available):
    """The module, where it is installed and finds a GPU; else notes why it is left out."""
    module = optional(package)
    if not module:
        left_out.append(f"{label}: not installed")
    elif os.environ.get("COURSE_BACKEND") == "cpu" or not is_available(module):
        left_out.append(f"{label}: finds no GPU")
    else:
        return module
    return None


# Each is None where it is not installed, and the last three also where they find no GPU to use.
numba = optional("numba")
if not numba:
    left_out.append("Numba: not installed")
cuda = on_gpu("numba.cuda", "Numba CUDA", lambda module: module.is_available()) if numba else None
cupy = on_gpu("cupy", "CuPy", lambda module: module.cuda.is_available())
torch = on_gpu("torch", "PyTorch", lambda module: module.cuda.is_available())
simulated = bool(cuda and numba.config.ENABLE_CUDASIM)


def versions():
    found = [f"Python {sys.version.split()[0]}", f"NumPy {np.__version__}"]
    for label, module in [("Numba", numba), ("CuPy", cupy), ("PyTorch", torch)]:
        if module:
            found.append(f"{label} {module.__version__}")
    return ", ".join(found)


def attribute(number):
    """Of the first GPU, as its driver says; 0 where there is none, or where none is to be used."""
    if os.environ.get("COURSE_BACKEND") == "cpu":
        return 0
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    device, value = ctypes.c_int(), ctypes.c_int()
    if (driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(device), 0) or
            driver.cuDeviceGetAttribute(ctypes.byref(value), number, device)):
        return 0
    return value.value


def multiprocessors():
    return attribute(16)  # CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT


def integrated():
    return attribute(18)  # CU_DEVICE_ATTRIBUTE_INTEGRATED


def sizes(full, small):
    """The numbers of the command line; those that are missing as the C++ programs choose them, by
    the size of the device (common/device.hpp)."""
    standard = full if multiprocessors() >= 16 and not integrated() else small
    given = [int(word) for word in sys.argv[1:]]
    if len(given) > len(standard) or any(number < 1 for number in given):
        sys.exit(f"{sys.argv[0]}: at most {len(standard)} whole numbers, each above 0")
    return given + list(standard[len(given):])


def hashed(i, factor):
    """The upper 24 bits of i * factor modulo 2^32, as the C++ programs make their numbers."""
    return (i * np.uint32(factor)) >> np.uint32(8)


def blocks(n, size):
    return (n + size - 1) // size


def on_host(array):
    """A NumPy array from what any of the libraries returned."""
    for method in ("get", "copy_to_host"):  # CuPy, Numba
        if hasattr(array, method):
            return getattr(array, method)()
    if hasattr(array, "cpu"):  # PyTorch
        return array.cpu().numpy()
    return np.asarray(array)


def host_clock(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def event_clock(work, start, stop, milliseconds):
    """Seconds between two events, as course::GpuTimer takes them. Where the device waits for
    Python to launch, that is a part of them."""
    start.record()
    work()
    stop.record()
    stop.synchronize()
    return 1e-3 * milliseconds(start, stop)


def cupy_clock(work):
    return event_clock(work, cupy.cuda.Event(), cupy.cuda.Event(), cupy.cuda.get_elapsed_time)


def cuda_clock(work):
    return event_clock(work, cuda.event(), cuda.event(), cuda.event_elapsed_time)


def torch_clock(work):
    event = torch.cuda.Event
    return event_clock(work, event(enable_timing=True), event(enable_timing=True),
                       lambda start, stop: start.elapsed_time(stop))


def median_seconds(clock, work):
    """Of up to 11 runs; of fewer where these take more than two seconds."""
    seconds = [clock(work)]
    while len(seconds) < 11 and sum(seconds) < 2:
        seconds.append(clock(work))
    return statistics.median(seconds)


def cpp_figures():
    """What the C++ programs wrote (common/figures.hpp): (program, what) to value, limit, limit_is
    and seconds."""
    path = os.environ.get("COURSE_CPP_FIGURES")
    if not path:
        return {}
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return {(program, what): (float(value), float(limit), limit_is, float(seconds))
            for program, what, value, _, limit, limit_is, seconds in rows}


class Twin:
    """The figures of one program: `amount` of `unit` per run, so that rates compare."""

    def __init__(self, title, unit, scale):
        self.title, self.unit, self.scale = title, unit, scale
        self.limit, self.limit_is = 0.0, ""
        self.correct = True
        self.cpp = cpp_figures()
        print(title)

    def _row(self, what, value, seconds):
        on_cpu = what.startswith(("NumPy", "Numba:")) and multiprocessors() > 0
        limit, limit_is = (0.0, "") if on_cpu else (self.limit, self.limit_is)
        share = f" {100 * value / limit:6.1f} % of {limit_is}" if limit else ""
        took = f" {1e3 * seconds:8.4g} ms" if seconds else ""
        print(f"   {what:<40} {value:10.4g} {self.unit:<8}{took}{share}")
        path = os.environ.get("COURSE_FIGURES")
        if path:
            with open(path, "a", encoding="utf-8") as file:
                file.write(f"{self.title}\t{what}\t{value:.6g}\t{self.unit}\t{limit:.6g}\t"
                           f"{limit_is}\t{seconds:.6g}\n")

    def beside(self, program, what, amount=None, label=None):
        """Repeats a figure of a C++ program that does the same work; figures that follow have its
        limit, but for those of the CPU beside a GPU. Returns the amount of its work. Without
        ./course bench python there is no figure."""
        if not self.cpp:
            return amount
        if (program, what) not in self.cpp:
            sys.exit(f"{self.title}: {program} has no figure \"{what}\"")
        value, self.limit, self.limit_is, seconds = self.cpp[program, what]
        if not seconds:
            seconds = amount * self.scale / value
        elif amount and abs(value * seconds / (amount * self.scale) - 1) > 0.01:
            sys.exit(f"{self.title}: \"{what}\" of {program} is of another size")
        self._row(f"C++: {label or what}", value, seconds)
        return value * seconds / self.scale

    def figure(self, what, amount, work, proof, clock=host_clock, same_size=True):
        """Calls work(), which compiles what is to be compiled, has proof() judge what it returned,
        and only then times it. amount: a number, or a function of what work() returned.
        same_size: else the rate alone compares, and no time is given."""
        try:
            result = work()
            proved = proof(result)
        except Exception as error:  # a library that does not fit the driver, or no memory left
            print(f"   {what:<40} failed: {type(error).__name__}: {error}")
            self.correct = False
            return
        if not proved:
            print(f"   {what:<40} WRONG")
            self.correct = False
        elif simulated and what.startswith("Numba CUDA"):
            print(f"   {what:<40} right in Numba's simulator, which has no times")
        else:
            if callable(amount):
                amount = amount(result)
            del result  # before the next one is made: it may be large
            seconds = median_seconds(clock, work)
            self._row(what, amount * self.scale / seconds, seconds if same_size else 0)

    def verdict(self):
        print("PASS" if self.correct else "FAIL")
        sys.exit(0 if self.correct else 1)


if __name__ == "__main__":
    print(versions())
    for line in left_out:
        print(f"left out: {line}")
