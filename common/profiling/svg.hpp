// The SVG picture of a timeline. A browser draws it in the colours of a light or a dark page.
#pragma once

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace course {

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
      out_ << "[fill='" << light << "']{fill:" << dark << '}';
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

  // A vertical line from the top to `bottom`, with its label below.
  void tick(double x, double bottom, const std::string &label) {
    bar({x - 0.5, 0}, 1, bottom, grid, label);
    text({x, bottom + 16}, label, "middle");
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

  static std::string escaped(const std::string &text) {
    std::string safe;
    for (const char c : text)
      safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return safe;
  }

  std::ostringstream out_;
};

} // namespace course
