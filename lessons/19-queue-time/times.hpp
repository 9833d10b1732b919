// Points in time and durations, as sacct prints them and as people read them, in whole seconds.
#pragma once

#include <cstdio>
#include <ctime>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

// A field, or an argument, that cannot be read.
struct Malformed : std::runtime_error {
  Malformed(const char *what, std::string_view text)
      : std::runtime_error(std::string(what) + " is \"" + std::string(text) + '"') {}
};

constexpr long long hour = 3600, day = 24 * hour;
constexpr double unlimited = std::numeric_limits<double>::infinity();

// The number that these digits are; -1 for any other text, and for more than 15 digits.
inline long long whole_number(std::string_view text) {
  long long value = text.empty() || text.size() > 15 ? -1 : 0;
  for (const char digit : text)
    value = value < 0 || digit < '0' || digit > '9' ? -1 : 10 * value + (digit - '0');
  return value;
}

// Seconds since 1970 as text: 2026-10-01T08:30:00.
inline std::string show_time(long long time) {
  const std::time_t seconds = time;
  std::tm parts{};
  char text[40];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &parts));
  return text;
}

// Reads 2026-10-01, 2026-10-01T08:30:00 (in UTC) or seconds since 1970; before the year 2100.
inline long long parse_time(const char *what, std::string_view text) {
  const std::string full = std::string(text) + (text.size() == 10 ? "T00:00:00" : "");
  long long time = whole_number(text);
  std::tm parts{};
  if (time < 0 && strptime(full.c_str(), "%Y-%m-%dT%H:%M:%S", &parts)) {
    time = timegm(&parts);
    if (show_time(time) != full) // February 30 becomes March 2
      time = -1;
  }
  if (time < 0 || time >= 4102444800)
    throw Malformed(what, text);
  return time;
}

// Hours of a time limit: minutes, or [days-]hours:minutes:seconds.
inline double parse_limit(std::string_view text) {
  if (text == "UNLIMITED" || text == "Partition_Limit")
    return unlimited;
  if (const long long minutes = whole_number(text); minutes >= 0)
    return double(minutes) / 60;
  const std::string limit = (text.find('-') == text.npos ? "0-" : "") + std::string(text);
  long days = -1, hours = -1, minutes = -1, seconds = -1;
  char more;
  if (std::sscanf(limit.c_str(), "%9ld-%9ld:%9ld:%9ld%c", &days, &hours, &minutes, &seconds,
                  &more) != 4 ||
      days < 0 || hours < 0 || minutes < 0 || seconds < 0)
    throw Malformed("the time limit", text);
  return double(days * day + hours * hour + minutes * 60 + seconds) / hour;
}

// A duration in a suitable unit: 0.7 s, 8.2 m, 3.4 h, 1.5 d.
inline std::string show_duration(double seconds) {
  using Unit = std::pair<double, const char *>;
  const auto [unit, name] = seconds < 60        ? Unit(1, "s")
                            : seconds < hour    ? Unit(60, "m")
                            : seconds < 2 * day ? Unit(hour, "h")
                                                : Unit(day, "d");
  char text[40];
  std::snprintf(text, sizeof text, "%.1f %s", seconds / unit, name);
  return text;
}
