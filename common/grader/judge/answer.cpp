#include "common/grader/judge/answer.hpp"

#include "common/grader/judge/explain.hpp"
#include "common/grader/judge/order.hpp"
#include "common/grader/sandbox/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

namespace course {

const Finding no_reply{Kind::forgery, "the results were not written by the grader's own code"};

namespace {

using Sizes = std::array<std::uint64_t, 3>; // in x, y and z
struct LaunchShape {
  std::uint64_t device;
  Sizes grid, block;
};

// What follows the answers in a reply.
struct Observed {
  std::uint64_t launches;
  std::vector<LaunchShape> shapes;
  std::vector<KernelWork> work;
  std::vector<Found> findings;
};

// Nothing where it is not as a worker writes it.
std::optional<Observed> observed(Reply &reply) {
  Observed its;
  const bool came =
      reply.read(its.launches) &&
      reply.read_list(its.shapes, [&](LaunchShape &shape) { return reply.read(shape); }) &&
      reply.read_list(its.work, [&](KernelWork &of) { return reply.read(of.kernel, of.work); }) &&
      reply.read_list(its.findings, [&](Found &found) {
        std::uint64_t kind = kind_count;
        const bool is_read = reply.read(kind, found.text, found.parameter, found.bytes,
                                        found.past_end, found.of_launch);
        found.kind = Kind(kind);
        return is_read && kind < kind_count;
      });
  return came ? std::optional(its) : std::nullopt;
}

// True if no value that is sent to a call is NaN or infinite.
bool is_finite(const Call &call) {
  return std::all_of(call.parameters.begin(), call.parameters.end(), [](const Parameter &its) {
    for (std::size_t i = 0; !its.output && i < its.count; ++i)
      if (!std::isfinite(its.element.number(&its.before[i * its.element.bytes])))
        return false;
    return true;
  });
}

// True if all bytes are equal, as after a cudaMemset.
bool is_filled(const unsigned char *at, std::size_t bytes) {
  return std::all_of(at, at + bytes, [at](unsigned char byte) { return byte == *at; });
}

// How many elements are right and can come neither from what was sent nor from a cudaMemset.
std::size_t made_by_host(const Parameter &parameter, const Bytes &came) {
  const std::size_t size = parameter.element.bytes;
  std::size_t count = 0;
  for (std::size_t at = 0; at < came.size(); at += size)
    count += parameter.element.same(&parameter.expected[at], &came[at], parameter.tolerance) &&
             std::memcmp(&parameter.before[at], &came[at], size) != 0 &&
             !is_filled(&came[at], size);
  return count;
}

// The lines of Python that a call runs.
std::string script_of(const Call &call) {
  const Bytes &text = call.parameters.front().before; // ends with 0
  return indented(reinterpret_cast<const char *>(text.data()));
}

// The answers of a worker whose kernels did nothing: what is right is the host's work.
std::optional<Finding> judge_without_kernels(const Calls &calls, Reply &reply) {
  Finding finding;
  for (const Call *call : calls) {
    const auto names =
        parameter_names(this_order().contract, this_order().function(), call->parameters.size());
    bool writes = false;
    for (std::size_t i = 0; i < call->parameters.size(); ++i) {
      const Parameter &parameter = call->parameters[i];
      if (!parameter.pointer)
        continue;
      const auto came = reply.take(parameter.before.size());
      if (!came)
        return std::nullopt;
      writes |= !parameter.constant;
      const std::size_t count = parameter.constant ? 0 : made_by_host(parameter, *came);
      if (count > 0)
        finding = {Kind::idle, std::to_string(count) + " of " + std::to_string(parameter.count) +
                                   " values of " + names[i] + " are right"};
    }
    const auto result = reply.take(call->result_bytes);
    if (!result)
      return std::nullopt;
    if (!writes && call->result_complaint && !call->result_complaint(result->data()).is_wrong())
      finding = {Kind::idle, "the returned value is right"};
  }
  if (finding.is_wrong())
    finding.remarks.front().fact +=
        ", although no kernel ran: kernels on the device must do the work, not host code";
  return finding;
}

// Values that are wrong only where host code does not see the numbers: those that it made or
// changed.
Finding judge_hidden(const Finding &value, const std::vector<Found> &findings) {
  const bool is_shared = std::any_of(findings.begin(), findings.end(), [](const Found &found) {
    return found.kind == Kind::pass; // worker.cpp: kernels and host code share memory
  });
  if (!value.is_wrong() || is_shared)
    return {};
  Finding finding{
      Kind::idle,
      "host code does a part of the work: kernels on the device must do all of it. In this "
      "case host code sees other numbers than kernels, and the result is wrong."};
  finding.remarks.push_back(value.remarks.back()); // the call
  return finding;
}

// The worker counts the parameters of the contract, which has their names.
Remark explain_host_damage(const Found &found, std::size_t count) {
  const auto names = parameter_names(this_order().contract, this_order().function(), count);
  return {
      found.text + " " + names[found.parameter - 1],
      "<= instead of <, a loop that ends at the wrong size, or an offset in bytes: + on a pointer "
      "counts elements."};
}

std::string text_of(const Sizes &sizes) {
  std::string text = std::to_string(sizes[0]);
  if (sizes[1] * sizes[2] != 1)
    text += " x " + std::to_string(sizes[1]);
  if (sizes[2] != 1)
    text += " x " + std::to_string(sizes[2]);
  return text;
}

// The sizes that the case asks for, and the first that came, where no launch has them.
std::string other_shape(const Case &its_case, const std::vector<LaunchShape> &shapes) {
  const auto fits = [](const Sizes &wanted, const Sizes &came) {
    return wanted[0] == 0 || wanted == came;
  };
  if (shapes.empty() || std::any_of(shapes.begin(), shapes.end(), [&](const LaunchShape &shape) {
        return fits(its_case.grid, shape.grid) && fits(its_case.block, shape.block);
      }))
    return {};
  std::string wanted, came;
  if (its_case.grid[0]) {
    wanted = text_of(its_case.grid) + " blocks";
    came = text_of(shapes[0].grid) + " blocks";
  }
  if (its_case.block[0]) {
    wanted += (wanted.empty() ? "blocks of " : " of ") + text_of(its_case.block) + " threads";
    came += (came.empty() ? "blocks of " : " of ") + text_of(shapes[0].block) + " threads";
  }
  return "expected " + wanted + ", got " + came;
}

// Compares the launches with the sizes and the device that the case asks for.
Finding judge_shapes(const Case &its_case, const std::vector<LaunchShape> &shapes) {
  if (its_case.device >= 0)
    for (const LaunchShape &shape : shapes)
      if (shape.device != std::uint64_t(its_case.device))
        return {Kind::value, "the values are right, but a kernel ran on device " +
                                 std::to_string(shape.device) + " instead of device " +
                                 std::to_string(its_case.device)};
  if (const std::string other = other_shape(its_case, shapes); !other.empty())
    return {Kind::value, "the values are right, but the launch is not: " + other};
  return {};
}

} // namespace

bool is_counted(const Case &its_case) {
  return COURSE_COUNTS && this_order().tool.empty() && !its_case.work.empty() &&
         this_order().counts;
}

std::optional<Finding> judge_reply(const Case &its_case, const Calls &calls, std::uint64_t nonce,
                                   Reply &reply) {
  if (reply.left() == 0)
    return {};
  if (std::uint64_t came; !reply.read(came) || came != nonce)
    return no_reply;
  if (its_case.nothing_right) {
    const auto finding = judge_without_kernels(calls, reply);
    return finding && !observed(reply) ? no_reply : finding;
  }
  Finding value;
  for (std::size_t k = 0; k < calls.size(); ++k) {
    const Call &call = *calls[k];
    const bool right_so_far = !value.is_wrong(), in_python = !this_order().library.empty();
    const auto names =
        parameter_names(this_order().contract, this_order().function(), call.parameters.size());
    auto note = [&](Finding finding) {
      if (value.is_wrong() || !finding.is_wrong())
        return;
      value = std::move(finding);
      Remark &remark = value.remarks.front();
      if (remark.about == About::computed_nan && (k > 0 || !is_finite(call)))
        remark = {remark.fact};
      if (its_case.again) // not what else explains such a value
        remark = {remark.fact,
                  "a value is kept from one call to the next, for example in a static variable."};
      std::string asked = in_python ? "The judge ran a script"
                                    : "Call: " + describe(call, this_order().function(), names);
      if (calls.size() > 1)
        asked += ", call " + std::to_string(k + 1) + " of " + std::to_string(calls.size());
      if (in_python)
        asked += ":\n" + script_of(call);
      value.remarks.push_back({asked});
    };
    for (std::size_t i = 0; i < call.parameters.size(); ++i) {
      const Parameter &parameter = call.parameters[i];
      if (!parameter.pointer)
        continue;
      auto came = reply.take(parameter.before.size());
      if (!came)
        return std::nullopt;
      note(compare(parameter, names[i], *came, its_case.needs_kernel && !in_python));
    }
    auto result = reply.take(call.result_bytes);
    if (!result)
      return std::nullopt;
    if (call.result_complaint)
      if (Finding wrong = call.result_complaint(result->data()); wrong.is_wrong()) {
        Remark &remark = wrong.remarks.front();
        const bool also = right_so_far && value.is_wrong(); // an array of this call is wrong, too
        if (in_python) {
          if (also)
            value = {}; // the exception is the reason
        } else {
          remark.fact.insert(0, also ? "The return value is also wrong: " : "return value: ");
          if (also)
            value.remarks.push_back(remark);
        }
        note(std::move(wrong));
      }
  }
  const auto its = observed(reply);
  if (!its)
    return no_reply;
  if (hides(its_case.launches))
    return judge_hidden(value, its->findings);
  // Findings that explain a wrong value go before it, others after.
  Finding leak;
  for (const Found &found : its->findings)
    switch (found.kind) {
    case Kind::oob:
      if (const std::size_t count = calls.front()->parameters.size(); found.parameter > count)
        return no_reply;
      else
        return Finding{found.kind, found.parameter ? explain_host_damage(found, count)
                                                   : explain_damage(found, calls)};
    case Kind::launch: {
      const std::string said = "a CUDA error was not reported: " + found.text;
      return found.of_launch
                 ? Finding{found.kind, said + "\nA launch returns no error code: call "
                                              "cudaGetLastError() in the next line. It also clears "
                                              "the error; cudaPeekAtLastError() does not."}
                 : Finding{found.kind, said, "a call or a launch without CUDA_CHECK."};
    }
    case Kind::memory:
      return Finding{found.kind, found.text};
    case Kind::leak:
      leak = {found.kind, found.text +
                              "\nEvery cudaMalloc needs a cudaFree, and every cudaHostRegister a "
                              "cudaHostUnregister, also for memory that the function keeps for its "
                              "next call."};
      break;
    default:
      return no_reply;
    }
  if (its_case.fails)
    return Finding{Kind::launch, "a CUDA error was not reported: the program should end with "
                                 "CUDA's error message, \"" +
                                     its_case.printed.front() + "\", but it returned a result"};
  if (value.is_wrong()) {
    if (const std::string other = other_shape(its_case, its->shapes); !other.empty())
      value.remarks.push_back({"The launch is not right either: " + other});
    return value;
  }
  if (its_case.needs_kernel && its->launches == 0)
    return Finding{Kind::idle,
                   "no kernel was launched: kernels on the device must do the work, not host code"};
  if (its_case.most_launches > 0 && its->launches > its_case.most_launches)
    return Finding{Kind::value, "the values are right, but " + std::to_string(its->launches) +
                                    " kernels were launched; the limit is " +
                                    std::to_string(its_case.most_launches)};
  if (const Finding shape = judge_shapes(its_case, its->shapes); shape.is_wrong())
    return shape;
  if (!leak.is_wrong() && is_counted(its_case))
    return judge_work(its_case, its->work);
  return leak;
}

// Large and small letters are the same: cudaErrorInvalidValue is an invalid one.
static bool has_words(const std::string &text, const std::string &words) {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return std::search(text.begin(), text.end(), words.begin(), words.end(), same) != text.end();
}

Finding judge_program(const Case &its_case, const Outcome &outcome) {
  for (const std::string &text : its_case.printed)
    if (!has_words(outcome.output, text))
      return {Kind::value, "it should print \"" + text + "\", but does not"};
  if (its_case.fails != (outcome.code != 0))
    return {Kind::value, std::string("exit code: expected ") +
                             (its_case.fails ? "a value other than 0" : "0") + "      got " +
                             std::to_string(outcome.code)};
  for (const std::string &text : its_case.not_printed)
    if (outcome.output.find(text) != std::string::npos)
      return {Kind::value, "it should not print \"" + text + "\""};
  return {};
}

} // namespace course
