// Judges exercise 01-hello-gpu/silent-card as a whole program: where the device is missing it must
// end at once, with CUDA's reason and no other, before it speaks of SMs and before a later line
// takes the blame.
#include "common/grader/judge/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

const char first_call[] = "cudaSetDevice", later_call[] = "cudaDeviceGetAttribute";
const char no_such_device[] = "invalid device ordinal", no_device[] = "no CUDA-capable device";

course::Program ask_for_missing(course::Judge &judge, const std::string &device) {
  return judge.program("device " + device)
      .arguments({device})
      .fails()
      .prints(no_such_device)
      .prints(first_call)
      .prints_not(later_call)
      .prints_not(no_device)
      .prints_not(" SMs")
      .prints_not("invalid configuration");
}

} // namespace

TEST_CASE("a device that is there") {
  course::Judge judge;
  judge.program("no argument: the first device").prints("device 0: ").prints("PASS");
  judge.program("device 0").arguments({"0"}).prints("device 0: ").prints_not(" 0 ");
  if (!COURSE_CUDA) { // any number of devices
    const std::string sms = std::to_string(judge.number(3, 90));
    judge.program("a device of " + sms + " multiprocessors")
        .environment("COURSE_CPU_PROCESSORS", sms)
        .prints("device 0: " + sms + " SMs")
        .prints("PASS");
    const std::string last = std::to_string(judge.number(1, 6));
    judge.program("device 1 of two, and the memory of the other is taken")
        .arguments({"1"})
        .environment("COURSE_CPU_DEVICES", "2")
        .environment("COURSE_CPU_MEMORY", "1,1000000000")
        .environment("COURSE_CPU_PROCESSORS", "100," + sms)
        .prints("device 1: " + sms + " SMs")
        .prints("PASS");
    judge.program("device " + last + ", the last of several")
        .arguments({last})
        .environment("COURSE_CPU_DEVICES", std::to_string(std::stoi(last) + 1))
        .prints("device " + last + ": ")
        .prints("PASS");
  }
  judge.run();
}

TEST_CASE("a device that is not there") {
  course::Judge judge;
  ask_for_missing(judge, "99");
  ask_for_missing(judge, "-1");
  ask_for_missing(judge, std::to_string(judge.number(20, 2'000'000'000)));
  ask_for_missing(judge, std::to_string(256 * judge.number(1, 1000))); // 0 as an exit code
  if (!COURSE_CUDA) {
    const std::string count = std::to_string(judge.number(1, 6));
    ask_for_missing(judge, count).environment("COURSE_CPU_DEVICES", count);
  }
  for (const std::string device : {"0", "3", ""})
    judge
        .program((device.empty() ? "no argument" : "device " + device) +
                 ", and no device is visible")
        .arguments(device.empty() ? std::vector<std::string>() : std::vector{device})
        .environment("CUDA_VISIBLE_DEVICES", "")
        .fails()
        .prints(no_device)
        .prints(first_call)
        .prints_not(later_call)
        .prints_not(no_such_device)
        .prints_not(" SMs");
  judge.run();
}
