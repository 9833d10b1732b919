// Code from before __syncwarp, in which the lanes of a warp go in step by themselves and exchange
// values in volatile memory:
//
//   v[t] += v[t + 16];   -> ::course_cpu::converge(), ::course_cpu::in_step(v[t]) += v[t + 16];
//   int x = v[t + 16];   -> ::course_cpu::converge(); int x = v[t + 16];
//   v[t] = x;            -> ::course_cpu::converge(), ::course_cpu::in_step(v[t]) = x;
//
// where v is declared volatile: all lanes that come there read before any of them writes. The
// second form is for elements that another statement writes, the third for those that another one
// has read, with no barrier between the two. And where two lanes read, in one statement, what the
// other one writes, in any memory:
//
//   v[t] += v[t ^ 8];    -> ::course_cpu::converge(), ::course_cpu::in_step_all(v[t]) += v[t ^ 8];
//
// Variables are known by name, where the declaration is in the same function or outside of
// functions. A kernel argument is global memory and is left alone. Where lanes write in different
// branches, the branches run one after the other. CUDA promises no order: racecheck reports these
// statements.
#pragma once

#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"
#include "token_range.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace course_cpu::translator {

class Lockstep {
public:
  Lockstep(const Lexed &lexed, const Functions &functions, Edits &edits)
      : tokens_(lexed.code), functions_(functions), edits_(edits) {}

  void run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (tokens_.is(i, "volatile"))
        add_declared(i);
    const std::vector<std::size_t> &begins = functions_.device_begins();
    const std::vector<std::size_t> &ends = functions_.device_ends();
    for (std::size_t k = 0; k < std::min(begins.size(), ends.size()); ++k) {
      find_accesses(begins[k] + 1, ends[k]);
      for (const Access &access : accesses_)
        mark(access);
      for (std::size_t i = begins[k] + 1; i < ends[k] && !is_constexpr(begins[k]); ++i)
        if (is_exchange(i) && !is_own(i, begins[k]))
          put_in_step(i, assignment(i), "in_step_all");
    }
  }

private:
  // Of an element of volatile memory.
  struct Access {
    std::size_t statement, name; // tokens: the first one of the statement, the array's name
    std::size_t operation; // where the statement writes it: its `=`, or its `+` of `+=`; else 0
  };
  struct Loop {
    std::size_t begin, end; // the braces of its body
  };

  // A name that is declared volatile, and where it has that meaning.
  struct Name {
    std::string_view text;
    std::size_t begin, end;
    bool is_global; // a kernel gets it
  };

  const Name *declared(std::size_t i) const {
    for (const Name &name : names_)
      if (i < tokens_.size() && tokens_[i].text == name.text && name.begin < i && i < name.end)
        return &name;
    return nullptr;
  }

  // volatile T *name, or volatile T name[...]
  void add_declared(std::size_t i) {
    Name name{{}, 0, tokens_.size(), false};
    for (const Function &f : functions_.all())
      if (const std::size_t end = tokens_.after_group(f.body); f.begin < i && i < end) {
        name.begin = f.begin, name.end = end;
        name.is_global = f.is_kernel && i < tokens_.after_group(f.parameters);
      }
    bool is_pointer = false;
    for (++i; i < tokens_.size() && !tokens_.is_any(i, ",", ";", "=", "(", ")", "{"); ++i) {
      is_pointer |= tokens_.is(i, "*");
      const bool ends = tokens_.is_any(i + 1, ",", ";", "=", ")", "(");
      if (tokens_.is_name(i) && (tokens_.is(i + 1, "[") || (is_pointer && ends))) {
        name.text = tokens_[i].text;
        names_.push_back(name);
      }
    }
  }

  void find_accesses(std::size_t begin, std::size_t end) {
    accesses_.clear(), loops_.clear(), barriers_.clear();
    std::size_t statement = begin;
    std::vector<std::size_t> outer; // statements in which lists, classes and lambdas are open
    for (std::size_t i = begin; i < end; ++i) {
      if (tokens_.is(i, "{") && !opens_block(i)) {
        outer.push_back(statement);
      } else if (tokens_.is(i, "}") && !opens_block(tokens_.group_begin(i)) && !outer.empty()) {
        statement = outer.back();
        outer.pop_back();
      } else if (tokens_.is_any(i, ";", "{", "}")) {
        statement = i + 1;
      } else if (i == statement && tokens_.is_any(i, "else", "do")) {
        add_loop(i, i + 1);
        statement = i + 1;
      } else if (i == statement && tokens_.is_any(i, "for", "while")) {
        statement = tokens_.after_group(i + 1);
        add_loop(i, statement);
        i = statement - 1;
      } else if (tokens_.is(i, ")") && tokens_.is(statement, "if") &&
                 tokens_.group_begin(i) == statement + 1 + tokens_.is(statement + 1, "constexpr")) {
        statement = i + 1;
      } else if (declared(i) && tokens_.is(i + 1, "[") && !tokens_.is_name(i - 1)) {
        accesses_.push_back({statement, i, i == statement ? assignment(i) : 0});
      } else if (tokens_.is_name(i) && tokens_[i].text.find("sync") != std::string_view::npos) {
        barriers_.push_back(i);
      }
    }
  }

  bool opens_block(std::size_t i) const {
    return tokens_.is(i, "{") && tokens_.is_any(i - 1, ")", ";", "{", "}", "else", "do", ":");
  }

  void add_loop(std::size_t keyword, std::size_t body) {
    if (!tokens_.is(keyword, "else") && tokens_.is(body, "{"))
      loops_.push_back({body, tokens_.after_group(body)});
  }

  // The operator with which a statement that begins there assigns to an element, or to a member of
  // one; 0: it does not.
  std::size_t assignment(std::size_t name) const {
    std::size_t i = name + 1;
    while (tokens_.is(i, "[") || tokens_.is(i, "."))
      i = tokens_.is(i, "[") ? tokens_.after_group(i) : i + 2;
    const std::size_t sign = i + tokens_.is_any(i, "+", "-", "*", "/", "&", "|", "^");
    return tokens_.is(sign, "=") && !tokens_.is(sign + 1, "=") ? i : 0;
  }

  void mark(const Access &access) {
    if (access.operation > 0) {
      if (reads_volatile(access) || any_other(access, [&](const Access &other) {
            return other_read_before(access, other);
          })) {
        put_in_step(access.statement, access.operation, "in_step");
        marked_ = access.statement;
      }
    } else if (access.statement != marked_ && begins_plainly(access.statement) &&
               any_other(access,
                         [&](const Access &other) { return other_writes(access, other); })) {
      edits_.insert(tokens_[access.statement].begin, "::course_cpu::converge(); ");
      marked_ = access.statement;
    }
  }

  void put_in_step(std::size_t statement, std::size_t operation, const std::string &function) {
    edits_.insert(tokens_[statement].begin,
                  "::course_cpu::converge(), ::course_cpu::" + function + '(');
    edits_.insert(tokens_[operation - 1].end(), ")");
  }

  // Whether the function with that body may run in the compiler, where no lanes are.
  bool is_constexpr(std::size_t body) const {
    for (std::size_t i = body; i > 0 && !tokens_.is_any(i - 1, ";", "{", "}"); --i)
      if (tokens_.is(i - 1, "constexpr"))
        return true;
    return false;
  }

  // Whether a statement v[t] = ... v[t ^ ...]; begins there, and v is not volatile.
  bool is_exchange(std::size_t i) const {
    if (!tokens_.is(i + 1, "[") || !tokens_.is_name(i + 2) || !tokens_.is(i + 3, "]") ||
        !tokens_.begins_statement(i) || assignment(i) != i + 4 || declared(i))
      return false;
    for (std::size_t read = i + 4; read < tokens_.size() && !tokens_.is(read, ";"); ++read)
      if (tokens_.is(read, tokens_[i].text) && tokens_.is(read + 1, "[") &&
          tokens_.is(read + 2, tokens_[i + 2].text) && tokens_.is(read + 3, "^"))
        return true;
    return false;
  }

  // Whether the array is one that each lane has for itself, `float v[16];` in that body.
  bool is_own(std::size_t name, std::size_t body) const {
    for (std::size_t i = name - 1; i > body; --i) {
      if (!tokens_.is(i, tokens_[name].text) || !tokens_.is(i + 1, "[") || !tokens_.is_name(i - 1))
        continue;
      while (tokens_.is_name(i - 1) && !tokens_.is(i - 1, "__shared__"))
        --i;
      return tokens_.is_any(i - 1, ";", "{", "}");
    }
    return false;
  }

  // Whether a statement that writes an element also reads volatile memory.
  bool reads_volatile(const Access &access) const {
    for (std::size_t i = access.operation; i < tokens_.size() && !tokens_.is(i, ";"); ++i)
      if (declared(i))
        return true;
    return false;
  }

  template <class Pleases> bool any_other(const Access &access, const Pleases &pleases) const {
    return !declared(access.name)->is_global &&
           std::any_of(accesses_.begin(), accesses_.end(), [&](const Access &other) {
             return other.statement != access.statement &&
                    tokens_[other.name].text == tokens_[access.name].text &&
                    index(other) != index(access) && pleases(other);
           });
  }

  std::string index(const Access &access) const {
    return tokens_.joined(access.name + 1, tokens_.after_group(access.name + 1));
  }

  bool other_read_before(const Access &write, const Access &other) const {
    return other.operation == 0 &&
           ((other.name < write.name && none_between(other.name, write.name)) ||
            in_turns(other.name, write.name));
  }

  bool other_writes(const Access &read, const Access &other) const {
    return other.operation > 0 &&
           (none_between(std::min(read.name, other.name), std::max(read.name, other.name)) ||
            in_turns(read.name, other.name));
  }

  // Whether no barrier stands between two tokens.
  bool none_between(std::size_t begin, std::size_t end) const {
    return std::none_of(barriers_.begin(), barriers_.end(),
                        [&](std::size_t barrier) { return begin < barrier && barrier < end; });
  }

  // Whether both tokens stand in a loop, with no barrier between the later one and the earlier one
  // of the next round.
  bool in_turns(std::size_t a, std::size_t b) const {
    return std::any_of(loops_.begin(), loops_.end(), [&](const Loop &loop) {
      return loop.begin < std::min(a, b) && std::max(a, b) < loop.end &&
             none_between(loop.begin, std::min(a, b)) && none_between(std::max(a, b), loop.end);
    });
  }

  // Whether a statement may be written before the one that begins there.
  bool begins_plainly(std::size_t statement) const {
    return tokens_.is_any(statement - 1, ";", "{", "}");
  }

  TokenRange tokens_;
  const Functions &functions_;
  Edits &edits_;
  std::vector<Name> names_;
  std::vector<Access> accesses_; // of one function
  std::vector<Loop> loops_;
  std::vector<std::size_t> barriers_; // what has sync in its name, of threads or lanes
  std::size_t marked_ = 0;            // the last statement that was changed
};

} // namespace course_cpu::translator
