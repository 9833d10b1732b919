// Specification of exercise 14-multi-gpu/my-share.
#pragma once

struct Share {
  int first, count; // elements first to first + count - 1
};

// Which of n elements GPU number `gpu` of `gpus` works on. The shares are in the order of the GPUs.
// Where n cannot be divided evenly, the first n % gpus GPUs have one element more than the others.
// An empty share, too, begins where the one before it ends.
//
//   n     elements, at least 1; may be fewer than GPUs: then some shares are empty
//   gpus  at least 1
//   gpu   0 to gpus - 1
Share my_share(int n, int gpus, int gpu);
