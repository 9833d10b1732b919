// Specification of exercise 04-mandelbrot/wrong-set.
#pragma once

// Counts, on the device, how often z -> z^2 + c is applied, from z = 0, before |z| > 2. The count
// is max_steps if |z| > 2 does not happen within max_steps steps. steps[row * width + col] belongs
// to c = (x0 + col * pixel) + i (y0 + row * pixel).
//
//   steps          host memory, width * height numbers, output
//   width, height  of the image in pixels, 1 to 100 000 each, and at most 2 million in all
//   x0, y0         the c of pixel (0, 0); no part of any c is above 1 million
//   pixel          distance between neighbouring pixels, above 0
//   max_steps      1 to 5000
//
// Leaves no device memory allocated.
void wrong_set(int *steps, int width, int height, double x0, double y0, double pixel,
               int max_steps);
