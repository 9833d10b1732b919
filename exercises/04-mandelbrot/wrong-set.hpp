// Specification of exercise 04-mandelbrot/wrong-set.
#pragma once

// Fills steps, on the device, with how often z -> z^2 + c was applied, from z = 0, before |z| > 2,
// and max_steps where that did not happen in max_steps steps: steps[row * width + col] for
// c = (x0 + col * pixel) + i (y0 + row * pixel).
//
//   steps          host memory, width * height numbers, output
//   width, height  of the image in pixels, 1 to 100 000 each, and at most 100 million in all
//   x0, y0         the c of pixel (0, 0); all c are finite
//   pixel          distance between neighbouring pixels
//   max_steps      1 to 5000
//
// Leaves no device memory allocated.
void wrong_set(int *steps, int width, int height, double x0, double y0, double pixel,
               int max_steps);
