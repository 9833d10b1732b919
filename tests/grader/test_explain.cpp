// The words of the grader: what it says of typical wrong answers, and how it reads holes.
#include "tests/grader/explain.hpp"
#include "tests/grader/holes.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>

namespace {

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

// What is said of a list of `count` ints, 100 + i each, when change(i, right) comes for each.
template <class Change> course::Finding say(int count, Change change, int columns = 0) {
  std::vector<int> right(count), came(count);
  for (int i = 0; i < count; ++i)
    right[i] = 100 + i;
  for (int i = 0; i < count; ++i)
    came[i] = change(i, right);
  auto output = course::output(right).shape(columns);
  return course::compare(output, "y", course::bytes_of(came.data(), came.size()));
}

} // namespace

TEST_CASE("a right answer is not complained about") {
  CHECK(!say(5, [](int i, auto &right) { return right[i]; }).is_wrong());
}

TEST_CASE("patterns are recognised") {
  auto message = [](int count, auto change, int columns = 0) {
    auto finding = say(count, change, columns);
    CHECK(finding.kind == course::Kind::value);
    return finding.message;
  };
  CHECK(contains(message(9, [](int, auto &) { return -1; }), "Nothing was written"));
  CHECK(contains(message(9, [](int, auto &) { return 0; }), "All are 0"));
  CHECK(contains(message(9, [](int i, auto &right) { return i < 8 ? right[i] : -1; }),
                 "Only the last one"));
  CHECK(contains(message(9, [](int i, auto &right) { return i < 5 ? right[i] : -1; }),
                 "All up to 5 are right, all from there were not written"));
  CHECK(contains(message(100, [](int i, auto &right) { return i < 25 ? right[i] : -1; }),
                 "bytes against elements"));
  CHECK(contains(message(9, [](int i, auto &right) { return i ? right[i - 1] : 100; }),
                 "shifted by one, to the right"));
  CHECK(contains(message(9, [](int i, auto &right) { return i < 8 ? right[i + 1] : 7; }),
                 "shifted by one, to the left"));
  CHECK(contains(message(
                     12, [](int i, auto &right) { return right[i % 3 * 4 + i / 3]; }, 4),
                 "transposed"));
  CHECK(contains(message(
                     12, [](int i, auto &right) { return i % 4 < 3 ? right[i] : -1; }, 4),
                 "Columns from 3 on"));
  CHECK(contains(message(
                     12, [](int i, auto &right) { return i == 6 ? 3 : right[i]; }, 4),
                 "y[row 1, column 2]: expected 106      got 3"));
}

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

TEST_CASE("a changed input is named as such") {
  course::Input<int> input(std::vector<int>{1, 2});
  const int came[] = {1, 3};
  CHECK(course::compare(input, "x", course::bytes_of(came, 2)).kind == course::Kind::input);
}

TEST_CASE("holes are read, hashed without spaces, and told from prose") {
  const std::string path = "grader-holes.txt";
  auto read = [&](const std::string &text) {
    std::ofstream(path) << text;
    return course::read_source(path);
  };
  auto a = read("// Start with TODO 1.\n// TODO 1. is prose\nx\n  // TODO 1: what\n  a = b;\n  // "
                "TODO end\ny\n");
  REQUIRE(a.holes.size() == 1);
  CHECK(a.holes[0] == std::vector<std::string>{"  a = b;"});
  CHECK(a.outside.size() == 6);
  auto b = read("// TODO 1: what\na=b;\n\n// TODO end\n"),
       c = read("// TODO 1: x\na=c;\n// TODO end\n");
  CHECK(course::hash(a.holes[0]) == course::hash(b.holes[0]));
  CHECK(course::hash(a.holes[0]) != course::hash(c.holes[0]));
  CHECK_THROWS(read("// TODO 1: no end\na\n"));
  CHECK_THROWS(read("// TODO end\n"));
  CHECK_THROWS(read("// TODO 1: a\n// TODO 2: b\n// TODO end\n"));
  std::remove(path.c_str());
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
