#include "tests/grader/explain.hpp"

#include <fstream>
#include <iterator>
#include <regex>

namespace course {
namespace {

// One array: what was sent, expected and came, element by element.
struct View {
  const Parameter &array;
  const Bytes &came;

  const void *at(const Bytes &bytes, std::size_t i) const {
    return bytes.data() + i * array.element.bytes;
  }
  bool right(std::size_t i) const {
    return array.element.same(at(array.expected, i), at(came, i), array.tolerance);
  }
  bool untouched(std::size_t i) const {
    return std::memcmp(at(array.before, i), at(came, i), array.element.bytes) == 0;
  }
  // Element i holds what belongs at j.
  bool holds(std::size_t i, std::size_t j) const {
    return array.element.same(at(array.expected, j), at(came, i), array.tolerance);
  }
  bool zero(std::size_t i) const { return array.element.number(at(came, i)) == 0; }
};

template <class Predicate>
bool all_of(const std::vector<std::size_t> &places, Predicate predicate) {
  return std::all_of(places.begin(), places.end(), predicate);
}

// What the wrong places have in common, and what that usually means; empty when nothing is seen.
std::string pattern(const View &view, const std::vector<std::size_t> &wrong) {
  const std::size_t count = view.array.count, columns = view.array.columns;
  const bool everywhere = wrong.size() == count;
  const bool untouched = all_of(wrong, [&](std::size_t i) { return view.untouched(i); });
  if (everywhere && untouched)
    return "Nothing was written.\n  Often: the kernel did not run (is its launch checked?), or its "
           "result was not copied back.";
  if (everywhere && all_of(wrong, [&](std::size_t i) { return view.zero(i); }))
    return "All are 0.\n  Often: the result was copied back from the wrong array, or never "
           "computed.";
  if (wrong.size() > 1 &&
      all_of(wrong, [&](std::size_t i) { return i > 0 && view.holds(i, i - 1); }))
    return "The values are shifted by one, to the right.\n  Often: an index that is 1 too large.";
  if (wrong.size() > 1 &&
      all_of(wrong, [&](std::size_t i) { return i + 1 == count || view.holds(i, i + 1); }))
    return "The values are shifted by one, to the left.\n  Often: an index that is 1 too small.";
  const bool tail =
      wrong.front() > 0 && wrong.back() == count - 1 && wrong.size() == count - wrong.front();
  if (tail && count - wrong.front() == 1)
    return "Only the last one is wrong.\n  Often: < n - 1 for < n, or a grid of n / block for "
           "(n + block - 1) / block.";
  if (tail) {
    std::string text = "All up to " + std::to_string(wrong.front()) +
                       " are right, all from there " +
                       (untouched ? "were not written." : "are wrong.");
    if (wrong.front() == (count + view.array.element.bytes - 1) / view.array.element.bytes ||
        wrong.front() == count / view.array.element.bytes)
      return text + "\n  Often: bytes against elements: n copied where n * sizeof is meant.";
    return text +
           "\n  Often: too few threads: a grid of n / block for (n + block - 1) / block, only "
           "one block, or an `if` where a loop is meant.";
  }
  const std::size_t rows = columns ? count / columns : 0;
  if (columns > 1 && rows > 1) {
    auto transposed = [&](std::size_t i) {
      std::size_t j = (i % rows) * columns + i / rows;
      return j < count && view.holds(i, j);
    };
    if (all_of(wrong, transposed))
      return "The picture is transposed.\n  Often: row and column (x and y) are swapped.";
    if (untouched && all_of(wrong, [&](std::size_t i) { return i % columns >= rows; }))
      return "Columns from " + std::to_string(rows) +
             " on were not written.\n  Often: width and "
             "height are swapped in the guard or the grid.";
  }
  if (untouched)
    return "The wrong ones were not written.\n  Often: two threads share an index and others are "
           "left out.";
  return "";
}

} // namespace

Complaint compare(const Parameter &parameter, const std::string &name, const Bytes &came) {
  View view{parameter, came};
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < parameter.count; ++i)
    if (!view.right(i))
      wrong.push_back(i);
  if (wrong.empty())
    return {};
  auto place = [&](std::size_t i) {
    if (parameter.columns)
      return name + "[row " + std::to_string(i / parameter.columns) + ", column " +
             std::to_string(i % parameter.columns) + "]";
    return name + "[" + std::to_string(i) + "]";
  };
  std::string message;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, wrong.size()); ++k) {
    std::size_t i = wrong[k];
    const Element &element = parameter.element;
    message += std::string(k ? "\n  " : "") + place(i) + ": expected " +
               element.text(view.at(parameter.expected, i)) + "      got " +
               element.text(view.at(came, i));
    if (!parameter.constant && view.untouched(i))
      message += " (not written)";
  }
  if (parameter.constant)
    return {"input", message + "\n  " + name + " is const: it must stay as it was."};
  message += "\n  Wrong: " + std::to_string(wrong.size()) + " of " +
             std::to_string(parameter.count) + " values.";
  if (const std::string seen = pattern(view, wrong); !seen.empty())
    message += " " + seen;
  return {"value", message};
}

std::vector<std::string> parameter_names(const std::string &header, const std::string &function,
                                         std::size_t count) {
  std::ifstream file(header);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text = std::regex_replace(text, std::regex("//[^\n]*"), "");
  std::vector<std::string> names;
  std::smatch match;
  if (std::regex_search(text, match, std::regex("\\b" + function + "\\s*\\(([^)]*)\\)"))) {
    std::string list = match[1];
    std::regex last_word("(\\w+)\\s*(,|$)");
    for (std::sregex_iterator it(list.begin(), list.end(), last_word), end; it != end; ++it)
      names.push_back((*it)[1]);
  }
  for (std::size_t i = names.size(); i < count; ++i)
    names.push_back("parameter " + std::to_string(i + 1));
  return names;
}

std::string describe(const Call &call, const std::string &function,
                     const std::vector<std::string> &names) {
  std::string text = function + "(";
  for (std::size_t i = 0; i < call.parameters.size(); ++i) {
    const Parameter &parameter = call.parameters[i];
    text += (i ? ", " : "") + names[i] + " = " +
            (parameter.pointer ? std::to_string(parameter.count) + " values"
                               : parameter.element.text(parameter.before.data()));
  }
  return text + ")";
}

} // namespace course
