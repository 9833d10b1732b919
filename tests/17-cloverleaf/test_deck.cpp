// The reader of input decks: its results, and its messages about malformed decks.
#include "lessons/17-cloverleaf/deck.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <climits>
#include <filesystem>
#include <sstream>
#include <string>

namespace {

Deck read(const std::string &text) {
  std::istringstream in(text);
  return DeckReader("a.in").read(in);
}

// A deck with one state, and `more`, which begins on line 3.
std::string with(const std::string &more) {
  return "*clover\nstate 1 density=0.2 energy=1.0\n" + more + "\n*endclover\n";
}

} // namespace

TEST_CASE("a deck in the original's format") {
  const Deck deck = read(R"(x_cells=5: text before the deck is ignored
*CLOVER
 state 1 density=0.2 energy 1.0 ! without an equals sign
 State 2, Density=1.0, energy = 2.5 geometry=rectangle xmin=0.5 xmax=5.0 ymin=-1 ymax=2 ; a comment
 state 3 density=3 energy=2.5d0 xvel=-1.5 yvel=2e-1 geometry=circle xmin=4.0 ymin=5.0 radius=1.25
 state 4 density=1 energy=0 geometry=point xmin=1 ymin=2

 x_cells=960 y_cells 480
 xmin=-1.0 xmax=10 ymin=.5 ymax=1E1
 timestep_rise=1.25
 end_step=87
 summary_frequency=0
 test_problem 2
 profiler_on
 use_c_kernels
 tiles_per_chunk 4
*endclover
x_cells=6
)");
  REQUIRE(deck.states.size() == 4);
  CHECK(deck.states[0].density == 0.2);
  CHECK(deck.states[0].energy == 1.0);
  CHECK(deck.states[0].xvel == 0);
  const State &rectangle = deck.states[1];
  CHECK(rectangle.geometry == State::rectangle);
  CHECK(rectangle.energy == 2.5);
  CHECK(rectangle.xmin == 0.5);
  CHECK(rectangle.ymin == -1);
  CHECK(rectangle.ymax == 2);
  const State &circle = deck.states[2];
  CHECK(circle.geometry == State::circle);
  CHECK(circle.energy == 2.5);
  CHECK(circle.xvel == -1.5);
  CHECK(circle.yvel == 0.2);
  CHECK(circle.radius == 1.25);
  CHECK(deck.states[3].geometry == State::point);
  CHECK(deck.x_cells == 960);
  CHECK(deck.y_cells == 480);
  CHECK(deck.xmin == -1);
  CHECK(deck.ymin == 0.5);
  CHECK(deck.ymax == 10);
  CHECK(deck.timestep_rise == 1.25);
  CHECK(deck.end_step == 87);
  CHECK(deck.summary_frequency == 0);
  CHECK(deck.test_problem == 2);
}

TEST_CASE("the defaults are the original's, also with carriage returns") {
  const Deck deck = read("*clover\r\nstate 1 density=1 energy=2\r\nx_cells=7\r\n*endclover\r\n");
  CHECK(deck.x_cells == 7);
  CHECK(deck.y_cells == 10);
  CHECK(deck.xmax == 100);
  CHECK(deck.initial_timestep == 0.1);
  CHECK(deck.max_timestep == 1);
  CHECK(deck.timestep_rise == 1.5);
  CHECK(deck.end_time == 10);
  CHECK(deck.end_step == INT_MAX);
  CHECK(deck.summary_frequency == 10);
}

TEST_CASE("a malformed deck is refused with its line and the reason") {
  struct Case {
    std::string text, message; // the message from the line's number on
  };
  const std::string whole = "\"; it must be a whole number from ";
  const std::string state = "state 2 density=1 energy=1 ";
  const std::string rectangle =
      "3: state 2 is a rectangle and needs xmin below xmax, and ymin below ymax";
  const std::string box =
      "xmax must be above xmin, and ymax above ymin; the defaults are 0 and 100";
  const std::string setting = " is not a setting of a deck; see lessons/17-cloverleaf/deck.hpp";
  const Case refused = GENERATE_COPY(values<Case>({
      {"", "1: there is no line *clover; a deck begins with it"},
      {"*clover\nstate 1 density=1 energy=1\n",
       "2: the file ends without *endclover; add it, or copy the whole deck"},
      {"*clover\nx_cells=3\n*endclover\n",
       "3: there are no states; add: state 1 density=0.2 energy=1.0"},
      {with("x_cell=3"), "3: \"x_cell\"" + setting},
      {with("x_cells=3 4"), "3: \"4\"" + setting},
      {with("\nend_time="), "4: end_time has no value; write end_time=VALUE on one line"},
      {with("x_cells=0"), "3: x_cells is \"0" + whole + "1 to 2147483647"},
      {with("y_cells=9.5"), "3: y_cells is \"9.5" + whole + "1 to 2147483647"},
      {with("x_cells=3000000000"), "3: x_cells is \"3000000000" + whole + "1 to 2147483647"},
      {with("visit_frequency=-1"), "3: visit_frequency is \"-1" + whole + "0 to 2147483647"},
      {with("end_step=many"), "3: end_step is \"many" + whole + "1 to 2147483647"},
      {with("test_problem 6"), "3: this test problem is not known; leave it out, or use 1 to 5"},
      {with("xmax=1.0.0"), "3: xmax is \"1.0.0\"; it must be a number, such as 0.5"},
      {with("xmax=nan"), "3: xmax is \"nan\"; it must be a number, such as 0.5"},
      {with("xmax=1e999"), "3: xmax is \"1e999\"; it must be a number, such as 0.5"},
      {with("xmax=0x10"), "3: xmax is \"0x10\"; it must be a number, such as 0.5"},
      {with("initial_timestep=0"), "3: initial_timestep is 0; it must be above 0"},
      {with("end_time=-1"), "3: end_time is -1; it must be above 0"},
      {with("xmax=4\nxmin=5\nx_cells=2"), "6: " + box},
      {with("ymax=0"), "4: " + box},
      {with("state"), "3: state has no value; write state=VALUE on one line"},
      {with("state 3 density=1 energy=1"), "3: this is state 3, but state 2 comes next"},
      {with(state + "speed=1"), "3: \"speed\" is not a property of a state"},
      {with(state + "geometry=square"),
       "3: geometry is \"square\"; it must be rectangle, circle or point"},
      {with(state), "3: state 2 needs geometry: rectangle, circle or point"},
      {with("state 2 energy=1 geometry=point xmin=1 ymin=1"), "3: state 2 needs density, above 0"},
      {with("state 2 density=1 energy=-1"), "3: state 2 needs energy, at least 0"},
      {with(state + "geometry=rectangle xmin=1 xmax=2 ymin=1"), rectangle},
      {with(state + "geometry=rectangle xmin=2 xmax=2 ymin=1 ymax=2"), rectangle},
      {with(state + "geometry=point ymin=1"), "3: state 2 needs xmin and ymin, its centre"},
      {with(state + "geometry=circle xmin=1 ymin=1 radius=0"), "3: state 2 needs radius, above 0"},
  }));
  CAPTURE(refused.text);
  CHECK_THROWS_WITH(read(refused.text), "a.in:" + refused.message);
}

TEST_CASE("the lesson's decks") {
  for (const auto &file :
       std::filesystem::directory_iterator(COURSE_ROOT "/lessons/17-cloverleaf/decks"))
    CHECK(read_deck(file.path()).states.size() >= 2);
  CHECK(read_deck(COURSE_ROOT "/lessons/17-cloverleaf/decks/bm16_short.in").test_problem == 4);
}
