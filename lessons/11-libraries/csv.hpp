// Rows of a CSV file: a header line, then lines "station,wind", a whole number and a number.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

struct Rows {
  std::vector<int> station;
  std::vector<double> wind; // m/s
};

// A file's text as somebody's stations could have sent it; the same for each run.
inline std::string made_up_csv(long rows) {
  std::string text = "station,wind\n";
  unsigned random = 11;
  for (long i = 0; i < rows; ++i) {
    random = 1664525 * random + 1013904223;
    const unsigned station = (random >> 8) % 1000, tenths = (random >> 16) * 2654435761u >> 23;
    text += std::to_string(station) + ',' + std::to_string(tenths / 10) + '.' +
            std::to_string(tenths % 10) + '\n';
  }
  return text;
}

// The text of the file, or exit code 2.
inline std::string file_text(const char *path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (file >> text.rdbuf())
    return text.str();
  std::fprintf(stderr, "%s: cannot be read, or is empty\n", path);
  std::exit(2);
}

// A line that is not "station,wind" ends the program with its number and exit code 2.
inline Rows parsed(const std::string &text) {
  Rows rows;
  const char *const end = text.data() + text.size(), *next = std::find(text.data(), end, '\n');
  next += next != end;
  while (next != end) {
    int station = 0;
    double wind = 0;
    auto read = std::from_chars(next, end, station);
    const bool has_comma = read.ec == std::errc() && read.ptr != end && *read.ptr == ',';
    if (has_comma)
      read = std::from_chars(read.ptr + 1, end, wind);
    if (!has_comma || read.ec != std::errc() || (read.ptr != end && *read.ptr != '\n')) {
      std::fprintf(stderr, "line %zu is not \"station,wind\"\n", rows.station.size() + 2);
      std::exit(2);
    }
    rows.station.push_back(station);
    rows.wind.push_back(wind);
    next = read.ptr == end ? end : read.ptr + 1;
  }
  if (rows.station.empty()) {
    std::fprintf(stderr, "there is no row below the header line\n");
    std::exit(2);
  }
  return rows;
}
