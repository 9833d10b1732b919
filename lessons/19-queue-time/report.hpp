// What the program prints.
#pragma once

#include "lessons/19-queue-time/forecast.hpp"
#include "lessons/19-queue-time/options.hpp"
#include "lessons/19-queue-time/records.hpp"
#include "lessons/19-queue-time/stop_loss.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

// What became of the lines.
inline void print_counts(const Records &records, const Options &options) {
  std::printf("%ld records: %ld jobs started", records.lines, records.started);
  const auto also = [](long count, const char *what) {
    if (count > 0)
      std::printf("; %ld %s", count, what);
  };
  also(records.waiting, "still wait");
  also(records.cancelled, "were cancelled while they waited");
  also(records.refused, "failed without ever having a CPU");
  also(records.sizeless, "without a memory request");
  also(records.outside, "outside the time range");
  also(records.steps, "steps of jobs");
  also(records.malformed, "malformed lines");
  std::printf(
      "\nof those that started: %ld array tasks, %ld requeued later, %ld eligible later than "
      "submitted (dependency, hold, --begin, turn in an array)",
      records.array_tasks, records.requeued, records.held_back);
  also(records.het_parts, "parts of heterogeneous jobs");
  also(records.whole_nodes, "given whole nodes (--exclusive) and sized by these");
  if (options.files.empty() && !records.user.empty() && !records.several_users)
    std::printf(
        "\nall jobs are of one user, %s: the centre may hide those of others (PrivateData), "
        "and these are too few to say how long a queue is",
        records.user.c_str());
  std::puts("\nwaiting: from Eligible to Start");
}

// How wide the first column of a table is.
inline int name_width(const Partitions &partitions) {
  std::size_t longest = 12;
  for (const auto &[name, partition] : partitions)
    longest = std::max(longest, name.size());
  return int(longest);
}

// A row for each partition, a column for each class; text(history) is what a cell says.
template <class Text>
void print_table(const Partitions &partitions, const Classes &classes, Text text) {
  const int width = name_width(partitions);
  std::printf("%-*s", width, "Partition");
  for (int i = 0; i < Classes::count; ++i)
    std::printf(" %28s", classes.name(i).c_str());
  std::puts("");
  for (const auto &[name, partition] : partitions) {
    std::printf("%-*s", width, name.c_str());
    for (const History &history : partition)
      std::printf(" %28s", text(history).c_str());
    std::puts("");
  }
}

// > 12.0 h: all that is known is that the wait is longer.
inline std::string show_wait(Wait wait) {
  return (wait.or_longer ? "> " : "") + show_duration(wait.seconds);
}

// The median, the wait that 90 % do not exceed, and the number of jobs; NA: there are none.
inline void print_waits(const Partitions &partitions, const Classes &classes, long long now) {
  std::puts("\nmedian wait, 90 % wait no longer than, (jobs):");
  print_table(partitions, classes, [now](const History &history) -> std::string {
    const Outlook waits = outcome(history, now);
    if (waits.empty())
      return "NA";
    return show_wait(waits.percentile(0.5)) + ", " + show_wait(waits.percentile(0.9)) + " (" +
           std::to_string(waits.started.count() + waits.cut_short.count()) + ")";
  });
}

// The partition whose jobs of class i start soonest by this forecast; empty: there is no forecast.
inline std::string soonest(const Partitions &partitions, int i, const Plan &plan) {
  std::string best;
  double least = unlimited;
  for (const auto &[name, partition] : partitions) {
    const Outlook waits = outlook(partition[i], plan.last, plan.window);
    const Wait median = waits.percentile(0.5);
    if (!waits.empty() && !median.or_longer && median.seconds < least) {
      best = name;
      least = median.seconds;
    }
  }
  return best;
}

inline void print_score(const char *name, const Score &score) {
  std::printf(
      "   %-22s wrong by a factor of %.2f on average; %.0f %% of %.0f waits lie in its range\n",
      name, score.factor(), 100 * score.coverage(), score.jobs);
}

// The back-test on the last third of the days, and the forecast for the day after the data.
inline void print_forecast(const Partitions &partitions, const Classes &classes, const Plan &plan) {
  if (plan.window == 0) {
    const int days = plan.last - plan.first;
    if (days < Plan::fewest_days)
      std::printf("\nno forecast: the data have %d day%s, and %d are needed to test one\n", days,
                  days == 1 ? "" : "s", Plan::fewest_days);
    else
      std::printf("\nno forecast: jobs started on too few of the %d days to test one\n", days);
    return;
  }
  std::printf(
      "\nforecast: from the jobs of the last %d day%s, its range wider than 10 %% to 90 %% by "
      "factors of %.2f and %.2f:\n"
      "both chosen on the first %d of %d days; in a range should be 80 %% of the waits\n",
      plan.window, plan.window == 1 ? "" : "s", plan.margin.low, plan.margin.high,
      plan.held_out - plan.first, plan.last - plan.first);
  std::printf("back-test on the other %d days, each forecast from what was known before the day:\n",
              plan.last - plan.held_out);
  const int first = plan.held_out, last = plan.last;
  const auto known_at = from_window(plan.window);
  print_score("today like yesterday:", back_test(partitions, first, last, yesterday));
  print_score("not widened:", back_test(partitions, first, last, known_at));
  print_score("the forecast:", back_test(partitions, first, last, known_at, plan.margin));
  std::printf("a request that becomes eligible on %.10s: median wait (range):\n",
              show_time(plan.last * day).c_str());
  print_table(partitions, classes, [&](const History &history) -> std::string {
    const Outlook waits = outlook(history, plan.last, plan.window);
    if (waits.empty())
      return "NA";
    const Forecast said = forecast(waits, plan.margin);
    return show_wait(said.median) + " (" + show_duration(said.low) + " to " +
           show_duration(said.high) + ")";
  });
  std::printf("%-*s", name_width(partitions), "soonest in");
  for (int i = 0; i < Classes::count; ++i) {
    const std::string best = soonest(partitions, i, plan);
    std::printf(" %28s", best.empty() ? "NA" : best.c_str());
  }
  std::puts("");
}

// For each class in which both partitions have jobs: when to give up waiting.
inline void print_stop_loss(const Partitions &partitions, const Classes &classes,
                            const StopLoss &runs, long long now) {
  std::printf("\nstop-loss: a run of %s in %s, or of %s in %s:\n",
              show_duration(runs.wait_for_seconds).c_str(), runs.wait_for.c_str(),
              show_duration(runs.give_up_for_seconds).c_str(), runs.give_up_for.c_str());
  for (int i = 0; i < Classes::count; ++i) {
    const std::string name = classes.name(i);
    const Outlook wait_for = outcome(partitions.at(runs.wait_for)[i], now);
    const Outlook give_up_for = outcome(partitions.at(runs.give_up_for)[i], now);
    if (wait_for.empty() || give_up_for.empty()) {
      std::printf("   %-16s NA\n", name.c_str());
      continue;
    }
    const Advice advice = advise(runs, wait_for, give_up_for);
    std::printf(
        "   %-16s %s: done after %s on average; at once to %s: %s; only %s: %s\n", name.c_str(),
        advice.to_give_up() ? ("after a wait of " + show_duration(advice.best.wait)).c_str()
                            : "never give up",
        show_duration(advice.best.total).c_str(), runs.give_up_for.c_str(),
        show_wait(advice.at_once).c_str(), runs.wait_for.c_str(), show_wait(advice.never).c_str());
  }
}
