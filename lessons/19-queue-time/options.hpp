// The command line, and the text to read: a file, a compressed file, standard input, or sacct.
#pragma once

#include "lessons/19-queue-time/sacct.hpp"

#include <cstdlib>

struct Options {
  std::vector<std::string> files;      // none: call sacct
  std::vector<std::string> partitions; // none: all
  double first = 4, factor = 4;        // sizes: below first, below first * factor, ...
  bool by_memory = false;              // GB hours instead of CPU hours
  static constexpr long long no_end = std::numeric_limits<long long>::max();
  long long from = 0, to = no_end; // of Eligible; without a file the last 30 days before `to`
  std::string plot;                // the file of the plots; empty: none
};

// A wrong argument ends the program with a message and exit code 2.
inline Options read_options(int argc, char **argv) {
  Options options;
  const auto refuse = [&](const std::string &why) {
    std::fprintf(stderr,
                 "%s: %s\nusage: %s [-p PARTITION,...] [-it FIRST,FACTOR] [-m] [-S FROM] [-E TO] "
                 "[--plot FILE.svg] [FILE]...\n",
                 argv[0], why.c_str(), argv[0]);
    std::exit(2);
  };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 == argc)
        refuse("a value belongs after " + word);
      return std::string(argv[++i]);
    };
    if (word == "-p") {
      for (const std::string &name : split_list(value()))
        options.partitions.push_back(name);
    } else if (word == "-it") {
      char more;
      const int read =
          std::sscanf(value().c_str(), "%lf,%lf%c", &options.first, &options.factor, &more);
      if (read != 2 || !(options.first > 0 && options.first < 1e12) ||
          !(options.factor > 1 && options.factor < 1e12))
        refuse("-it takes the first bound, above 0, and the factor to the next, above 1: -it 4,4");
    } else if (word == "-S" || word == "-E")
      (word == "-S" ? options.from : options.to) = parse_time(word.c_str(), value());
    else if (word == "-m")
      options.by_memory = true;
    else if (word == "--plot")
      options.plot = value();
    else if (word.size() > 1 && word[0] == '-')
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

// sacct queries the accounting database, not the controller that schedules jobs. With TZ=UTC no
// wait is an hour wrong at the end of summer time. --duplicates: all records of a requeued job.
inline std::string sacct_command(const Options &options) {
  return "TZ=UTC SLURM_TIME_FORMAT=standard sacct --allusers --allocations --duplicates "
         "--parsable2 --starttime=" +
         show_time(options.from) +
         " --endtime=" + (options.to == Options::no_end ? "now" : show_time(options.to)) +
         " --format=" + SacctReader::sacct_format;
}

// Calls read(file) with the text of a file, of standard input (-), or of sacct (no name). gzip
// decompresses a file, and copies any other text.
template <class Read> void read_text(const std::string &name, const Options &options, Read read) {
  setenv("COURSE_FILE", name.c_str(), 1);
  const std::string command = name.empty()  ? sacct_command(options)
                              : name == "-" ? "gzip -dcf"
                                            : "gzip -dcf <\"$COURSE_FILE\"";
  std::FILE *file = popen(command.c_str(), "r");
  const bool empty = !file || std::ungetc(std::getc(file), file) == EOF;
  if (!empty)
    read(file);
  if (!file || pclose(file) != 0 || empty)
    throw std::runtime_error((name.empty() ? "sacct" : name) +
                             ": this command failed, or printed nothing: " + command);
}
