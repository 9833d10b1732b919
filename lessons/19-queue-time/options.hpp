// The command line of the program.
#pragma once

#include "lessons/19-queue-time/waits.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

// How long a run takes in each of two partitions: the one to wait for, and the one to give up for.
struct StopLoss {
  std::string wait_for, give_up_for;
  double wait_for_seconds = 0, give_up_for_seconds = 0; // of the run
  bool asked_for() const { return !wait_for.empty(); }
};

struct Options {
  std::vector<std::string> files;      // none: ask sacct
  std::vector<std::string> partitions; // none: all
  Classes classes;
  static constexpr long long no_end = std::numeric_limits<long long>::max();
  long long from = 0, to = no_end; // of Eligible; without a file the last 30 days before `to`
  StopLoss stop_loss;              // wait_for empty: none asked for
  std::string plot;                // its file; empty: none
};

// The parts of `text` between commas.
inline std::vector<std::string> split_list(const std::string &text) {
  std::vector<std::string> parts{""};
  for (const char letter : text)
    if (letter == ',')
      parts.emplace_back();
    else
      parts.back() += letter;
  return parts;
}

// What is not understood ends the program with a message and exit code 2.
inline Options read_options(int argc, char **argv) {
  Options options;
  const auto refuse = [&](const std::string &why) {
    std::fprintf(
        stderr,
        "%s: %s\nusage: %s [-p PARTITION,...] [-it FIRST,FACTOR] [-m] [-S FROM] [-E TO]\n"
        "  [--stop-loss PARTITION=SECONDS,PARTITION=SECONDS] [--plot FILE.svg] [FILE]...\n",
        argv[0], why.c_str(), argv[0]);
    std::exit(2);
  };
  const auto number = [&](const std::string &option, const std::string &text, double above) {
    char *end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(value > above && value < 1e12))
      refuse(option + " has \"" + text + "\"; it must be a number above " +
             std::to_string(int(above)));
    return value;
  };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 == argc)
        refuse("a value belongs after " + word);
      return std::string(argv[++i]);
    };
    const auto time = [&] {
      try {
        return parse_time("the time", value());
      } catch (const Malformed &fault) {
        refuse(word + ": " + fault.what() + "; write 2026-10-01 or 2026-10-01T08:30:00");
        throw;
      }
    };
    if (word == "-p") {
      for (const std::string &name : split_list(value()))
        options.partitions.push_back(name);
    } else if (word == "-it") {
      const std::vector<std::string> bounds = split_list(value());
      if (bounds.size() != 2)
        refuse("-it takes two numbers, the first bound and the factor to the next: -it 4,4");
      options.classes.first = number(word, bounds[0], 0);
      options.classes.factor = number(word, bounds[1], 1);
    } else if (word == "-m")
      options.classes.by_memory = true;
    else if (word == "-S")
      options.from = time();
    else if (word == "-E")
      options.to = time();
    else if (word == "--plot")
      options.plot = value();
    else if (word == "--stop-loss") {
      const std::vector<std::string> runs = split_list(value());
      if (runs.size() != 2 || runs[0].find('=') == 0 || runs[0].find('=') == std::string::npos ||
          runs[1].find('=') == 0 || runs[1].find('=') == std::string::npos)
        refuse("--stop-loss takes how long your run takes in two partitions, first that which you "
               "wait for: --stop-loss gpu=600,medium=36000");
      const auto name = [](const std::string &run) { return run.substr(0, run.find('=')); };
      const auto seconds = [&](const std::string &run) {
        return number(word, run.substr(run.find('=') + 1), 0);
      };
      options.stop_loss = {name(runs[0]), name(runs[1]), seconds(runs[0]), seconds(runs[1])};
      if (name(runs[0]) == name(runs[1]))
        refuse("--stop-loss has the partition " + name(runs[0]) + " twice; it compares two");
    } else if (word.size() > 1 && word[0] == '-')
      refuse("there is no option " + word);
    else
      options.files.push_back(word);
  }
  if (options.files.empty() && options.from == 0)
    options.from = std::max(std::min<long long>(std::time(nullptr), options.to) - 30 * day, 0LL);
  if (options.from >= options.to)
    refuse("-S must be before -E");
  return options;
}
