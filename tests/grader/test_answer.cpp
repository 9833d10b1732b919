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
  course::Question<void(double, double *)> question(its_case);
  for (int call = 0; call < 2; ++call)
    question.with(sent, course::output(std::vector<double>{1}));
  if (!needs_kernel)
    question.needs_no_kernel();
  const course::Finding finding = judge(its_case, first, second, one /* launch */,
                                        none /* shapes */, none /* counted */, none /* findings */);
  CHECK(finding.kind == course::Kind::value);
  return text_of(finding.remarks);
}

bool holds(const std::string &message, const char *part) {
  return message.find(part) != message.npos;
}

} // namespace

TEST_CASE("0 / 0 is no guess where an earlier call was right, or where NaN is sent") {
  CHECK(holds(say(1, NAN, 1), "0 / 0"));
  CHECK(!holds(say(1, 1, NAN), "0 / 0"));
  CHECK(!holds(say(INFINITY, NAN, 1), "0 / 0"));
  CHECK(!holds(say(NAN, NAN, 1), "0 / 0"));
}

TEST_CASE("work beyond its limit, and the kernel that costs most of it") {
  using course::Work;
  Work narrow, wide, host;
  narrow.global_stores = wide.global_stores = 64;
  narrow.global_load_requests = wide.global_load_requests = 2;
  narrow.global_load_sectors = narrow.global_load_coalesced = wide.global_load_coalesced = 8;
  wide.global_load_sectors = 24;
  wide.shared_load_requests = 2, wide.shared_load_conflicts = 62;
  host.launches = 4, host.copies = 8, host.waits_between = 2, host.chain = 7;
  const std::vector<course::KernelWork> all{
      {"kernel a", narrow}, {"kernel b", wide}, {"host code", host}};
  const struct {
    course::WorkLimit limit;
    std::string text; // after "the values are right, but "; empty: nothing is wrong
  } cases[] = {
      {{&Work::global_load_sectors, 32, "so."}, ""},
      {{&Work::global_load_sectors, 31, "so."},
       "the kernels do too much work: 32 sectors (of 32 bytes) loaded from global memory; the "
       "limit is 31\nMost of them are in kernel b: 12.0 sectors per load request of a warp; "
       "coalesced accesses would need 4.0\nOften: so."},
      {{&Work::shared_load_conflicts, 0, "so."},
       "the kernels do too much work: 62 bank conflicts of loads from shared memory; the limit is "
       "0\nMost of them are in kernel b: 31.0 bank conflicts per load request of a warp; 0 are "
       "possible\nOften: so."},
      {{&Work::waits_between, 1, "so."},
       "the host does too much: 2 calls in which the host waits for the device between launches "
       "of a kernel; the limit is 1\nOften: so."},
      {{&Work::chain, 0, "so.", 1}, ""}, // the limit: a part of all copies and kernels
      {{&Work::chain, 0, "so.", 2},
       "too little overlaps: 7 copies and kernels in one chain, one after the other; the limit is "
       "6, half of all 12\nOften: so."},
      {{&Work::chain, 0, "so.", 3},
       "too little overlaps: 7 copies and kernels in one chain, one after the other; the limit is "
       "4, 1/3 of all 12\nOften: so."},
      {{&Work::global_stores, 129, "so.", 0, true},
       "the kernels do too little: 128 stores to global memory; the minimum is 129\nOften: so."}};
  for (const auto &[limit, text] : cases) {
    course::Case its_case;
    its_case.work = {limit};
    const std::string came = text_of(course::judge_work(its_case, all).remarks);
    CHECK(came == (text.empty() ? "" : "the values are right, but " + text));
  }
}

TEST_CASE("where no kernel is needed, no guess is of kernels") {
  const double unwritten = course::value_at<double>(course::unwritten<double>().data());
  CHECK(holds(say(1, unwritten, unwritten),
              "Nothing was written.\nOften: the result is not copied back"));
  CHECK(holds(say(1, unwritten, unwritten, false),
              "Nothing was written.\nOften: a copy was changed"));
  // Also of what a function returns, whatever is said first.
  course::Case its_case;
  course::Question<double(int)>(its_case).with(1).returns(1.5).needs_no_kernel();
  const double zero = 0;
  const std::string complaint = text_of(its_case.calls[0].result_complaint(&zero).remarks);
  CHECK(holds(complaint, "1 / 2, which is 0"));
  CHECK(!holds(complaint, "copied back"));
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
