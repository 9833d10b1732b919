// Specification of exercise 14-multi-gpu/my-share.
#pragma once

struct Share {
  int first, count; // elements first to first + count - 1
};

// The share of n elements on which the GPU with index `gpu` works. The shares are in the order of
// the GPUs. If the division has a remainder, each of the first n % gpus GPUs has one element more
// than the others. An empty share also begins where the previous share ends.
//
//   n     number of elements, at least 1; may be less than gpus: then some shares are empty
//   gpus  number of GPUs, at least 1
//   gpu   index of the GPU, 0 to gpus - 1
Share my_share(int n, int gpus, int gpu);
