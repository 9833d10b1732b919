// What `check` and `bank` ask a judge for: a JSON file, whose path is in COURSE_ORDER. The reply is
// a verdict.
#pragma once

#include <cstdint>
#include <string>

namespace course {

struct Order {
  // The exercise.
  std::string exercise;   // "03-add-list/axpby"
  std::string contract;   // path of the header that declares its function
  std::string library;    // path of the library that a Python program calls; empty: CUDA C++
  std::string control;    // path of a program that only starts MPI; empty: none is needed
  bool with_nccl = false; // its programs are linked with NCCL

  // The submission.
  std::string file;         // its path
  std::string worker;       // path of its program; of a Python program the copy that runs
  std::string instrumented; // path of the program that counts; empty: none, and see `counts`

  // How it is judged.
  bool counts = true;          // what its kernels load and store, in cases that limit that
  std::string tool;            // the worker runs under memcheck, ... or all; empty: none
  std::string seed = "1";      // of everything that a judge draws, hexadecimal
  int only = 0;                // the number of the one case that is asked; 0: all
  double limit_seconds = 0;    // of a worker; 0: what is usual
  int limit_memory_mib = 0;    // of a worker; 0: what is usual
  bool stops_at_wrong = false; // no case is asked after the first wrong one
  std::string thread_order;    // of the CPU backend; empty: another one for each case
  bool shares_gpu = false;     // with the workers of other judges
  std::string verdict;         // path of the file for the verdict

  std::string function() const;     // the exercise's: "axpby"
  std::uint64_t first_seed() const; // the random numbers begin there
};

std::string to_json(const Order &order);

// The order of this process, a judge. A test of the judge's library has none: all is as above.
const Order &this_order();

} // namespace course
