// The registry as the grader reads it.
#include "common/grader/commands/registry.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("an exercise has the fields of its line") {
  bool plain = false, with_fields = false;
  for (const course::Exercise &exercise : course::all_exercises()) {
    if (exercise.full_name() == "03-add-list/axpby")
      plain = !exercise.counted && exercise.needs.empty() && exercise.uses.empty();
    if (exercise.full_name() == "10-streams/chunks")
      with_fields = exercise.lesson == "10-streams" && exercise.name == "chunks" &&
                    exercise.counted && exercise.uses[0] == "03-add-list/bigger-than-memory";
  }
  CHECK(plain);
  CHECK(with_fields);
}
