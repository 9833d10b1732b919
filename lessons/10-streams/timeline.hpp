// A timeline as a picture: a row for each stream, a bar for each copy and kernel.
#pragma once

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

struct Bar {
  int stream;
  const char *step;  // "up", "add" or "down"
  double start, end; // milliseconds
};

// An event says when a step could begin: what is before it in its stream was done. But all copies
// in one direction use one part of the device, and so do the kernels. So a step begins when the one
// of its kind that ended before it has made room.
inline std::vector<Bar> without_waiting(std::vector<Bar> bars) {
  std::sort(bars.begin(), bars.end(), [](const Bar &x, const Bar &y) { return x.end < y.end; });
  std::map<std::string, double> busy_until;
  for (Bar &bar : bars) {
    double &until = busy_until[bar.step];
    bar.start = std::min(std::max(bar.start, until), bar.end);
    until = bar.end;
  }
  return bars;
}

// Writes it to the file `path` as SVG, and says so, or why not: a picture is no reason to end a
// program.
inline void write_timeline(const char *path, const std::vector<Bar> &steps, int streams) {
  const std::vector<Bar> bars = without_waiting(steps);
  std::FILE *file = bars.empty() ? nullptr : std::fopen(path, "w");
  if (!file) {
    std::printf("no picture: %s cannot be written\n", path);
    return;
  }
  const double last = bars.back().end, left = 80, scale = 660 / last; // pixels
  const int row = 34, height = row * streams + 60;
  std::fprintf(file,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 %d\" role=\"img\" "
               "font-family=\"sans-serif\" font-size=\"13\">\n"
               "<title>Copies and kernels of %d streams over time</title>\n"
               "<style>text{fill:#1f2328}.up{fill:#0969da}.add{fill:#d29922}.down{fill:#1a7f37}"
               ".line{stroke:#8c959f}@media (prefers-color-scheme:dark){text{fill:#e6edf3}"
               ".up{fill:#58a6ff}.add{fill:#e3b341}.down{fill:#3fb950}}</style>\n",
               height, streams);
  for (int stream = 0; stream < streams; ++stream)
    std::fprintf(file, "<text x=\"8\" y=\"%d\">stream %d</text>\n", row * stream + 24, stream);
  for (const Bar &bar : bars)
    std::fprintf(file, "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"22\"/>\n",
                 bar.step, left + scale * bar.start, row * bar.stream + 8,
                 std::max(0.5, scale * (bar.end - bar.start)));
  const int axis = row * streams + 8;
  std::fprintf(file,
               "<line class=\"line\" x1=\"80\" y1=\"%d\" x2=\"740\" y2=\"%d\"/>\n"
               "<text x=\"80\" y=\"%d\">0 ms</text>\n"
               "<text x=\"740\" y=\"%d\" text-anchor=\"end\">%.3g ms</text>\n",
               axis, axis, axis + 18, axis + 18, last);
  int x = 200;
  for (const auto &[step, text] :
       {std::pair("up", "copy to the device"), {"add", "kernel"}, {"down", "copy to the host"}}) {
    std::fprintf(file,
                 "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"12\" height=\"12\"/>"
                 "<text x=\"%d\" y=\"%d\">%s</text>\n",
                 step, x, axis + 30, x + 18, axis + 41, text);
    x += 160;
  }
  std::fputs("</svg>\n", file);
  std::fclose(file);
  std::printf("   picture: %s\n", path);
}
