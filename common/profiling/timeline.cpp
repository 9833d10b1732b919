// timeline FOLDER: what the processes of a run recorded (timeline_records.hpp) as a table of where
// the time went, as one trace, timeline.json, and as a picture, timeline.svg: a row for each
// stream, the host, MPI, the ranges of NVTX, of each rank.
#include "common/cpu/runtime/timeline_records.hpp"
#include "common/profiling/svg.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

struct Record {
  int rank, row;
  std::string kind, name;
  double begin, end; // seconds; 0: the first record's begin
  double bytes;
};

// The records of all files in `folder`; their events go to `trace`, which is one JSON array.
std::vector<Record> read(const std::string &folder, std::ostream &trace) {
  std::vector<Record> records;
  const char *separator = "[\n";
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line[0] != '{')
        continue; // the array's brackets
      if (line.back() == ',')
        line.pop_back();
      trace << separator << line;
      separator = ",\n";
      if (line.rfind("{\"ph\":\"M\"", 0) == 0)
        continue; // the name of a row
      int process, row;
      double begin, length, bytes;
      char kind[16], name[512];
      if (std::sscanf(line.c_str(),
                      R"({"ph":"X","pid":%d,"tid":%d,"ts":%lf,"dur":%lf,"cat":"%15[^"]",)"
                      R"("name":"%511[^"]","args":{"bytes":%lf}})",
                      &process, &row, &begin, &length, kind, name, &bytes) != 7)
        throw std::runtime_error(entry.path().string() + ": this is no event: " + line);
      records.push_back(
          {process - 1, row, kind, name, 1e-6 * begin, 1e-6 * (begin + length), bytes});
    }
  }
  if (records.empty())
    throw std::runtime_error(
        "nothing was recorded: the program launches no kernel, and copies nothing");
  trace << "\n]\n";
  std::sort(records.begin(), records.end(), [](const Record &a, const Record &b) {
    return std::tie(a.begin, b.end) < std::tie(b.begin, a.end); // enclosing records first
  });
  const double first = records.front().begin;
  for (Record &its : records) {
    its.begin -= first;
    its.end -= first;
  }
  return records;
}

bool is_device_work(const Record &its) {
  return its.kind == "kernel" || its.kind == "copy" || its.kind == "fill";
}

double last_end(const std::vector<Record> &records) {
  double last = 1e-9; // a nanosecond, also where all took less
  for (const Record &its : records)
    last = std::max(last, its.end);
  return last;
}

// ---- the table ----

// Seconds in which the device of a rank does something, in whatever stream.
double busy(const std::vector<Record> &records, int rank) {
  double sum = 0, until = 0;
  for (const Record &its : records) // in the order of their begins
    if (its.rank == rank && is_device_work(its)) {
      sum += std::max(0.0, its.end - std::max(its.begin, until));
      until = std::max(until, its.end);
    }
  return sum;
}

void print(const std::vector<Record> &records, int ranks) {
  struct Sum {
    std::size_t calls = 0;
    double seconds = 0, bytes = 0;
  };
  std::map<std::pair<std::string, std::string>, Sum> sums; // of kind and name
  for (const Record &its : records) {
    Sum &sum = sums[{its.kind, its.name}];
    ++sum.calls;
    sum.seconds += its.end - its.begin;
    sum.bytes += its.bytes;
  }
  const double span = last_end(records);
  std::printf("\nrecorded time span: %.4g ms\n", 1e3 * span);
  for (int rank = 0; rank < ranks; ++rank)
    std::printf("device busy%s: %.1f %%\n",
                ranks > 1 ? (" (rank " + std::to_string(rank) + ")").c_str() : "",
                100 * busy(records, rank) / span);
  std::printf("\n   %-7s %-34s %9s %12s %14s %9s\n", "what", "name", "calls", "total", "average",
              "MB");
  for (const char *kind : {"kernel", "copy", "fill", "launch", "wait", "mpi", "range"}) {
    std::vector<std::pair<std::string, Sum>> its;
    for (const auto &[key, sum] : sums)
      if (key.first == kind)
        its.emplace_back(key.second, sum);
    std::stable_sort(its.begin(), its.end(), [](const auto &a, const auto &b) {
      return a.second.seconds > b.second.seconds;
    });
    for (const auto &[name, sum] : its) {
      std::printf("   %-7s %-34s %9zu %9.3f ms %11.2f us", kind, name.c_str(), sum.calls,
                  1e3 * sum.seconds, 1e6 * sum.seconds / double(sum.calls));
      if (sum.bytes > 0)
        std::printf(" %9.2f", 1e-6 * sum.bytes);
      std::puts("");
    }
  }
}

// ---- the picture ----

constexpr double label_width = 150, width = 1000, row_height = 24;

struct Look {
  const char *what;
  course::Colour colour;
};
constexpr Look device_work[] = {{"kernel", course::green}, // the legend
                                {"copy to the device", course::orange},
                                {"copy to the host", course::pink},
                                {"copy", course::purple},
                                {"fill", course::yellow}};

course::Colour colour_of(const Record &its) {
  for (const auto &[what, colour] : device_work)
    if (its.kind == what || (its.kind == "copy" && its.name == what))
      return colour;
  return its.kind == "mpi" ? course::purple : its.kind == "range" ? course::blue : course::grey;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value);
  return text;
}

// 1, 2 or 5 times a power of ten: about ten of them make `span`.
double tick_of(double span) {
  double tick = 1e-9;
  while (span / tick > 100)
    tick *= 10;
  return span / tick > 50 ? 10 * tick : span / tick > 20 ? 5 * tick : 2 * tick;
}

// One bar of the picture: neighbouring records of the same kind, each too narrow for its own bar.
struct Bar {
  Record its;
  std::size_t count;
};
std::vector<Bar> bars(const std::vector<Record> &row, double scale) {
  std::vector<Bar> result;
  for (const Record &its : row) {
    const bool joins = !result.empty() && result.back().its.kind == its.kind &&
                       (its.begin - result.back().its.end) * scale < 0.1 &&
                       (its.end - its.begin) * scale < 0.5 &&
                       (result.back().count > 1 ||
                        (result.back().its.end - result.back().its.begin) * scale < 0.5);
    if (!joins) {
      result.push_back({its, 1});
      continue;
    }
    result.back().its.end = std::max(result.back().its.end, its.end);
    ++result.back().count;
    if (result.back().its.name != its.name)
      result.back().its.name = its.kind + ": several";
  }
  return result;
}

bool draw(const std::vector<Record> &records, int ranks) {
  // Ranges lie in ranges: each depth has a row of its own, so that nothing is hidden.
  std::map<std::tuple<int, int, std::size_t>, std::vector<Record>> rows;
  std::map<std::pair<int, int>, std::vector<double>> open; // ends, by depth
  for (const Record &its : records) {
    auto &ends = open[{its.rank, its.row}];
    std::size_t depth = 0;
    while (depth < ends.size() && ends[depth] > its.begin + 0.5e-9) // rounding adds less
      ++depth;
    ends.resize(std::max(ends.size(), depth + 1));
    ends[depth] = its.end;
    rows[{its.rank, its.row, depth}].push_back(its);
  }
  const double span = last_end(records), bottom = row_height * double(rows.size()) + 10;
  course::Svg svg(width, bottom + 40, "Timeline");
  const double tick = tick_of(span), scale = (width - 10 - label_width) / span;
  const auto x_of = [scale](double seconds) { return label_width + seconds * scale; };
  const auto [unit, factor] = span < 2e-3 ? std::pair("us", 1e6)
                              : span < 2  ? std::pair("ms", 1e3)
                                          : std::pair("s", 1.0);
  for (int i = 0; i * tick * scale <= width - label_width - 40; ++i) // so that its text fits
    svg.tick(x_of(i * tick), bottom, number(i * tick * factor) + ' ' + unit);
  double y = 3;
  for (const auto &[key, row] : rows) {
    const auto &[rank, number_of_row, depth] = key;
    if (depth == 0)
      svg.text({4, y + 13}, (ranks > 1 ? "rank " + std::to_string(rank) + ", " : "") +
                                course_timeline::name_of(number_of_row));
    for (const auto &[its, count] : bars(row, scale)) {
      const double its_width = std::max(0.1, (its.end - its.begin) * scale);
      svg.bar({x_of(its.begin), y}, its_width, 18, colour_of(its),
              its.name + (count > 1 ? " x " + std::to_string(count) : "") + ", " +
                  number(1e6 * (its.end - its.begin)) + " us");
      if (its_width > 6.0 * double(its.name.size()))
        svg.text({x_of(its.begin) + 3, y + 13}, its.name, "start", course::white, 10);
    }
    y += row_height;
  }
  double x = label_width;
  for (const auto &[what, colour] : device_work) {
    const auto has = [c = colour](const Record &its) {
      return is_device_work(its) && colour_of(its) == c;
    };
    if (std::none_of(records.begin(), records.end(), has))
      continue;
    svg.bar({x, bottom + 26}, 10, 10, colour, what);
    svg.text({x + 15, bottom + 35}, what);
    x += 150;
  }
  std::puts("");
  return svg.write("timeline.svg");
}

} // namespace

int main(int argc, char **argv) try {
  if (argc != 2)
    throw std::runtime_error("usage: timeline FOLDER");
  std::ofstream trace("timeline.json");
  const std::vector<Record> records = read(argv[1], trace);
  int ranks = 0;
  for (const Record &its : records)
    ranks = std::max(ranks, its.rank + 1);
  print(records, ranks);
  if (!draw(records, ranks) || !trace.flush())
    throw std::runtime_error("cannot write timeline.json and timeline.svg here");
  std::puts("for ui.perfetto.dev: timeline.json");
} catch (const std::exception &error) {
  std::cerr << "timeline: " << error.what() << "\n";
  return 1;
}
