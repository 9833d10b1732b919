// Judges exercise 18-python-interop/dangling-view: before a script reads memory, it counts the
// allocations that are alive.
#include "tests/18-python-interop/scripts.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

// The script's lines leave `count` numbers of this value in `values`.
void ask(course::Judge &judge, const std::string &title, const std::string &lines,
         bool without_kernels = false) {
  const int count = judge.number(20, 3000);
  const float value = judge.number(3, 1000) / 2.0f;
  Script question = judge.ask<decltype(python_script)>(title);
  const std::string names =
      "count, value = " + std::to_string(count) + ", " + std::to_string(value) + R"(

def expect(allocations, when):
    gc.collect()
    living = exercise.library.field_living()
    assert living == allocations, f"{when}: {living} allocations are alive, expected: {allocations}"
)";
  run(question, names + lines, std::vector<float>(count, 0), std::vector<float>(count, value));
  if (without_kernels)
    question.without_kernels();
}

} // namespace

TEST_CASE("the memory lives as long as a view of it") {
  course::Judge judge;
  const std::string field = R"(
field = exercise.Field(count, value)
expect(1, "a field")
array = field.array()
assert array.ctypes.data == field.address, "array() returned a copy, not a view"
values[:] = array
del field, array
expect(0, "nothing is left")
)";
  ask(judge, "a field", field);
  ask(judge, "an array, without its field", R"(
array = exercise.Field(count, value).array()
expect(1, "an array, without its field")
values[:] = array
del array
expect(0, "nothing is left")
)");
  ask(judge, "a slice of an array, without the array", R"(
array = exercise.Field(count + 10, value).array()[10:]
expect(1, "a slice of an array, without the array and its field")
values[:] = array
del array
expect(0, "nothing is left")
)");
  ask(judge, "a part, without its field", R"(
part = exercise.Field(count + 10, value).part(10, count)
expect(1, "a part, without its field")
values[:] = part.array()
del part
expect(0, "nothing is left")
)");
  ask(judge, "a field, without its parts", R"(
field = exercise.Field(count, value)
for first in 0, 10:
    part = field.part(first, count - first)
    del part
    expect(1, f"a field; its part from {first} on is gone")
values[:] = field.array()
del field
expect(0, "nothing is left")
)");
  ask(judge, "an array of a part of a part", R"(
array = exercise.Field(count + 10, value).part(5, count + 5).part(5, count).array()
expect(1, "an array of a part of a part, without them and their field")
values[:] = array
del array
expect(0, "nothing is left")
)");
  ask(judge, "kernels do nothing", field, true);
  judge.run();
}

TEST_CASE("a view is not a copy") {
  course::Judge judge;
  ask(judge, "arrays and parts change with their field", R"(
field = exercise.Field(count + 10, 0)
part = field.part(10, count)
array = part.array()
expect(1, "a field, its part and an array")
field.array()[10:] = value
values[:] = array
del field, part
expect(1, "an array, without its part and field")
del array
expect(0, "nothing is left")
)");
  ask(judge, "many fields and arrays", R"(
fields = [exercise.Field(count, value + i) for i in range(20)]
arrays = [field.array() for field in fields for _ in range(3)]
expect(20, "20 fields with 3 arrays each")
del fields[1:]
del arrays[6:]
expect(2, "a field, and 6 arrays of this and another field")
values[:] = arrays[5] - 1
fields.clear()
expect(2, "6 arrays of 2 fields")
arrays.clear()
expect(0, "nothing is left")
)");
  judge.run();
}
