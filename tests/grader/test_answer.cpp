// Findings in replies, as a worker writes them.
#include "common/grader/judge/answer.hpp"
#include "common/grader/judge/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>

namespace {

constexpr std::uint64_t nonce = 7;

// The finding in a reply of these numbers, after the nonce.
template <class... Numbers>
course::Finding judge(const course::Case &its_case, Numbers... numbers) {
  const char *path = "grader-reply.txt";
  std::ofstream file(path, std::ios::binary);
  const auto write = [&](const auto &value) {
    file.write(reinterpret_cast<const char *>(&value), sizeof value);
  };
  write(nonce), (write(numbers), ...);
  file.close();
  course::Reply reply(path);
  std::remove(path);
  course::Calls calls;
  for (const course::Call &call : its_case.calls)
    calls.push_back(&call);
  const auto finding = course::judge_reply(its_case, calls, nonce, reply);
  REQUIRE(finding);
  return *finding;
}

constexpr std::uint64_t none = 0, one = 1;

// The report on two calls that were sent `sent`, had to give 1, and gave `first` and `second`.
std::string say(double sent, double first, double second, bool needs_kernel = true) {
  course::Case its_case;
  its_case.needs_kernel = needs_kernel;
  const auto scalar = [](double value) {
    course::Parameter parameter;
    parameter.element = course::element_of<double>();
    parameter.before = course::bytes_of(&value, 1);
    return parameter;
  };
  for (int call = 0; call < 2; ++call)
    its_case.calls.push_back({{scalar(sent), course::output(std::vector<double>{1})}, 0, nullptr});
  const course::Finding finding = judge(its_case, first, second, one /* launch */,
                                        none /* shapes */, none /* counted */, none /* findings */);
  CHECK(finding.kind == course::Kind::value);
  return text_of(finding.remarks);
}

bool holds(const std::string &message, const char *part) {
  return message.find(part) != message.npos;
}

bool guesses(const std::string &message) { return holds(message, "0 / 0"); }

} // namespace

TEST_CASE("0 / 0 is no guess where an earlier call was right, or where NaN is sent") {
  CHECK(guesses(say(1, NAN, 1)));
  CHECK(!guesses(say(1, 1, NAN)));
  CHECK(!guesses(say(INFINITY, NAN, 1)));
  CHECK(!guesses(say(NAN, NAN, 1)));
}

// A worker's report on a kernel: the members of course::Work.
struct Counted {
  std::uint64_t length = sizeof name;
  char name[8];
  std::uint64_t loads[5], stores[5], shared_loads[4], shared_stores[4], mma[2], host[8];
};

TEST_CASE("what is said of sectors and bank conflicts names the kernel that costs most") {
  if (!COURSE_COUNTS)
    SKIP("not counted here");
  const Counted narrow{8,
                       {'k', 'e', 'r', 'n', 'e', 'l', ' ', 'a'},
                       {64, 256, 2, 8, 8},
                       {64, 256, 2, 8, 8},
                       {},
                       {},
                       {},
                       {3}};
  const Counted wide{8,
                     {'k', 'e', 'r', 'n', 'e', 'l', ' ', 'b'},
                     {64, 256, 2, 24, 8},
                     {64, 256, 2, 8, 8},
                     {64, 256, 2, 62},
                     {},
                     {},
                     {1, 7, 5, 2, 9}};
  const std::uint64_t kernels = 2;
  const auto say = [&](std::uint64_t course::Work::*what, std::uint64_t most) {
    course::Case its_case;
    its_case.work.push_back({what, most, "so."});
    return judge(its_case, one, none, kernels, narrow, wide, none);
  };
  CHECK(!say(&course::Work::global_load_sectors, 32).is_wrong());
  CHECK(!say(&course::Work::global_store_sectors, 16).is_wrong());
  const course::Finding sectors = say(&course::Work::global_load_sectors, 31);
  CHECK(sectors.kind == course::Kind::work);
  CHECK(text_of(sectors.remarks) ==
        "the values are right, but the kernels do too much work: 32 sectors (of 32 bytes) loaded "
        "from global memory; the limit is 31\nMost of them are in kernel b: 12.0 sectors per load "
        "request "
        "of a warp; coalesced accesses would need 4.0\nOften: so.");
  CHECK(text_of(say(&course::Work::shared_load_conflicts, 0).remarks) ==
        "the values are right, but the kernels do too much work: 62 bank conflicts of loads from "
        "shared memory; the limit is 0\nMost of them are in kernel b: 31.0 bank conflicts per load "
        "request of a warp; 0 are possible\nOften: so.");
  CHECK(!say(&course::Work::launches, 4).is_wrong());
  CHECK(!say(&course::Work::copies, 7).is_wrong());
  CHECK(!say(&course::Work::waits, 5).is_wrong());
  CHECK(text_of(say(&course::Work::waits_between, 1).remarks) ==
        "the values are right, but the host does too much: 2 calls in which the host waits for "
        "the device between launches of a kernel; the limit is 1\nOften: so.");
  CHECK(text_of(say(&course::Work::chain, 8).remarks) ==
        "the values are right, but too little overlaps: 9 copies and kernels in one chain, one "
        "after the other; the limit is 8\nOften: so.");
}

TEST_CASE("half of all copies and kernels may be in one chain") {
  if (!COURSE_COUNTS)
    SKIP("not counted here");
  const auto say = [](std::uint64_t copies, std::uint64_t launches, std::uint64_t chain,
                      int parts = 2) {
    Counted counted{8, {'k', 'e', 'r', 'n', 'e', 'l', ' ', 'a'}, {}, {1}, {}, {}, {}, {}};
    counted.host[0] = launches, counted.host[1] = copies, counted.host[4] = chain;
    course::Case its_case;
    course::Question<void()>(its_case).overlaps("so.", parts);
    const std::uint64_t kernels = 1;
    return judge(its_case, one, none, kernels, counted, none);
  };
  CHECK(!say(8, 4, 6).is_wrong());
  CHECK(say(2, 1, 3).is_wrong()); // a single part overlaps with nothing
  CHECK(text_of(say(8, 4, 7).remarks) ==
        "the values are right, but too little overlaps: 7 copies and kernels in one chain, "
        "one after the other; the limit is 6, half of all 12\nOften: so.");
  CHECK(text_of(say(8, 4, 5, 3).remarks) ==
        "the values are right, but too little overlaps: 5 copies and kernels in one chain, "
        "one after the other; the limit is 4, 1/3 of all 12\nOften: so.");
}

TEST_CASE("where no kernel is needed, no guess is of kernels") {
  const double unwritten = course::value_at<double>(course::unwritten<double>().data());
  CHECK(holds(say(1, unwritten, unwritten),
              "Nothing was written.\nOften: the result is not copied back"));
  CHECK(holds(say(1, unwritten, unwritten, false),
              "Nothing was written.\nOften: a copy was changed"));
  // Also of what a function returns, whatever is said first.
  for (const bool late : {false, true}) {
    course::Case its_case;
    course::Question<double(int)> question(its_case);
    if (!late)
      question.needs_no_kernel();
    question.with(1).returns(1.5);
    if (late)
      question.needs_no_kernel();
    const double zero = 0;
    const std::string complaint = text_of(its_case.calls[0].result_complaint(&zero).remarks);
    CHECK(holds(complaint, "1 / 2, which is 0"));
    CHECK(!holds(complaint, "copied back"));
  }
}

TEST_CASE("one launch has to have the blocks and threads that were asked for") {
  struct Shape {
    std::uint64_t device, grid[3], block[3];
  };
  const Shape rows{1, {3, 2, 1}, {32, 8, 1}}, list{0, {7, 1, 1}, {256, 1, 1}};
  course::Case its_case;
  course::Question<void()> question(its_case);
  const std::uint64_t two = 2;
  const auto say = [&] { return judge(its_case, two, two, list, rows, none, none); };
  CHECK(!say().is_wrong());
  question.launches_blocks_of(32, 8);
  CHECK(!say().is_wrong());
  question.launches_grid_of(3, 2);
  CHECK(!say().is_wrong());
  question.launches_grid_of(7);
  CHECK(text_of(say().remarks) ==
        "the values are right, but the launch is not: expected 7 blocks of 32 x 8 threads, "
        "got 7 blocks of 256 threads");
  question.launches_on(1);
  CHECK(text_of(say().remarks) ==
        "the values are right, but a kernel ran on device 0 instead of device 1");
}
