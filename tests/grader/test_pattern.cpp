// Patterns in wrong values; and reports that would be wrong about others.
#include "common/grader/judge/explain.hpp"
#include "common/grader/judge/judge.hpp"
#include "common/grader/judge/pattern.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstring>

namespace {

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

// The report on a list in which change(i, right) replaces each value. Values that `change` leaves
// out, by nothing<T>(), come back as they were sent.
template <class T> T nothing() { return course::value_at<T>(course::unwritten<T>().data()); }
template <class T, class Change>
course::Finding say(const std::vector<T> &right, Change change, int columns = 0,
                    bool has_kernels = true) {
  std::vector<T> came(right.size());
  for (std::size_t i = 0; i < right.size(); ++i)
    came[i] = change(int(i), right);
  auto output = course::output(right).shape(columns);
  return course::compare(output, "y", course::bytes_of(came.data(), came.size()), has_kernels);
}

// Of `count` ints, 100 + i each.
template <class Change>
std::string say(int count, Change change, int columns = 0, bool has_kernels = true) {
  std::vector<int> right(count);
  for (int i = 0; i < count; ++i)
    right[i] = 100 + i;
  const course::Finding finding = say(right, change, columns, has_kernels);
  CHECK(finding.kind == course::Kind::value);
  return text_of(finding.remarks);
}

// Of ten numbers of type T, none like another.
template <class T, class Change> std::string say_of(Change change) {
  std::vector<T> right;
  for (int i = 0; i < 10; ++i)
    right.push_back(T(1 + i * i) / T(7));
  return text_of(say(right, [&](int i, auto &) { return T(change(right[i])); }).remarks);
}

// The report on one returned number.
template <class T> std::string say_of_number(T right, T came) {
  return course::text_of({course::pattern(course::element_of<T>(), &right, &came)});
}

} // namespace

TEST_CASE("a right answer is not complained about") {
  const auto same = [](int i, auto &right) { return right[i]; };
  CHECK(!say(std::vector<int>{1, 2, 3}, same).is_wrong());
  CHECK(!say(std::vector<float>{1, NAN, 3}, same).is_wrong());
}

TEST_CASE("what nobody wrote is told from what is wrong, also where NaN is right") {
  const auto none = [](int, auto &right) { return nothing<std::decay_t<decltype(right[0])>>(); };
  CHECK(contains(say(9, none), "expected 100      got nothing (not written)"));
  CHECK(contains(say(9, none), "Nothing was written"));
  CHECK(say(std::vector<float>{NAN, NAN}, none).is_wrong());
  CHECK(say(std::vector<double>{NAN, 1}, none).is_wrong());
  // A computed NaN, and -1, are values.
  const std::string computed = say_of<float>([](float) { return NAN; });
  CHECK(contains(computed, "All values are NaN.\nOften: 0 / 0"));
  CHECK(!contains(computed, "uninitialised"));
  CHECK(!contains(say(9, [](int, auto &) { return -2; }), "written"));
  CHECK(
      contains(say(9, [](int, auto &) { return -1; }), "still the initial value of device memory"));
  CHECK(!contains(say(
                      9, [](int, auto &) { return -1; }, 0, false),
                  "device memory"));
  // No arithmetic gives the mark.
  const float mark = nothing<float>(), sum = mark + 1;
  CHECK(std::memcmp(&mark, &sum, sizeof sum) != 0);
}

TEST_CASE("an array that is changed in place") {
  const std::vector<int> before{1, 2, 3}, after{4, 5, 6};
  const auto array = course::in_out(before, after);
  CHECK(
      contains(text_of(course::compare(array, "y", array.before).remarks), "Nothing has changed"));
}

TEST_CASE("all 0, and only some") {
  CHECK(contains(say(9, [](int, auto &) { return 0; }),
                 "All values are 0.\nOften: an integer division"));
  CHECK(!contains(say(9, [](int i, auto &right) { return i == 4 ? 0 : right[i]; }), "Often"));
}

TEST_CASE("the end of a list is missing, or wrong") {
  const auto first = [](int reached, int others) {
    return [=](int i, auto &right) { return i < reached ? right[i] : others; };
  };
  const int none = nothing<int>();
  CHECK(contains(say(9, first(8, none)),
                 "Only the last one is missing.\nOften: a grid of n / block"));
  CHECK(contains(say(10, first(9, none)),
                 "Only the last one is missing.\nOften: < n - 1 instead of < n"));
  CHECK(contains(say(10, first(9, 7)), "Only the last one is wrong."));
  CHECK(!contains(say(10, first(9, 7)), "Often"));
  CHECK(contains(say(11, first(5, none)), "The first 5 are right, all others were not written."));
  CHECK(!contains(say(11, first(5, none)), "Often"));
  CHECK(contains(say(100, first(25, none)), "elements instead of bytes"));
  CHECK(contains(say(100, first(2, none)), "sizeof of a pointer"));
  CHECK(!contains(say(100, first(2, 7)), "sizeof"));
  CHECK(contains(say(300, first(256, none)), "a grid of n / block"));
  CHECK(contains(say(300, first(64, none)), "too few threads"));
  // Wrong values that were written are not for want of threads.
  CHECK(contains(say(300, first(256, 7)), "right only in the first block"));
  CHECK(!contains(say(300, first(200, 7)), "Often"));
  CHECK(!contains(say(300, first(200, 7)), "threads"));
}

TEST_CASE("without kernels, no guess at a grid, a thread or a copy to the host") {
  const auto first = [](int rows, int columns, int others) {
    return
        [=](int i, auto &right) { return i / 64 < rows && i % 64 < columns ? right[i] : others; };
  };
  const int none = nothing<int>();
  for (const int others : {none, 7})
    for (const auto &[rows, columns] : {std::pair{1, 1}, {1, 32}, {4, 64}, {4, 32}, {0, 0}})
      for (const int shape : {0, 64}) {
        const std::string text = say(8 * 64, first(rows, columns, others), shape, false);
        CHECK(!contains(text, "grid"));
        CHECK(!contains(text, "thread"));
        CHECK(!contains(text, "block"));
        CHECK(!contains(text, "copied"));
      }
  CHECK(contains(say(
                     9, [](int i, auto &right) { return i ? 7 : right[i]; }, 0, false),
                 "Only the first is right, all others are wrong."));
  const auto last = [=](int i, auto &right) { return i < 8 ? right[i] : none; };
  CHECK(contains(say(9, last, 0, false), "Often: < n - 1 instead of < n"));
}

TEST_CASE("shifted by one, not by a wrong value here and there") {
  CHECK(contains(say(9, [](int i, auto &right) { return i ? right[i - 1] : 100; }),
                 "shifted by one to the right"));
  CHECK(contains(say(9, [](int i, auto &right) { return i < 8 ? right[i + 1] : 7; }),
                 "shifted by one to the left"));
  CHECK(contains(say(
                     12, [](int i, auto &right) { return i % 4 ? right[i - 1] : 0; }, 4),
                 "shifted by one column to the right"));
  CHECK(contains(say(
                     12, [](int i, auto &right) { return i < 8 ? right[i + 4] : 0; }, 4),
                 "shifted by one row up"));
  const auto column = say(
      8, [](int i, auto &right) { return i < 2 ? right[i + 2] : right[i]; }, 1);
  CHECK(!contains(column, "shifted"));
  CHECK(!contains(
      say(9, [](int i, auto &right) { return i == 3 || i == 4 ? right[i - 1] : right[i]; }),
      "shifted"));
}

TEST_CASE("pictures: transposed, cut, one wrong pixel") {
  const auto cut = [](int columns, int right_rows, int right_columns, int others) {
    return [=](int i, auto &right) {
      return i / columns < right_rows && i % columns < right_columns ? right[i] : others;
    };
  };
  const int none = nothing<int>();
  CHECK(contains(say(
                     12, [](int i, auto &right) { return right[i % 3 * 4 + i / 3]; }, 4),
                 "transposed"));
  CHECK(!contains(say(
                      12, [](int i, auto &right) { return i == 1 ? right[4] : right[i]; }, 4),
                  "transposed"));
  CHECK(contains(say(15, cut(5, 3, 3, none), 5),
                 "From column 3 on, all values were not written.\nOften: width and height"));
  CHECK(contains(say(12, cut(4, 3, 3, none), 4), "The last column is missing."));
  CHECK(!contains(say(12, cut(4, 3, 3, 7), 4), "Often"));
  CHECK(contains(say(12, cut(4, 3, 3, 7), 4), "The last column is wrong."));
  // x and y of the grid swapped: 128 x 64 pixels in blocks of 32 x 8 reach 32 rows, 350 rows of 75
  // pixels 24 of them; 37 rows of 75 pixels in blocks of 16 x 16 reach 48 columns.
  CHECK(contains(say(64 * 128, cut(128, 32, 128, none), 128), "Often: x and y of the grid"));
  CHECK(contains(say(350 * 75, cut(75, 24, 75, none), 75), "Often: x and y of the grid"));
  CHECK(contains(say(37 * 75, cut(75, 37, 48, none), 75), "Often: x and y of the grid"));
  CHECK(!contains(say(350 * 75, cut(75, 344, 75, none), 75), "x and y"));
  // If x counts rows, blocks of 256 x 1 reach one column.
  CHECK(contains(say(65 * 129, cut(129, 65, 1, none), 129), "Often: x and y of the grid"));
  CHECK(!contains(say(37 * 75, cut(75, 37, 47, none), 75), "Often"));
  CHECK(!contains(say(37 * 75, cut(75, 37, 48, 7), 75), "Often"));            // written, and wrong
  CHECK(!contains(say(128 * 200, cut(200, 64, 64, none), 200), "one block")); // of 4096 threads?
  CHECK(contains(say(75 * 21, cut(75, 16, 64, none), 75), "(n + block - 1) / block"));
  CHECK(contains(say(75 * 21, cut(75, 8, 32, none), 75), "a grid of one block"));
  CHECK(!contains(say(75 * 21, cut(75, 7, 31, none), 75), "Often"));
  CHECK(contains(say(
                     12, [](int i, auto &right) { return i == 6 ? 3 : right[i]; }, 4),
                 "y[row 1, column 2]: expected 106      got 3"));
  // One column of several that are wrong is not all of them.
  CHECK(!contains(say(
                      15, [=](int i, auto &right) { return i % 5 == 3 ? none : right[i]; }, 5),
                  "From column"));
}

TEST_CASE("pictures: row and column swapped, in the values or in the shape; and in wrong places") {
  const std::string indices = say(
                        15,
                        [](int i, auto &right) {
                          const int row = i / 5, column = i % 5;
                          return column < 3 ? right[column * 5 + row] : 7;
                        },
                        5),
                    shape = say(
                        15, [](int i, auto &right) { return i < 9 ? right[i / 3 * 5 + i % 3] : 7; },
                        5),
                    places = say(
                        15, [](int i, auto &right) { return right[(i + 4) % 15]; }, 5);
  CHECK(contains(indices, "Row and column are swapped."));
  CHECK(contains(shape, "The numbers of rows and columns are swapped."));
  CHECK(contains(places, "the right values, but in wrong places"));
  // The number of a block, in blocks of 2 x 2 pixels: 4 in x, 2 in y.
  std::vector<int> owner, other;
  for (int i = 0; i < 32; ++i) {
    owner.push_back(i / 16 * 4 + i % 8 / 2);
    other.push_back(i % 8 / 2 * 2 + i / 16);
  }
  const auto text = text_of(say(
                                owner, [&](int i, auto &) { return other[i]; }, 8)
                                .remarks);
  CHECK(contains(text, "The numbers count along y first"));
  other[5] += 1;
  CHECK(!contains(text_of(say(
                              owner, [&](int i, auto &) { return other[i]; }, 8)
                              .remarks),
                  "Often"));
}

TEST_CASE("fractions that are cut off") {
  CHECK(contains(say_of<float>([](float x) { return std::trunc(x); }),
                 "Their fractions are cut off.\nOften: an int variable"));
  CHECK(!contains(say_of<float>([](float x) { return std::round(x); }), "fractions"));
}

TEST_CASE("one factor for all") {
  CHECK(contains(say_of<float>([](float x) { return 2 * x; }), "are 2 times as large"));
  CHECK(contains(say_of<double>([](double x) { return x / 4; }), "are 1/4 of what"));
  CHECK(contains(say_of<double>([](double x) { return -x; }), "have the wrong sign"));
  CHECK(contains(say_of<double>([](double x) { return 0.3 * x; }), "the same factor, 0.3"));
  CHECK(!contains(say_of<double>([](double x) { return x > 1 ? 2 * x : 3 * x; }), "All "));
  CHECK(!contains(say_of<double>([](double x) { return x + 1; }), "All "));
}

TEST_CASE("float where double is meant") {
  CHECK(contains(say_of<double>([](double x) { return float(x) * (1 + 1e-7f); }),
                 "float instead of double"));
  CHECK(
      !contains(say_of<float>([](float x) { return x * (1 + 1e-6f); }), "float instead of double"));
  CHECK(!contains(say_of<double>([](double x) { return x * (1 + 1e-3); }),
                  "float instead of double"));
  CHECK(!contains(say_of<double>([](double x) { return x * (1 + 1e-13); }),
                  "float instead of double"));
  // A few differences of nearly equal numbers lose more.
  std::vector<double> many;
  for (int i = 0; i < 100; ++i)
    many.push_back((1 + i * i) / 7.0);
  const auto lost = [&](int count) {
    return text_of(say(many, [=](int i, auto &right) {
                     return i < count ? 1.1 * right[i] : double(float(right[i]));
                   }).remarks);
  };
  CHECK(contains(lost(3), "float instead of double"));
  CHECK(!contains(lost(10), "float instead of double"));
  // A long sum in float loses more digits, and is a number that float holds.
  CHECK(contains(say_of_number(1234.56789, double(1234.56789f * 1.0003f)), "3 digits"));
  CHECK(!contains(say_of_number(1234.56789, 1234.56789 * 1.0003), "digits"));
  CHECK(!contains(say_of_number(1234.56789, 1234.0), "digits")); // a sum of ints
  CHECK(!contains(say_of_number(1234.56789, double(1234.56789f * 1.03f)), "digits"));
}

TEST_CASE("values that are nearly right") {
  const auto off_by = [](double off, double tolerance) {
    const std::vector<double> right{1, -200, 3, 1000}, came{1 + off, -200 - off, 3 - off, 1000};
    return text_of(course::compare(course::output(right, tolerance), "y",
                                   course::bytes_of(came.data(), came.size()))
                       .remarks);
  };
  CHECK(contains(off_by(0.01, 1e-3), "The largest error is 0.01; the tolerance is 0.001."));
  CHECK(!contains(off_by(2, 1e-3), "largest error"));
  CHECK(!contains(off_by(0.01, 0), "largest error"));
  CHECK(!contains(off_by(NAN, 1e-3), "largest error"));
}

TEST_CASE("the values of a usual mistake") {
  const std::vector<float> before{1, 2, 3, 4}, right{5, 7, 6, 9}, once{4, 8, 6, 1};
  const auto say = [&](const std::vector<float> &came) {
    return text_of(course::compare(course::in_out(before, right, 1e-6)
                                       .often(once, "one round")
                                       .often(before, "no round")
                                       .often(once, "a swap"),
                                   "y", course::bytes_of(came.data(), came.size()))
                       .remarks);
  };
  CHECK(contains(say(once), "3 of 4 values.\nOften: one round; or a swap."));
  CHECK(!contains(say({4, 8, 6, 2}), "Often"));
  CHECK(contains(say(before), "Nothing has changed.")); // whoever left it so
  CHECK(!contains(say(before), "no round"));

  course::Case its_case;
  course::Question<double()>(its_case).with().returns(2.0, 1e-9, {{4.0, "twice"}, {2.0, "never"}});
  const auto complaint = [&](double came) {
    return text_of(its_case.calls[0].result_complaint(&came).remarks);
  };
  CHECK(complaint(2).empty());
  CHECK(complaint(4) == "expected 2      got 4\nOften: twice.");
  CHECK(!contains(complaint(5), "Often"));
}

TEST_CASE("NaN where an old value is NaN or infinite") {
  const std::vector<double> finite{1, 2, 3, 4}, infinite{INFINITY, NAN, -INFINITY, NAN};
  const auto say = [&](const std::vector<double> &before) {
    const std::vector<double> came{-NAN, -NAN, -NAN, -NAN};
    return text_of(course::compare(course::in_out(before, std::vector<double>{5, 6, 7, 8}), "c",
                                   course::bytes_of(came.data(), 4))
                       .remarks);
  };
  CHECK(contains(say(infinite), "the old value is used"));
  CHECK(!contains(say(infinite), "0 / 0"));
  CHECK(contains(say(finite), "0 / 0"));
  CHECK(!contains(say(finite), "the old value"));
}

TEST_CASE("a square root is missing") {
  CHECK(contains(say_of<float>([](float x) { return x * x; }), "a missing square root"));
  CHECK(!contains(say_of<float>([](float x) { return x * x * x; }), "Often"));
  CHECK(contains(say_of_number(2.5, 6.25),
                 "the square of the expected value)\nOften: a missing square root"));
  CHECK(!contains(say_of_number(2.0, 4.1), "square"));
  CHECK(!contains(say_of_number(1.0, 1.000001), "square"));
  CHECK(!contains(say_of_number(double(INFINITY), 1e21), "square"));
}

TEST_CASE("one number that is wrong") {
  CHECK(contains(say_of_number(3.0, 6.0), "2 times as large"));
  CHECK(contains(say_of_number(8.0, 2.0), "1/4 of the expected value"));
  CHECK(say_of_number(8.0, 2e-20).empty()); // every large factor is near a whole one
  CHECK(say_of_number(8.0, 8e5 + 1).empty());
  CHECK(contains(say_of_number(8.0, 8e6), "1000000 times as large"));
  CHECK(contains(say_of_number(8.0, -8.0), "the sign"));
  CHECK(contains(say_of_number(1.0, 1 + 3e-8), "7 digits"));
  CHECK(contains(say_of_number(1.0, 0.0), "integer division"));
  CHECK(contains(say_of_number(1.0, double(NAN)), "0 / 0"));
  CHECK(contains(say_of_number(1.187, 1.0), "integer division"));
  CHECK(contains(say_of_number(-2.5, -2.0), "integer division"));
  CHECK(say_of_number(1.0, 1.3).empty());
  CHECK(say_of_number(12, 6).empty());
  CHECK(say_of_number(1.0f, 1 + 1e-6f).empty());
}
