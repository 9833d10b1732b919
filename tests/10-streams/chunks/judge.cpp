// Judges exercise 10-streams/chunks: the values, within the memory; and that chunks may overlap.
#include "common/grader/judge/judge.hpp"
#include "exercises/10-streams/chunks.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(chunks)>;

// As in bigger-than-memory: a float below 2048, and 273.15 itself, are right to half of the
// distance of two floats there.
const double tolerance = 2.1 / 16384 + 1.0 / 65536;

void ask_also(Question &question, const std::vector<float> &celsius, int device_bytes) {
  std::vector<float> kelvin;
  for (float degrees : celsius)
    kelvin.push_back(float(degrees + 273.15));
  question.with(int(celsius.size()), celsius, course::output(kelvin, tolerance), device_bytes);
}

void ask_also(course::Judge &judge, Question &question, int n, int device_bytes) {
  ask_also(question, judge.numbers<float>(n, -270, 1500), device_bytes);
}

Question ask(course::Judge &judge, int n, int device_bytes, const std::string &also = "") {
  auto question = judge.ask<decltype(chunks)>(std::to_string(n) + " numbers through " +
                                              std::to_string(device_bytes) + " bytes" + also);
  ask_also(judge, question, n, device_bytes);
  question.device_memory(std::min<std::size_t>(device_bytes, 16ull * n)); // four arrays
  return question;
}

} // namespace

TEST_CASE("every number is converted, within the memory") {
  course::Judge judge;
  for (int n : judge.sizes(60'000)) // in 1 to 40 chunks and the rest
    ask(judge, n, std::max(16, 4 * n / judge.number(1, 40) + judge.number(-15, 15)));
  ask(judge, judge.number(2, 31), 16); // a number at a time
  const int n = judge.number(5000, 9000);
  ask(judge, n, 4 * n);
  ask(judge, n, 16 * judge.number(n / 3 + 1, n / 2 - 1)); // two chunks and a part of the third
  // One chunk, odd, so that no buffer may be rounded up; and with more blocks than a block may have
  // threads: a launch must not exchange the two.
  const int odd = 2 * judge.number(135'000, 150'000) + 1;
  ask(judge, odd, std::numeric_limits<int>::max());
  ask(judge, odd / 64 * 2 + 1, odd / 64 * 32 + 16 + judge.number(0, 15));
  judge.run();
}

TEST_CASE("temperatures that cannot be") {
  course::Judge judge;
  const int n = judge.number(300, 900);
  auto question = judge.ask<decltype(chunks)>(std::to_string(n) + " numbers, some of them special");
  ask_also(question,
           judge.sprinkled(judge.numbers<float>(n, -900, 1500), {INFINITY, -INFINITY, NAN}), n);
  question.device_memory(n);
  judge.run();
}

TEST_CASE("in another order of the streams; several calls; and who does the work") {
  course::Judge judge;
  const int n = 32 * judge.number(156, 280) + 31, bytes = judge.number(400, 4000);
  for (const char *order : {"reverse", "random:1"})
    ask(judge, n, bytes, std::string(", streams in another order: ") + order)
        .environment("COURSE_CPU_ORDER", order);
  auto calls = ask(judge, n, bytes, ", then half of them through fewer, then all again");
  ask_also(judge, calls, n / 2, bytes / 2);
  ask_also(judge, calls, n, bytes);
  auto celsius = judge.numbers<float>(n, -270, 1500);
  ask_also(calls, celsius, bytes);
  celsius[n / 2] -= 100; // alone
  ask_also(calls, celsius, bytes);
  ask(judge, n, 1000, ", kernels do nothing").without_kernels();
  judge.run();
}

TEST_CASE("chunks in different streams may overlap") {
  course::Judge judge;
  // So long that a copy from pageable memory makes the host wait, more than 64 KiB each; and many.
  const int length = judge.number(17'000, 20'000), many = judge.number(300, 900);
  for (auto [n, chunk] : {std::pair(4 * judge.number(3, 4) * length, length),
                          {4 * judge.number(10, 15) * many - judge.number(1, many - 1), many}})
    // Two streams are enough: each has half of the memory, and half of the chunks.
    ask(judge, n, 16 * chunk, ", counted")
        .overlaps(
            "the host waits in the loop, a copy or a kernel is not in its chunk's own stream, a "
            "copy has a side in pageable memory, or too many chunks share a buffer.");
  judge.run();
}

TEST_CASE("as many numbers as there may be", "[large]") {
  course::Judge judge;
  // A float holds neither the number of elements nor that of the bytes: 15 bytes are left over.
  const int n = 20'000'000 - judge.number(0, 1000),
            bytes = (1 << 24) + 16 * judge.number(1, 99) + 15;
  auto question = judge.ask<decltype(chunks)>(std::to_string(n) + " numbers through " +
                                              std::to_string(bytes) + " bytes");
  std::vector<float> celsius(n);
  for (int i = 0; i < n; ++i)
    celsius[i] = i % 1021;
  ask_also(question, celsius, bytes);
  question.device_memory(bytes).overlaps("a copy has a side in pageable memory.");
  judge.run();
}
