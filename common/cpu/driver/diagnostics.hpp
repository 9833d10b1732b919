// Parses a compiler's stderr: errors and warnings, each with its notes.
#pragma once

#include <string>
#include <vector>

namespace course_cpu::nvcc {

// "FILE:LINE:COLUMN: KIND: TEXT", with the lines around it.
struct Diagnostic {
  std::string file;
  int line = 0, column = 0;
  std::string kind;                 // error, fatal error, warning, note; empty: no diagnostic
  std::string text;                 // quotes are ', whatever the locale; no anonymous namespaces
  std::vector<std::string> context; // lines before it: In file included from, required from
  std::vector<std::string> lines;   // itself and the source below it, as the compiler wrote them
};

struct Message {
  Diagnostic main;
  std::vector<Diagnostic> notes;

  bool is_error() const { return main.kind == "error" || main.kind == "fatal error"; }
};

std::vector<Message> messages_of(const std::string &output);

// A line without colours, with ' for each quote.
std::string plain(std::string line);

// The source line that the compiler shows; empty where it shows none.
std::string source_line(const Diagnostic &diagnostic);

} // namespace course_cpu::nvcc
