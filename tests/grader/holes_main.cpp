// holes record FILE...: prints the hashes of the holes, for tests/starters.txt.
// holes compare EXERCISE SOLUTION: the solution must be the exercise with its holes filled.
#include "tests/grader/holes.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>

namespace {

// "03-add-list/axpby" of exercises/03-add-list/axpby.cu.
std::string name_of(const std::string &file) {
  std::filesystem::path path(file);
  return path.parent_path().filename().string() + "/" + path.stem().string();
}

int compare(const std::string &exercise, const std::string &solution) {
  if (!course::untouched(exercise, name_of(exercise), COURSE_ROOT "/tests/starters.txt")) {
    std::printf("%s: its holes are not those of tests/starters.txt\n", exercise.c_str());
    return course::begun_exit_code();
  }
  auto a = course::read_source(exercise), b = course::read_source(solution);
  int faults = 0;
  auto fault = [&](const std::string &text) {
    std::printf("%s: %s\n", solution.c_str(), text.c_str());
    ++faults;
  };
  for (std::size_t i = 0; i < a.outside.size() || i < b.outside.size(); ++i) {
    const std::string left = i < a.outside.size() ? a.outside[i] : "(nothing)";
    const std::string right = i < b.outside.size() ? b.outside[i] : "(nothing)";
    if (left != right) {
      fault("outside the holes it differs from the exercise:\n  - " + left + "\n  + " + right);
      break;
    }
  }
  if (a.holes.empty())
    fault("the exercise has no hole");
  if (a.holes.size() != b.holes.size())
    fault("it has " + std::to_string(b.holes.size()) + " holes, the exercise " +
          std::to_string(a.holes.size()));
  for (std::size_t i = 0; i < a.holes.size() && i < b.holes.size(); ++i) {
    const std::string which = "hole " + std::to_string(i + 1);
    if (course::hash(a.holes[i]) == course::hash(b.holes[i]))
      fault(which + " is not filled");
    if (b.holes[i].empty() || b.holes[i].size() > 10)
      fault(which + " has " + std::to_string(b.holes[i].size()) + " lines; 1 to 10 are meant");
  }
  return faults ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) try {
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "record" && argc > 2) {
    for (int i = 2; i < argc; ++i)
      for (const auto &hole : course::read_source(argv[i]).holes)
        std::printf("%s %016llx\n", name_of(argv[i]).c_str(),
                    static_cast<unsigned long long>(course::hash(hole)));
    return 0;
  }
  if (command == "compare" && argc == 4)
    return compare(argv[2], argv[3]);
  std::fprintf(stderr, "usage: holes record FILE... | holes compare EXERCISE SOLUTION\n");
  return 2;
} catch (const std::exception &error) {
  std::fprintf(stderr, "holes: %s\n", error.what());
  return 2;
}
