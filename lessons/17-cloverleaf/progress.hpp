// The line that says how far a run is and how long it still takes, on a terminal only.
#pragma once

#include "common/timer.hpp"
#include "lessons/17-cloverleaf/deck.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include <unistd.h>

class Progress {
public:
  Progress(const Deck &deck, int rank) : deck_(deck), shown_(rank == 0 && isatty(STDERR_FILENO)) {}
  ~Progress() { erase(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  // Where the run begins, which may be at a checkpoint.
  void begin(int step, double time) {
    begin_ = share(step, time);
    timer_ = course::Timer();
  }

  // Says it again where the line had to make room, else at most ten times a second: a terminal is
  // slow.
  void show(int step, double time) {
    const double seconds = timer_.seconds();
    if (!shown_ || seconds < 0.5 || (on_screen_ && seconds < next_)) // first it knows too little
      return;
    next_ = seconds + 0.1;
    const double done = share(step, time);
    const double left = seconds * (1 - done) / std::max(done - begin_, 1e-9);
    std::fprintf(stderr, "\r\033[Kstep %d, time %.4f: %.0f %%, %s left", step, time, 100 * done,
                 duration(left).c_str());
    std::fflush(stderr);
    on_screen_ = true;
  }

  // Makes room for a line of the program's output.
  void erase() {
    if (on_screen_)
      std::fputs("\r\033[K", stderr);
    on_screen_ = false;
  }

private:
  // Whichever comes first ends a run: the end step or the end time.
  double share(int step, double time) const {
    return std::max(double(step) / deck_.end_step, time / deck_.end_time);
  }
  static std::string duration(double seconds) {
    char text[32];
    const int whole = int(std::min(seconds + 0.5, 3.6e8));
    if (whole >= 3600)
      std::snprintf(text, sizeof text, "%d h %d min", whole / 3600, whole / 60 % 60);
    else if (whole >= 60)
      std::snprintf(text, sizeof text, "%d min %d s", whole / 60, whole % 60);
    else
      std::snprintf(text, sizeof text, "%d s", whole);
    return text;
  }

  const Deck &deck_;
  const bool shown_;
  double begin_ = 0;
  course::Timer timer_;
  double next_ = 0; // when it may be written again
  bool on_screen_ = false;
};
