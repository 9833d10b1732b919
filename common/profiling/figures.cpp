// figures ROWS.tsv BENCH.json BACKEND DEVICE REVISION: the rows that course::figure
// wrote as a table for people, and as JSON, one figure per line, with date and device.
#include "common/figures.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

double four_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return std::stod(text);
}

nlohmann::ordered_json read(const std::string &path) {
  std::ifstream file(path);
  auto figures = nlohmann::ordered_json::array();
  int number = 0;
  std::string program;
  for (std::string line; std::getline(file, line);) {
    ++number;
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, '\t');)
      fields.push_back(field);
    if (fields.size() != 7)
      throw std::runtime_error(path + ":" + std::to_string(number) +
                               ": not seven fields with tabs between them");
    const double value = std::stod(fields[2]), limit = std::stod(fields[4]),
                 seconds = std::stod(fields[6]);
    if (fields[0] != program)
      std::printf("\n%s\n", (program = fields[0]).c_str());
    char its_limit[32];
    std::snprintf(its_limit, sizeof its_limit, " (%.4g)", limit);
    course::print_figure(fields[1].c_str(), value, fields[3].c_str(), limit,
                         (fields[5] + its_limit).c_str(), seconds);
    figures.push_back({{"program", program},
                       {"what", fields[1]},
                       {"value", four_digits(value)},
                       {"unit", fields[3]}});
    if (seconds > 0)
      figures.back()["seconds"] = four_digits(seconds);
    if (limit > 0) {
      figures.back()["limit"] = four_digits(limit);
      figures.back()["limit_is"] = fields[5];
    }
  }
  return figures;
}

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%FT%TZ", std::gmtime(&seconds));
  return text;
}

} // namespace

int main(int argc, char **argv) try {
  if (argc < 6)
    throw std::runtime_error("usage: ROWS.tsv BENCH.json BACKEND DEVICE REVISION");
  nlohmann::ordered_json bench = {
      {"date", now()}, {"revision", argv[5]}, {"backend", argv[3]}, {"device", argv[4]}};
  std::string lines;
  for (const auto &figure : read(argv[1]))
    lines += (lines.empty() ? "" : ",\n") + figure.dump();
  std::string text = bench.dump(1); // its last character is the closing brace
  text.replace(text.size() - 2, 2, ",\n \"figures\": [\n" + lines + "\n]}\n");
  if (std::ofstream file(argv[2]); !(file << text).flush())
    throw std::runtime_error(std::string("cannot write ") + argv[2]);
} catch (const std::exception &error) {
  std::cerr << "figures: " << error.what() << "\n";
  return 1;
}
