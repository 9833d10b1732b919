# Lesson 18, deep dive: a Python module in C++, by pybind11, compared with NumPy.
#
# Run: ./course run heat-module

import sys

import numpy as np

import heat
import heat_module


def refused(values):
    """Return the exception that the module raises for this array, or None."""
    try:
        heat_module.steps(values, 1)
    except (TypeError, ValueError) as error:
        return type(error)


heat.library.heat_print_device()
start = np.random.default_rng(18).random((203, 517))
once, plate = start.copy(), start.copy()
heat.numpy_step(start, once)
heat_module.steps(plate, 1)
correct = (np.array_equal(plate, once) and refused(start.astype(np.float32)) == TypeError
           and refused(start[0].copy()) == ValueError)
print("PASS" if correct else "FAIL")
sys.exit(not correct)
