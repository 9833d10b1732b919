#include "common/grader/commands/registry.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace course {
namespace {

namespace fs = std::filesystem;

const fs::path root = COURSE_ROOT, build = COURSE_BUILD;

} // namespace

fs::path Exercise::judge() const {
  return build / "bin/grader/judges" / ("judge-" + lesson + "-" + name);
}

fs::path Exercise::harness() const {
  const std::string folder = lesson + "-" + name;
  if (!in_python())
    return build / "grader/harness" / ("libharness-" + folder + ".a");
  std::string library = name;
  std::replace(library.begin(), library.end(), '-', '_');
  return build / "grader/harness" / folder / (library + ".so");
}

fs::path Exercise::control() const {
  return is_linked_with("mpi") ? build / "bin/grader/control-mpi" : fs::path();
}

fs::path Exercise::contract() const {
  if (in_python())
    return root / "common/grader/worker/python_script.hpp";
  return root / header;
}

std::vector<Exercise> all_exercises(const fs::path &registry) {
  std::ifstream file(registry);
  std::vector<Exercise> all;
  for (const auto &entry : nlohmann::json::parse(file)) {
    if (!entry.contains("exercise"))
      continue;
    const fs::path name = entry["exercise"].get<std::string>();
    const std::vector<std::string> none;
    all.push_back({name.parent_path(), name.filename(),
                   entry.value("contract", "exercises/" + name.string() + ".hpp"),
                   entry.value("answers", "tests/" + name.string()), entry.value("counted", false),
                   entry.value("needs", none), entry.value("uses", none),
                   entry.value("points", 1)});
  }
  return all;
}

} // namespace course
