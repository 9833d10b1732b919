// The command line of the program.
#pragma once

#include "common/arguments.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

struct Options {
  std::string deck;     // its file; empty: none is named
  int frames = 0;       // steps between two frames; 0: as the deck says
  int checkpoint = 0;   // steps between two checkpoints; 0: none
  bool restart = false; // go on from the checkpoint

  // Begins the names of the files that the run writes: that of the deck, without folder and .in.
  std::string name() const {
    if (deck.empty())
      return "cloverleaf";
    const std::string file = deck.substr(deck.rfind('/') + 1); // rfind() finds none: npos + 1 is 0
    return file.substr(0, file.rfind(".in"));
  }
};

// What is not understood ends the program with a message.
inline Options read_options(int argc, char **argv) {
  Options options;
  const auto refuse = [&](const char *why, const char *word) {
    std::fprintf(stderr,
                 "%s: %s%s\nusage: %s [DECK] [--frames STEPS] [--checkpoint STEPS] [--restart]\n",
                 argv[0], why, word, argv[0]);
    std::exit(2);
  };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--frames" || word == "--checkpoint") {
      if (i + 1 == argc)
        refuse("a number of steps belongs after ", argv[i]);
      (word == "--frames" ? options.frames : options.checkpoint) =
          int(course::count_argument(argc, argv, i + 1, argv[i], 0));
      ++i;
    } else if (word == "--restart")
      options.restart = true;
    else if (word.rfind("-", 0) == 0)
      refuse("there is no option ", argv[i]);
    else if (!options.deck.empty())
      refuse("one deck too many: ", argv[i]);
    else
      options.deck = word;
  }
  return options;
}
