// Judges exercise 18-python-interop/dangling-view by scripts in Python, which count allocations and
// views after each step: before a script reads or frees something it knows that it is there.
#include "exercises/18-python-interop/dangling-view.hpp"
#include "tests/18-python-interop/scripts.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

const std::string begin = R"(
import ctypes, gc
import numpy as np
import heat
gc.freeze() # what has been imported stays, and gc.collect() need not look through it

def expect(memories, views, when):
    gc.collect()
    assert heat.living() == (memories, views), (
        f"{when}: {heat.living()[0]} allocations and {heat.living()[1]} views live, and there "
        f"should be {memories} and {views}")

class Tensor(ctypes.Structure):
    """DLManagedTensor."""
Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(Tensor))
Tensor._fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2),
                   ("ndim", ctypes.c_int32), ("dtype", ctypes.c_uint8 * 4),
                   ("shape", ctypes.POINTER(ctypes.c_int64)),
                   ("strides", ctypes.c_void_p), ("offset", ctypes.c_uint64),
                   ("manager_ctx", ctypes.c_void_p), ("deleter", Deleter)]
address_in = ctypes.pythonapi.PyCapsule_GetPointer
address_in.argtypes, address_in.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
set_name = ctypes.pythonapi.PyCapsule_SetName
set_name.argtypes = [ctypes.py_object, ctypes.c_char_p]
used = ctypes.c_char_p(b"used_dltensor")

class Reader:
    """Takes the tensor out of a capsule; whoever but the reader calls its deleter is counted."""
    def __init__(self, capsule):
        self.tensor = Tensor.from_address(address_in(capsule, b"dltensor"))
        self.delete = Deleter.from_buffer_copy(self.tensor.deleter)
        self.others = 0
        self.count = Deleter(self.count_others)
        self.tensor.deleter = self.count
        set_name(capsule, used)
    def count_others(self, tensor):
        self.others += 1
    def sum(self):
        return sum((ctypes.c_float * self.tensor.shape[0]).from_address(self.tensor.data))
    def close(self):
        self.delete(self.tensor)
)";

// The script's last lines, which have `count` and `value`, leave the sum of all elements.
void ask(course::Judge &judge, const std::string &title, const std::string &lines,
         bool without_kernels = false) {
  const int count = judge.number(20, 3000);
  const double value = judge.number(3, 1000) / 2.0;
  auto question = judge.ask<decltype(dangling_view)>(title);
  question.with(text_of(begin + "count, value = " + std::to_string(count) + ", " +
                        std::to_string(value) + "\n" + lines));
  gives(question, count * value);
  if (without_kernels)
    question.without_kernels();
}

} // namespace

TEST_CASE("a part of a field, which has gone") {
  course::Judge judge;
  ask(judge, "a part of a field, a part of that, and the other way round", R"(
field = heat.Field(count + 10, value)
part = field.part(3, count + 5)
del field
expect(1, 0, "a part, without its field")
part = part.part(2, count)
expect(1, 0, "a part of a part, without both")
array = np.from_dlpack(part)
expect(1, 1, "a part and its array")
result = array.sum(dtype=float)
del array
expect(1, 0, "a part, without its array")
del part
expect(0, 0, "no part any more")
field = heat.Field(count, value)
part = field.part(0, 1)
del part
expect(1, 0, "a field, without its part")
part = field.part(0, count)
del field
expect(1, 0, "a part that is all of its field, without it")
part = part.part(0, count - 1)
expect(1, 0, "a part of that, with its first element")
part = part.part(1, count - 2)
expect(1, 0, "a part of that, without its first element")
del part
expect(0, 0, "no field any more")
)");
  ask(judge, "where a part of a part begins", R"(
field = heat.Field(count + 10, value)
array = np.from_dlpack(field)
part = np.from_dlpack(field.part(3, count + 5).part(2, count))
begins = (part.ctypes.data - array.ctypes.data) / 4
assert begins == 5, (
    f"field.part(3, {count + 5}).part(2, {count}) begins at element {begins:g} of the field, not at 5")
result = part.sum(dtype=float)
del field, array, part
expect(0, 0, "nothing is left")
)");
  judge.run();
}

TEST_CASE("an array of NumPy, whose field has gone") {
  course::Judge judge;
  ask(judge, "an array of a field that has gone", R"(
field = heat.Field(count, value)
array = np.from_dlpack(field)
expect(1, 1, "a field and its array")
del field
expect(1, 1, "an array, without its field")
result = array.sum(dtype=float)
del array
expect(0, 0, "no array any more")
)");
  ask(judge, "a slice of an array of a part of a field that never had a name", R"(
array = np.from_dlpack(heat.Field(count + 10, value).part(5, count + 1))[1:]
expect(1, 1, "only the slice has a name")
result = array.sum(dtype=float)
del array
expect(0, 0, "no slice any more")
)");
  ask(judge, "kernels do nothing", R"(
array = np.from_dlpack(heat.Field(count, value))
expect(1, 1, "an array, without its field")
result = array.sum(dtype=float)
)",
      true);
  judge.run();
}

TEST_CASE("many arrays, and a field that outlives them") {
  course::Judge judge;
  ask(judge, "three arrays, one after the other and at the same time", R"(
field = heat.Field(count, value)
for last in range(3):
    array = np.from_dlpack(field)
    expect(1, 1, "a field and its array")
    del array
    expect(1, 0, "a field, without its array")
    arrays = [np.from_dlpack(field) for _ in range(3)]
    expect(1, 3, "a field and three arrays")
    array = arrays[last]
    del field, arrays
    expect(1, 1, f"array {last} of three, without the others and their field")
    result = array.sum(dtype=float)
    del array
    expect(0, 0, "no array any more")
    field = heat.Field(count, value)
)");
  ask(judge, "hundreds of arrays, freed at once", R"(
field = heat.Field(count, value)
arrays = [np.from_dlpack(field) for _ in range(500)]
result = arrays[0].sum(dtype=float)
del arrays
expect(1, 0, "a field, without its arrays")
)");
  ask(judge, "capsules of fields of several lengths, read later", R"(
lengths = [count, count + 1, 1]
capsules = [heat.Field(length, value).__dlpack__() for length in lengths]
readers = [Reader(capsule) for capsule in capsules]
read = [reader.tensor.shape[0] for reader in readers]
assert read == lengths, f"fields of {lengths} elements have views of {read}"
result = readers[0].sum()
for reader in readers:
    reader.close()
expect(0, 0, "all readers are done")
)");
  judge.run();
}

TEST_CASE("capsules, read and unread") {
  course::Judge judge;
  ask(judge, "a capsule that nobody has read", R"(
field = heat.Field(count, value)
capsule = field.__dlpack__()
expect(1, 1, "a field and its capsule")
del field
expect(1, 1, "a capsule, without its field")
del capsule
expect(0, 0, "a capsule that nobody has read has gone")
result = count * value
)");
  ask(judge, "a capsule that a reader has read", R"(
capsule = heat.Field(count, value).__dlpack__()
reader = Reader(capsule)
expect(1, 1, "a capsule and its reader")
del capsule
expect(1, 1, "a reader, without its capsule")
assert reader.others == 0, "who but the reader has called the deleter?"
result = reader.sum()
reader.close()
expect(0, 0, "the reader has called the deleter")
)");
  ask(judge, "a reader that is done before its capsule has gone", R"(
field = heat.Field(count, value)
capsule = field.__dlpack__()
reader = Reader(capsule)
result = reader.sum()
reader.close()
expect(1, 0, "a field, and a capsule that has been read")
del capsule
expect(1, 0, "a field, whose capsule has gone")
del field
expect(0, 0, "nothing is left")
)");
  ask(judge, "a capsule that has been read ends while an exception passes", R"(
def read(capsule):
    global reader
    reader = Reader(capsule)
    return capsule
try:
    read(heat.Field(count, value).__dlpack__()), 1 / 0
except ZeroDivisionError:
    pass
result = reader.sum()
reader.close()
expect(0, 0, "nothing is left")
)");
  judge.run();
}
