// Data that pass between the grader's processes come out as they went in: verdicts, fault reports,
// turns.
#include "common/cpu/fault_report.hpp"
#include "common/grader/judge/device_turn.hpp"
#include "common/grader/judge/exchange.hpp"
#include "common/grader/judge/explain.hpp"
#include "common/grader/judge/verdict.hpp"
#include "common/grader/sandbox/text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

TEST_CASE("the first wrong case makes the verdict, the others are named") {
  course::Verdict verdict{"03-add-list/axpby"};
  verdict.add(1, "n = 1", {}, "again 1");
  verdict.add(2, "n = 3", {course::Kind::oob, "outside"}, "again 2");
  verdict.add(3, "n = 5", {course::Kind::value, "wrong"}, "again 3", 0.5);
  verdict.add_skipped("n = 7");
  CHECK(verdict.kind == course::Kind::oob);
  CHECK(verdict.number == 2);
  CHECK(verdict.title == "n = 3");
  CHECK(text_of(verdict.remarks) == "outside");
  CHECK(verdict.rerun == "again 2");
  CHECK(verdict.passed == 1);
  CHECK(verdict.cases == 4);
  CHECK(verdict.also == std::vector<std::string>{"n = 5"});
  std::string states;
  for (const course::CaseResult &its_case : verdict.tests)
    states += its_case.name + " " + its_case.state + ". ";
  CHECK(states == "n = 1 passed. n = 3 failed. n = 5 failed. n = 7 skipped. ");
  CHECK(verdict.tests[2].seconds == 0.5);
}

TEST_CASE("what a submission printed is shown as letters only") {
  CHECK(course::printable("two\n\tlines, x² ✓ 😀") == "two\n\tlines, x² ✓ 😀");
  CHECK(course::printable("\x1b[32m\r\a\x7f") == "\\x1B[32m\\x0D\\x07\\x7F");
  CHECK(course::printable("a\xff\xc3") == "a\\xFF\\xC3");        // not UTF-8, and cut short
  CHECK(course::printable("\xc0\x8a") == "\\xC0\\x8A");          // a line's end in two bytes
  CHECK(course::printable("\xed\xa0\x80") == "\\xED\\xA0\\x80"); // half of a pair
  CHECK(course::printable("\xc2\x9b") == "\\xC2\\x9B");          // ESC [ in one character
  CHECK(course::printable("\u202e\u2028") == "\\xE2\\x80\\xAE\\xE2\\x80\\xA8");
  CHECK(course::printable(std::string("\0", 1)) == "\\x00");
}

TEST_CASE("a verdict of each kind survives JSON") {
  const auto kind = course::Kind(GENERATE(Catch::Generators::range(0, course::kind_count)));
  CAPTURE(name(kind));
  course::Verdict verdict{"03-add-list/axpby", "exercises/03-add-list/axpby.cu", kind};
  verdict.passed = 2;
  verdict.cases = 5;
  verdict.number = 3;
  verdict.title = "a \"title\"\twith a tab";
  verdict.remarks = {{"two lines\n  of \\ text", "a guess.", course::About::computed_nan},
                     {"more"}};
  verdict.also = {"one", "two"};
  verdict.tests = {{"one", "failed", 0.25}};
  verdict.seconds = 1.5;
  verdict.max_points = 3;
  const std::string json = to_json(verdict);
  CHECK(json.find('\n') == json.npos); // a line
  CHECK(to_json(course::verdict_of_json(json)) == json);
  CHECK(json.find("\"state\":\"" + state_of(verdict) + "\"") != json.npos);
  const std::string points = kind == course::Kind::pass    ? "3"
                             : kind == course::Kind::error ? "null"
                                                           : "0";
  CHECK(json.find("\"points\":" + points) != json.npos);
}

TEST_CASE("bytes that are no text do not stop a verdict, and no other text is one") {
  course::Verdict verdict{"a/b"};
  verdict.remarks = {{"\xff\xfe"}};
  CHECK_NOTHROW(course::verdict_of_json(to_json(verdict)));
  CHECK_THROWS(course::verdict_of_json("pass"));
  CHECK_THROWS(course::verdict_of_json("{}"));
  verdict.remarks = {};
  std::string json = to_json(verdict);
  json.replace(json.find("\"pass\""), 6, "\"best\"");
  CHECK_THROWS(course::verdict_of_json(json));
}

TEST_CASE("a report is found between a program's own words, and those of ranks are one") {
  const course::Fault fault{"memcheck", "read of 4 bytes", {"at a.cu:1"}};
  const std::string summary = text_of(std::vector<course::FaultPlace>{{"memcheck", "a.cu:1", 2}});
  const auto report = course::read_fault_report("hello\n" + text_of(fault) + "========\n" +
                                                text_of(fault) + summary + "bye\n" + summary);
  REQUIRE(report.faults.size() == 2);
  CHECK(report.faults[0].what == "read of 4 bytes");
  CHECK(report.faults[0].details == std::vector<std::string>{"at a.cu:1"});
  REQUIRE(report.places.size() == 1);
  CHECK(report.places[0].met == 4);

  course::Outcome outcome;
  outcome.end = course::End::finished;
  outcome.code = course::exit_with_faults;
  outcome.output = "hello\n" + text_of(fault) + summary;
  const course::Finding finding = course::explain_faults(outcome);
  CHECK(finding.kind == course::Kind::fault);
  CHECK(text_of(finding.remarks) == "memcheck: read of 4 bytes\n  at a.cu:1");
  outcome.output = "hello\n"; // and no report
  CHECK(course::explain_faults(outcome).kind == course::Kind::exit);
  outcome.code = 0;
  CHECK(!course::explain_faults(outcome).is_wrong());
}

TEST_CASE("a reply cannot ask for more than it has") {
  const std::string path = "grader-reply.bin";
  std::ofstream(path, std::ios::binary) << std::string(8, '\xff') << "rest";
  course::Reply reply(path);
  std::uint64_t length = 0;
  REQUIRE(reply.read(length));
  CHECK(!reply.take(length));
  CHECK(reply.left() == 4);
  CHECK(course::content_of("absent").empty());
  std::remove(path.c_str());
}

TEST_CASE("four share a turn; who does not share has it alone") {
  const std::string device = "test-turns-" + std::to_string(getpid());
  const auto waits = [&](bool shares) {
    const pid_t child = fork();
    if (child == 0) {
      ualarm(100'000, 0); // ends it while it waits
      const course::DeviceTurn turn(device, shares);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status);
  };
  {
    const course::DeviceTurn one(device, true), two(device, true), three(device, true);
    CHECK(waits(false));
    const course::DeviceTurn four(device, true); // does not wait
    CHECK(waits(true));
  }
  {
    const course::DeviceTurn alone(device, false);
    CHECK(waits(true));
    CHECK(waits(false));
  }
  CHECK(!waits(false));
  for (const char *part : {"0", "1", "2", "3"})
    std::filesystem::remove("/dev/shm/cuda-course-" + device + "-" + part + ".lock");
}
