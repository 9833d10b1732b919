// nvcc for a machine without a GPU: takes the command line of NVIDIA's nvcc, translates CUDA C++ to
// C++, and calls a C++ compiler. `nvcc --help` says what is understood.
#include "driver.hpp"
#include "process.hpp"
#include "translate.hpp"

#include <csignal>
#include <exception>
#include <iostream>

using namespace course_cpu::nvcc;

int main(int argc, char **argv) {
  try {
    catch_signals();
    const Command command = parse({argv + 1, argv + argc});
    switch (command.print) {
    case Print::help:
      std::cout << help();
      return 0;
    case Print::version:
      std::cout << version();
      return 0;
    case Print::architectures:
    case Print::code_architectures:
      for (const char *number : {"75", "80", "86", "87", "89", "90"})
        std::cout << (command.print == Print::architectures ? "compute_" : "sm_") << number << '\n';
      return 0;
    case Print::nothing:
      return drive(command);
    }
  } catch (const Interrupted &interrupted) {
    std::signal(interrupted.signal, SIG_DFL);
    std::raise(interrupted.signal);
  } catch (const TranslationError &error) {
    std::cerr << error.what(); // file, line and end of line are part of it
  } catch (const std::exception &error) {
    std::cerr << "nvcc fatal   : " << error.what() << '\n';
  }
  return 1;
}
