// Patterns in wrong values; and reports that would be wrong about others.
#include "common/grader/judge/explain.hpp"
#include "common/grader/judge/judge.hpp"
#include "common/grader/judge/pattern.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstring>
#include <numeric>

namespace {

// True if the part is in the report; of an empty part, if the report has no guess.
bool says(const std::string &report, const std::string &part) {
  return part.empty() ? report.find("Often") == report.npos : report.find(part) != report.npos;
}

// An element that comes back as it was sent.
template <class T> T nothing() { return course::value_at<T>(course::unwritten<T>().data()); }

template <class T>
course::Finding finding(const course::Parameter &array, const std::vector<T> &came,
                        bool has_kernels = true) {
  return course::compare(array, "y", course::bytes_of(came.data(), came.size()), has_kernels);
}
template <class T>
std::string report(const course::Parameter &array, const std::vector<T> &came,
                   bool has_kernels = true) {
  return text_of(finding(array, came, has_kernels).remarks);
}

// The report on a picture, or a list (0 columns), of 100, 101, ... in which change(i, right)
// replaces each value.
template <class Change>
std::string say(int count, int columns, Change change, bool has_kernels = true) {
  std::vector<int> right(count), came(count);
  std::iota(right.begin(), right.end(), 100);
  for (int i = 0; i < count; ++i)
    came[i] = change(i, right);
  return report(course::output(right).shape(columns), came, has_kernels);
}

// One in which only the first rows and columns are right.
std::string say_cut(int rows, int columns, int right_rows, int right_columns, int others) {
  return say(rows * columns, columns, [=](int i, auto &right) {
    return i / columns < right_rows && i % columns < right_columns ? right[i] : others;
  });
}
std::string say_first(int reached, int count, int others, bool has_kernels = true) {
  const auto change = [=](int i, auto &right) { return i < reached ? right[i] : others; };
  return say(count, 0, change, has_kernels);
}
const int left_out = nothing<int>(), wrong = 7;

// The report on numbers of type T, none like another, each changed in the same way.
template <class T> std::string say_of(double (*change)(double), int count = 10) {
  std::vector<T> right, came;
  for (int i = 0; i < count; ++i) {
    right.push_back(T(1 + i * i) / T(7));
    came.push_back(T(change(right[i])));
  }
  return report(course::output(right), came);
}

// The report on one returned number.
template <class T> std::string say_of_number(T right, T came) {
  return course::text_of({course::pattern(course::element_of<T>(), &right, &came)});
}

} // namespace

TEST_CASE("what nobody wrote is told from what is wrong, also where NaN is right") {
  const auto array = course::output(std::vector<float>{1, NAN, 3});
  CHECK(!finding(array, std::vector<float>{1, NAN, 3}).is_wrong());
  CHECK(finding(array, std::vector<float>{1, nothing<float>(), 3}).is_wrong());
  CHECK(finding(course::output(std::vector<double>{NAN}), std::vector<double>{nothing<double>()})
            .is_wrong());
  const std::string none = say_first(0, 9, left_out);
  CHECK(says(none, "expected 100      got nothing (not written)"));
  CHECK(says(none, "Nothing was written"));
  // A computed NaN, and -1 where there are no kernels, are values.
  CHECK(
      says(say_of<float>([](double) { return double(NAN); }), "All values are NaN.\nOften: 0 / 0"));
  CHECK(says(say_first(0, 9, -1), "still the initial value of device memory"));
  CHECK(!says(say_first(0, 9, -1, false), "device memory"));
  // No arithmetic gives the mark.
  const float mark = nothing<float>(), sum = mark + 1;
  CHECK(std::memcmp(&mark, &sum, sizeof sum) != 0);
}

TEST_CASE("an array that is changed in place") {
  const std::vector<int> before{1, 2, 3};
  CHECK(says(report(course::in_out(before, {4, 5, 6}), before), "Nothing has changed"));
}

TEST_CASE("all 0, and only some") {
  CHECK(says(say_first(0, 9, 0), "All values are 0.\nOften: an integer division"));
  CHECK(says(say(9, 0, [](int i, auto &right) { return i == 4 ? 0 : right[i]; }), ""));
}

TEST_CASE("the end of a list is missing, or wrong") {
  const struct {
    int reached, count, others;
    const char *part;
  } cases[] = {{8, 9, left_out, "Only the last one is missing.\nOften: a grid of n / block"},
               {9, 10, left_out, "Only the last one is missing.\nOften: < n - 1 instead of < n"},
               {9, 10, wrong, "Only the last one is wrong."},
               {9, 10, wrong, ""},
               {5, 11, left_out, "The first 5 are right, all others were not written."},
               {5, 11, left_out, ""},
               {25, 100, left_out, "elements instead of bytes"},
               {2, 100, left_out, "sizeof of a pointer"},
               {2, 100, wrong, ""},
               {256, 300, left_out, "a grid of n / block"},
               {64, 300, left_out, "too few threads"},
               // Wrong values that were written are not for want of threads.
               {256, 300, wrong, "right only in the first block"},
               {200, 300, wrong, ""}};
  for (const auto &[reached, count, others, part] : cases)
    CHECK(says(say_first(reached, count, others), part));
}

TEST_CASE("without kernels, no guess at a grid, a thread or a copy to the host") {
  for (const int others : {left_out, wrong})
    for (const int reached : {0, 1, 32, 256}) {
      const std::string text = say_first(reached, 512, others, false);
      for (const char *word : {"grid", "thread", "block", "copied"})
        CHECK(!says(text, word));
    }
  CHECK(says(say_first(1, 9, wrong, false), "Only the first is right, all others are wrong."));
  CHECK(says(say_first(8, 9, left_out, false), "Often: < n - 1 instead of < n"));
}

TEST_CASE("shifted by one, not by a wrong value here and there") {
  CHECK(says(say(9, 0, [](int i, auto &right) { return i ? right[i - 1] : 100; }),
             "shifted by one to the right"));
  CHECK(says(say(9, 0, [](int i, auto &right) { return i < 8 ? right[i + 1] : 7; }),
             "shifted by one to the left"));
  CHECK(says(say(12, 4, [](int i, auto &right) { return i % 4 ? right[i - 1] : 0; }),
             "shifted by one column to the right"));
  CHECK(says(say(12, 4, [](int i, auto &right) { return i < 8 ? right[i + 4] : 0; }),
             "shifted by one row up"));
  CHECK(!says(say(8, 1, [](int i, auto &right) { return i < 2 ? right[i + 2] : right[i]; }),
              "shifted"));
  CHECK(!says(
      say(9, 0, [](int i, auto &right) { return i == 3 || i == 4 ? right[i - 1] : right[i]; }),
      "shifted"));
}

TEST_CASE("the last rows or columns of a picture are missing, or wrong") {
  const struct {
    int rows, columns, right_rows, right_columns, others;
    const char *part;
  } cases[] = {
      {5, 5, 5, 3, left_out, "From column 3 on, all values were not written."},
      {3, 5, 3, 3, left_out, "Often: width and height"},
      {3, 4, 3, 3, left_out, "The last column is missing."},
      {4, 3, 3, 3, wrong, "The last row is wrong."},
      {3, 4, 3, 3, wrong, ""},
      // x and y of the grid swapped: 128 x 64 pixels in blocks of 32 x 8 reach 32 rows, 350 rows of
      // 75 pixels 24 of them; 37 rows of 75 pixels in blocks of 16 x 16 reach 48 columns.
      {64, 128, 32, 128, left_out, "Often: x and y of the grid"},
      {350, 75, 24, 75, left_out, "Often: x and y of the grid"},
      {37, 75, 37, 48, left_out, "Often: x and y of the grid"},
      {65, 129, 65, 1, left_out, "Often: x and y of the grid"}, // x counts rows: 256 x 1
      {37, 75, 37, 47, left_out, ""},
      {37, 75, 37, 48, wrong, ""},
      {21, 75, 16, 64, left_out, "(n + block - 1) / block"},
      {21, 75, 8, 32, left_out, "a grid of one block"},
      {21, 75, 7, 31, left_out, ""}};
  for (const auto &[rows, columns, right_rows, right_columns, others, part] : cases) {
    CAPTURE(rows, columns, right_rows, right_columns);
    CHECK(says(say_cut(rows, columns, right_rows, right_columns, others), part));
  }
  CHECK(!says(say_cut(350, 75, 344, 75, left_out), "x and y"));
  CHECK(!says(say_cut(128, 200, 64, 64, left_out), "one block")); // of 4096 threads?
  // One column of several that are wrong is not all of them.
  CHECK(!says(say(15, 5, [](int i, auto &right) { return i % 5 == 3 ? left_out : right[i]; }),
              "From column"));
}

TEST_CASE("pictures: transposed, swapped, in wrong places, one wrong pixel") {
  CHECK(
      says(say(12, 4, [](int i, auto &right) { return right[i % 3 * 4 + i / 3]; }), "transposed"));
  CHECK(!says(say(12, 4, [](int i, auto &right) { return i == 1 ? right[4] : right[i]; }),
              "transposed"));
  CHECK(
      says(say(15, 5, [](int i, auto &right) { return i % 5 < 3 ? right[i % 5 * 5 + i / 5] : 7; }),
           "Row and column are swapped."));
  CHECK(says(say(15, 5, [](int i, auto &right) { return i < 9 ? right[i / 3 * 5 + i % 3] : 7; }),
             "The numbers of rows and columns are swapped."));
  CHECK(says(say(15, 5, [](int i, auto &right) { return right[(i + 4) % 15]; }),
             "the right values, but in wrong places"));
  CHECK(says(say(12, 4, [](int i, auto &right) { return i == 6 ? 3 : right[i]; }),
             "y[row 1, column 2]: expected 106      got 3"));
}

TEST_CASE("the same change of all values") {
  const struct {
    const char *part;
    double (*change)(double);
  } cases[] = {{"Their fractions are cut off.\nOften: an int variable", std::trunc},
               {"are 2 times as large", [](double x) { return 2 * x; }},
               {"are 1/4 of what", [](double x) { return x / 4; }},
               {"have the wrong sign", [](double x) { return -x; }},
               {"the same factor, 0.3", [](double x) { return 0.3 * x; }},
               {"float instead of double", [](double x) { return float(x) * (1 + 1e-7); }}},
    others[] = {{"fractions", std::round},
                {"All ", [](double x) { return x > 1 ? 2 * x : 3 * x; }},
                {"All ", [](double x) { return x + 1; }},
                {"float", [](double x) { return x * (1 + 1e-3); }},
                {"float", [](double x) { return x * (1 + 1e-13); }}};
  for (const auto &[part, change] : cases)
    CHECK(says(say_of<double>(change), part));
  for (const auto &[part, change] : others)
    CHECK(!says(say_of<double>(change), part));
  CHECK(!says(say_of<float>([](double x) { return x * (1 + 1e-6); }), "float instead of double"));
  // A few differences of nearly equal numbers lose more.
  const auto lost = [](double x) { return x < 1 ? 1.1 * x : double(float(x)); }; // three of them
  CHECK(says(say_of<double>(lost, 100), "float instead of double"));
  CHECK(!says(say_of<double>(lost, 20), "float instead of double"));
}

TEST_CASE("values that are nearly right") {
  const auto off_by = [](double off, double tolerance) {
    return report(course::output<double>({1, -200, 3, 1000}, tolerance),
                  std::vector<double>{1 + off, -200 - off, 3 - off, 1000});
  };
  CHECK(says(off_by(0.01, 1e-3), "The largest error is 0.01; the tolerance is 0.001."));
  CHECK(!says(off_by(2, 1e-3), "largest error"));
  CHECK(!says(off_by(0.01, 0), "largest error"));
  CHECK(!says(off_by(NAN, 1e-3), "largest error"));
}

TEST_CASE("the values of a usual mistake") {
  const std::vector<float> before{1, 2, 3, 4}, right{5, 7, 6, 9}, once{4, 8, 6, 1};
  const auto array = course::in_out(before, right, 1e-6)
                         .often(once, "one round")
                         .often(before, "no round")
                         .often(once, "a swap");
  CHECK(says(report(array, once), "3 of 4 values.\nOften: one round; or a swap."));
  CHECK(says(report(array, std::vector<float>{4, 8, 6, 2}), ""));
  CHECK(says(report(array, before), "Nothing has changed.")); // whoever left it so
  CHECK(!says(report(array, before), "no round"));

  course::Case its_case;
  course::Question<double()>(its_case).with().returns(2.0, 1e-9, {{4.0, "twice"}, {2.0, "never"}});
  const auto complaint = [&](double came) {
    return text_of(its_case.calls[0].result_complaint(&came).remarks);
  };
  CHECK(complaint(2).empty());
  CHECK(complaint(4) == "expected 2      got 4\nOften: twice.");
  CHECK(says(complaint(5), ""));
}

TEST_CASE("NaN where an old value is NaN or infinite") {
  const auto say = [&](const std::vector<double> &before) {
    return report(course::in_out(before, {5, 6}), std::vector<double>{-NAN, -NAN});
  };
  CHECK(says(say({INFINITY, NAN}), "NaN.\nOften: the old value is used"));
  CHECK(says(say({1, 2}), "NaN.\nOften: 0 / 0"));
}

TEST_CASE("one number that is wrong") {
  const struct {
    double right, came;
    const char *part; // empty: no word
  } cases[] = {{3, 6, "2 times as large"},
               {8, 2, "1/4 of the expected value"},
               {8, 2e-20, ""}, // every large factor is near a whole one
               {8, 8e5 + 1, ""},
               {8, 8e6, "1000000 times as large"},
               {8, -8, "the sign"},
               {1, 1 + 3e-8, "7 digits"},
               {1, 0, "integer division"},
               {1, NAN, "0 / 0"},
               {1.187, 1, "integer division"},
               {-2.5, -2, "integer division"},
               {1, 1.3, ""},
               {2.5, 6.25, "the square of the expected value)\nOften: a missing square root"},
               {2, 4.1, ""},
               {INFINITY, 1e21, ""},
               // A long sum in float loses more digits, and is a number that float holds.
               {1234.56789, double(1234.56789f * 1.0003f), "3 digits"},
               {1234.56789, 1234.56789 * 1.0003, ""},
               {1234.56789, 1234, ""}, // a sum of ints
               {1234.56789, double(1234.56789f * 1.03f), ""}};
  for (const auto &[right, came, part] : cases) {
    CAPTURE(right, came);
    const std::string text = say_of_number(right, came);
    CHECK((*part ? says(text, part) : text.empty()));
  }
  CHECK(say_of_number(12, 6).empty());
  CHECK(say_of_number(1.0f, 1 + 1e-6f).empty());
}
