// What a run writes in addition to its summaries: frames and checkpoints.
#pragma once

#include "lessons/17-cloverleaf/checkpoint.hpp"
#include "lessons/17-cloverleaf/frames.hpp"
#include "lessons/17-cloverleaf/options.hpp"

#include <memory>

// Whether something that comes every so many steps is due; 0: never.
inline bool is_due(int step, int every) { return every > 0 && step % every == 0; }

class Outputs {
public:
  Outputs(const course::Ranks &ranks, const Options &options, const Deck &deck, Chunk &chunk)
      : options_(options), deck_(deck), chunk_(chunk),
        checkpoint_(ranks, options.name() + ".checkpoint", deck, chunk),
        frames_every_(options.frames > 0 ? options.frames : deck.visit_frequency) {
    if (frames_every_ > 0)
      frames_ = std::make_unique<Frames>(ranks, options.name(), deck);
  }

  // Where the run begins: at the start of the deck, or where the checkpoint sets the chunk.
  Moment begin() {
    const Moment now = options_.restart ? checkpoint_.read() : Moment{0, 0, deck_.initial_timestep};
    if (frames_) {
      frames_->add_earlier(now.step, frames_every_);
      frames_->write(chunk_, now.step);
    }
    return now;
  }

  void after_step(const Moment &now) {
    if (is_due(now.step, frames_every_))
      frames_->write(chunk_, now.step);
    if (is_due(now.step, options_.checkpoint))
      checkpoint_.write(now);
  }

  void end() {
    if (frames_)
      frames_->animate();
  }

private:
  const Options &options_;
  const Deck &deck_;
  Chunk &chunk_;
  Checkpoint checkpoint_;
  const int frames_every_;
  std::unique_ptr<Frames> frames_;
};
