// The words of the grader: what it says of how a run ended.
#include "common/cpu/fault_report.hpp"
#include "common/grader/judge/explain.hpp"
#include "common/grader/judge/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace {

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("NaN and infinity are no wildcards") {
  const float nan = std::nanf(""), infinity = INFINITY;
  auto element = course::element_of<float>();
  auto same = [&](float expected, float came) { return element.same(&expected, &came, 1e30); };
  CHECK(same(nan, nan));
  CHECK(!same(1, nan));
  CHECK(!same(nan, 1));
  CHECK(same(infinity, infinity));
  CHECK(!same(infinity, -infinity));
  CHECK(!same(1, infinity));
}

TEST_CASE("what must not change in an array that is written to is named as such") {
  const auto array = course::in_out(std::vector<int>{1, 2}, std::vector<int>{5, 2});
  const int came[] = {4, 3};
  const std::string message =
      text_of(course::compare(array, "x", course::bytes_of(came, 2)).remarks);
  CHECK(contains(message, "x[0]: expected 5      got 4\n"));
  CHECK(contains(message, "x[1]: expected 2 (as it was)      got 3"));
}

TEST_CASE("what wrote outside of an array is guessed only where the sizes say so") {
  const auto say = [](std::size_t size, std::size_t changed) {
    const std::vector<float> hundred(100);
    course::Call call;
    call.parameters.push_back(course::output(hundred));
    const course::Found damage{course::Kind::oob, "damage", 0, size, changed};
    return course::text_of({course::explain_damage(damage, {&call})});
  };
  CHECK(contains(say(400, 4), "<= instead of <"));
  CHECK(contains(say(400, 4 * 28), "`if (i < n)`"));
  CHECK(contains(say(400, 4 * 156 - 2), "`if (i < n)`")); // some bytes were as they are
  CHECK(contains(say(100, 300), "cudaMalloc counts bytes"));
  CHECK(!contains(say(400, 4 * 27), "Often"));
  CHECK(!contains(say(200, 200), "Often"));
}

// The finding for a program that exits with faults, after `output`.
course::Finding of_faults(const std::string &output) {
  course::Outcome outcome;
  outcome.end = course::End::finished;
  outcome.code = course::exit_with_faults;
  outcome.output = output;
  return course::explain_faults(outcome);
}

// The report on a fault of memcheck with these details, met so often at a.cu:9.
std::string say_of_fault(const std::string &what, const std::string &thread,
                         const std::string &memory, int met) {
  const auto finding = of_faults(
      text_of(
          course::Fault{"memcheck",
                        what,
                        {"write at a.cu:9 by thread " + thread + ", kernel k launched at a.cu:20",
                         "an array of " + memory}}) +
      course::text_of(std::vector<course::FaultPlace>{{"memcheck", "a.cu:9", std::size_t(met)}}));
  CHECK(finding.kind == course::Kind::fault);
  return text_of(finding.remarks);
}

TEST_CASE("the first report of compute-sanitizer, its file and line, and what it means") {
  const auto report = [](const std::string &name) {
    std::ifstream file(COURSE_ROOT "/tests/sanitizer/" + name + ".txt");
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  const std::string nothing = report("synccheck-nothing"), meaning = "What it means.";
  for (const auto &[name, first, line] : std::vector<std::array<std::string, 3>>{
           {"initcheck-atomic", "Uninitialized __global__", "55-sum-not-zeroed.cu:6"},
           {"initcheck-copy", "Host API memory access", "56-copy-of-nothing.cu:14"},
           {"memcheck-crash", "Error: process didn't terminate", ""},
           {"memcheck-leak", "Leaked 128 bytes", "43-leak.cu:7"},
           {"memcheck-no-guard", "Invalid __global__ read of size 4", "30-no-guard.cu:10"},
           {"memcheck-shared-array", "Invalid __shared__", "34-shared-array.cu:6"},
           {"racecheck-lines", "Error: Race reported", "01-reads-lower-slot.cu:12"},
           {"racecheck-warp", "Warning: Race reported", "05-last-warp.cu:16"},
           {"synccheck-barrier", "Barrier error", "61-two-barriers-and-one.cu:11"}}) {
    CAPTURE(name);
    const std::string tool = name.substr(0, name.find('-'));
    const auto finding =
        of_faults("memcheck: mine\n========= mine\nhello" + nothing + report(name) + tool + ": " +
                  meaning + "\n" + nothing + "memcheck: later\n");
    CHECK(finding.kind == course::Kind::fault);
    const std::string message = text_of(finding.remarks);
    CHECK(message.find(tool + ": " + first) == 0);
    CHECK(contains(message, line));
    CHECK(contains(message, "\n" + meaning));
    for (const std::string other : {"mine", "SUMMARY", "Target application", "later"})
      CHECK(!contains(message, other));
  }
  CHECK(of_faults(nothing).kind == course::Kind::exit); // the program's own exit code
  CHECK(of_faults(report("initcheck-no-cuda")).kind == course::Kind::exit);
}

TEST_CASE("a guard is missing where whole blocks of threads are outside, and index is thread") {
  const std::string what = "write of 4 bytes outside any array",
                    last = "(232, 0, 0) of block (3, 0, 0)", // 1000 = 3 * 256 + 232
      memory = "4000 bytes allocated at a.cu:12, 0 bytes past the end";
  CHECK(contains(say_of_fault(what, last, memory, 24), "the guard is missing"));
  CHECK(contains(say_of_fault(what, last, memory, 72), "the guard is missing")); // three arrays
  CHECK(contains(say_of_fault(what, "(255, 0, 0) of block (3, 0, 0)",
                              "4000 bytes allocated at a.cu:12, 92 bytes past the end", 24),
                 "the guard is missing"));
  CHECK(contains(say_of_fault(what, "(1, 0, 0) of block (0, 0, 0)",
                              "4 bytes allocated at a.cu:12, 0 bytes past the end", 255),
                 "the guard is missing"));
  CHECK(contains(say_of_fault(what, last, memory, 1), "<= instead of <"));
  CHECK(!contains(say_of_fault(what, last, memory, 1), "guard"));
  for (const std::string &said :
       {say_of_fault(what, last, memory, 25),                             // not whole blocks
        say_of_fault(what, "(231, 0, 0) of block (3, 0, 0)", memory, 24), // thread i, element i + 1
        say_of_fault(what, "(231, 0, 0) of block (3, 0, 0)", memory, 1),
        say_of_fault(what, "(232, 1, 0) of block (3, 0, 0)", memory, 24),
        say_of_fault(what, last, "4000 bytes allocated at a.cu:12, 400 bytes past the end", 24),
        say_of_fault("write of memory that is freed", last, memory, 24)})
    CHECK(!contains(said, "Often"));
}

TEST_CASE("the element before the first one, and the remainder of -1") {
  const auto say = [](const std::string &distance) {
    return say_of_fault("read of 8 bytes outside any array", "(0, 0, 0) of block (0, 0, 0)",
                        "800 bytes allocated at a.cu:12, " + distance + " before the start", 1);
  };
  CHECK(contains(say("8 bytes"), "-1 % n is -1"));
  CHECK(!contains(say("800 bytes"), "Often"));
}

// The report on a program that ended after this output.
std::string say_of_output(const std::string &output) {
  course::Finding finding{course::Kind::exit, "ended"};
  course::add_output(finding, output);
  return text_of(finding.remarks);
}

TEST_CASE("grid and block that are swapped") {
  const auto say = [](const std::string &block, const std::string &grid) {
    return say_of_output("launch refused: block " + block +
                         " is too large: at most 1024 threads, and 64 in z, grid " + grid + "\n");
  };
  CHECK(contains(say("3907 x 1 x 1", "256 x 1 x 1"),
                 "<<<block, grid>>> instead of <<<grid, block>>>"));
  CHECK(!contains(say("3907 x 1 x 1", "1 x 1 x 1"), "Often"));   // one block for all
  CHECK(!contains(say("33 x 33 x 1", "3 x 2 x 1"), "Often"));    // a block that is too large
  CHECK(!contains(say("2048 x 1 x 1", "489 x 1 x 1"), "Often")); // as well
}

TEST_CASE("the error that ended a program stands first") {
  const std::string checked = "a.cu:45: cudaGetLastError()\n  failed: invalid value (...)\n",
                    copied = "a.cu:9: cudaMemcpyAsync(...)\n  failed: invalid argument (...)\n",
                    refused = "copy refused: 400 bytes, with only ", rule(75, '-'),
                    deadlock = "deadlock: each of these waits\n  rank 0: ncclSend to rank 1\nUse a "
                               "group";
  const struct {
    std::string output, message; // that begins so
  } cases[] = {
      {"", "ended"},
      {"hello\n", "ended\nIt printed:\n  | hello"},
      {checked, "a.cu:45: cudaGetLastError() failed: invalid value (...)\nended"},
      {"launch refused: grid 2 x 0 x 1 has no blocks\n" + checked,
       "a.cu:45: launch refused: grid 2 x 0 x 1 has no blocks\nended"},
      {refused + "300 bytes of device memory left\n" + checked,
       "a.cu:45: cudaGetLastError() returns the error of an earlier call: copy refused: 400 bytes, "
       "with only 300 bytes of device memory left\nended"},
      {refused + "300 bytes of device memory left\n" + copied,
       "a.cu:9: copy refused: 400 bytes, with only 300 bytes of device memory left\nended"},
      {refused + "100 bytes of device memory left\n" + copied,
       "a.cu:9: copy refused: 400 bytes, with only 100 bytes of device memory left\nOften: "
       "cudaMalloc counts"},
      {refused + "100 bytes of pinned memory left\n" + copied,
       "a.cu:9: copy refused: 400 bytes, with only 100 bytes of pinned memory left\nOften: "
       "cudaHostRegister"},
      {copied, "a.cu:9: cudaMemcpyAsync(...) failed: invalid argument (...)\n"
               "Often: cudaMemcpyHostToDevice instead of"},
      {"error: kernel k launched at a.cu:3: out of bounds\n" + checked,
       "kernel k launched at a.cu:3: out of bounds\nended"},
      {"error: " + deadlock + "\nerror: " + deadlock + "\n" + checked, deadlock + "\nended"},
      {"error: rank 0, ncclSend to rank 1: the send buffer is short\nNCCL counts elements\n",
       "rank 0, ncclSend to rank 1: the send buffer is short\nNCCL counts elements\nended"},
      {"rank 1, MPI_Send to rank 7: invalid rank\n", "rank 1, MPI_Send to rank 7: invalid rank"},
      {"munmap_chunk(): invalid pointer\n",
       "munmap_chunk(): invalid pointer: free() got a pointer"},
      {"corrupted size vs. prev_size\n", "corrupted size vs. prev_size: something wrote past"},
      {"malloc(): invalid size (unsorted)\n", "malloc(): invalid size (unsorted): something wrote"},
      {"interrupted: kernel k launched at a.cu:3, block (0, 0, 0)\n  at a.cu:9\n",
       "kernel k launched at a.cu:3, block (0, 0, 0), at a.cu:9: does not end\nended"},
      {"interrupted: kernel k\n  Its loop does not end.\n", "kernel k: does not end\nended"},
      // mpirun's own paragraphs and lines are left out.
      {"a\n" + rule + "\nmpirun noticed\n" + rule + "\n[node:17] *** Process\nb\n",
       "ended\nIt printed:\n  | a\n  | b"},
      // Of many lines the first four and the last five.
      {"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n",
       "ended\nIt printed:\n  | 1\n  | 2\n  | 3\n  | 4\n  | ...\n  | 6\n  | 7\n"}};
  for (const auto &[output, message] : cases)
    CHECK(say_of_output(output).substr(0, message.size()) == message);
}

TEST_CASE("right on rank 0 only") {
  using course::Finding, course::Kind;
  const auto returns = [](const std::string &expected) {
    Finding finding{Kind::value, "return value: expected " + expected + "      got 2", "x"};
    finding.expected = expected;
    return finding;
  };
  const auto say = [](const std::vector<Finding> &ranks) {
    return text_of(course::explain_ranks(ranks).remarks);
  };
  const Finding right, returned = returns("1"), array{Kind::value, "y[0] is wrong", "a guess."};
  Finding known = array;
  known.remarks[0].about = course::About::known_mistake;
  CHECK(!course::explain_ranks({right, right}).is_wrong());
  const std::string reduce = say({right, returned, returned});
  CHECK(reduce.find("on rank 1 of 3: return value: ") == 0);
  CHECK(contains(reduce, "MPI_Allreduce"));
  CHECK(!contains(reduce, "Often: x"));
  CHECK(say({right, array}) == "on rank 1 of 2: y[0] is wrong");
  CHECK(contains(say({right, known}), "Often: a guess."));
  CHECK(!contains(say({right, returned, right}), "MPI_Allreduce"));
  CHECK(!contains(say({returned, returned}), "MPI_Allreduce"));
  CHECK(!contains(say({right, returned, returns("10")}), "MPI_Allreduce"));
}

TEST_CASE("the contract's header names the parameters") {
  const std::string path = "grader-contract.txt";
  std::ofstream(path)
      << "// f(not these)\nint f(int count, // how many\n      const float *x, float "
         "*y);\n";
  CHECK(course::parameter_names(path, "f", 3) == std::vector<std::string>{"count", "x", "y"});
  CHECK(course::parameter_names("absent", "f", 1) == std::vector<std::string>{"parameter 1"});
  std::remove(path.c_str());
}
