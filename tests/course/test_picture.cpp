// common/picture.hpp: what it writes is a picture, read back pixel by pixel.
#include "common/picture.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <string>

#ifdef COURSE_HAS_STB
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

TEST_CASE("low is blue, high red, the middle white, no number black") {
  char folder[] = "/tmp/course-picture-XXXXXX";
  REQUIRE(mkdtemp(folder));
  const std::string path = std::string(folder) + "/field.png";
  const double field[] = {-3, 0, 3, -30, 30, NAN};
  course::write_picture(path.c_str(), field, 3, 2, -3, 3, 2);

  int width = 0, height = 0, channels = 0;
  unsigned char *const pixels = stbi_load(path.c_str(), &width, &height, &channels, 3);
  REQUIRE(pixels);
  REQUIRE(width == 6);
  REQUIRE(height == 4);
  const std::string blue = "0 0 255", white = "255 255 255", red = "255 0 0", black = "0 0 0";
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const unsigned char *const p = pixels + 3 * (y * width + x);
      const std::string colour =
          std::to_string(p[0]) + " " + std::to_string(p[1]) + " " + std::to_string(p[2]);
      const std::string wanted[2][3] = {{blue, white, red}, {blue, red, black}};
      CHECK(colour == wanted[y / 2][x / 2]);
    }
  std::free(pixels);
  std::remove(path.c_str());
  std::remove(folder);
}

TEST_CASE("a file that cannot be written is no reason to end") {
  const float field[] = {1};
  course::write_picture("/nowhere/field.png", field, 1, 1, 0, 1);
}
#else
TEST_CASE("without stb_image_write a lesson goes on") {
  const float field[] = {1};
  course::write_picture("field.png", field, 1, 1, 0, 1);
}
#endif
