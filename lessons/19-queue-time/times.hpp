// Points in time and durations, as sacct writes them and as people read them. All in whole seconds.
#pragma once

#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

// What a line, or an argument, has in place of what it should have.
struct Malformed : std::runtime_error {
  Malformed(const char *what, std::string_view came)
      : std::runtime_error(std::string(what) + " is \"" + std::string(came) + '"') {}
};

constexpr long long hour = 3600, day = 24 * hour;
constexpr double unlimited = std::numeric_limits<double>::infinity();

// The whole number that `text` is; -1 where it is none, or too long.
inline long long whole_number(std::string_view text) {
  if (text.empty() || text.size() > 15)
    return -1;
  long long value = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9')
      return -1;
    value = 10 * value + (digit - '0');
  }
  return value;
}

// Days from 1970-01-01 to the first of January of a year, and from there to the first of a month.
constexpr long long days_to_year(long long year) {
  return 365 * (year - 1970) + (year - 1969) / 4 - (year - 1901) / 100 + (year - 1601) / 400;
}
constexpr long long days_to_month(long long year, int month) {
  constexpr int days[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  const bool leap_year = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return days[month - 1] + (leap_year && month > 2);
}

// 2026-10-01, 2026-10-01T08:30:00, or seconds since 1970; before 2100, so that a number of days is
// an int. Text without a time zone is read as UTC.
inline long long parse_time(const char *what, std::string_view text) {
  constexpr int end = 2100;
  if (const long long seconds = whole_number(text); seconds >= 0) {
    if (seconds >= days_to_year(end) * day)
      throw Malformed(what, text);
    return seconds;
  }
  const std::string_view form = "0000-00-00T00:00:00";
  bool fits = text.size() == 10 || text.size() == form.size();
  for (std::size_t i = 0; fits && i < text.size(); ++i)
    fits = form[i] == '0' ? text[i] >= '0' && text[i] <= '9' : text[i] == form[i];
  if (!fits)
    throw Malformed(what, text);
  const auto part = [&](int begin, int length) {
    return text.size() > std::size_t(begin) ? whole_number(text.substr(begin, length)) : 0;
  };
  const long long year = part(0, 4), month = part(5, 2), date = part(8, 2);
  const long long hours = part(11, 2), minutes = part(14, 2), seconds = part(17, 2);
  if (year < 1970 || year >= end || month < 1 || month > 12 || date < 1 || date > 31 ||
      (month < 12 &&
       days_to_month(year, int(month)) + date > days_to_month(year, int(month) + 1)) ||
      hours > 23 || minutes > 59 || seconds > 60)
    throw Malformed(what, text);
  const long long days = days_to_year(year) + days_to_month(year, int(month)) + date - 1;
  return days * day + hours * hour + minutes * 60 + seconds;
}

// The same time as text: 2026-10-01T08:30:00.
inline std::string show_time(long long time) {
  const long long days = time / day, rest = time % day;
  long long year = 1970;
  while (days_to_year(year + 1) <= days)
    ++year;
  int month = 12;
  while (days_to_year(year) + days_to_month(year, month) > days)
    --month;
  const long long date = days - days_to_year(year) - days_to_month(year, month) + 1;
  char text[80];
  std::snprintf(text, sizeof text, "%04lld-%02d-%02lldT%02lld:%02lld:%02lld", year, month, date,
                rest / hour, rest % hour / 60, rest % 60);
  return text;
}

// Hours of a time limit: [days-]hours:minutes:seconds, or minutes; UNLIMITED and Partition_Limit
// have no end.
inline double parse_limit(std::string_view text) {
  if (text == "UNLIMITED" || text == "Partition_Limit")
    return unlimited;
  if (const long long minutes = whole_number(text); minutes >= 0)
    return double(minutes) / 60;
  long long days = 0, seconds = 0;
  std::string_view rest = text;
  if (const std::size_t dash = rest.find('-'); dash != rest.npos) {
    days = whole_number(rest.substr(0, dash));
    rest.remove_prefix(dash + 1);
  }
  for (int part = 0; part < 3; ++part) {
    const std::size_t colon = rest.find(':');
    const long long value = whole_number(rest.substr(0, colon));
    if (value < 0 || days < 0 || (colon == rest.npos) != (part == 2))
      throw Malformed("the time limit", text);
    seconds = 60 * seconds + value;
    rest.remove_prefix(part == 2 ? 0 : colon + 1);
  }
  return double(days * day + seconds) / hour;
}

// A duration with one digit after the point, in the unit that suits it: 0.7 s, 8.2 m, 3.4 h, 1.5 d.
inline std::string show_duration(double seconds) {
  char text[40];
  const auto in = [&](double unit, char name) {
    std::snprintf(text, sizeof text, "%.1f %c", seconds / unit, name);
    return std::string(text);
  };
  return seconds < 60        ? in(1, 's')
         : seconds < hour    ? in(60, 'm')
         : seconds < 2 * day ? in(hour, 'h')
                             : in(day, 'd');
}
