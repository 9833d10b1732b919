// figures [OPTION]... ROWS.tsv BENCH.json: the rows that figure() wrote (figures.hpp) as a table
// for people and, with where and when they were measured, as JSON.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

struct Figure {
  std::string program, what, unit, limit_is;
  double value, limit, seconds; // limit and seconds: 0 where there is none
};

std::vector<Figure> read(const std::string &path) {
  std::ifstream file(path);
  std::vector<Figure> figures;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, '\t');)
      fields.push_back(field);
    if (fields.size() != 7)
      throw std::runtime_error(path + ":" + std::to_string(number) +
                               ": not seven fields with tabs between them");
    figures.push_back({fields[0], fields[1], fields[3], fields[5], std::stod(fields[2]),
                       std::stod(fields[4]), std::stod(fields[6])});
  }
  return figures;
}

void print(const std::vector<Figure> &figures) {
  const char *program = "";
  for (const Figure &figure : figures) {
    if (figure.program != program)
      std::printf("\n%s\n", program = figure.program.c_str());
    const bool is_last = figure.seconds <= 0 && figure.limit <= 0;
    std::printf("   %-40s %10.4g %-*s", figure.what.c_str(), figure.value, is_last ? 0 : 8,
                figure.unit.c_str());
    if (figure.seconds > 0)
      std::printf(" %8.4g ms", 1000 * figure.seconds);
    if (figure.limit > 0)
      std::printf(" %6.1f %% of %s (%.4g)", 100 * figure.value / figure.limit,
                  figure.limit_is.c_str(), figure.limit);
    std::printf("\n");
  }
}

nlohmann::ordered_json as_json(const Figure &figure) {
  nlohmann::ordered_json json = {{"program", figure.program},
                                 {"what", figure.what},
                                 {"value", figure.value},
                                 {"unit", figure.unit}};
  if (figure.seconds > 0)
    json["seconds"] = figure.seconds;
  if (figure.limit > 0) {
    json["limit"] = figure.limit;
    json["limit_is"] = figure.limit_is;
  }
  return json;
}

std::string machine() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%FT%TZ", std::gmtime(&seconds));
  return text;
}

} // namespace

int main(int argc, char **argv) try {
  CLI::App app("A table of figures, and their JSON.");
  std::string rows, json, backend, device, revision;
  app.add_option("ROWS.tsv", rows, "what the programs wrote to COURSE_FIGURES")->required();
  app.add_option("BENCH.json", json, "written")->required();
  app.add_option("--backend", backend, "cpu or cuda");
  app.add_option("--device", device, "the device's name");
  app.add_option("--revision", revision, "of the course");
  CLI11_PARSE(app, argc, argv);

  const std::vector<Figure> figures = read(rows);
  print(figures);
  nlohmann::ordered_json bench = {{"machine", machine()}, {"date", now()},
                                  {"revision", revision}, {"backend", backend},
                                  {"device", device},     {"figures", nlohmann::json::array()}};
  for (const Figure &figure : figures)
    bench["figures"].push_back(as_json(figure));
  std::ofstream file(json);
  if (!(file << bench.dump(2) << "\n"))
    throw std::runtime_error("cannot write " + json);
} catch (const std::exception &error) {
  std::cerr << "figures: " << error.what() << "\n";
  return 1;
}
