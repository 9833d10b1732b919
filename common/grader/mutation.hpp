// The text that mutants are made of: its tokens, its holes, and the mutants made so far.
#pragma once

#include "common/cpu/translator/token_range.hpp"
#include "common/grader/mutants.hpp"

#include <set>
#include <string>
#include <vector>

namespace course {

using course_cpu::translator::Tokens, course_cpu::translator::TokenRange;

class Mutation {
  const std::string &source_;
  const Tokens all_;

public:
  explicit Mutation(const std::string &source); // which must live as long
  Mutation(const Mutation &) = delete;

  // The solution's tokens, each operator a token, and so the >>> of a launch.
  const TokenRange tokens;
  const std::vector<std::pair<std::size_t, std::size_t>> &holes() const { return holes_; } // tokens

  // The text of the tokens from `begin` to before `end`.
  std::string text(std::size_t begin, std::size_t end) const;

  // A mutant with other text in place of these tokens, if they stand in one hole. Later lines keep
  // their numbers, which the messages of CUDA_CHECK have.
  void replace(std::size_t begin, std::size_t end, const std::string &by);
  void insert(std::size_t before, const std::string &words);

  // The beginning, or the end, of the operand of the comparison or && at `index`, as far as it is
  // on that side.
  std::size_t operand_begin(std::size_t index) const;
  std::size_t operand_end(std::size_t index) const;

  // The arguments of the group or launch that opens at `open`: token ranges.
  std::vector<std::pair<std::size_t, std::size_t>> arguments(std::size_t open) const;

  std::vector<Mutant> take();

private:
  bool in_one_hole(std::size_t begin, std::size_t end) const;

  std::vector<std::pair<std::size_t, std::size_t>> holes_;
  std::vector<std::pair<std::size_t, Mutant>> mutants_; // and where the change is
  std::set<std::string> seen_;
};

// The changes to expressions: operators, constants, indices, arguments, names, types.
void mutate_expressions(Mutation &mutation);

// The changes to statements: dropped, doubled, moved, guards, loops, early returns, atomics.
void mutate_statements(Mutation &mutation);

} // namespace course
