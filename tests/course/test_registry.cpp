// The registry as the grader reads it.
#include "common/grader/registry.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fstream>
#include <unistd.h>

namespace {

// A registry of these lines, which is removed with it.
class Registry {
public:
  explicit Registry(const std::string &lines) { std::ofstream(path()) << lines; }
  ~Registry() { std::filesystem::remove(path()); }
  std::filesystem::path path() const { return path_; }

private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("test-registry-" + std::to_string(getpid()));
};

} // namespace

TEST_CASE("an exercise has the fields of its line") {
  const Registry registry(
      "# a comment\n\nlesson 07-reduction | run | refuse 0 | bench ladder cublas | program plain\n"
      "exercise 07-reduction/norm\n"
      "exercise 09-stencil/source | needs mpi cublas | counted | uses "
      "07-reduction/norm | uses 03-add-list/axpby\n");
  const auto all = course::read_exercises(registry.path());
  REQUIRE(all.size() == 2);
  CHECK(all[0].full_name() == "07-reduction/norm");
  CHECK(!all[0].counted);
  CHECK(all[1].lesson == "09-stencil");
  CHECK(all[1].name == "source");
  CHECK(all[1].counted);
  CHECK(all[1].needs == std::vector<std::string>{"mpi", "cublas"});
  CHECK(all[1].uses == std::vector<std::string>{"07-reduction/norm", "03-add-list/axpby"});
}

TEST_CASE("the course's registry can be read") { CHECK(course::all_exercises().size() > 20); }
