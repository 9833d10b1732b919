// The readers of banks and of holes, and that every bank of the course still fits its solution.
#include "common/grader/commands/bank.hpp"
#include "common/grader/commands/grading.hpp"
#include "common/grader/commands/holes.hpp"
#include "common/grader/sandbox/sandbox.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <regex>

namespace fs = std::filesystem;
using course::read_changes, course::read_whole_file;

namespace {

const std::string solution = "first\n"
                             "  same\n"
                             "middle\n"
                             "  same\n"
                             "\n"
                             "last\n";

// A page with one entry: its expectation, and a change for each block.
std::string page(const std::vector<std::string> &blocks, const std::string &expect = "fail value") {
  std::string text =
      "# A page\n\nIts words.\n\n## wrong\n\nexpect: " + expect + "\n\nPeople think\nso.\n\n";
  for (const std::string &block : blocks)
    text += "```diff\n" + block + "```\n\n";
  return text;
}

std::string changed(const std::vector<std::string> &blocks) {
  return read_changes(page(blocks), "page.md", solution).at(0).text;
}

} // namespace

TEST_CASE("an entry has a name, an expectation and a text") {
  const auto bank = read_changes(page({"-middle\n+centre\n"}, "fail value|oob on=cpu") +
                                     "# Another group\n\nWords.\n\n## right\n\nexpect: pass\n\n"
                                     "Also right.\n\n```diff\n-last\n```\n",
                                 "page.md", solution);
  REQUIRE(bank.size() == 2);
  CHECK(bank[0].name == "wrong");
  CHECK(bank[0].expected == "value|oob");
  CHECK(bank[0].cpu_only);
  CHECK(bank[0].text == "first\n  same\ncentre\n  same\n\nlast\n");
  CHECK(bank[1].name == "right");
  CHECK(bank[1].expected == "pass");
  CHECK_FALSE(bank[1].cpu_only);
  CHECK(bank[1].text == "first\n  same\nmiddle\n  same\n\n");
}

TEST_CASE("changes are made to the solution") {
  CHECK(changed({"+zeroth\n first\n"}) == "zeroth\n" + solution);
  CHECK(changed({" last\n+more\n"}) == solution + "more\n");
  // An empty line need not have its blank.
  CHECK(changed({"-  same\n+  other\n\n last\n"}) == "first\n  same\nmiddle\n  other\n\nlast\n");
  CHECK(changed({"-last\n+end\n", "-first\n+start\n", "-  same\n-middle\n"}) ==
        "start\n  same\n\nend\n");
}

TEST_CASE("a page that is malformed, or does not fit the solution, is an error") {
  const std::string change = "-middle\n+centre\n", head = "## wrong\nexpect: pass\nPeople.\n";
  const auto expecting = [&](const char *expect) { return page({change}, expect); };
  const std::string incomplete = ":5: an entry has a sentence on why people write it, and a change",
                    form = ":7: expected `pass` or `fail KIND[|KIND...] [on=cpu]`",
                    no_fence = ":4: a change must be between ```diff and ```",
                    no_change =
                        ":12: a change needs old lines, and lines that begin with '-' or '+'";
  const std::pair<std::string, std::string> pages[] = {
      {"## wrong\n\nPeople.\n", ":1: a line `expect: ...` must follow"},
      {expecting("fail"), form},
      {expecting("passes"), form},
      {expecting("fail value on=gpu"), form},
      {expecting("pass value"), form},
      {expecting("fail value on=cpu more"), form},
      {expecting("fail oob|values"),
       ":7: unknown kind `values`; common/grader/README.md lists them"},
      {"\n\n\n\n## wrong\nexpect: pass\n```diff\n" + change + "```\n", incomplete},
      {page({}), incomplete},
      {page({" middle\n"}), no_change},
      {page({"+middle\n"}), no_change},
      {page({"-middle\ncentre\n"}), ":12: a line of a diff begins with ' ', '-' or '+'"},
      {head + "```cpp\n```\n", no_fence},
      {head + "```diff\n" + change, no_fence},
      {page({"-  same\n"}),
       ":12: the solution has these lines more than once: give more lines of context"},
      {page({"-center\n", "-middle\n", "-lost\n"}),
       ":12: the solution does not have these lines\n"
       "page.md:20: the solution does not have these lines"},
      {page({" first\n-  same\n", "-  same\n-middle\n"}),
       ":5: two changes overlap in line 2 of the solution"}};
  for (const auto &[text, message] : pages) {
    CAPTURE(text);
    CHECK_THROWS_WITH(read_changes(text, "page.md", solution), "page.md" + message);
  }
}

TEST_CASE("a whole file says in its first line what it is") {
  const std::string text = "// expect: fail exit|forgery\n// Ends early.\nint main() {}\n";
  const auto entry = read_whole_file(text, "tests/x/answers/early.cu");
  CHECK(entry.name == "early");
  CHECK(entry.expected == "exit|forgery");
  CHECK(entry.text == text);
  CHECK(read_whole_file("// expect: pass\n", "a.cu").expected == "pass");
  for (const char *wrong : {"", "int main() {}\n", "// expect: fail\n", "// expect: fail values\n"})
    CHECK_THROWS_WITH(read_whole_file(wrong, "a.cu"), Catch::Matchers::StartsWith("a.cu:1: "));
}

TEST_CASE("every bank fits its solution") {
  for (const course::Exercise &exercise : course::all_exercises()) {
    CAPTURE(exercise.full_name());
    CHECK_NOTHROW(course::read_bank(exercise));
  }
}

TEST_CASE("the entries that the teacher's guide links are there") {
  const fs::path root = COURSE_ROOT;
  const std::string guide = course::text_of_file(root / "lessons/README.md");
  const std::regex link(R"(\(\.\./tests/([^)#]*)/answers\.md(#([^)]*))?\))");
  for (std::sregex_iterator at(guide.begin(), guide.end(), link), end; at != end; ++at) {
    const std::string exercise = (*at)[1], name = (*at)[3];
    CAPTURE(exercise, name);
    if (name.empty())
      continue;
    const auto bank = course::read_bank(course::matching(exercise).front());
    CHECK(std::any_of(bank.begin(), bank.end(),
                      [&](const course::BankEntry &entry) { return entry.name == name; }));
  }
}

TEST_CASE("holes are read, hashed without spaces, and told from prose") {
  const auto read = [](const std::string &text) { return course::source_of(text, "a.cu"); };
  const auto a = read("// Start with TODO 1.\n// TODO 1. is prose\nx\n  // TODO 1: what\n  a = b;\n"
                      "  // TODO end\ny\n"),
             same = read("    # TODO 1: what\n    a=b;\n\n    # TODO end\n"),
             other = read("// TODO 1: x\na=c;\n// TODO end\n");
  REQUIRE(a.holes == std::vector<std::vector<std::string>>{{"  a = b;"}});
  CHECK(a.outside.size() == 6);
  CHECK(course::hash(a.holes[0]) == course::hash(same.holes.at(0)));
  CHECK(course::hash(a.holes[0]) != course::hash(other.holes.at(0)));
  CHECK_THROWS(read("// TODO 1: no end\na\n"));
  CHECK_THROWS(read("// TODO end\n"));
  CHECK_THROWS(read("// TODO 1: a\n// TODO 2: b\n// TODO end\n"));
}
