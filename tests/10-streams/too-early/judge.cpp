// Judges exercise 10-streams/too-early: films of any size, with the streams' work in each order;
// and that a frame may be loaded while the device works on another.
#include "common/grader/judge/judge.hpp"
#include "exercises/10-streams/too-early.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(too_early)>;

void ask_also(Question question, int frames, int pixels, const std::vector<float> &film) {
  std::vector<float> negative;
  for (float pixel : film)
    negative.push_back(1 - pixel);
  question.with(frames, pixels, film, course::output(negative).shape(pixels));
}

// From -1 to 2. 1 minus such a number is not rounded, and none is 0.5, its own negative.
std::vector<float> film_of(course::Judge &judge, int frames, int pixels) {
  std::vector<float> film(frames * pixels);
  for (float &pixel : film)
    pixel = (2 * judge.number(-2048, 4095) + 1) * 0x1p-12f;
  return film;
}

void ask_also(course::Judge &judge, Question question, int frames, int pixels) {
  ask_also(question, frames, pixels, film_of(judge, frames, pixels));
}

Question ask(course::Judge &judge, int frames, int pixels, const std::string &also = "") {
  auto question = judge.ask<decltype(too_early)>(std::to_string(frames) + " frames of " +
                                                 std::to_string(pixels) + " pixels" + also);
  ask_also(judge, question, frames, pixels);
  return question;
}

} // namespace

TEST_CASE("each frame is inverted") {
  course::Judge judge;
  int frames = 1;
  for (int pixels : judge.sizes(20'000))
    ask(judge, frames++, pixels);
  ask(judge, 2 * judge.number(12, 20) + 1, judge.number(20, 90));
  ask(judge, judge.number(1980, 2000), judge.number(1, 3)); // more frames than pixels in a block
  const int pixels = judge.number(200, 400);
  ask_also(judge.ask<decltype(too_early)>("3 frames of " + std::to_string(pixels) +
                                          " pixels, some of them special"),
           3, pixels, judge.sprinkled(film_of(judge, 3, pixels), {INFINITY, -INFINITY, NAN}));
  judge.run();
}

TEST_CASE("in another order of the streams; several films; and kernels that do nothing") {
  course::Judge judge;
  const int frames = judge.number(5, 9), pixels = 32 * judge.number(31, 90) + 31;
  for (const char *order : {"reverse", "random:1", "random:2"})
    ask(judge, frames, pixels, std::string(", streams in another order: ") + order)
        .environment("COURSE_CPU_ORDER", order);
  const Question several = ask(judge, frames, pixels, ", then a shorter film, then a longer one");
  ask_also(judge, several, 2, pixels);
  ask_also(judge, several, frames + 3, pixels);
  auto film = film_of(judge, frames, pixels);
  ask_also(several, frames, pixels, film);
  film[frames / 2 * pixels] += 1; // alone
  ask_also(several, frames, pixels, film);
  ask(judge, frames, pixels, ", kernels do nothing").without_kernels();
  judge.run();
}

TEST_CASE("the next frame is on its way while the device works") {
  course::Judge judge;
  // Two of the three operations of each frame are in a chain if a kernel works with each frame and
  // only then it is copied back; all three if each frame is loaded after that. So many pixels that
  // a copy from pageable memory makes the host wait, more than 64 KiB; and many frames.
  for (auto [frames, pixels] : {std::pair(2 * judge.number(6, 8), judge.number(17'000, 20'000)),
                                {2 * judge.number(20, 30) + 1, judge.number(300, 900)}})
    ask(judge, frames, pixels, ", counted")
        .at_most(
            &course::Work::chain, 5 * frames / 2,
            "a frame is loaded when the one before it is done: both are in the same stream, the "
            "host waits in the loop, or a copy has a side in pageable memory.");
  judge.run();
}

TEST_CASE("a frame, and a film, of as many pixels as there may be", "[large]") {
  course::Judge judge;
  for (auto [frames, pixels] :
       {std::pair(1, 3840 * 2160), {4, judge.number(2'490'000, 2'500'000)}}) {
    std::vector<float> film(frames * pixels);
    for (std::size_t i = 0; i < film.size(); ++i)
      film[i] = i % 1021 * 0x1p-10f;
    auto question = judge.ask<decltype(too_early)>(std::to_string(frames) +
                                                   (frames == 1 ? " frame of " : " frames of ") +
                                                   std::to_string(pixels) + " pixels, counted");
    ask_also(question, frames, pixels, film);
    question.at_most(&course::Work::chain, frames == 1 ? 3 : 5 * frames / 2,
                     "a copy has a side in pageable memory, or a frame goes in parts.");
  }
  judge.run();
}
