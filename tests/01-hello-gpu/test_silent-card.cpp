// Judges exercise 01-hello-gpu/silent-card as a whole program: where the device is missing it must
// end at once, with CUDA's reason, before it speaks of SMs and before a later line takes the blame.
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("a device that is there") {
  course::Judge judge;
  judge.program("no argument: the first device").prints("device 0: ").prints("PASS");
  judge.program("device 0").arguments({"0"}).prints("device 0: ").prints_not(": 0 SMs");
  judge.run();
}

TEST_CASE("a device that is not there") {
  course::Judge judge;
  for (const char *device : {"99", "-1"})
    judge.program(std::string("device ") + device)
        .arguments({device})
        .fails()
        .prints("invalid device ordinal")
        .prints_not(" SMs")
        .prints_not("invalid configuration");
  judge.program("no device is visible")
      .environment("CUDA_VISIBLE_DEVICES", "")
      .fails()
      .prints("no CUDA-capable device")
      .prints_not(" SMs");
  judge.run();
}
