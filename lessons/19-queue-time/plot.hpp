// The picture: a row for each partition, with the distribution of its waits and its forecasts.
#pragma once

#include "common/svg.hpp"
#include "lessons/19-queue-time/waits.hpp"

constexpr course::Colour colours[sizes] = {course::blue, course::orange, course::green,
                                           course::purple};
constexpr double longest_wait = 40 * double(day); // on a logarithmic axis, from 1 s
inline double drawn(double seconds) { return std::clamp(seconds, 1.0, longest_wait); }
constexpr std::pair<double, const char *> ticks[] = {
    {1, "1 s"}, {60, "1 min"}, {hour, "1 h"}, {day, "1 day"}, {10 * day, "10 d"}};

inline course::Chart chart(course::Svg &svg, int column, int row, const std::string &title) {
  const double left = 60 + 480 * column, top = 40 + 270 * row;
  svg.text({left, top - 8}, title, "start", course::ink, 13);
  return {svg, {0, 1, left, left + 400}, {0, 1, top + 190, top}};
}

// The share of the jobs that wait no longer than x: a curve for each size.
inline void draw_waits(course::Chart chart, const Partition &partition, const Options &options,
                       long long now) {
  chart.x = {1, longest_wait, chart.x.begin, chart.x.end, true};
  for (const auto &[seconds, name] : ticks)
    chart.tick_x(seconds, name);
  for (int percent : {0, 50, 100})
    chart.tick_y(percent / 100.0, std::to_string(percent) + " %");
  for (int size = 0; size < sizes; ++size) {
    std::vector<course::Point> curve;
    each_wait(as_of(partition[size], 0, now, now), [&](double seconds, double share) {
      if (!curve.empty())
        curve.push_back({drawn(seconds), curve.back().y});
      curve.push_back({drawn(seconds), share});
    });
    chart.line(curve, colours[size]);
    chart.svg.text({chart.x.begin + 8, chart.y.end + 15 * (size + 1)},
                   size_name(options, size) + (curve.empty() ? ": NA" : ""), "start",
                   colours[size]);
  }
}

// The size with most jobs: a line through the forecasts of all days, and a dot for the median wait
// of the jobs of each day.
inline void draw_forecast(course::Chart chart, const Waits &waits, const Records &records,
                          course::Colour colour) {
  const long long first = records.first / day, last = records.now / day + 1;
  chart.x = {double(first), double(last), chart.x.begin, chart.x.end};
  chart.y = {1, longest_wait, chart.y.begin, chart.y.end, true};
  for (const auto &[seconds, name] : ticks)
    chart.tick_y(seconds, name);
  for (const long long today : {first, last})
    chart.tick_x(double(today), show_time(today * day).substr(0, 10));
  std::vector<course::Point> line;
  for (long long today = first; today < last; ++today) {
    const double x = double(today) + 0.5, median = forecast(waits, today * day).seconds;
    const auto jobs = as_of(waits, today * day, (today + 1) * day, records.now + 1);
    if (!std::isnan(median))
      line.push_back({x, drawn(median)});
    if (!jobs.empty())
      chart.svg.dot(chart.place({x, drawn(percentile(jobs, 0.5).seconds)}), 3, course::ink);
  }
  chart.line(line, colour);
}

inline bool write_plot(const Options &options, const Records &records, const Partitions &shown) {
  course::Svg svg(1020, 40 + 270 * double(shown.size()), "How long jobs wait");
  int row = 0;
  for (const auto &[name, partition] : shown) {
    draw_waits(chart(svg, 0, row, name + ": share of jobs that wait at most ..."), partition,
               options, records.now + 1);
    const auto largest =
        std::max_element(partition.begin(), partition.end(),
                         [](const Waits &a, const Waits &b) { return a.size() < b.size(); });
    const int size = int(largest - partition.begin());
    draw_forecast(chart(svg, 1, row++, name + ", " + size_name(options, size) + ": forecast"),
                  *largest, records, colours[size]);
  }
  return svg.write(options.plot);
}
