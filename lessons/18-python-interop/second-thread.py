# Lesson 18: while one thread waits for the device, does a second thread of Python run?
#
# Run: ./course run second-thread

import ctypes
import sys
import threading
import time

import numpy as np

import python_interop
from plate import figure, managed, seconds


# A thread that counts until it is told to stop.
class Counter(threading.Thread):
    def __init__(self):
        super().__init__()
        self.count, self.stopped = 0, False

    def run(self):
        while not self.stopped:
            self.count += 1


# Millions that the second thread counts per second while this one does `work`.
def count_during(work):
    counter = Counter()
    counter.start()
    before, start = counter.count, time.perf_counter()
    work()
    after, end = counter.count, time.perf_counter()
    counter.stopped = True
    counter.join()
    return 1e-6 * (after - before) / (end - start)


# [waits]
# The same C function, whose wait keeps Python's lock or releases it.
def c_wait(loader):
    function = loader(python_interop.__file__).heat_wait
    function.argtypes = [ctypes.c_void_p]
    return function


waits = {
    "waits, and keeps the lock (ctypes.PyDLL)": c_wait(ctypes.PyDLL),
    "waits, released (ctypes.CDLL)": c_wait(ctypes.CDLL),
    "waits, released (pybind11)": python_interop.wait,
}
# [end]


def main():
    print(f"device: {python_interop.use_device()}\n\nthe second thread counts while the first")
    figure("sleeps", count_during(lambda: time.sleep(0.3)), "million per second")
    values = np.random.default_rng(18).random((2048, 2048))
    (now, now_view), (next, next_view) = managed(values), managed(values)
    one_step = seconds(lambda: python_interop.step(now, next), 3)
    pairs = max(1, min(500, round(0.2 / one_step)))  # a stream takes about 1000 launches before one waits

    def steps(stream):
        now_view[:] = next_view[:] = values
        for _ in range(pairs):
            python_interop.step(now, next, stream)
            python_interop.step(next, now, stream)

    steps(None)  # each waits for itself
    expected = now_view.copy()
    correct = True
    for what, wait in waits.items():
        steps(0)
        figure(what, count_during(lambda: wait(0)), "million per second")
        correct &= np.array_equal(now_view, expected)
    print("PASS" if correct else "FAIL")
    return 0 if correct else 1


sys.exit(main())
