// SVG pictures. A browser draws them in the colours of a light or a dark page.
#pragma once

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace course {

inline std::string escaped(const std::string &text) {
  std::string safe;
  for (const char c : text)
    safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return safe;
}

enum Colour { ink, grid, grey, blue, orange, green, purple, yellow, pink, white };

struct Point {
  double x, y;
};

// A picture of width x height pixels; y grows downwards.
class Svg {
public:
  Svg(double width, double height, const std::string &title) {
    out_.precision(5);
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << ' ' << height
         << "\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n<title>"
         << escaped(title)
         << "</title>\n<style>svg{color-scheme:light dark}@media (prefers-color-scheme:dark){";
    for (const auto &[light, dark] : palette)
      out_ << "[fill='" << light << "']{fill:" << dark << "}[stroke='" << light
           << "']{stroke:" << dark << '}';
    out_ << "}</style>\n";
  }

  // anchor: which part of the text is at x: start, middle or end.
  void text(Point at, const std::string &what, const char *anchor = "start", Colour colour = ink,
            double size = 12) {
    out_ << "<text x=\"" << at.x << "\" y=\"" << at.y << "\" text-anchor=\"" << anchor
         << "\" font-size=\"" << size << "\" fill=\"" << palette[colour].light << "\">"
         << escaped(what) << "</text>\n";
  }
  // The title appears when the mouse pointer is on the bar.
  void bar(Point corner, double width, double height, Colour colour, const std::string &title) {
    out_ << "<rect x=\"" << corner.x << "\" y=\"" << corner.y << "\" width=\"" << width
         << "\" height=\"" << height << "\" fill=\"" << palette[colour].light << "\"><title>"
         << escaped(title) << "</title></rect>\n";
  }
  void dot(Point at, double radius, Colour colour, const std::string &title = "") {
    out_ << "<circle cx=\"" << at.x << "\" cy=\"" << at.y << "\" r=\"" << radius << "\" fill=\""
         << palette[colour].light << "\"><title>" << escaped(title) << "</title></circle>\n";
  }
  void line(const std::vector<Point> &points, Colour colour, double width = 1,
            const char *dashes = "none") {
    out_ << "<polyline fill=\"none\" stroke=\"" << palette[colour].light << "\" stroke-width=\""
         << width << "\" stroke-dasharray=\"" << dashes << "\" points=\"";
    corners(points);
  }
  void area(const std::vector<Point> &points, Colour colour) {
    out_ << "<polygon fill-opacity=\"0.2\" fill=\"" << palette[colour].light << "\" points=\"";
    corners(points);
  }

  // Writes the picture and prints its file name, or why there is no picture.
  bool write(const std::string &path) const {
    std::ofstream file(path);
    file << out_.str() << "</svg>\n";
    const bool written = bool(file.flush());
    std::printf(written ? "picture: %s\n" : "no picture: %s cannot be written\n", path.c_str());
    return written;
  }

private:
  struct Pair {
    const char *light, *dark;
  };
  static constexpr Pair palette[] = {{"#1f2328", "#e6edf3"}, {"#d0d7de", "#30363d"},
                                     {"#6e7781", "#8b949e"}, {"#0969da", "#4493f8"},
                                     {"#bc4c00", "#db6d28"}, {"#1a7f37", "#3fb950"},
                                     {"#8250df", "#ab7df8"}, {"#9a6700", "#d29922"},
                                     {"#bf3989", "#db61a2"}, {"#ffffff", "#0d1117"}}; // as Colour

  void corners(const std::vector<Point> &points) {
    for (const auto &[x, y] : points)
      out_ << x << ',' << y << ' ';
    out_ << "\"/>\n";
  }

  std::ostringstream out_;
};

// A linear or logarithmic axis: the value `first` is drawn at the pixel `begin`, `last` at `end`.
struct Axis {
  double first, last, begin, end;
  bool logarithmic = false;
  double operator()(double value) const {
    const double share = logarithmic ? std::log(value / first) / std::log(last / first)
                                     : (value - first) / (last - first);
    return begin + (end - begin) * share;
  }
};

// A diagram in a picture. Its points are given as values.
struct Chart {
  Svg &svg;
  Axis x, y;

  Point place(Point value) const { return {x(value.x), y(value.y)}; }
  void tick_x(double value, const std::string &label) {
    svg.line({{x(value), y.begin}, {x(value), y.end}}, grid);
    svg.text({x(value), y.begin + 16}, label, "middle");
  }
  void tick_y(double value, const std::string &label) {
    svg.line({{x.begin, y(value)}, {x.end, y(value)}}, grid);
    svg.text({x.begin - 6, y(value) + 4}, label, "end");
  }
  void line(std::vector<Point> values, Colour colour, double width = 2,
            const char *dashes = "none") {
    for (Point &value : values)
      value = place(value);
    svg.line(values, colour, width, dashes);
  }
};

} // namespace course
