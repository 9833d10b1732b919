# Lesson 18: which arrays the extension refuses, and how long a view may live.
#
# Run: ./course run safe-arrays

import gc
import sys
import weakref

import numpy as np

import python_interop
from plate import managed, numpy_step


# [refused]
# Calls that must fail, each with the exception that says why.
def refused():
    plate, view = managed(np.zeros((8, 8)))
    wide, wide_view = managed(np.zeros((8, 16)))
    constant = np.asarray(plate)
    constant.flags.writeable = False
    return {
        "float32": (TypeError, lambda: python_interop.step(plate, view.view(np.float32))),
        "every second column": (ValueError, lambda: python_interop.step(plate, wide_view[:, ::2])),
        "transposed": (ValueError, lambda: python_interop.step(wide, wide_view.T)),
        "one row": (ValueError, lambda: python_interop.step(plate, view[0])),
        "read-only": (ValueError, lambda: python_interop.step(plate, constant)),
        "another shape": (ValueError, lambda: python_interop.step(plate, wide)),
        "twice the same": (ValueError, lambda: python_interop.step(plate, view)),
        "a list": (TypeError, lambda: python_interop.step(plate, [1.0, 2.0])),
        "8 EB": (python_interop.CudaError, lambda: python_interop.Managed(1 << 30, 1 << 30)),
    }
# [end]


# Whether `call` raises `wanted`, after which the extension still works.
def refuses(what, wanted, call):
    try:
        call()
        print(f"   {what}: accepted")
        return False
    except wanted as error:
        print(f"   {what}\n      {type(error).__name__}: {error}")
    plate, view = managed(np.ones((3, 3)))
    result, result_view = managed(np.zeros((3, 3)))
    python_interop.step(plate, result)
    return result_view[1, 1] == 1


# Whether arrays in NumPy's own memory are refused, or used rightly where the device reaches all memory of the host.
def treats_pageable_memory():
    now, next = np.random.default_rng(18).random((8, 8)), np.zeros((8, 8))
    try:
        python_interop.step(now, next)
    except ValueError as error:
        print(f"   memory of NumPy's own\n      ValueError: {error}")
        return True
    print("   memory of NumPy's own: accepted, this device reads and writes it")
    expected = np.zeros((8, 8))
    numpy_step(now, expected)
    return np.array_equal(next, expected)


# [lifetimes]
# By the array interface NumPy keeps the object that owns the memory; by DLPack only the memory.
def views_outlive_their_owner():
    correct = True
    for protocol, keeps_object in ((np.asarray, True), (np.from_dlpack, False)):
        owner = python_interop.Managed(8, 8)
        np.asarray(owner)[:] = 42
        alive = weakref.ref(owner)
        view = protocol(owner)
        del owner
        gc.collect()
        others = [managed(np.zeros((8, 8))) for _ in range(100)]  # these would get it, were it free
        print(f"   {protocol.__name__}: the owner {'lives' if alive() else 'is gone'}, the view has {view[0, 0]}")
        correct &= bool(np.all(view == 42)) and (alive() is not None) == keeps_object
        del view, others
        correct &= alive() is None
    return correct
# [end]


def main():
    print(f"device: {python_interop.use_device()}\n\nrefused")
    correct = all([refuses(what, *call) for what, call in refused().items()])
    correct &= treats_pageable_memory()
    print("\nviews of memory whose owner's name is deleted")
    correct &= views_outlive_their_owner()
    print("PASS" if correct else "FAIL")
    return 0 if correct else 1


sys.exit(main())
