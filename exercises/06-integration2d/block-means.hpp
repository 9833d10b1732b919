// Specification of exercise 06-integration2d/block-means.
#pragma once

// Computes the mean of every minute of 256 samples: means[b] is the mean of samples[256 * b] to
// samples[256 * b + 255]. The last minute may have fewer samples: its mean is the mean of those.
//
//   n        samples, 1 to 16 000 000
//   samples  host memory, n numbers, input; the sum of the finite samples of a minute fits in a
//   float means    host memory, one number for each minute, (n + 255) / 256 of them, output
//
// Leaves no device memory allocated.
void block_means(int n, const float *samples, float *means);
