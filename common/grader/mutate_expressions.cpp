#include "common/grader/mutation.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>

namespace course {
namespace {

using course_cpu::translator::Kind;

using Alternatives = std::map<std::string_view, std::vector<const char *>>;

const Alternatives operators = {
    {"<", {"<=", ">="}}, {"<=", {"<", ">"}}, {">", {">=", "<="}}, {">=", {">", "<"}},
    {"==", {"!="}},      {"!=", {"=="}},     {"&&", {"||"}},      {"||", {"&&"}},
    {"+", {"-"}},        {"-", {"+"}},       {"*", {"+"}},        {"/", {"*"}},
    {"%", {"/"}},        {"<<", {">>"}},     {">>", {"<<"}},      {"&", {"|"}},
    {"|", {"&"}},        {"^", {"|"}},       {"+=", {"-=", "="}}, {"-=", {"+=", "="}},
    {"*=", {"/=", "="}}, {"/=", {"*=", "="}}};

const Alternatives names = {{"threadIdx", {"blockIdx"}},
                            {"blockIdx", {"threadIdx"}},
                            {"blockDim", {"gridDim"}},
                            {"gridDim", {"blockDim"}},
                            {"min", {"max"}},
                            {"max", {"min"}},
                            {"fminf", {"fmaxf"}},
                            {"fmaxf", {"fminf"}},
                            {"fmin", {"fmax"}},
                            {"fmax", {"fmin"}},
                            {"true", {"false"}},
                            {"false", {"true"}},
                            {"double", {"float"}},
                            {"float", {"int"}},
                            {"size_t", {"int"}},
                            {"int64_t", {"int"}},
                            {"uint64_t", {"unsigned"}},
                            {"MPI_DOUBLE", {"MPI_FLOAT"}},
                            {"MPI_LONG_LONG", {"MPI_INT"}},
                            {"MPI_SUM", {"MPI_MAX"}},
                            {"MPI_MAX", {"MPI_SUM"}},
                            {"atomicMax", {"atomicMin"}},
                            {"atomicMin", {"atomicMax"}},
                            {"__syncthreads", {"__syncwarp"}},
                            {"__threadfence", {"__threadfence_block"}},
                            {"__shfl_down_sync", {"__shfl_up_sync"}},
                            {"__shfl_xor_sync", {"__shfl_down_sync"}}};

// The name of a constant, as DEPTH, that is the program's own.
bool is_constant(std::string_view name) {
  return name.size() > 1 && name.substr(0, 4) != "MPI_" && name.substr(0, 5) != "CUDA_" &&
         name[0] != '_' && std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isupper(c) || std::isdigit(c) || c == '_';
         });
}

class Expressions {
public:
  explicit Expressions(Mutation &mutation) : mutation_(mutation), tokens_(mutation.tokens) {}

  void run() {
    for (const auto &[begin, end] : mutation_.holes())
      for (std::size_t i = begin; i < end; ++i)
        mutate(i);
  }

private:
  void mutate(std::size_t i) {
    const Kind kind = tokens_[i].kind;
    if (kind == Kind::number)
      constant(i);
    else if (kind == Kind::identifier)
      name(i);
    else if (kind != Kind::punctuation)
      return;
    else if (tokens_.is(i, "("))
      swap_arguments(i);
    else if (tokens_.is(i, "<<<"))
      swap_neighbours(i);
    else if (tokens_.is(i, "["))
      index(i);
    else if (tokens_.is(i, "?"))
      choice(i);
    else
      change_operator(i);
  }

  // True if an expression ends before token `i`, so that an operator there has two operands.
  bool after_operand(std::size_t i) const {
    return i > 0 && (tokens_.is_name(i - 1) || tokens_[i - 1].kind == Kind::number ||
                     tokens_.is_any(i - 1, ")", "]"));
  }

  void change_operator(std::size_t i) {
    if (tokens_.is(i, "!") || (tokens_.is(i, "-") && !after_operand(i)))
      return mutation_.replace(i, i + 1, "");
    const auto found = operators.find(tokens_[i].text);
    if (found == operators.end() || !after_operand(i))
      return;
    for (const char *other : found->second)
      mutation_.replace(i, i + 1, other);
    if (tokens_.is_any(i, "<", "<=", ">", ">="))
      cut(i);
    if (tokens_.is_any(i, "&&", "||")) { // one of the two alone
      mutation_.replace(mutation_.operand_begin(i), i + 2, mutation_.text(i + 1, i + 2));
      mutation_.replace(i - 1, mutation_.operand_end(i), mutation_.text(i - 1, i));
    }
  }

  // The last element is left out; and the first.
  void cut(std::size_t i) {
    const std::size_t begin = mutation_.operand_begin(i), end = mutation_.operand_end(i);
    if (begin == i || end == i + 1)
      return;
    const bool upper = tokens_.is_any(i, "<", "<=");
    mutation_.replace(i + 1, end, mutation_.text(i + 1, end) + (upper ? " - 1" : " + 1"));
    if (upper)
      mutation_.replace(begin, end,
                        mutation_.text(begin, i) + " > 0 && " + mutation_.text(begin, end));
  }

  void constant(std::size_t i) {
    const std::string text(tokens_[i].text);
    std::string digits = text;
    digits.erase(std::remove(digits.begin(), digits.end(), '\''), digits.end());
    std::size_t used = 0;
    unsigned long long value = 0;
    try {
      value = std::stoull(digits, &used, 0);
    } catch (const std::out_of_range &) {
      return;
    } catch (const std::invalid_argument &) { // .5f
    }
    const std::string suffix = digits.substr(used);
    if (suffix.find_first_not_of("uUlL") != suffix.npos) { // a floating-point number
      for (const std::string &other : {"0 * " + text, text + " + 1", "2 * " + text})
        mutation_.replace(i, i + 1, "(" + other + ")");
      return;
    }
    for (const unsigned long long other : {0ull, 1ull, value + 1, value - 1, 2 * value})
      if (other != value)
        mutation_.replace(i, i + 1, other + 1 == 0 ? "-1" : std::to_string(other) + suffix);
  }

  void name(std::size_t i) {
    const std::string_view text = tokens_[i].text;
    if (const auto found = names.find(text); found != names.end())
      for (const char *other : found->second)
        mutation_.replace(i, i + 1, other);
    if (text == "long" && tokens_.is(i + 1, "long"))
      mutation_.replace(i, i + 2, tokens_.is(i - 1, "unsigned") ? "" : "int");
    if (is_constant(text) && !tokens_.is(i + 1, "(")) {
      const bool factor =
          tokens_.is_any(i - 1, "-", "*", "/", "%", "<<") || tokens_.is_any(i + 1, "*", "/", "%");
      for (const char *change : {" + 1", " - 1"})
        mutation_.replace(i, i + 1,
                          (factor ? "(" : "") + std::string(text) + change + (factor ? ")" : ""));
    }
    if (i > 0 && tokens_.is(i - 1, ".")) {
      if (text == "x")
        mutation_.replace(i, i + 1, "y");
      else if (text == "y" || text == "z")
        mutation_.replace(i, i + 1, "x");
    }
  }

  // True if the bracket at `i` gives the size of an array: float sum[4], tile[8][8].
  bool is_declarator(std::size_t i) const {
    while (tokens_.is(i - 1, "]"))
      i = tokens_.group_begin(i - 1);
    if (i < 2 || !tokens_.is_name(i - 1))
      return false;
    const std::size_t before = i - 2;
    return tokens_.is_name(before) || tokens_.is(before, ",");
  }

  void index(std::size_t i) {
    const std::size_t end = tokens_.after_group(i) - 1;
    if (!after_operand(i) || end <= i + 1 || is_declarator(i))
      return;
    const std::string old = mutation_.text(i + 1, end);
    for (const char *change : {" + 1", " - 1"})
      mutation_.replace(i + 1, end, old + change);
    if (tokens_.is(end + 1, "[")) {
      const std::size_t last = tokens_.after_group(end + 1);
      mutation_.replace(i, last, mutation_.text(end + 1, last) + mutation_.text(i, end + 1));
    }
  }

  // c ? a : b becomes a, and b.
  void choice(std::size_t i) {
    std::size_t colon = mutation_.operand_end(i);
    if (!tokens_.is(colon, ":"))
      return;
    std::size_t begin = mutation_.operand_begin(i);
    while (tokens_.is_any(begin - 1, "&&", "||"))
      begin = mutation_.operand_begin(begin - 1);
    const std::size_t end = mutation_.operand_end(colon);
    mutation_.replace(begin, end, "(" + mutation_.text(i + 1, colon) + ")");
    mutation_.replace(begin, end, "(" + mutation_.text(colon + 1, end) + ")");
  }

  void swap_arguments(std::size_t open) {
    const bool call = open > 0 && (tokens_.is_name(open - 1) || tokens_.is(open - 1, ">>>"));
    if (call && !tokens_.is(tokens_.after_group(open), "{")) // else parameters
      swap_neighbours(open);
  }

  void swap_neighbours(std::size_t open) {
    const auto all = mutation_.arguments(open);
    for (std::size_t k = 0; k + 1 < all.size(); ++k)
      mutation_.replace(all[k].first, all[k + 1].second,
                        mutation_.text(all[k + 1].first, all[k + 1].second) + ", " +
                            mutation_.text(all[k].first, all[k].second));
  }

  Mutation &mutation_;
  const TokenRange &tokens_;
};

} // namespace

void mutate_expressions(Mutation &mutation) { Expressions(mutation).run(); }

} // namespace course
