// Exercise 18-python-interop/dangling-view: a bug hunt. Arrays change their values.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/18-python-interop/dangling-view.cu $(python3 common/python_flags.py) -o dangling-view
// Run:   ./dangling-view
//
// field.hpp defines the structs for the memory, the field and the view, and the module for Python.
// The four functions here decide how long the memory lives.

#include "exercises/18-python-interop/field.hpp"

#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/18-python-interop/dangling-view.hpp"
#include "exercises/18-python-interop/interpreter.hpp"

#include <cstdio>
#include <utility>

// field.part(first, count)
Field part_of(const Field &field, int first, int count) {
  // TODO 1: find the bug. What happens if the part outlives the field?
  return {nullptr, field.values + first, count};
  // TODO end
}

// The reader calls this once, when it no longer uses the memory, at any time and in any thread.
void delete_view(DLManagedTensor *tensor) {
  // TODO 2: find the bug. The reader has finished. Who deletes the view?
  // TODO end
}

// Returns the view that a reader gets.
View *view_of(const Field &field) {
  auto *view = new View;
  view->count = field.count;
  view->tensor.dl_tensor = {
      field.values, {dl_cuda_managed, 0}, 1, {2, 32, 1}, &view->count, nullptr, 0};
  view->tensor.manager_ctx = view;
  view->tensor.deleter = delete_view;
  // TODO 3: find the bug. How long is field.values valid?
  // TODO end
  return view;
}

// Python calls this when the last reference to the capsule is gone. The capsule is named "dltensor"
// until a reader takes the tensor out; the reader then renames it to "used_dltensor".
void delete_capsule(PyObject *capsule) {
  // TODO 4: find the bug. What happens if no reader took the tensor?
  // TODO end
}

Answer dangling_view(const char *script) {
  python::start("heat", create_heat);
  const Answer answer = python::run(script);
  if (answer.error[0]) // free what the script has left behind
    for (Memory *memory : Memory::living)
      cudaFree(std::exchange(memory->values, nullptr));
  return answer;
}

const char *script = R"(
import gc
import numpy as np
import heat

result = 0
def count(what, memories, views):
    global result
    gc.collect()
    if heat.living() == (memories, views):
        print(f"  {what}: correct")
        return True
    print(f"  {what}: {heat.living()[0]} allocations and {heat.living()[1]} views are alive, "
          f"expected: {memories} and {views}")
    result += 1
    return False

field = heat.Field(1000, 20.5)
part = field.part(10, 5)
del field
count("a part, after its field is deleted", 1, 0)
array = np.from_dlpack(part)
del part
if count("an array, after its field and part are deleted", 1, 1) and (array != 20.5).any():
    print("  the array has changed:", array)
    result += 1
del array
count("after the array is deleted", 0, 0)
capsule = heat.Field(1000, 3).__dlpack__()
del capsule
count("after a capsule without a reader is deleted", 0, 0)
)";

int main() {
  course::print_device();
  const Answer answer = dangling_view(script);
  if (answer.error[0])
    std::printf("  %s\n", answer.error);
  return course::verdict(answer.value == 0);
}
