// Words for what is wrong: with an answer the first difference, how many, a guess at the pattern
// and what it usually means; with a run the limit that ended it, or the fault that a tool found.
#pragma once

#include "common/grader/judge/case.hpp"
#include "common/grader/judge/verdict.hpp"
#include "common/grader/sandbox/sandbox.hpp"

#include <string>
#include <vector>

namespace course {

// Compares one array of a call with what came back. `name`: of the parameter; `has_kernels`: the
// exercise.
Finding compare(const Parameter &parameter, const std::string &name, const Bytes &came,
                bool has_kernels = true);

// The names of the contract's parameters, in order, as its header writes them; for those that it
// does not tell "parameter N".
std::vector<std::string> parameter_names(const std::string &header, const std::string &function,
                                         std::size_t count);

// The call as a learner would write it: "axpby(n = 257, a = 2, x = 257 numbers, ...)".
std::string describe(const Call &call, const std::string &function,
                     const std::vector<std::string> &names);

// Compares a device array that was written outside of with the arrays of the case.
Remark explain_damage(const Found &damage, const Calls &calls);

// Adds what the program printed: the error that ended it before the message, if it names one; the
// first and the last lines after.
void add_output(Finding &finding, const std::string &output);

// The finding of several ranks: that of the first that is wrong.
Finding explain_ranks(const std::vector<Finding> &ranks);

// Ended by an exception that nobody catches, as g++'s library and clang's say it: Thrust reports an
// error of CUDA so, with its reason.
bool is_uncaught(const Outcome &outcome);

// The findings of the tools, also if Thrust threw the error that they led to: the first fault, and
// if there are more, the places of all.
Finding explain_faults(const Outcome &outcome);

// A limit or a signal that ended the worker; nothing wrong when it ended by itself. `folder` holds
// the notes of its ranks (0: no MPI).
Finding explain_end(const Outcome &outcome, const Limits &limit, const std::string &folder,
                    int ranks);

} // namespace course
