// figures [OPTION]... ROWS.tsv BENCH.json BENCH.svg: the rows that figure() wrote (figures.hpp) as
// a table for people, as JSON with where and when they were measured, and as a picture.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
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

std::string escaped(const std::string &text) {
  std::string safe;
  for (const char c : text)
    safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

// A bar for each figure that has a limit, as long as its share of it; a line where the limit is.
std::string as_svg(const std::vector<Figure> &figures, const std::string &device) {
  constexpr int left = 300, width = 280, row = 22;
  double longest = 1;
  for (const Figure &figure : figures)
    if (figure.limit > 0)
      longest = std::max(longest, figure.value / figure.limit);
  std::ostringstream rows;
  const auto x = [=](double share) { return left + width * share / longest; };
  const char *program = "";
  int y = 10;
  for (const Figure &figure : figures) {
    if (figure.limit <= 0)
      continue;
    if (figure.program != program) {
      y += 2 * row;
      rows << "<text x=\"10\" y=\"" << y << "\" class=\"b\">" << (program = figure.program.c_str())
           << "</text>\n";
    }
    y += row;
    const double share = figure.value / figure.limit;
    char percent[32];
    std::snprintf(percent, sizeof percent, "%.1f %% of ", 100 * share);
    rows << "<text x=\"" << left - 10 << "\" y=\"" << y << "\" class=\"e\">" << escaped(figure.what)
         << "</text><rect x=\"" << left << "\" y=\"" << y - 13 << "\" width=\"" << x(share) - left
         << "\" height=\"16\" class=\"a\"/><text x=\"" << x(share) + 6 << "\" y=\"" << y << "\">"
         << percent << escaped(figure.limit_is) << "</text><path class=\"l\" d=\"M" << x(1) << " "
         << y - 16 << "v" << row << "\"/>\n";
  }
  std::ostringstream svg;
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 780 " << y + row
      << "\" width=\"780\" height=\"" << y + row << "\" role=\"img\">\n<title>Figures of "
      << escaped(device) << "</title>\n<style>text{font:13px sans-serif;fill:#24292f}"
      << ".b{font-weight:bold}.e{text-anchor:end}.l{stroke:#57606a}"
      << ".a{fill:#0969da;fill-opacity:.4}@media (prefers-color-scheme:dark)"
      << "{text{fill:#e6edf3}.l{stroke:#9198a1}.a{fill:#4493f8}}</style>\n<text x=\"10\" y=\"24\">"
      << escaped(device) << "</text>\n"
      << rows.str() << "</svg>\n";
  return svg.str();
}

void write(const std::string &path, const std::string &text) {
  std::ofstream file(path);
  if (!(file << text) || !file.flush())
    throw std::runtime_error("cannot write " + path);
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
  CLI::App app("A table of figures, their JSON, and a picture.");
  std::string rows, json, svg, backend, device, revision, versions;
  app.add_option("ROWS.tsv", rows, "what the programs wrote to COURSE_FIGURES")->required();
  app.add_option("BENCH.json", json, "written")->required();
  app.add_option("BENCH.svg", svg, "written")->required();
  app.add_option("--backend", backend, "cpu or cuda");
  app.add_option("--device", device, "the device's name");
  app.add_option("--revision", revision, "of the course");
  app.add_option("--versions", versions, "of Python, its libraries and the compiler");
  CLI11_PARSE(app, argc, argv);

  const std::vector<Figure> figures = read(rows);
  print(figures);
  nlohmann::ordered_json bench = {{"machine", machine()},
                                  {"date", now()},
                                  {"revision", revision},
                                  {"backend", backend},
                                  {"device", device}};
  if (!versions.empty())
    bench["versions"] = versions;
  bench["figures"] = nlohmann::json::array();
  for (const Figure &figure : figures)
    bench["figures"].push_back(as_json(figure));
  write(json, bench.dump(2) + "\n");
  write(svg, as_svg(figures, device));
} catch (const std::exception &error) {
  std::cerr << "figures: " << error.what() << "\n";
  return 1;
}
