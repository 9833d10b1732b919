// What a script in Python gave.
#pragma once

struct Answer {
  double value;    // of its variable `result`; NaN where it has none
  char error[240]; // "TypeError: why", of the exception that ended it; empty: none did
};
