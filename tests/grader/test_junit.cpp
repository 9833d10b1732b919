// Verdicts as JUnit XML. tests/grader/formats reads the XML of a real check with an XML parser.
#include "common/grader/commands/junit.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

// Markup, a colour, another direction of writing, bytes that are not UTF-8.
const std::string hostile =
    "]]>\"'&<script>\n\x1b[32m\r\n\u202e\uffff\xff\xed\xa0\x80" + std::string("\0;", 2);

bool has(const std::string &text, const std::string &part) { return text.find(part) != text.npos; }

std::string xml_of(course::Kind kind) {
  course::Verdict verdict{hostile, hostile};
  if (kind != course::Kind::not_started)
    for (const std::string &title : {hostile, hostile + "2"})
      verdict.add(1, title, {kind, hostile, hostile}, hostile, 0.5);
  verdict.kind = kind;
  return course::junit({verdict});
}

} // namespace

TEST_CASE("no text of a verdict is markup") {
  for (const course::Kind kind : {course::Kind::pass, course::Kind::value, course::Kind::error}) {
    const std::string xml = xml_of(kind);
    CAPTURE(xml);
    CHECK(has(xml, "&lt;script&gt;"));
    CHECK(!has(xml, "<script"));
    CHECK(!has(xml, "]]>"));
    CHECK(xml.find_first_of("\x1b\r\xff\xed") == xml.npos);
    CHECK(!has(xml, std::string(1, '\0')));
  }
}

TEST_CASE("a case that this machine could not run is not a failure of the learner") {
  course::Verdict verdict{"a/b"};
  verdict.add(1, "n = 1", {course::Kind::error, "no memory"}, "again");
  CHECK(verdict.tests[0].state == "skipped");
}

TEST_CASE("only a wrong answer is a failure") {
  const std::string pass = xml_of(course::Kind::pass), value = xml_of(course::Kind::value),
                    not_started = xml_of(course::Kind::not_started),
                    error = xml_of(course::Kind::error);
  CHECK(has(pass, "tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"0\""));
  CHECK(has(value, "tests=\"2\" failures=\"2\" errors=\"0\" skipped=\"0\""));
  CHECK(has(value, "<failure type=\"value\""));
  CHECK(has(value, "<failure message=\"also wrong\"/>"));
  CHECK(has(not_started, "tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\""));
  CHECK(has(not_started, "<skipped message=\"not started\"/>"));
  CHECK(has(error, "tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\""));
  CHECK(!has(error, "<failure"));
}
