// The result or the exception of a Python script.
#pragma once

struct Answer {
  double value;    // of the script's variable `result`; NaN if it has none
  char error[240]; // the exception that ended the script, "TypeError: why"; empty: none
};
