#include "common/grader/registry.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace course {
namespace {

namespace fs = std::filesystem;

const fs::path root = COURSE_ROOT, build = COURSE_BUILD;

std::vector<std::string> words(const std::string &text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;)
    all.push_back(word);
  return all;
}

// An exercise from its line, whose form CMake has tested.
Exercise exercise_of(const std::string &line) {
  Exercise exercise;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '|');) {
    std::vector<std::string> values = words(field);
    const std::string kind = values.front();
    values.erase(values.begin());
    if (kind == "exercise") {
      const std::string &name = values.front();
      exercise.lesson = name.substr(0, name.find('/'));
      exercise.name = name.substr(name.find('/') + 1);
    } else if (kind == "counted")
      exercise.counted = true;
    else {
      auto &all = kind == "needs" ? exercise.needs : exercise.uses;
      all.insert(all.end(), values.begin(), values.end());
    }
  }
  return exercise;
}

} // namespace

fs::path Exercise::judge() const {
  return build / "bin/grader/judges" / ("judge-" + lesson + "-" + name);
}

fs::path Exercise::harness() const {
  return build / "grader/harness" / ("libharness-" + lesson + "-" + name + ".a");
}

fs::path Exercise::contract() const {
  const bool is_own = lesson[0] < '0' || lesson[0] > '9'; // the grader's
  return root / (is_own ? "tests/grader" : "exercises/" + lesson) / (name + ".hpp");
}

std::vector<Exercise> read_exercises(const fs::path &registry) {
  std::ifstream file(registry);
  if (!file)
    throw std::runtime_error("cannot read " + registry.string());
  std::vector<Exercise> all;
  for (std::string line; std::getline(file, line);)
    if (line.compare(0, 9, "exercise ") == 0)
      all.push_back(exercise_of(line));
  return all;
}

std::vector<Exercise> all_exercises() {
  std::vector<Exercise> all = read_exercises(root / "common/cmake/registry.txt");
  all.push_back({"cheats", "twice"});
  all.push_back({"counted", "twice", true});
  all.push_back({"faults", "twice"});
  all.push_back({"nccl", "sum", false, {"mpi", "nccl"}});
  return all;
}

} // namespace course
