// holes write EXERCISE...: writes each from its solution, with the holes that it has; those of a
// new one are empty.
// holes record FILE...: prints the hashes of the holes, for tests/starters.txt.
// holes compare EXERCISE...: the solution of each must be the exercise with its holes filled.
#include "common/grader/commands/grading.hpp"
#include "common/grader/commands/holes.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// "03-add-list/axpby" of exercises/03-add-list/axpby.cu.
std::string name_of(const std::string &file) {
  std::filesystem::path path(file);
  return path.parent_path().filename().string() + "/" + path.stem().string();
}

std::string file_of(const char *folder, const std::string &name) {
  return COURSE_ROOT "/" + std::string(folder) + "/" + course::matching(name).front().file();
}

// True if the file holds nothing of a learner's.
bool as_handed_out(const std::string &name) {
  return course::untouched(file_of("exercises", name), name, COURSE_ROOT "/tests/starters.txt");
}

void write(const std::string &name) {
  const std::string path = file_of("exercises", name);
  const bool is_new = !std::filesystem::exists(path);
  if (!is_new && !as_handed_out(name))
    throw std::runtime_error(path + ": its blanks are not as in tests/starters.txt");
  const course::Source solution = course::read_source(file_of("solutions", name)),
                       before = is_new ? course::Source{} : course::read_source(path);
  std::ofstream file(path);
  std::size_t hole = 0;
  int number = 0; // of the solution's line
  for (const std::string &line : solution.outside) {
    file << line << "\n";
    if (++number + 1 != (hole < solution.holes.size() ? solution.first_lines[hole] : 0))
      continue;
    if (hole < before.holes.size())
      for (const std::string &its_line : before.holes[hole])
        file << its_line << "\n";
    number += solution.holes[hole++].size();
  }
  if (!file.flush())
    throw std::runtime_error("cannot write " + path);
}

void record(const std::string &file) {
  for (const auto &hole : course::read_source(file).holes)
    std::printf("%s %016llx\n", name_of(file).c_str(),
                static_cast<unsigned long long>(course::hash(hole)));
}

// `name`: "03-add-list/axpby". Returns an exit code.
int compare(const std::string &name) {
  const std::string exercise = file_of("exercises", name), solution = file_of("solutions", name);
  if (!as_handed_out(name)) {
    std::printf("%s: its blanks are not as in tests/starters.txt\n", exercise.c_str());
    const char *ci = std::getenv("CI");
    return ci && *ci ? 1 : 77; // skipped, except in CI, where no learner has begun it
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
      fault("outside the blanks it differs from the exercise:\n  - " + left + "\n  + " + right);
      break;
    }
  }
  if (a.holes.empty())
    fault("the exercise has no blank");
  if (a.holes.size() != b.holes.size())
    fault("it has " + std::to_string(b.holes.size()) + " blanks, the exercise " +
          std::to_string(a.holes.size()));
  for (std::size_t i = 0; i < a.holes.size() && i < b.holes.size(); ++i) {
    const std::string which = "blank " + std::to_string(i + 1);
    if (course::hash(a.holes[i]) == course::hash(b.holes[i]))
      fault(which + " is not filled");
    if (b.holes[i].empty() || b.holes[i].size() > 10)
      fault(which + " has " + std::to_string(b.holes[i].size()) + " lines; it should have 1 to 10");
  }
  return faults ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string command = words.size() < 2 ? "" : words[0];
  if (command != "write" && command != "record" && command != "compare") {
    std::fprintf(stderr, "holes write NN-slug/NAME...\nholes record FILE...\n"
                         "holes compare NN-slug/NAME...\n");
    return 2;
  }
  int worst = 0; // 1 is worse than 77, which says that a learner has begun
  for (std::size_t i = 1; i < words.size(); ++i)
    if (command == "write")
      write(words[i]);
    else if (command == "record")
      record(words[i]);
    else if (const int code = compare(words[i]); code != 0 && worst != 1)
      worst = code;
  return worst;
} catch (const std::exception &error) {
  std::fprintf(stderr, "holes: %s\n", error.what());
  return 2;
}
