"""The worker of an exercise in Python: loads the learner's file, and runs the scripts of the judge in it.

Arguments: the learner's file; the library that it calls, which contains the C++ part of the worker.
"""

import ctypes
import gc
import linecache
import sys
import traceback
import types
import weakref

import numpy as np

path, library = sys.argv[1:]
name = path.rsplit("/", 1)[-1]  # as tracebacks have it
worker = ctypes.CDLL(library)


class Grader:
    """What scripts can use."""

    held_stream, go_on = worker.course_held_stream, worker.course_go_on
    wait_for_default_stream = worker.course_wait_for_default_stream
    held_stream.restype, go_on.restype = ctypes.c_void_p, ctypes.c_bool

    @staticmethod
    def pinned(values):
        """Return a copy of a float32 array in page-locked memory."""
        address = worker.course_allocate_pinned(values.nbytes)
        memory = (ctypes.c_float * values.size).from_address(address)
        weakref.finalize(memory, worker.course_free_pinned, address)
        array = np.frombuffer(memory, np.float32).reshape(values.shape)
        array[...] = values
        return array


worker.course_allocate_pinned.restype = ctypes.c_void_p
worker.course_allocate_pinned.argtypes = [ctypes.c_size_t]
worker.course_free_pinned.argtypes = [ctypes.c_void_p]


class Result(ctypes.Structure):
    """ScriptResult of python_script.hpp."""

    _fields_ = [("error", ctypes.c_char * 480)]


def text_of(error):
    """Return the exception, with the learner's last line that it went through."""
    frames = traceback.extract_tb(error.__traceback__)
    text = f"{type(error).__name__}: {error}"[:300]
    lines = [f"\n{name}:{frame.lineno}: {frame.line}" for frame in frames if frame.filename == name]
    return text + "".join(lines[-1:])


@ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.POINTER(ctypes.c_float), ctypes.c_int, ctypes.POINTER(Result))
def run(script, values, count, result):
    names = {"exercise": exercise, "grader": Grader, "np": np, "gc": gc, "weakref": weakref}
    result[0].error = b"an exception that cannot be printed"  # its __str__ may raise another one
    try:
        names["values"] = np.ctypeslib.as_array(values, (count,))
        exec(compile(script, "judge", "exec"), names)
        result[0].error = b""
    except BaseException as error:  # also SystemExit
        result[0].error = text_of(error).encode(errors="replace")[:479]
    names.clear()
    gc.collect()


with open(path, encoding="utf-8-sig") as file:
    text = file.read()
linecache.cache[name] = len(text), None, text.splitlines(True), name
exercise = sys.modules["exercise"] = types.ModuleType("exercise")
exec(compile(text, name, "exec"), exercise.__dict__)
if hasattr(gc, "freeze"):  # since Python 3.7
    gc.freeze()  # collect() need not look through what was imported
worker.course_run_scripts_with(run)
sys.exit(worker.course_answer_all())
