// Checkpoints: what the next step reads is written to a file, from which a run goes on bit for bit.
#pragma once

#include "common/mpi.hpp"
#include "lessons/17-cloverleaf/chunk.hpp"
#include "lessons/17-cloverleaf/deck.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

// Where a run is: steps done, the time that they have reached, and the last one's length, which
// limits the next one's. Which axis a step advects first follows from its number.
struct Moment {
  int step;
  double time, dt;
};

// The file: a header, then for each rank after the other density, energy and the two velocities.
// Rank 0 writes and reads it, so it need not be where the other ranks' nodes see it.
class Checkpoint {
public:
  Checkpoint(const course::Ranks &ranks, const std::string &path, const Deck &deck, Chunk &chunk)
      : ranks_(ranks), path_(path), deck_(deck), chunk_(chunk) {}

  // Writes the checkpoint beside the one before, which it then replaces: one of them is always
  // whole, whenever the run is killed. A checkpoint that cannot be written ends no run.
  void write(const Moment &moment) const {
    const std::string temporary = path_ + ".new";
    std::FILE *file = nullptr;
    int error = 0; // the first one
    const auto expect = [&](bool done) { error = !done && error == 0 ? errno : error; };
    if (ranks_.rank == 0) {
      const Header header = header_of(moment);
      file = std::fopen(temporary.c_str(), "wb");
      expect(file && std::fwrite(&header, sizeof header, 1, file) == 1);
    }
    for_each_field([&](int rank, double *field, int more, std::size_t count) {
      std::vector<double> values;
      if (rank == ranks_.rank)
        values = chunk_.to_host(field, more, more);
      if (rank > 0 && rank == ranks_.rank)
        MPI_CHECK(MPI_Send(values.data(), int(count), MPI_DOUBLE, 0, 0, MPI_COMM_WORLD));
      if (ranks_.rank > 0)
        return;
      if (rank > 0)
        receive(values, rank, count);
      if (error == 0)
        expect(std::fwrite(values.data(), sizeof(double), count, file) == count);
    });
    if (ranks_.rank > 0)
      return;
    if (file) {
      expect(std::fflush(file) == 0 && fsync(fileno(file)) == 0); // first the data, then the name
      expect(std::fclose(file) == 0);
    }
    if (error == 0)
      expect(std::rename(temporary.c_str(), path_.c_str()) == 0);
    if (error == 0)
      return;
    std::fprintf(stderr, "no checkpoint of step %d: %s cannot be written: %s\n", moment.step,
                 path_.c_str(), std::strerror(error));
    std::remove(temporary.c_str());
  }

  // Sets the chunks of all ranks to the checkpoint, without their ghosts. A file that is no
  // checkpoint of this deck and these ranks ends the program with a message.
  Moment read() const {
    std::FILE *file = nullptr;
    Header header{};
    if (ranks_.rank == 0) {
      file = std::fopen(path_.c_str(), "rb");
      if (!file)
        refuse(std::string("cannot be read: ") + std::strerror(errno) +
               "; without --restart the run begins with step 1");
      check(file, header);
    }
    MPI_CHECK(MPI_Bcast(&header, sizeof header, MPI_BYTE, 0, MPI_COMM_WORLD));
    for_each_field([&](int rank, double *field, int more, std::size_t count) {
      std::vector<double> values(count);
      if (ranks_.rank == 0 && std::fread(values.data(), sizeof(double), count, file) != count)
        refuse(std::string("cannot be read: ") + std::strerror(errno));
      if (ranks_.rank == 0 && rank > 0)
        MPI_CHECK(MPI_Send(values.data(), int(count), MPI_DOUBLE, rank, 0, MPI_COMM_WORLD));
      if (ranks_.rank > 0 && rank == ranks_.rank)
        receive(values, 0, count);
      if (rank == ranks_.rank)
        chunk_.from_host(values, field, more, more);
    });
    if (file)
      std::fclose(file);
    return {int(header.step), header.time, header.dt};
  }

private:
  struct Header { // without padding, whose bytes are any
    char kind[24];
    std::uint64_t deck;
    std::int64_t ranks, step;
    double time, dt;
  };
  static constexpr char kind[24] = "CloverLeaf checkpoint 1";

  Header header_of(const Moment &moment) const {
    Header header{};
    std::memcpy(header.kind, kind, sizeof kind);
    header.deck = fingerprint();
    header.ranks = ranks_.count;
    header.step = moment.step;
    header.time = moment.time;
    header.dt = moment.dt;
    return header;
  }

  // Calls work(rank, field, more, count) for the fields of all ranks, in the order of the file: a
  // field of cells has `more` = 0, one of nodes 1. On another rank than this one the rank's own
  // field is meant, which here only counts.
  template <class Work> void for_each_field(Work work) const {
    const Fields &f = chunk_.f;
    for (int rank = 0; rank < ranks_.count; ++rank) {
      if (ranks_.rank > 0 && ranks_.rank != rank)
        continue;
      const Place place = place_of(rank, ranks_.count, deck_.x_cells, deck_.y_cells);
      for (double *field : {f.density0, f.energy0, f.xvel0, f.yvel0}) {
        const int more = field == f.xvel0 || field == f.yvel0;
        work(rank, field, more, std::size_t(place.nx + more) * (place.ny + more));
      }
    }
  }

  static void receive(std::vector<double> &values, int from, std::size_t count) {
    values.resize(count);
    MPI_CHECK(MPI_Recv(values.data(), int(count), MPI_DOUBLE, from, 0, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE));
  }

  [[noreturn]] void refuse(const std::string &reason) const {
    std::fprintf(stderr, "%s: %s\n", path_.c_str(), reason.c_str());
    std::exit(2);
  }

  void check(std::FILE *file, Header &header) const {
    if (std::fread(&header, sizeof header, 1, file) != 1 ||
        std::memcmp(header.kind, kind, sizeof kind) != 0)
      refuse("is no checkpoint of this program; name another file, or leave out --restart");
    if (header.deck != fingerprint())
      refuse("is the checkpoint of another deck; only its ends and what it prints may change");
    if (header.ranks != ranks_.count)
      refuse("was written by " + std::to_string(header.ranks) + " ranks, and these are " +
             std::to_string(ranks_.count) + "; start as many");
    std::size_t whole = sizeof header;
    for_each_field([&](int, double *, int, std::size_t count) { whole += 8 * count; });
    if (std::fseek(file, 0, SEEK_END) != 0 || std::size_t(std::ftell(file)) != whole)
      refuse("has " + std::to_string(std::ftell(file)) + " bytes, a whole checkpoint " +
             std::to_string(whole) + "; copy it again, or leave out --restart");
    std::fseek(file, sizeof header, SEEK_SET);
  }

  // A number for what decides the deck's steps (FNV-1a): not the end, which may be put off.
  std::uint64_t fingerprint() const {
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto add = [&](double value) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      for (int byte = 0; byte < 8; ++byte, bits >>= 8)
        hash = (hash ^ (bits & 0xff)) * 0x100000001b3u;
    };
    for (double value :
         {double(deck_.x_cells), double(deck_.y_cells), deck_.xmin, deck_.xmax, deck_.ymin,
          deck_.ymax, deck_.initial_timestep, deck_.max_timestep, deck_.timestep_rise})
      add(value);
    for (const State &state : deck_.states)
      for (double value :
           {state.density, state.energy, state.xvel, state.yvel, double(state.geometry), state.xmin,
            state.xmax, state.ymin, state.ymax, state.radius})
        add(value);
    return hash;
  }

  const course::Ranks &ranks_;
  const std::string path_;
  const Deck &deck_;
  Chunk &chunk_;
};
