#include "common/grader/judge/pattern.hpp"

#include "common/grader/judge/order.hpp"

#include <optional>
#include <random>

namespace course {
namespace {

using Places = std::vector<std::size_t>;

template <class Predicate> bool all_of(const Places &places, Predicate predicate) {
  return std::all_of(places.begin(), places.end(), predicate);
}

bool is_near(double a, double b) { return std::fabs(a - b) <= 1e-5 * std::fabs(b); }

// Relative to itself every large number is near a whole one.
bool is_whole(double factor) {
  const double off = std::fabs(factor - std::round(factor));
  return std::fabs(factor) < 1e9 && off <= std::min(1e-5 * std::fabs(factor), 0.01);
}

const char copy_words[] = "a copy was changed: of a pointer (x = value instead of *x = value or "
                          "x[i] = value), or of a parameter without &.",
           float_words[] = "float instead of double, in a sum, a variable, or a constant such as "
                           "0.1f.",
           cut_words[] = "an int variable; or an integer division: 7 / 2 is 3, and 7 / 2.0 is 3.5.";

const Remark computed_nan{"", "0 / 0, or a value that is read before it is written.",
                          About::computed_nan};

// The common content of the wrong elements.
struct State {
  Remark all;                            // if no element is right
  const char *verb;                      // for all of them
  bool left_out = false, is_nan = false; // left out: no thread has written them
};

State state_of(const View &view, const Places &wrong) {
  const bool is_output = view.array.output;
  if (all_of(wrong, [&](std::size_t i) { return view.untouched(i); }))
    return {{is_output ? "Nothing was written." : "Nothing has changed.",
             !view.has_kernels ? copy_words
             : is_output       ? "the result is not copied back."
                               : "the kernel did not run (is its launch checked?), or its result "
                                 "is not copied back."},
            is_output ? "were not written" : "have not changed",
            true};
  if (all_of(wrong, [&](std::size_t i) { return view.fresh(i); }))
    return {{"All values are still the initial values of device memory.",
             "the kernel did not run (is its launch checked?), or it reads or copies an array that "
             "was never filled."},
            "are still the initial values of device memory",
            true};
  if (all_of(wrong, [&](std::size_t i) { return view.number(i) == 0; }))
    return {{"All values are 0.",
             "an integer division, such as 1 / 2, which is 0; a sum that is never increased; or a "
             "minimum or maximum that starts at 0."},
            "are 0"};
  if (all_of(wrong, [&](std::size_t i) { return std::isnan(view.number(i)); })) {
    Remark nan = computed_nan;
    if (!is_output && all_of(wrong, [&](std::size_t i) {
          return !std::isfinite(view.array.element.number(view.at(view.array.before, i)));
        }))
      nan = {"",
             "the old value is used in the result, or a value that must not be read. It is NaN or "
             "infinite here, and 0 times NaN or infinity is NaN."};
    nan.fact = "All values are NaN.";
    return {nan, "are NaN", false, true};
  }
  return {{}, "are wrong"};
}

std::string factor_text(double factor) {
  std::ostringstream text;
  if (is_near(factor, -1))
    return "have the wrong sign";
  if (is_whole(factor))
    text << (factor < 0 ? "have the wrong sign, and are " : "are ") << std::fabs(std::round(factor))
         << " times as large as they should be";
  else if (is_whole(1 / factor))
    text << (factor < 0 ? "have the wrong sign, and are 1/" : "are 1/")
         << std::fabs(std::round(1 / factor)) << " of what they should be";
  else
    text << "are off by the same factor, " << factor;
  return text.str();
}

// All values are the right ones times one number.
Remark factor(const View &view, const Places &wrong) {
  const auto smaller = [&](std::size_t i, std::size_t j) {
    return std::fabs(view.expected(i)) < std::fabs(view.expected(j));
  };
  const auto [least, most] = std::minmax_element(wrong.begin(), wrong.end(), smaller);
  const double factor = view.number(*most) / view.expected(*most);
  if (wrong.size() < 3 || !smaller(*least, *most) || !std::isfinite(factor) || factor == 0 ||
      is_near(factor, 1))
    return {};
  for (std::size_t i = 0; i < view.array.count; ++i) {
    const double wanted = factor * view.expected(i);
    const double allowed = std::fabs(wanted) * (view.array.element.is_float ? 1e-5 : 1e-9) +
                           view.array.tolerance * std::fabs(factor);
    if (!(std::fabs(view.number(i) - wanted) <= allowed))
      return {};
  }
  return {"All values " + factor_text(factor) + "."};
}

bool is_square(double expected, double came) {
  const double square = expected * expected; // not finite: any number would be near it
  return !is_near(expected, 1) && expected != 0 && std::isfinite(square) && is_near(came, square);
}

// A number of about as many digits as a float holds: no integer, no 0.5.
bool is_of_float(double value) {
  int exponent;
  const double digits = std::ldexp(std::frexp(value, &exponent), 12);
  return double(float(value)) == value && digits != std::round(digits);
}

// To how many digits a number of type double agrees with what is expected, where it is what float
// gives: near, or, after many roundings, a number that float can hold.
std::optional<int> digits_of_float(double expected, double came) {
  const double difference = std::fabs(came - expected) / std::fabs(expected);
  const double most = is_of_float(came) && !is_of_float(expected) ? 1e-2 : 0x1p-22;
  if (!(difference > 1e-10 && difference < most))
    return {};
  return int(-std::log10(difference));
}

Remark digits(const View &view, const Places &wrong) {
  if (view.array.element.bytes != sizeof(double) || !view.array.element.is_float)
    return {};
  int least = 10;
  std::size_t others = 0; // differences of nearly equal numbers lose more
  for (std::size_t i : wrong)
    if (const auto digits = digits_of_float(view.expected(i), view.number(i)))
      least = std::min(least, *digits);
    else if (20 * ++others > wrong.size())
      return {};
  return {"They are right to about " + std::to_string(least) + " digits.", float_words};
}

// By how much all are off that are near what is expected, beside the largest of it.
Remark nearly(const View &view, const Places &wrong) {
  double largest = 0, most = 0;
  for (std::size_t i = 0; i < view.array.count; ++i)
    largest = std::fmax(largest, std::fabs(view.expected(i)));
  for (std::size_t i : wrong) {
    const double off = std::fabs(view.number(i) - view.expected(i));
    if (!(off < 1e-3 * largest))
      return {};
    most = std::fmax(most, off);
  }
  if (view.array.tolerance == 0)
    return {};
  std::ostringstream text;
  text.precision(2);
  text << "The largest error is " << most << "; the tolerance is " << view.array.tolerance << ".";
  return {text.str()};
}

// Each element holds what belongs some rows and columns before it, wherever there is such a place.
bool is_shifted(const View &view, std::size_t columns, int down, int right) {
  const long count = long(view.array.count), width = long(columns);
  bool has_such_places = false; // a picture of one column has none in the next column
  for (long i = 0; i < count; ++i) {
    const long row = i / width - down, column = i % width - right;
    if (row < 0 || row >= count / width || column < 0 || column >= width)
      continue;
    if (!view.holds(i, row * width + column))
      return false;
    has_such_places = true;
  }
  return has_such_places;
}

Remark shift(const View &view, std::size_t columns, bool is_list) {
  const struct {
    int down, right;
    const char *where, *guess;
  } shifts[] = {
      {0, 1, "to the right", "an index that is 1 too large in a write, or 1 too small in a read."},
      {0, -1, "to the left", "an index that is 1 too small in a write, or 1 too large in a read."},
      {1, 0, "row down", "a row index that is 1 too large in a write."},
      {-1, 0, "row up", "a row index that is 1 too small in a write."}};
  for (const auto &[down, right, where, guess] : shifts)
    if (!(is_list && down) && is_shifted(view, columns, down, right))
      return {std::string("The values are shifted by one ") + (down || is_list ? "" : "column ") +
                  where + ".",
              guess};
  return {};
}

bool is_transposed(const View &view, std::size_t rows, std::size_t columns) {
  for (std::size_t i = 0; i < view.array.count; ++i)
    if (!view.holds(i, i % rows * columns + i / rows))
      return false;
  return true;
}

// Row and column in place of each other, where the picture has both places: as indices, or as the
// numbers of rows and columns.
bool is_swapped(const View &view, std::size_t rows, std::size_t columns, bool as_indices) {
  std::size_t moved = 0;
  for (std::size_t i = 0; i < view.array.count; ++i) {
    const std::size_t row = as_indices ? i % columns : i / rows,
                      column = as_indices ? i / columns : i % rows;
    if (row >= rows || column >= columns)
      continue;
    if (!view.holds(i, row * columns + column))
      return false;
    moved += !view.holds(i, i);
  }
  return moved > 1;
}

// All values of the array, but not at their places.
bool is_permuted(const View &view) {
  std::vector<double> expected, came;
  for (std::size_t i = 0; i < view.array.count; ++i) {
    expected.push_back(view.expected(i));
    came.push_back(view.number(i));
    if (!std::isfinite(expected[i]) || !std::isfinite(came[i]))
      return false;
  }
  std::sort(expected.begin(), expected.end());
  std::sort(came.begin(), came.end());
  return std::equal(expected.begin(), expected.end(), came.begin(), [&](double right, double is) {
    return std::fabs(right - is) <= view.array.tolerance;
  });
}

Remark swaps(const View &view, std::size_t rows, std::size_t columns) {
  if (is_transposed(view, rows, columns))
    return {"The picture is transposed.", "row and column (x and y) are swapped."};
  if (is_swapped(view, rows, columns, true))
    return {"Row and column are swapped.", "two indices in place of each other: x counts columns "
                                           "and y rows; or blockIdx and threadIdx."};
  if (is_swapped(view, rows, columns, false))
    return {"The numbers of rows and columns are swapped.",
            "width and height in place of each other, or the values in <<<blocks, threads>>>."};
  return {};
}

// A grid of count / block ends there, for a usual block.
bool is_rounded_down(std::size_t reached, std::size_t count) {
  for (std::size_t block = 4; block <= 1024; block *= 2)
    if (reached > 0 && reached < count && reached == count / block * block)
      return true;
  return false;
}

bool is_block(std::size_t reached) {
  return reached >= 4 && reached <= 1024 && (reached & (reached - 1)) == 0;
}

// True if an image is right so far because the grid has as many blocks in x as it needs in y, and
// the other way round, for a usual block.
bool is_grid_swapped(std::size_t rows, std::size_t columns, std::size_t right_rows,
                     std::size_t right_columns) {
  const auto blocks = [](std::size_t count, std::size_t block) {
    return (count + block - 1) / block;
  };
  for (std::size_t x : {8, 16, 32, 64, 128, 256, 512, 1024})
    for (std::size_t y = 1; y <= x && x * y <= 1024; y *= 2)
      for (const auto &[in_x, in_y] : {std::pair{blocks(rows, y), blocks(columns, x)},
                                       std::pair{blocks(rows, x), blocks(columns, y)}})
        if (right_rows == std::min(rows, in_y * y) && right_columns == std::min(columns, in_x * x))
          return true;
  return false;
}

const std::string rounded = "a grid of n / block blocks instead of (n + block - 1) / block: the "
                            "last, partial block is missing";

// A list of which the first `reached` are right and the others are not.
Remark cut_list(std::size_t reached, const View &view, const State &state) {
  const std::size_t count = view.array.count, bytes = view.array.element.bytes;
  if (count - reached == 1) {
    const std::string text =
        std::string("Only the last one ") + (state.left_out ? "is missing." : "is wrong.");
    if (!state.left_out)
      return {text};
    return {text, view.has_kernels && is_rounded_down(reached, count) ? often({rounded})
                                                                      : "< n - 1 instead of < n."};
  }
  const std::string text =
      (reached == 1 ? "Only the first is" : "The first " + std::to_string(reached) + " are") +
      " right, all others " + state.verb + ".";
  if (!view.has_kernels)
    return {text};
  if (bytes > 1 && reached > 1 &&
      (reached == (count + bytes - 1) / bytes || reached == count / bytes))
    return {text, "elements instead of bytes: n is copied instead of n * sizeof(...)."};
  if (bytes > 1 && state.left_out && reached == sizeof(void *) / bytes)
    return {text, "sizeof of a pointer, which is 8, instead of the size of the array in bytes."};
  if (is_rounded_down(reached, count) && state.left_out)
    return {text, often({rounded})};
  if (reached % 32 == 0 && state.left_out)
    return {text, "too few threads, and each does only one element: an `if` instead of a "
                  "grid-stride loop."};
  if (reached >= 32 && is_block(reached))
    return {text, "an index that is right only in the first block."};
  return {text};
}

std::string counted(std::size_t count, const std::string &noun) {
  return count == 1 ? noun : std::to_string(count) + " " + noun + "s";
}

// The same of a picture: the first rows and columns.
Remark cut_picture(std::size_t rows, std::size_t columns, std::size_t right_rows,
                   std::size_t right_columns, const State &state) {
  const auto others = [&](const std::string &noun, std::size_t first, std::size_t count) {
    return count - first == 1
               ? "The last " + noun + (state.left_out ? " is missing." : " is wrong.")
               : "From " + noun + " " + std::to_string(first) + " on, all values " + state.verb +
                     ".";
  };
  std::string text;
  if (right_rows == rows)
    text = others("column", right_columns, columns);
  else if (right_columns == columns)
    text = others("row", right_rows, rows);
  else
    text = "Only the first " + counted(right_columns, "column") + " of the first " +
           counted(right_rows, "row") + " are right; all other values " + state.verb + ".";
  if (!state.left_out)
    return {text};
  if (rows != columns && ((right_rows == rows && right_columns == rows) ||
                          (right_columns == columns && right_rows == columns)))
    return {text, "width and height are swapped in the guard or the grid."};
  std::vector<std::string> guesses;
  if (is_grid_swapped(rows, columns, right_rows, right_columns) ||
      is_grid_swapped(columns, rows, right_columns, right_rows)) // x counts rows
    guesses.push_back("x and y of the grid are swapped");
  const auto may_be_rounded = [](std::size_t reached, std::size_t count) {
    return reached == count || is_rounded_down(reached, count);
  };
  if (may_be_rounded(right_rows, rows) && may_be_rounded(right_columns, columns))
    guesses.push_back(rounded);
  const bool all_rows = right_rows == rows, all_columns = right_columns == columns;
  if ((all_rows || is_block(right_rows)) && (all_columns || is_block(right_columns)) &&
      (all_rows || all_columns || right_rows * right_columns <= 1024))
    guesses.push_back("a grid of one block, or an index without blockIdx");
  return {text, often(guesses)};
}

} // namespace

std::uint64_t drawn_bits() {
  static const std::uint64_t bits =
      std::mt19937_64(~this_order().first_seed())(); // a judge's numbers begin there
  return bits;
}

std::string often(const std::vector<std::string> &guesses) {
  std::string text;
  for (const std::string &guess : guesses)
    text += (text.empty() ? "" : "; or ") + guess;
  return text.empty() ? text : text + ".";
}

Remark pattern(const View &view, const Places &wrong) {
  const std::size_t count = view.array.count;
  const bool is_list = view.array.columns == 0 || view.array.columns == count;
  const std::size_t columns = is_list ? count : view.array.columns, rows = count / columns;
  const State state = state_of(view, wrong);
  if (wrong.size() == count && !state.all.empty())
    return state.all;
  std::vector<std::string> meanings;
  for (const Mistake &mistake : view.array.mistakes)
    if (view.is_all(mistake.values))
      meanings.push_back(mistake.meaning);
  if (!meanings.empty())
    return {"", often(meanings), About::known_mistake};
  if (!state.left_out) {
    for (const Remark &seen : {factor(view, wrong), digits(view, wrong)})
      if (!seen.empty())
        return seen;
    if (wrong.size() > 1 && count > 3)
      if (const Remark seen = shift(view, columns, is_list); !seen.empty())
        return seen;
    if (rows > 1 && columns > 1)
      if (const Remark seen = swaps(view, rows, columns); !seen.empty())
        return seen;
    if (wrong.size() > 1 && is_permuted(view))
      return {"These are the right values, but in wrong places.",
              "indices in place of each other, in a read or in a write."};
    if (view.array.element.is_float && wrong.size() > 1 && all_of(wrong, [&](std::size_t i) {
          return view.number(i) == std::trunc(view.expected(i));
        }))
      return {"Their fractions are cut off.", cut_words};
    if (const Remark seen = nearly(view, wrong); !seen.empty())
      return seen;
  }
  if (wrong.size() < count) {
    // Is what is right a rectangle that begins at the first place?
    std::size_t right_rows = 0, right_columns = 0;
    for (std::size_t i = 0, k = 0; i < count; ++i)
      if (k < wrong.size() && wrong[k] == i) {
        ++k;
      } else {
        right_rows = std::max(right_rows, i / columns + 1);
        right_columns = std::max(right_columns, i % columns + 1);
      }
    if (right_rows * right_columns == count - wrong.size())
      return is_list ? cut_list(right_columns, view, state)
                     : cut_picture(rows, columns, right_rows, right_columns, state);
  }
  Remark seen = state.is_nan ? state.all : Remark{};
  if (state.is_nan || state.left_out)
    seen.fact = std::string("The wrong values ") + state.verb + ".";
  return seen;
}

Remark pattern(const Element &element, const void *expected, const void *came, bool has_kernels) {
  const double wanted = element.number(expected), is = element.number(came);
  if (!element.is_float)
    return {};
  if (std::isnan(is))
    return computed_nan;
  if (is == 0)
    return {"", std::string(has_kernels ? "the result is not copied back; " : "") +
                    "a sum that is never increased; or an integer division, such as 1 / 2, which "
                    "is 0."};
  if (wanted == 0 || !std::isfinite(is))
    return {};
  if (is == std::trunc(wanted) && std::fabs(wanted - is) > 1e-2 * std::fabs(wanted))
    return {"", cut_words};
  if (element.bytes == sizeof(double))
    if (const auto digits = digits_of_float(wanted, is))
      return {" (right to about " + std::to_string(*digits) + " digits)", float_words};
  if (is_square(wanted, is))
    return {" (the square of the expected value)", "a missing square root."};
  const double factor = is / wanted;
  if (is_near(factor, -1))
    return {" (the sign is wrong)"};
  if (std::fabs(factor) > 1.5 && is_whole(factor))
    return {" (" + std::to_string(std::lround(factor)) + " times as large)"};
  if (std::fabs(factor) < 0.75 && is_whole(1 / factor))
    return {" (1/" + std::to_string(std::lround(1 / factor)) + " of the expected value)"};
  return {};
}

} // namespace course
