// From result files to a table and to a teacher's export.
#include "common/grader/commands/gradebook.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fstream>

namespace {

const std::vector<course::Exercise> exercises{{"03-add-list", "axpby", false, {}, {}, 2},
                                              {"03-add-list", "late-blame"},
                                              {"09-stencil", "step"}};

std::string learner(const std::string &quoted) {
  return course::read_result("right axpby " + quoted, exercises).learner;
}
std::string exercise(const std::string &word) {
  return course::read_result("right " + word + " a.cu", exercises).exercise;
}

course::Result result(const std::string &learner, const std::string &state = "right",
                      const std::string &exercise = "03-add-list/axpby") {
  return {learner, exercise, state, state == "right" ? 2 : 0, 2, "check-1_1.result"};
}

// As the name of a file gives it.
course::Result read(const std::string &file, const std::string &state = "right") {
  course::Result read = course::read_result(state + " axpby " + file, exercises);
  read.source = "check-1_1.result";
  return read;
}

struct Filled {
  std::string text;
  course::Problems problems;
  std::vector<std::string> notes;
};
Filled fill(const std::string &csv, const std::vector<course::Result> &results,
            const std::string &column = "axpby", bool is_canvas = true) {
  Filled filled;
  filled.text = fill_export(csv, is_canvas, column, results, filled.problems, filled.notes);
  return filled;
}
std::string refused(const std::string &csv, const std::vector<course::Result> &results,
                    const std::string &column = "axpby", bool is_canvas = true) {
  std::string all;
  for (const std::string &problem : fill(csv, results, column, is_canvas).problems)
    all += problem + "\n";
  return all;
}
bool has(const std::string &text, const std::string &part) { return text.find(part) != text.npos; }

const std::string canvas = "Student,ID,SIS User ID,SIS Login ID,Section,axpby (17),Total\n"
                           "    Points Possible,,,,,2,10\n"
                           "\"Andersson, Ann\",1234,s1,ann@x.se,S,,1\n"
                           "Bo Ek,1235,s2,bo_e,S,\"0\",2\n";
const std::string moodle =
    "\xEF\xBB\xBFIdentifier,Full name,Email address,Maximum Grade,Grade,Feedback comments\r\n"
    "Participant 12345,Ann Andersson,ann@x.se,5,,\"<p>\"\"a\"\",\r\nb</p>\"\r\n"
    "Participant 12346,Bo Ek,bo@x.se,5,1.00,\r\n";

} // namespace

TEST_CASE("a result names its learner, whatever the file is called") {
  CHECK(learner("/home/ann.cu") == "ann");
  CHECK(learner("answers/ann/axpby.cu") == "ann");
  CHECK(learner("answers/ann/late-blame.cu") == "late-blame"); // of another exercise
  CHECK(learner("axpby.cu").empty());
  CHECK(learner("anderssonann_1234_56789_axpby-1.cu") == "anderssonann 1234");
  CHECK(learner("anderssonann_LATE_1234_56789_x.cu") == "anderssonann 1234");
  CHECK(learner("Ann Andersson_12345_assignsubmission_file_/my.cu") == "Ann Andersson 12345");
  CHECK(learner("Ann Andersson_12345_assignsubmission_file_axpby.cu") == "Ann Andersson 12345");
  CHECK(learner("ann_bergman_1.cu") == "ann_bergman_1");
  CHECK(learner("/a b/it's $me \"\\.cu") == "it's $me \"\\");
  CHECK(learner("/a/\u00e5sa.cu") == "\u00e5sa");
  for (const char *word : {"axpby", "add-list/axpby", "3/axpby", "03/axpby", "03-add-list/axpby"})
    CHECK(exercise(word) == "03-add-list/axpby");
  for (const char *line : {"", "right", "right axpby", "right axpby ", "good axpby a.cu",
                           "right axpb a.cu", "right 9/axpby a.cu", "right x-axpby a.cu",
                           "error  a.cu", "right axpby a.cu\nwrong axpby b.cu"})
    CHECK_THROWS(course::read_result(line, exercises));
}

TEST_CASE("the worst state of a learner is the learner's") {
  course::Problems problems;
  const auto table = course::table_of({result("ann"), result("ann", "right", "09-stencil/step"),
                                       result("bo", "wrong"), result("cy", "error"), result("di")},
                                      problems);
  CHECK(problems.empty());
  course::table_of({result("ann"), result("ann", "wrong")}, problems);
  REQUIRE(problems.size() == 1);
  CHECK(has(problems[0],
            "two results of ann for 03-add-list/axpby: right in check-1_1.result, wrong in"));
  using Row = std::vector<std::string>;
  REQUIRE(table.size() == 5);
  CHECK(table[0] == Row{"learner", "03-add-list/axpby", "09-stencil/step", "points", "state"});
  CHECK(table[1] == Row{"ann", "right", "right", "4", "right"});
  CHECK(table[2] == Row{"bo", "wrong", "missing", "0", "wrong"});
  CHECK(table[3] == Row{"cy", "error", "missing", "", "error"});
  CHECK(table[4] == Row{"di", "right", "missing", "2", "missing"});
  CHECK(has(course::show({{"<b>\x1b"}}, "html"), "<th>&lt;b&gt;\\x1B</th>"));
  CHECK(course::show({{"=1", "2"}}, "csv") == "\"'=1\",\"2\"\n");
  CHECK(course::show({{"\u00e5", "b"}, {"cc", "d"}}, "text") == "\u00e5   b\ncc  d\n");
}

TEST_CASE("an export changes in one column only") {
  for (const char *ann : {"ann@x.se.cu", "ann.cu", "ANN.cu", "1234.cu", "s1.cu", "ann/axpby.cu",
                          "x_1234_1235_axpby.cu", "x_LATE_1234_56789_axpby-2.cu"}) {
    CAPTURE(ann);
    const Filled filled = fill(canvas, {read(ann), result("bo_e", "wrong")});
    CHECK(filled.problems.empty());
    CHECK(filled.text == "Student,ID,SIS User ID,SIS Login ID,Section,axpby (17),Total\n"
                         "    Points Possible,,,,,2,10\n"
                         "\"Andersson, Ann\",1234,s1,ann@x.se,S,2,1\n"
                         "Bo Ek,1235,s2,bo_e,S,\"0\",2\n");
    CHECK(filled.notes.empty());
  }
  const Filled bo = fill(canvas, {result("bo_e")}, "axpby (17)");
  CHECK(bo.text == "Student,ID,SIS User ID,SIS Login ID,Section,axpby (17),Total\n"
                   "    Points Possible,,,,,2,10\n"
                   "\"Andersson, Ann\",1234,s1,ann@x.se,S,,1\n"
                   "Bo Ek,1235,s2,bo_e,S,\"2\",2\n");
  CHECK(bo.notes ==
        std::vector<std::string>{"line 3, Andersson, Ann: keeps \"\" (a result is missing)",
                                 "line 4, Bo Ek: 0 -> 2"});
  const Filled both = fill(moodle,
                           {read("Ann Andersson_12345_assignsubmission_file_/my.cu"),
                            result("ann", "wrong", "09-stencil/step"), result("bo", "error"),
                            result("bo", "right", "09-stencil/step")},
                           "Grade", false);
  CHECK(both.problems.empty());
  CHECK(both.notes == std::vector<std::string>{
                          "line 4, Participant 12346: keeps \"1.00\" (a result is an error)"});
  CHECK(both.text ==
        "\xEF\xBB\xBFIdentifier,Full name,Email address,Maximum Grade,Grade,Feedback comments\r\n"
        "Participant 12345,Ann Andersson,ann@x.se,5,2.5,\"<p>\"\"a\"\",\r\nb</p>\"\r\n"
        "Participant 12346,Bo Ek,bo@x.se,5,1.00,\r\n");
  // Learner 2 lacks a result, and one of learner 3 is an error: both keep their grades.
  CHECK(fill("ID,a\n1,\n2,1\n3,1",
             {result("1"), result("1", "right", "09-stencil/step"), result("2"), result("3"),
              result("3", "error", "09-stencil/step")},
             "a")
            .text == "ID,a\n1,4\n2,1\n3,1");
  // Each learner's maximum grade is in the row.
  CHECK(
      fill("ID number,Maximum Grade,a\n1,4,\n2,8,", {result("1"), result("2")}, "a", false).text ==
      "ID number,Maximum Grade,a\n1,4,4\n2,8,8");
  CHECK(fill("ID;\"a \"\"b\"\"\"\n1;", {result("1")}, "a \"b\"").text == "ID;\"a \"\"b\"\"\"\n1;2");
  CHECK(fill("ID\ta\n1\t-\n\n", {result("1")}, "a").text == "ID\ta\n1\t2\n\n");
  CHECK(fill("ID,a\n1,EX\n2,", {result("1"), result("2")}, "a").text == "ID,a\n1,EX\n2,2");
}

TEST_CASE("what is unclear is refused") {
  CHECK(has(refused(canvas, {result("cy")}), "cy (check-1_1.result) is no learner"));
  CHECK(has(refused(canvas, {result("")}), "is no learner"));
  CHECK(has(refused(canvas, {read("ann_1235.cu")}), "ann_1235 (check-1_1.result) is no learner"));
  CHECK(has(refused("ID,SIS Login ID,a\n1,2,\n2,1,\n", {result("1")}, "a"), "is several learners"));
  CHECK(has(refused(canvas, {result("ann"), result("s1")}), "two results of ann"));
  CHECK(has(refused(canvas, {result("ann")}, "axpb"), "no column \"axpb\""));
  for (const char *column : {"ID", "Student", "Section"})
    CHECK(
        has(refused(canvas, {result("ann")}, column), "has no points in the line Points Possible"));
  CHECK(has(refused(moodle, {result("ann")}, "Full name", false), "which is no grade"));
  CHECK(has(refused("ID,a (1),a (2)\n1,,\n", {result("1")}, "a"), "several columns \"a\""));
  CHECK(has(refused("ID,a,a\n1,,\n", {result("1")}, "a"), "several columns \"a\""));
  CHECK(has(refused("Name,a\n1,\n", {result("1")}, "a"), "no column of the export identifies"));
  CHECK(has(refused("", {result("1")}, "a"), "no column of the export identifies"));
  CHECK(has(refused("ID,a\n1\n", {result("1")}, "a"),
            "line 2 has 1 cells, but the first line has 2"));
  CHECK(has(refused("ID,a\n1,2,3", {result("1")}, "a"), "line 2 has 3 cells"));
  for (const char *csv : {"ID,a\n1,\"\n", "ID,a\n1,\"", "ID,a\n1,x\"y\"\n", "ID,a\n1,\"x\"y\n",
                          "ID,a\n1,x\ry\n", "ID,a\r1,x"})
    CHECK(has(refused(csv, {result("1")}, "a"), "a quote is not closed"));
  CHECK(has(refused(std::string("ID,a\n1,\0\n", 9), {result("2")}, "a"), "no learner"));
}
