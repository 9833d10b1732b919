// The input deck, in the original's format: the text between the lines *clover and *endclover. A
// setting is a word and its number, `x_cells=960` or `x_cells 960`. A line that begins with `state`
// describes a state. A comment begins with ! or ;. Upper and lower case are the same.
#pragma once

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// A gas, and the part of the box that it fills at the start. A circle and a point have their centre
// at (xmin, ymin).
struct State {
  double density = NAN, energy = NAN, xvel = 0, yvel = 0; // energy: per unit of mass
  enum Geometry { everywhere, rectangle, circle, point } geometry = everywhere;
  double xmin = NAN, xmax = NAN, ymin = NAN, ymax = NAN, radius = NAN;
};

struct Deck {
  std::vector<State> states; // the first is the background: it fills the box
  int x_cells = 10, y_cells = 10;
  double xmin = 0, xmax = 100, ymin = 0, ymax = 100;
  double initial_timestep = 0.1, max_timestep = 1, timestep_rise = 1.5, end_time = 10;
  int end_step = INT_MAX;
  int summary_frequency = 10; // steps between two summaries; 0: only the last one
  int visit_frequency = 0;    // steps between two pictures; 0: none
  int test_problem = 0;       // its kinetic energy at the end is published; 0: none

  double dx() const { return (xmax - xmin) / x_cells; }
  double dy() const { return (ymax - ymin) / y_cells; }
};

// The kinetic energy that the authors of the original publish for a test problem, or NaN.
inline double published_kinetic_energy(int problem) {
  const std::map<int, double> energies = {
      {1, 1.82280367310258}, {2, 1.19316898756307}, {3, 2.58984003503994}, {4, 0.307475452287895},
      {5, 4.85350315783719}, {168, 2.465082e-02},   {287, 6.062609e-01},   {487, 6.088288e-01}};
  return energies.count(problem) ? energies.at(problem) : NAN;
}

// Reads one deck. Throws a std::runtime_error, "FILE:LINE: reason", if it is malformed.
class DeckReader {
public:
  explicit DeckReader(const std::string &path) : path_(path) {}

  Deck read(std::istream &in) {
    bool inside = false, complete = false;
    for (std::string text; !complete && std::getline(in, text);) {
      ++line_;
      split(text);
      const std::string first = words_.empty() ? "" : words_[0];
      if (first == "*clover")
        inside = true;
      else if (inside && first == "*endclover")
        complete = true;
      else if (inside && first == "state")
        read_state();
      else if (inside)
        read_settings();
    }
    expect(inside, "there is no line *clover; a deck begins with it");
    expect(complete, "the file ends without *endclover; add it, or copy the whole deck");
    expect(!deck_.states.empty(), "there are no states; add: state 1 density=0.2 energy=1.0");
    expect(deck_.xmin < deck_.xmax && deck_.ymin < deck_.ymax,
           "xmax must be above xmin, and ymax above ymin; the defaults are 0 and 100");
    return deck_;
  }

private:
  void expect(bool condition, const std::string &reason) const {
    if (!condition)
      throw std::runtime_error(path_ + ":" + std::to_string(std::max(line_, 1)) + ": " + reason);
  }

  void split(std::string text) {
    text.erase(std::min(text.find_first_of("!;"), text.size()));
    for (char &c : text)
      c = c == '=' || c == ',' ? ' ' : char(std::tolower((unsigned char)c));
    std::istringstream stream(text);
    words_.clear();
    next_ = 0;
    for (std::string word; stream >> word;)
      words_.push_back(word);
  }

  const std::string &value_of(const std::string &name) {
    expect(next_ < words_.size(), name + " has no value; write " + name + "=VALUE on one line");
    return words_[next_++];
  }

  // The number after `name`; with `least` a whole number.
  double number(const std::string &name, int least = -1) {
    std::string word = value_of(name);
    std::replace(word.begin(), word.end(), 'd', 'e'); // Fortran also writes 1.0d-3
    char *end = nullptr;
    const double value = std::strtod(word.c_str(), &end); // it also reads nan, infinity and 0x1f
    const bool is_number = *end == '\0' && std::isfinite(value) &&
                           word.find_first_not_of("0123456789+-.e") == word.npos;
    const std::string range = "whole number from " + std::to_string(least) + " to 2147483647";
    expect(least < 0 ? is_number
                     : is_number && value >= least && value <= INT_MAX && value == int(value),
           name + " is \"" + words_[next_ - 1] + "\"; it must be a " +
               (least < 0 ? "number, such as 0.5" : range));
    return value;
  }

  void read_settings() {
    Deck &d = deck_;
    int ignored = 0; // the original divides its work into tiles
    const std::map<std::string, double *> limits = {
        {"xmin", &d.xmin}, {"xmax", &d.xmax}, {"ymin", &d.ymin}, {"ymax", &d.ymax}};
    const std::map<std::string, double *> times = {{"initial_timestep", &d.initial_timestep},
                                                   {"max_timestep", &d.max_timestep},
                                                   {"timestep_rise", &d.timestep_rise},
                                                   {"end_time", &d.end_time}};
    const std::map<std::string, std::pair<int *, int>> counts = {
        // and their lowest values
        {"x_cells", {&d.x_cells, 1}},       {"summary_frequency", {&d.summary_frequency, 0}},
        {"y_cells", {&d.y_cells, 1}},       {"visit_frequency", {&d.visit_frequency, 0}},
        {"end_step", {&d.end_step, 1}},     {"test_problem", {&d.test_problem, 0}},
        {"tiles_per_chunk", {&ignored, 1}}, {"tiles_per_problem", {&ignored, 1}}};
    while (next_ < words_.size()) {
      const std::string name = words_[next_++];
      if (limits.count(name))
        *limits.at(name) = number(name);
      else if (times.count(name)) {
        *times.at(name) = number(name);
        expect(*times.at(name) > 0, name + " is " + words_[next_ - 1] + "; it must be above 0");
      } else if (counts.count(name))
        *counts.at(name).first = int(number(name, counts.at(name).second));
      else // flags that choose the original's kernels, or its profiler
        expect(name.rfind("use_", 0) == 0 || name == "profiler_on",
               "\"" + name + "\" is not a setting of a deck; see lessons/17-cloverleaf/deck.hpp");
    }
    expect(d.test_problem == 0 || published_kinetic_energy(d.test_problem) > 0,
           "this test problem is not known; leave it out, or use 1 to 5");
  }

  void read_state() {
    State s;
    const std::map<std::string, double *> numbers = {
        {"density", &s.density}, {"energy", &s.energy}, {"xvel", &s.xvel},
        {"yvel", &s.yvel},       {"xmin", &s.xmin},     {"xmax", &s.xmax},
        {"ymin", &s.ymin},       {"ymax", &s.ymax},     {"radius", &s.radius}};
    const std::map<std::string, State::Geometry> geometries = {
        {"rectangle", State::rectangle}, {"circle", State::circle}, {"point", State::point}};
    next_ = 1;
    const std::string expected = std::to_string(deck_.states.size() + 1),
                      name = "state " + expected;
    expect(number("state", 1) == double(deck_.states.size() + 1),
           "this is state " + words_[1] + ", but state " + expected + " comes next");
    while (next_ < words_.size()) {
      const std::string word = words_[next_++];
      if (numbers.count(word)) {
        *numbers.at(word) = number(word);
        continue;
      }
      expect(word == "geometry", "\"" + word + "\" is not a property of a state");
      const std::string &shape = value_of(word);
      expect(geometries.count(shape),
             "geometry is \"" + shape + "\"; it must be rectangle, circle or point");
      s.geometry = geometries.at(shape);
    }
    // Each comparison with a number that is not given is false.
    expect(s.density > 0, name + " needs density, above 0");
    expect(s.energy >= 0, name + " needs energy, at least 0");
    if (!deck_.states.empty()) { // the background is everywhere
      expect(s.geometry != State::everywhere, name + " needs geometry: rectangle, circle or point");
      expect(s.geometry != State::rectangle || (s.xmin < s.xmax && s.ymin < s.ymax),
             name + " is a rectangle and needs xmin below xmax, and ymin below ymax");
      expect(!std::isnan(s.xmin) && !std::isnan(s.ymin), name + " needs xmin and ymin, its centre");
      expect(s.geometry != State::circle || s.radius > 0, name + " needs radius, above 0");
    }
    deck_.states.push_back(s);
  }

  std::string path_;
  int line_ = 0;
  std::vector<std::string> words_; // of this line
  std::size_t next_ = 0;           // the next word to read
  Deck deck_;
};

// Reads the deck in the file `path`, or ends the program with a message.
inline Deck read_deck(const std::string &path) {
  std::ifstream file(path);
  try {
    if (!file)
      throw std::runtime_error(path + ": cannot be read: " + std::strerror(errno));
    return DeckReader(path).read(file);
  } catch (const std::runtime_error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(2);
  }
}

// The original's benchmark: hot, dense gas in a corner of a box full of light, cool gas.
inline Deck benchmark(int cells) {
  std::istringstream text("*clover\n state 1 density=0.2 energy=1.0\n"
                          "state 2 density=1.0 energy=2.5 geometry=rectangle xmin=0 xmax=5 ymin=0 "
                          "ymax=2\n xmax=10 ymax=10 initial_timestep=0.04 max_timestep=0.04\n"
                          "end_step=87\n *endclover\n");
  Deck deck = DeckReader("benchmark").read(text);
  deck.x_cells = deck.y_cells = cells;
  deck.test_problem = cells == 960 ? 2 : cells == 3840 ? 4 : 0;
  return deck;
}
