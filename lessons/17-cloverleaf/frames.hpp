// Frames: pictures of the density, one file for each, and an animation of them in the end.
#pragma once

#include "common/check.hpp"
#include "common/mpi.hpp"
#include "common/picture.hpp"
#include "lessons/17-cloverleaf/chunk.hpp"
#include "lessons/17-cloverleaf/deck.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

// How the mesh becomes a picture: a pixel is the mean of scale x scale cells, fewer at the edges.
struct Pixels {
  int x_cells, y_cells, scale;
  int width = (x_cells + scale - 1) / scale, height = (y_cells + scale - 1) / scale;
};

// One thread per pixel adds what the cells of this chunk give to it; all ranks' pictures add up to
// the whole one, whose first row is the top one.
__global__ void add_pixels(Grid grid, int first_x, int first_y, const double *field, Pixels p,
                           double *pixels) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= p.width || row >= p.height)
    return;
  const int x_begin = column * p.scale, x_end = min(x_begin + p.scale, p.x_cells);
  const int y_begin = row * p.scale, y_end = min(y_begin + p.scale, p.y_cells);
  double sum = 0;
  for (int y = max(y_begin - first_y, 0); y < min(y_end - first_y, grid.ny); ++y)
    for (int x = max(x_begin - first_x, 0); x < min(x_end - first_x, grid.nx); ++x)
      sum += field[grid.at(x, y)];
  pixels[(p.height - 1 - row) * p.width + column] = sum / ((x_end - x_begin) * (y_end - y_begin));
}

class Frames {
public:
  // `name` begins the names of all files. Colours are those of the density's logarithm, from a
  // third of the start's lowest density, blue, to three times its highest, red.
  Frames(const course::Ranks &ranks, const std::string &name, const Deck &deck)
      : ranks_(ranks), name_(name), pixels_{deck.x_cells, deck.y_cells, scale(deck)} {
    const auto [low, high] =
        std::minmax_element(deck.states.begin(), deck.states.end(),
                            [](const State &a, const State &b) { return a.density < b.density; });
    low_ = std::log(low->density / 3);
    high_ = std::log(3 * high->density);
    CUDA_CHECK(cudaMalloc(&d_pixels_, bytes()));
  }
  ~Frames() { cudaFree(d_pixels_); }
  Frames(const Frames &) = delete;
  Frames &operator=(const Frames &) = delete;

  // Writes NAME-STEP.png.
  void write(const Chunk &chunk, int step) {
    const dim3 block(32, 8), grid((pixels_.width + 31) / 32, (pixels_.height + 7) / 8);
    add_pixels<<<grid, block>>>(chunk.grid, chunk.place.first_x, chunk.place.first_y,
                                chunk.f.density0, pixels_, d_pixels_);
    CUDA_CHECK(cudaGetLastError());
    std::vector<double> mine(bytes() / sizeof(double)), all(mine.size());
    CUDA_CHECK(cudaMemcpy(mine.data(), d_pixels_, bytes(), cudaMemcpyDeviceToHost));
    MPI_CHECK(MPI_Reduce(mine.data(), all.data(), int(all.size()), MPI_DOUBLE, MPI_SUM, 0,
                         MPI_COMM_WORLD));
    if (ranks_.rank > 0)
      return;
    for (double &pixel : all)
      pixel = std::log(pixel);
    files_.push_back(file_of(step));
    course::write_picture(files_.back().c_str(), all.data(), pixels_.width, pixels_.height, low_,
                          high_, zoom_);
  }

  // The animation of a run that goes on begins with the frames from before.
  void add_earlier(int begin, int every) {
    for (int step = 0; ranks_.rank == 0 && step < begin; step += every)
      if (access(file_of(step).c_str(), R_OK) == 0)
        files_.push_back(file_of(step));
  }

  // Makes NAME.webp of the frames, which browsers play, with img2webp (Debian's package webp).
  void animate() {
    if (files_.size() < 2) // also on all ranks but the first
      return;
    const std::string animation = name_ + ".webp";
    std::vector<std::string> words = {"img2webp", "-loop", "0", "-lossy", "-d", "80"};
    words.insert(words.end(), files_.begin(), files_.end());
    words.insert(words.end(), {"-o", animation});
    std::vector<char *> arguments;
    for (std::string &word : words)
      arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    int status = -1;
    if (posix_spawnp(&child, "img2webp", nullptr, nullptr, arguments.data(), environ) == 0)
      waitpid(child, &status, 0);
    if (status != 0) // else img2webp says what it has written
      std::printf("no animation: img2webp is not here (Debian, Ubuntu: apt-get install webp), or "
                  "failed. To make it: img2webp -loop 0 -lossy -d 80 %s-*.png -o %s\n",
                  name_.c_str(), animation.c_str());
  }

private:
  static int scale(const Deck &deck) {
    return (std::max(deck.x_cells, deck.y_cells) + most_pixels - 1) / most_pixels;
  }
  std::string file_of(int step) const {
    char number[24];
    std::snprintf(number, sizeof number, "-%06d.png", step);
    return name_ + number;
  }
  std::size_t bytes() const { return sizeof(double) * pixels_.width * pixels_.height; }

  static constexpr int most_pixels = 800; // on the longer side
  const course::Ranks &ranks_;
  const std::string name_;
  const Pixels pixels_;
  // Small meshes are enlarged.
  const int zoom_ = std::max(1, most_pixels / 2 / std::max(pixels_.width, pixels_.height));
  double low_, high_;
  double *d_pixels_ = nullptr;
  std::vector<std::string> files_;
};
