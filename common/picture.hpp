// Draws a field as a PNG picture, with stb_image_write (Debian package libstb-dev).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#if __has_include(<stb/stb_image_write.h>)
#define COURSE_HAS_STB
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>
#endif

namespace course {

// Draws a field with ny rows of nx values, stored row by row, the first row at the top. Writes the
// picture to the file `path` and prints its name, or why there is no picture: the program
// continues. `low` is blue, `high` is red, the middle is white, NaN is black. Each value becomes
// scale x scale pixels.
template <class T>
void write_picture(const char *path, const T *values, int nx, int ny, double low, double high,
                   int scale = 1) {
#ifdef COURSE_HAS_STB
  const int width = nx * scale, height = ny * scale;
  std::vector<unsigned char> pixels;
  pixels.reserve(3 * std::size_t(width) * height);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      const double value = values[std::size_t(row / scale) * nx + col / scale];
      const double warm = std::clamp(2 * (value - low) / (high - low) - 1, -1.0, 1.0);
      const auto shade = [](double part) { return static_cast<unsigned char>(255 * part + 0.5); };
      const double pale = 1 - std::abs(warm);
      if (std::isnan(warm)) // the value is NaN, or low equals high
        pixels.insert(pixels.end(), 3, 0);
      else
        pixels.insert(pixels.end(),
                      {shade(warm > 0 ? 1 : pale), shade(pale), shade(warm < 0 ? 1 : pale)});
    }
  if (stbi_write_png(path, width, height, 3, pixels.data(), 3 * width))
    std::printf("picture: %s, %d x %d pixels\n", path, width, height);
  else
    std::printf("no picture: %s cannot be written\n", path);
#else
  (void)path, (void)values, (void)nx, (void)ny, (void)low, (void)high, (void)scale;
  std::puts("no picture: stb_image_write not found (Debian, Ubuntu: apt-get install libstb-dev)");
#endif
}

} // namespace course
