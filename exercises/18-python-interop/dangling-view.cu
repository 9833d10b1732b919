// Exercise 18-python-interop/dangling-view: a bug hunt. An array with numbers that nobody wrote.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/18-python-interop/dangling-view.cu $(python3 common/python_flags.py) -o dangling-view
// Run:   ./dangling-view
//
// field.hpp has the memory, the field and the view as structs, and what Python sees of them. Which
// of them keeps the memory alive, and until when, is decided here.

#include "exercises/18-python-interop/field.hpp"

#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/18-python-interop/dangling-view.hpp"
#include "exercises/18-python-interop/interpreter.hpp"

#include <cstdio>
#include <utility>

// field.part(first, count)
Field part_of(const Field &field, int first, int count) {
  // TODO 1: find the fault: what if the part is all that Python still has?
  return {nullptr, field.values + first, count};
  // TODO end
}

// The reader calls this once, when it no longer uses the memory: at any time, in any thread.
void delete_view(DLManagedTensor *tensor) {
  // TODO 2: find the fault: the reader is done, and who else knows of this view?
  // TODO end
}

// What the reader gets.
View *view_of(const Field &field) {
  auto *view = new View;
  view->count = field.count;
  view->tensor.dl_tensor = {
      field.values, {dl_cuda_managed, 0}, 1, {2, 32, 1}, &view->count, nullptr, 0};
  view->tensor.manager_ctx = view;
  view->tensor.deleter = delete_view;
  // TODO 3: find the fault: for how long is field.values valid?
  // TODO end
  return view;
}

// Python calls this when nobody has the capsule any more. Its name is "dltensor" until a reader
// takes the tensor out; the reader then names it "used_dltensor".
void delete_capsule(PyObject *capsule) {
  // TODO 4: find the fault: what if no reader has come?
  // TODO end
}

Answer dangling_view(const char *script) {
  python::start("heat", create_heat);
  const Answer answer = python::run(script);
  if (answer.error[0]) // what the script has left, whoever owns it
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
        print(f"  {what}: as it should be")
        return True
    print(f"  {what}: {heat.living()[0]} memories and {heat.living()[1]} views live, and there should "
          f"be {memories} and {views}")
    result += 1
    return False

field = heat.Field(1000, 20.5)
part = field.part(10, 5)
del field
count("a part, without its field", 1, 0)
array = np.from_dlpack(part)
del part
if count("an array, without its field", 1, 1) and (array != 20.5).any():
    print("  the array has other numbers:", array)
    result += 1
del array
count("nothing is left", 0, 0)
capsule = heat.Field(1000, 3).__dlpack__()
del capsule
count("a capsule that nobody has read", 0, 0)
)";

int main() {
  course::print_device();
  const Answer answer = dangling_view(script);
  if (answer.error[0])
    std::printf("  %s\n", answer.error);
  return course::verdict(answer.value == 0);
}
