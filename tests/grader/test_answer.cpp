// What is judged of a reply, as a worker writes it.
#include "tests/grader/answer.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>

namespace {

// What is said of two calls, of which each was sent `sent` and had to give 1, and which gave so.
std::string say(double sent, double first, double second) {
  course::Case its_case;
  const auto scalar = [](double value) {
    course::Parameter parameter;
    parameter.element = course::element_of<double>();
    parameter.before = course::bytes_of(&value, 1);
    return parameter;
  };
  for (int call = 0; call < 2; ++call)
    its_case.calls.push_back({{scalar(sent), course::output(std::vector<double>{1})}, 0, nullptr});
  const char *path = "grader-reply.txt";
  const std::uint64_t nonce = 7, launches = 1, findings = 0, work[8] = {};
  std::ofstream file(path, std::ios::binary);
  const auto write = [&](const auto &value) {
    file.write(reinterpret_cast<const char *>(&value), sizeof value);
  };
  write(nonce), write(first), write(second), write(launches), write(work), write(findings);
  file.close();
  course::Reply reply(path);
  std::remove(path);
  const auto finding =
      course::judge_reply(its_case, {&its_case.calls[0], &its_case.calls[1]}, nonce, reply);
  REQUIRE(finding);
  CHECK(finding->kind == course::Kind::value);
  return finding->message;
}

bool guesses(const std::string &message) { return message.find("0 / 0") != message.npos; }

} // namespace

TEST_CASE("0 / 0 is no guess where an earlier call was right, or where NaN is sent") {
  CHECK(guesses(say(1, NAN, 1)));
  CHECK(!guesses(say(1, 1, NAN)));
  CHECK(!guesses(say(INFINITY, NAN, 1)));
  CHECK(!guesses(say(NAN, NAN, 1)));
}
