// The picture: a row for each partition, with how its waits are distributed, and its forecast
// beside what came; below them the stop-loss. SVG, which is text.
#pragma once

#include "lessons/19-queue-time/forecast.hpp"
#include "lessons/19-queue-time/options.hpp"
#include "lessons/19-queue-time/records.hpp"
#include "lessons/19-queue-time/stop_loss.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace plot {

constexpr double width = 400, height = 190, left = 60, top = 40, gap_x = 80, gap_y = 80;
constexpr const char *colours[Classes::count] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7"};

struct Point {
  double x, y;
};

inline std::string escaped(const std::string &text) {
  std::string safe;
  for (const char letter : text)
    safe += letter == '<' ? "&lt;" : letter == '&' ? "&amp;" : std::string(1, letter);
  return safe;
}

// Where a duration lies between one second and 40 days, on an axis of its logarithm: 0 to 1.
inline double place(double seconds) {
  const double longest = 40 * double(day);
  return std::log(std::clamp(seconds, 1.0, longest)) / std::log(longest);
}
struct Tick {
  double seconds;
  const char *name;
};
constexpr Tick ticks[] = {
    {1, "1 s"}, {60, "1 min"}, {hour, "1 h"}, {day, "1 day"}, {10 * day, "10 d"}};

// One diagram; its coordinates run from 0 to 1 to the right and upwards.
class Panel {
public:
  Panel(std::ostream &out, int column, int row, const std::string &title)
      : out_(out), x_(left + column * (width + gap_x)), y_(top + row * (height + gap_y)) {
    text({0, 1.04}, title, "start", "bold");
    out_ << "<rect x='" << x_ << "' y='" << y_ << "' width='" << width << "' height='" << height
         << "' fill='none' stroke='#888'/>\n";
  }
  void text(Point at, const std::string &what, const char *anchor, const char *weight = "normal",
            const char *colour = "#222", double down = 0) {
    out_ << "<text x='" << x(at) << "' y='" << y(at) + down << "' text-anchor='" << anchor
         << "' font-weight='" << weight << "' fill='" << colour << "'>" << escaped(what)
         << "</text>\n";
  }
  void line(const std::vector<Point> &points, const char *colour, const char *dashes = "none") {
    out_ << "<polyline fill='none' stroke-width='2' stroke='" << colour << "' stroke-dasharray='"
         << dashes << "' points='";
    corners(points);
    out_ << "'/>\n";
  }
  void area(const std::vector<Point> &points, const char *colour) {
    out_ << "<polygon fill-opacity='0.2' fill='" << colour << "' points='";
    corners(points);
    out_ << "'/>\n";
  }
  void dot(Point at, const char *colour) {
    out_ << "<circle r='3' cx='" << x(at) << "' cy='" << y(at) << "' fill='" << colour << "'/>\n";
  }
  void times_below() {
    for (const Tick &tick : ticks) {
      line({{place(tick.seconds), 0}, {place(tick.seconds), -0.03}}, "#888");
      text({place(tick.seconds), 0}, tick.name, "middle", "normal", "#222", 20);
    }
  }
  void times_left() {
    for (const Tick &tick : ticks) {
      line({{0, place(tick.seconds)}, {-0.015, place(tick.seconds)}}, "#888");
      text({-0.03, place(tick.seconds)}, tick.name, "end", "normal", "#222", 4);
    }
  }

private:
  double x(Point at) const { return x_ + width * at.x; }
  double y(Point at) const { return y_ + height * (1 - at.y); }
  void corners(const std::vector<Point> &points) {
    for (const Point &point : points)
      out_ << x(point) << ',' << y(point) << ' ';
  }

  std::ostream &out_;
  double x_, y_;
};

// The share of the jobs that wait no longer than x: a curve for each class.
inline void draw_waits(Panel panel, const Partition &partition, const Classes &classes,
                       long long now) {
  panel.times_below();
  for (int percent : {0, 50, 100})
    panel.text({-0.02, percent / 100.0}, std::to_string(percent) + " %", "end", "normal", "#222",
               4);
  for (int i = 0; i < Classes::count; ++i) {
    std::vector<Point> curve;
    outcome(partition[i], now).each([&](double wait, double share, double still_waiting) {
      curve.push_back({place(wait), 1 - still_waiting - share});
      curve.push_back({place(wait), 1 - still_waiting});
    });
    panel.line(curve, colours[i]);
    panel.text({0.02, 0.92 - 0.08 * i}, classes.name(i) + (curve.empty() ? ": NA" : ""), "start",
               "normal", colours[i]);
  }
}

// The class with most jobs: on each day the forecast with its range, and the median of what came,
// as a dot.
inline void draw_forecast(Panel panel, const History &history, const Plan &plan, int size_class) {
  const char *colour = colours[size_class];
  panel.times_left();
  const auto across = [&](double day) {
    return (day - plan.first + 0.5) / (plan.last - plan.first + 1);
  };
  std::vector<Point> median, low, high;
  for (int day = plan.first; day <= plan.last; ++day) {
    const Outlook waits = outlook(history, day, plan.window);
    if (!waits.empty()) {
      const Forecast said = forecast(waits, plan.margin);
      median.push_back({across(day), place(said.median.seconds)});
      low.push_back({across(day), place(said.low)});
      high.push_back({across(day), place(said.high)});
    }
    Histogram came;
    if (const auto found = history.cohorts.find(day); found != history.cohorts.end())
      for (const auto &[start, waits] : found->second.started)
        came += waits;
    if (came.count() > 0)
      panel.dot({across(day), place(came.percentile(0.5))}, "#222");
  }
  std::vector<Point> band = low;
  band.insert(band.end(), high.rbegin(), high.rend());
  panel.area(band, colour);
  panel.line(median, colour);
  const double split = across(plan.held_out - 0.5);
  panel.line({{split, 0}, {split, 1}}, "#888", "4 4");
  panel.text({split, 0}, "back-test", "start", "normal", "#666", -4);
  panel.text({0, 0}, show_time(plan.first * day).substr(0, 10), "start", "normal", "#222", 20);
  panel.text({1, 0}, show_time(plan.last * day).substr(0, 10), "end", "normal", "#222", 20);
}

// The mean time to the result against the time of giving up; a dot where it is least.
inline void draw_stop_loss(Panel panel, const Partitions &partitions, const StopLoss &runs,
                           const Classes &classes, long long now) {
  std::vector<Advice> advices(Classes::count);
  double longest = 1;
  for (int i = 0; i < Classes::count; ++i) {
    const Outlook wait_for = outcome(partitions.at(runs.wait_for)[i], now);
    const Outlook give_up_for = outcome(partitions.at(runs.give_up_for)[i], now);
    const bool none = wait_for.empty() || give_up_for.empty();
    panel.text({0.02, 0.32 - 0.08 * i}, classes.name(i) + (none ? ": NA" : ""), "start", "normal",
               colours[i]);
    if (!none)
      advices[i] = advise(runs, wait_for, give_up_for);
    for (const GiveUp &one : advices[i].times)
      longest = std::max(longest, one.total);
  }
  panel.times_below();
  for (const double share : {0.0, 0.5, 1.0})
    panel.text({-0.02, share}, show_duration(share * longest), "end", "normal", "#222", 4);
  for (int i = 0; i < Classes::count; ++i) {
    const Advice &advice = advices[i];
    std::vector<Point> curve;
    for (const GiveUp &one : advice.times)
      curve.push_back({place(one.wait), one.total / longest});
    if (curve.empty())
      continue;
    panel.line(curve, colours[i]);
    panel.dot({place(advice.best.wait), advice.best.total / longest}, colours[i]);
  }
}

} // namespace plot

// `shown` has the partitions of the rows; those of the stop-loss may be others.
inline void write_plot(const Options &options, const Records &records, const Partitions &shown,
                       const Plan &plan) {
  using namespace plot;
  std::ofstream out(options.plot);
  const std::size_t rows = shown.size() + options.stop_loss.asked_for();
  const double wide = left + 2 * (width + gap_x), high = top + double(rows) * (height + gap_y);
  out << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << wide << ' ' << high
      << "' font-family='sans-serif' font-size='13'>\n<rect width='100%' height='100%' "
         "fill='white'/>\n";
  int row = 0;
  for (const auto &[name, partition] : shown) {
    draw_waits({out, 0, row, name + ": share of jobs that wait at most ..."}, partition,
               options.classes, records.now);
    const auto most = std::max_element(
        partition.begin(), partition.end(),
        [](const History &a, const History &b) { return a.started.count() < b.started.count(); });
    const int size_class = int(most - partition.begin());
    if (plan.window > 0)
      draw_forecast({out, 1, row, name + ", " + options.classes.name(size_class) + ": forecast"},
                    *most, plan, size_class);
    ++row;
  }
  const StopLoss &runs = options.stop_loss;
  if (runs.asked_for())
    draw_stop_loss({out, 0, row, "time to the result, giving up " + runs.wait_for + " after ..."},
                   records.partitions, runs, options.classes, records.now);
  out << "</svg>\n";
  if (!out.flush())
    throw std::runtime_error(options.plot + ": cannot be written");
  std::printf("\npicture: %s\n", options.plot.c_str());
}
