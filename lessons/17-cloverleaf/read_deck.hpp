// Reads an input deck, in the format of the original's file clover.in. Its text lies between the
// lines *clover and *endclover; a setting is a word and its number, `x_cells=960` or `x_cells 960`;
// a line that begins with `state` describes one state; what follows ! or ; is a comment. Capital
// letters count as small ones.
#pragma once

#include "lessons/17-cloverleaf/deck.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <istream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

// Reads one deck. What is malformed is thrown as a std::runtime_error, "FILE:LINE: reason".
class DeckReader {
public:
  explicit DeckReader(const std::string &path) : path_(path) {}

  Deck read(std::istream &in) {
    bool inside = false, complete = false;
    std::string text;
    while (!complete && std::getline(in, text)) {
      ++line_;
      split(text);
      if (words_.empty())
        continue;
      if (words_[0] == "*clover")
        inside = true;
      else if (inside && words_[0] == "*endclover")
        complete = true;
      else if (inside && words_[0] == "state")
        read_state();
      else if (inside)
        read_settings();
    }
    if (!inside)
      fail("there is no line *clover; a deck begins with it");
    if (!complete)
      fail("the file ends without *endclover; add it, or copy the whole deck");
    check_domain();
    return deck_;
  }

private:
  [[noreturn]] void fail(const std::string &reason) const {
    throw std::runtime_error(path_ + ":" + std::to_string(std::max(line_, 1)) + ": " + reason);
  }

  // The words of a line: small letters, without comments; `=`, `,` and blanks are between them.
  void split(std::string text) {
    text.erase(std::min(text.find_first_of("!;"), text.size()));
    for (char &letter : text)
      letter = letter == '=' || letter == ',' ? ' ' : std::tolower((unsigned char)letter);
    std::istringstream stream(text);
    words_.clear();
    for (std::string word; stream >> word;)
      words_.push_back(word);
    next_ = 0;
  }

  // The word after `name`, which is its value.
  const std::string &value_of(const std::string &name) {
    if (next_ == words_.size())
      fail(name + " has no value; write " + name + "=VALUE on one line");
    return words_[next_++];
  }

  double number(const std::string &name) {
    const std::string &word = value_of(name);
    std::string digits = word; // Fortran also writes 1.0d-3
    std::replace(digits.begin(), digits.end(), 'd', 'e');
    char *end = nullptr;
    const double value = std::strtod(digits.c_str(), &end);
    // strtod() also reads nan, infinity and 0x1f.
    if (*end != '\0' || digits.find_first_not_of("0123456789+-.e") != std::string::npos ||
        !std::isfinite(value))
      fail(name + " is \"" + word + "\"; it must be a number, such as 0.5");
    return value;
  }

  double positive_number(const std::string &name) {
    const double value = number(name);
    if (!(value > 0))
      fail(name + " is " + words_[next_ - 1] + "; it must be above 0");
    return value;
  }

  int count(const std::string &name, int least, int most = INT_MAX) {
    const std::string &word = value_of(name);
    char *end = nullptr;
    errno = 0;
    const long value = std::strtol(word.c_str(), &end, 10);
    if (*end != '\0' || errno != 0 || value < least || value > most)
      fail(name + " is \"" + word + "\"; it must be a whole number from " + std::to_string(least) +
           " to " + std::to_string(most));
    return int(value);
  }

  void read_settings() {
    const std::map<std::string, double *> numbers = {
        {"xmin", &deck_.xmin}, {"xmax", &deck_.xmax}, {"ymin", &deck_.ymin}, {"ymax", &deck_.ymax}};
    const std::map<std::string, double *> positive = {{"initial_timestep", &deck_.initial_timestep},
                                                      {"max_timestep", &deck_.max_timestep},
                                                      {"timestep_rise", &deck_.timestep_rise},
                                                      {"end_time", &deck_.end_time}};
    while (next_ < words_.size()) {
      const std::string name = words_[next_++];
      setting_line_[name] = line_;
      if (numbers.count(name))
        *numbers.at(name) = number(name);
      else if (positive.count(name))
        *positive.at(name) = positive_number(name);
      else if (name == "x_cells")
        deck_.x_cells = count(name, 1);
      else if (name == "y_cells")
        deck_.y_cells = count(name, 1);
      else if (name == "end_step")
        deck_.end_step = count(name, 1);
      else if (name == "summary_frequency")
        deck_.summary_frequency = count(name, 0);
      else if (name == "visit_frequency")
        deck_.visit_frequency = count(name, 0);
      else if (name == "test_problem")
        deck_.test_problem = test_problem();
      else if (name == "tiles_per_chunk" || name == "tiles_per_problem")
        count(name, 1); // how the original divides its work
      else if (name != "use_fortran_kernels" && name != "use_c_kernels" &&
               name != "use_oa_kernels" && name != "profiler_on") // flags of the original
        fail("\"" + name + "\" is no setting of a deck; see the table of settings in " +
             "lessons/17-cloverleaf/README.md");
    }
  }

  int test_problem() {
    const int number = count("test_problem", 0);
    if (number != 0 && std::isnan(published_kinetic_energy(number)))
      fail("test problem " + std::to_string(number) + " is not known; leave it out, or use 1 to 5");
    return number;
  }

  void read_state() {
    ++next_;
    const int expected = int(deck_.states.size()) + 1;
    if (count("state", 1) != expected)
      fail("this is state " + words_[1] + ", but state " + std::to_string(expected) +
           " comes next; number the states 1, 2, 3, ... in their order");
    const std::string name = "state " + words_[1];
    State state;
    bool has_geometry = false;
    const std::map<std::string, double *> numbers = {
        {"density", &state.density}, {"energy", &state.energy}, {"xvel", &state.xvel},
        {"yvel", &state.yvel},       {"xmin", &state.xmin},     {"xmax", &state.xmax},
        {"ymin", &state.ymin},       {"ymax", &state.ymax},     {"radius", &state.radius}};
    while (next_ < words_.size()) {
      const std::string word = words_[next_++];
      const auto found = numbers.find(word);
      if (found != numbers.end())
        *found->second = number(word);
      else if (word == "geometry") {
        state.geometry = geometry();
        has_geometry = true;
      } else
        fail("\"" + word + "\" is no property of a state; use density, energy, xvel, yvel, " +
             "geometry, xmin, xmax, ymin, ymax or radius");
    }
    check_state(state, name, expected > 1, has_geometry);
    deck_.states.push_back(state);
  }

  State::Geometry geometry() {
    const std::string &word = value_of("geometry");
    if (word == "rectangle")
      return State::Geometry::rectangle;
    if (word == "circle")
      return State::Geometry::circle;
    if (word != "point")
      fail("geometry is \"" + word + "\"; it must be rectangle, circle or point");
    return State::Geometry::point;
  }

  void check_state(const State &state, const std::string &name, bool in_part, bool has_geometry) {
    // Each comparison with a number that is not given is false.
    if (!(state.density > 0))
      fail(name + " needs density, above 0");
    if (!(state.energy >= 0))
      fail(name + " needs energy, at least 0");
    if (!in_part) // the background is everywhere
      return;
    if (!has_geometry)
      fail(name + " needs geometry, which says where it is: rectangle, circle or point");
    if (state.geometry == State::Geometry::rectangle) {
      if (!(state.xmin < state.xmax) || !(state.ymin < state.ymax))
        fail(name + " is a rectangle and needs xmin below xmax, and ymin below ymax");
    } else if (std::isnan(state.xmin) || std::isnan(state.ymin))
      fail(name + " needs xmin and ymin, its centre");
    else if (state.geometry == State::Geometry::circle && !(state.radius > 0))
      fail(name + " is a circle and needs radius, above 0");
  }

  void check_domain() {
    if (deck_.states.empty())
      fail("there are no states; add one, such as: state 1 density=0.2 energy=1.0");
    const auto extent = [&](const char *min, double low, const char *max, double high) {
      if (low < high)
        return;
      line_ = std::max(setting_line_[min], setting_line_[max]); // the later of the two
      fail(std::string(max) + " must be above " + min + "; a deck without them has 0 and 100");
    };
    extent("xmin", deck_.xmin, "xmax", deck_.xmax);
    extent("ymin", deck_.ymin, "ymax", deck_.ymax);
  }

  std::string path_;
  int line_ = 0;
  std::vector<std::string> words_; // of this line
  std::size_t next_ = 0;           // the next of them to read
  std::map<std::string, int> setting_line_;
  Deck deck_;
};

// Reads the deck in the file `path`. A deck that is malformed, or cannot be read, ends the program
// with a message.
inline Deck read_deck(const std::string &path) {
  std::ifstream file(path);
  try {
    if (!file)
      throw std::runtime_error(path + ": cannot be read: " + std::strerror(errno) +
                               "; name a deck, such as lessons/17-cloverleaf/decks/bm_short.in");
    return DeckReader(path).read(file);
  } catch (const std::runtime_error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(2);
  }
}
