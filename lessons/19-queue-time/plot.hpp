// The picture: a row for each partition, with how its waits are distributed, and its forecast
// compared with what came; below them the stop-loss.
#pragma once

#include "common/svg.hpp"
#include "lessons/19-queue-time/forecast.hpp"
#include "lessons/19-queue-time/options.hpp"
#include "lessons/19-queue-time/records.hpp"
#include "lessons/19-queue-time/stop_loss.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace plot {

constexpr double width = 400, height = 190, left = 60, top = 40, gap_x = 80, gap_y = 80;
constexpr course::Colour colours[Classes::count] = {course::blue, course::orange, course::green,
                                                    course::purple};

// Durations are drawn on a logarithmic axis, from a second to 40 days.
constexpr double longest_wait = 40 * double(day);
inline double drawn(double seconds) { return std::clamp(seconds, 1.0, longest_wait); }
inline course::Axis times(double begin, double end) { return {1, longest_wait, begin, end, true}; }
struct Tick {
  double seconds;
  const char *name;
};
constexpr Tick ticks[] = {
    {1, "1 s"}, {60, "1 min"}, {hour, "1 h"}, {day, "1 day"}, {10 * day, "10 d"}};

// One of the diagrams; its axis y goes from 0 to 1 unless it is one of times.
class Panel : public course::Chart {
public:
  Panel(course::Svg &svg, int column, int row, const std::string &title)
      : Chart{svg, {}, {}}, left_(left + column * (width + gap_x)),
        bottom_(top + row * (height + gap_y) + height) {
    svg.text({left_, bottom_ - height - 8}, title, "start", course::ink, 13);
    x = {0, 1, left_, left_ + width};
    y = {0, 1, bottom_, bottom_ - height};
  }
  void times_below() {
    x = times(x.begin, x.end);
    for (const Tick &tick : ticks)
      tick_x(tick.seconds, tick.name);
  }
  void times_left() {
    y = times(y.begin, y.end);
    for (const Tick &tick : ticks)
      tick_y(tick.seconds, tick.name);
  }
  // A line of the legend, at the left.
  void legend(int line, const std::string &what, course::Colour colour) {
    svg.text({left_ + 8, bottom_ - height + 15 * (line + 1)}, what, "start", colour);
  }

private:
  double left_, bottom_;
};

// The share of the jobs that wait no longer than x: a curve for each class.
inline void draw_waits(Panel panel, const Partition &partition, const Classes &classes,
                       long long now) {
  panel.times_below();
  for (int percent : {0, 50, 100})
    panel.tick_y(percent / 100.0, std::to_string(percent) + " %");
  for (int i = 0; i < Classes::count; ++i) {
    std::vector<course::Point> curve;
    outcome(partition[i], now).each([&](double wait, double share, double still_waiting) {
      curve.push_back({drawn(wait), 1 - still_waiting - share});
      curve.push_back({drawn(wait), 1 - still_waiting});
    });
    panel.line(curve, colours[i]);
    panel.legend(i, classes.name(i) + (curve.empty() ? ": NA" : ""), colours[i]);
  }
}

// The class with most jobs: on each day the forecast with its range, and the median of what came,
// as a dot.
inline void draw_forecast(Panel panel, const History &history, const Plan &plan, int size_class) {
  panel.times_left();
  panel.x.first = plan.first;
  panel.x.last = plan.last + 1;
  for (int day : {plan.first, plan.last})
    panel.tick_x(day, show_time(day * ::day).substr(0, 10));
  std::vector<course::Point> median, band, high;
  for (int day = plan.first; day <= plan.last; ++day) {
    const Outlook waits = outlook(history, day, plan.window);
    if (!waits.empty()) {
      const Forecast said = forecast(waits, plan.margin);
      median.push_back({day + 0.5, drawn(said.median.seconds)});
      band.push_back(panel.place({day + 0.5, drawn(said.low)}));
      high.push_back(panel.place({day + 0.5, drawn(said.high)}));
    }
    Histogram came;
    if (const auto found = history.cohorts.find(day); found != history.cohorts.end())
      for (const auto &[start, waits] : found->second.started)
        came += waits;
    if (came.count() > 0)
      panel.svg.dot(panel.place({day + 0.5, drawn(came.percentile(0.5))}), 3, course::ink);
  }
  band.insert(band.end(), high.rbegin(), high.rend());
  panel.svg.area(band, colours[size_class]);
  panel.line(median, colours[size_class]);
  const double split = plan.held_out;
  panel.line({{split, 1}, {split, longest_wait}}, course::grey, 2, "4 4");
  const auto [x, y] = panel.place({split, 1});
  panel.svg.text({x + 4, y - 4}, "back-test", "start", course::grey);
}

// The mean time to the result against the time of giving up; a dot where it is least.
inline void draw_stop_loss(Panel panel, const Partitions &partitions, const StopLoss &runs,
                           const Classes &classes, long long now) {
  std::vector<Advice> advices(Classes::count);
  for (int i = 0; i < Classes::count; ++i) {
    const Outlook wait_for = outcome(partitions.at(runs.wait_for)[i], now);
    const Outlook give_up_for = outcome(partitions.at(runs.give_up_for)[i], now);
    const bool none = wait_for.empty() || give_up_for.empty();
    panel.legend(8 + i, classes.name(i) + (none ? ": NA" : ""), colours[i]);
    if (!none)
      advices[i] = advise(runs, wait_for, give_up_for);
    for (const GiveUp &one : advices[i].times)
      panel.y.last = std::max(panel.y.last, one.total);
  }
  panel.times_below();
  for (const double share : {0.0, 0.5, 1.0})
    panel.tick_y(share * panel.y.last, show_duration(share * panel.y.last));
  for (int i = 0; i < Classes::count; ++i) {
    const Advice &advice = advices[i];
    std::vector<course::Point> curve;
    for (const GiveUp &one : advice.times)
      curve.push_back({drawn(one.wait), one.total});
    if (curve.empty())
      continue;
    panel.line(curve, colours[i]);
    panel.svg.dot(panel.place({drawn(advice.best.wait), advice.best.total}), 4, colours[i]);
  }
}

} // namespace plot

// `shown` has the partitions of the rows; those of the stop-loss may be others.
inline bool write_plot(const Options &options, const Records &records, const Partitions &shown,
                       const Plan &plan) {
  using namespace plot;
  const std::size_t rows = shown.size() + options.stop_loss.asked_for();
  course::Svg svg(left + 2 * (width + gap_x), top + double(rows) * (height + gap_y),
                  "How long jobs wait");
  int row = 0;
  for (const auto &[name, partition] : shown) {
    draw_waits({svg, 0, row, name + ": share of jobs that wait at most ..."}, partition,
               options.classes, records.now);
    const auto most = std::max_element(
        partition.begin(), partition.end(),
        [](const History &a, const History &b) { return a.started.count() < b.started.count(); });
    const int size_class = int(most - partition.begin());
    if (plan.window > 0)
      draw_forecast({svg, 1, row, name + ", " + options.classes.name(size_class) + ": forecast"},
                    *most, plan, size_class);
    ++row;
  }
  const StopLoss &runs = options.stop_loss;
  if (runs.asked_for())
    draw_stop_loss({svg, 0, row, "time to the result, giving up " + runs.wait_for + " after ..."},
                   records.partitions, runs, options.classes, records.now);
  std::puts("");
  return svg.write(options.plot);
}
