// Texts of programs that are not trusted, as they are kept and printed.
#pragma once

#include <string>

namespace course {

// Output of a submission, its compiler or a tool, as it is kept: no byte of it moves the cursor,
// changes a colour or the direction of writing, or is no UTF-8; these become \x1B and the like.
// Files of the course are named from its root.
std::string printable(const std::string &written);

// The lines of a text, two blanks before each, and a line's end after each.
std::string indented(const std::string &text);

} // namespace course
