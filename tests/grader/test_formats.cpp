// Verdicts for course platforms. tests/grader/formats reads what the last test writes.
#include "common/grader/judge/environment.hpp"
#include "common/grader/commands/formats.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <fstream>

namespace {

// Markup, a comment's end and a grade of VPL, a formula, a colour, another direction of writing, an
// end of the text, and bytes that are not UTF-8.
const std::string hostile = "=1+1]]>\"'&<script>\n--|>\nGrade :=>>100\nComment :=>>x\n\x1b[32m\r\n"
                            "\u202e\uffff\xff\xed\xa0\x80" +
                            std::string("\0,;\t@", 5);

course::Verdict verdict_of(course::Kind kind, const std::string &exercise = "03-add-list/axpby") {
  course::Verdict verdict{exercise, "exercises/" + exercise + ".cu", kind};
  verdict.max_points = 3;
  verdict.seconds = 1.5;
  if (kind == course::Kind::pass)
    verdict.add(1, "n = 1", {}, "", 0.5);
  else if (kind != course::Kind::not_started)
    verdict.remarks = {{"why", "a guess."}};
  return verdict;
}

std::string shown(const std::string &format, const std::vector<course::Verdict> &verdicts) {
  return course::formats().at(format)(verdicts);
}

bool has(const std::string &text, const std::string &part) { return text.find(part) != text.npos; }

void set_classroom() {
  for (const char *name :
       {"CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL"})
    setenv(name, hostile.substr(0, hostile.size() - 5).c_str(), 1);
}

} // namespace

TEST_CASE("a right answer has all points, a wrong one and an untouched one none") {
  set_classroom();
  using course::Kind;
  for (const Kind kind : {Kind::pass, Kind::value, Kind::compile, Kind::not_started}) {
    CAPTURE(name(kind));
    const std::vector<course::Verdict> both{verdict_of(kind), verdict_of(Kind::pass)};
    const std::string points = kind == Kind::pass ? "3" : "0", sum = kind == Kind::pass ? "6" : "3";
    CHECK(has(shown("vpl", both), "\nGrade :=>>" + sum + "\n"));
    CHECK(has(shown("gradescope", both), "\"score\": " + points + ","));
    CHECK(has(shown("classroom50", both), "\"score\": " + sum + ",\n  \"max-score\": 6"));
    CHECK(has(shown("csv", both), "," + state_of(both[0]) + "," + points + ",3,"));
    CHECK(has(shown("junit", both), "<skipped message=\"not started\"/>") ==
          (kind == Kind::not_started));
    CHECK(has(shown("junit", both), "<failure type=\"") ==
          (kind == Kind::value || kind == Kind::compile));
  }
}

TEST_CASE("where this machine could not grade one file there are no points for any") {
  set_classroom();
  const std::vector<course::Verdict> both{verdict_of(course::Kind::error),
                                          verdict_of(course::Kind::pass)};
  CHECK(shown("classroom50", both).empty());
  CHECK(!has(shown("vpl", both), "Grade"));
  CHECK(!has(shown("gradescope", both), "score"));
  CHECK(!has(shown("gradescope", both), "tests"));
  CHECK(has(shown("gradescope", both), "may be right"));
  CHECK(has(shown("csv", both), ",error,,3,"));
  CHECK(has(shown("json", both), "\"points\":null"));
  CHECK(has(shown("junit", both), "errors=\"1\""));
  CHECK(!has(shown("junit", both), "<failure"));
}

TEST_CASE("a case that this machine could not run is not a failure of the learner") {
  course::Verdict verdict{"a/b"};
  verdict.add(1, "n = 1", {course::Kind::error, "no memory"}, "again");
  CHECK(verdict.tests[0].state == "skipped");
}

TEST_CASE("only the runner of Classroom 50 gets its result") {
  set_classroom();
  unsetenv("RELEASE_URL");
  CHECK_THROWS(shown("classroom50", {}));
}

TEST_CASE("a cell is never a formula") {
  CHECK(course::csv_cell("=1+1") == "\"'=1+1\"");
  CHECK(course::csv_cell("+1") == "\"'+1\"");
  CHECK(course::csv_cell("-1") == "\"'-1\"");
  CHECK(course::csv_cell("@a") == "\"'@a\"");
  CHECK(course::csv_cell("\ta") == "\"'\ta\"");
  CHECK(course::csv_cell("a=\"1\",\n") == "\"a=\"\"1\"\",\n\"");
  CHECK(course::csv_cell("") == "\"\"");
}

TEST_CASE("hostile verdicts, written for independent readers", "[.write]") {
  course::Verdict verdict{hostile, hostile, course::Kind::pass};
  verdict.add(1, hostile, {course::Kind::value, hostile, hostile}, hostile);
  verdict.add(2, hostile, {course::Kind::value, hostile, hostile}, hostile);
  verdict.add_skipped(hostile);
  verdict.warnings = hostile;
  set_classroom();
  for (const auto &[name, format] : course::formats()) {
    std::ofstream(course::variable("COURSE_FORMATS") + "/" + name)
        << format({verdict, verdict_of(course::Kind::pass)});
    verdict.kind = course::Kind::error;
    std::ofstream(course::variable("COURSE_FORMATS") + "/" + name + "-error") << format({verdict});
    verdict.kind = course::Kind::value;
  }
}
