// timeline FOLDER PICTURE.svg: what the processes of a run recorded (timeline_records.hpp) as a
// table of where the time went, and as a picture of it: a row for each stream, the host, MPI, the
// ranges of NVTX, of each rank.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

struct Record {
  int rank;
  std::string row, kind, name;
  double begin, end; // seconds; 0: the first record's begin
  double bytes;
};

std::vector<Record> read(const std::string &folder) {
  std::vector<Record> records;
  std::vector<std::pair<long long, long long>> times;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    const int rank = std::stoi(entry.path().filename());
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      std::istringstream stream(line);
      std::vector<std::string> fields;
      for (std::string field; std::getline(stream, field, '\t');)
        fields.push_back(field);
      if (fields.size() != 6)
        throw std::runtime_error(entry.path().string() + ": not six fields with tabs between them");
      records.push_back({rank, fields[0], fields[1], fields[2], 0, 0, std::stod(fields[5])});
      times.emplace_back(std::stoll(fields[3]), std::stoll(fields[4]));
    }
  }
  if (records.empty())
    throw std::runtime_error(
        "nothing was recorded: the program launches no kernel, and copies nothing");
  const long long first = std::min_element(times.begin(), times.end())->first;
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].begin = 1e-9 * double(times[i].first - first);
    records[i].end = 1e-9 * double(times[i].second - first);
  }
  std::sort(records.begin(), records.end(), [](const Record &a, const Record &b) {
    return std::tie(a.begin, b.end) < std::tie(b.begin, a.end); // what encloses others first
  });
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
  std::printf("\nfrom the first to the last that was recorded: %.4g ms\n", 1e3 * span);
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

std::string escaped(const std::string &text) {
  std::string result;
  for (const char c : text)
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result;
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

// What is shown as one bar: neighbours of a kind, of which each would be a hair's breadth.
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

const char style[] =
    "text { font: 12px sans-serif; fill: #24292f } .tick { font-size: 10px; fill: #57606a }\n"
    "rect { height: 18px } line { stroke: #d0d7de } .name { font-size: 10px; fill: #fff }\n"
    ".kernel { fill: #1a7f37 } .copy { fill: #bc4c00 } .fill { fill: #9a6700 }\n"
    ".wait { fill: #8c959f } .launch { fill: #6e7781 } .mpi { fill: #8250df } .range { fill: "
    "#0969da }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "text { fill: #e6edf3 } .name { fill: #fff } .tick { fill: #8b949e } line { stroke: #30363d }\n"
    ".kernel { fill: #2ea043 } .copy { fill: #db6d28 } .wait { fill: #6e7681 }\n"
    ".mpi { fill: #8957e5 } .range { fill: #1f6feb } }\n";

struct RowName {
  std::string text;
  bool operator<(const RowName &other) const { // stream 2 before stream 10
    return strverscmp(text.c_str(), other.text.c_str()) < 0;
  }
};

void draw(std::ostream &out, const std::vector<Record> &records, int ranks) {
  // Ranges lie in ranges: each depth has a row of its own, so that nothing is hidden.
  std::map<std::tuple<int, int, RowName, int>, std::vector<Record>> rows;
  std::map<std::pair<int, std::string>, std::vector<double>> open; // ends, by depth
  for (const Record &its : records) {
    const int order = its.row == "ranges" ? 0 : its.row == "MPI" ? 1 : its.row == "host" ? 2 : 3;
    auto &ends = open[{its.rank, its.row}];
    std::size_t depth = 0;
    while (depth < ends.size() && ends[depth] > its.begin)
      ++depth;
    ends.resize(std::max(ends.size(), depth + 1));
    ends[depth] = its.end;
    rows[{its.rank, order, {its.row}, int(depth)}].push_back(its);
  }
  const double span = last_end(records), scale = (width - label_width - 10) / span;
  const double height = row_height * double(rows.size()) + 30;
  const auto x = [&](double seconds) { return number(label_width + seconds * scale); };
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << ' ' << height
      << "\" role=\"img\">\n<title>Timeline</title>\n<style>\n"
      << style << "</style>\n";
  const double tick = tick_of(span);
  const auto [unit, factor] = span < 2e-3 ? std::pair("us", 1e6)
                              : span < 2  ? std::pair("ms", 1e3)
                                          : std::pair("s", 1.0);
  for (int i = 0; i * tick * scale <= width - label_width - 40;
       ++i) // the last one's text fits, too
    out << "<line x1=\"" << x(i * tick) << "\" x2=\"" << x(i * tick) << "\" y1=\"0\" y2=\""
        << height - 20 << "\"/><text class=\"tick\" x=\"" << x(i * tick) << "\" y=\"" << height - 8
        << "\">" << number(i * tick * factor) << ' ' << unit << "</text>\n";
  double y = 3;
  for (const auto &[key, row] : rows) {
    const auto &[rank, order, name, depth] = key;
    out << "<g transform=\"translate(0 " << y << ")\">\n";
    if (depth == 0)
      out << "<text x=\"4\" y=\"13\">"
          << escaped((ranks > 1 ? "rank " + std::to_string(rank) + ", " : "") + name.text)
          << "</text>\n";
    for (const auto &[its, count] : bars(row, scale)) {
      const double its_width = std::max(0.1, (its.end - its.begin) * scale);
      out << "<rect class=\"" << its.kind << "\" x=\"" << x(its.begin) << "\" width=\""
          << number(its_width) << "\"><title>" << escaped(its.name)
          << (count > 1 ? " x " + std::to_string(count) : "") << ", "
          << number(1e6 * (its.end - its.begin)) << " us</title></rect>\n";
      if (its_width > 6.0 * double(its.name.size()))
        out << "<text class=\"name\" x=\"" << number(label_width + its.begin * scale + 3)
            << "\" y=\"13\">" << escaped(its.name) << "</text>\n";
    }
    out << "</g>\n";
    y += row_height;
  }
  out << "</svg>\n";
}

} // namespace

int main(int argc, char **argv) try {
  if (argc != 3)
    throw std::runtime_error("usage: timeline FOLDER PICTURE.svg");
  const std::vector<Record> records = read(argv[1]);
  int ranks = 0;
  for (const Record &its : records)
    ranks = std::max(ranks, its.rank + 1);
  print(records, ranks);
  std::ofstream file(argv[2]);
  draw(file, records, ranks);
  if (!file.flush())
    throw std::runtime_error(std::string("cannot write ") + argv[2]);
  std::printf("\ntimeline: %s\n", argv[2]);
} catch (const std::exception &error) {
  std::cerr << "timeline: " << error.what() << "\n";
  return 1;
}
