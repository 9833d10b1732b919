# How exercises are graded: the grader's own programs, and for each exercise a judge (bin/tests/judges)
# and a harness that a submission is linked with. See tests/README.md.

set(COURSE_EXERCISE_LIST ${CMAKE_BINARY_DIR}/tests/exercises.txt)
file(WRITE ${COURSE_EXERCISE_LIST}.new "")

# Loads and stores are counted where the checks are (course.cmake).
set(COURSE_COUNTS 0)
if(COURSE_BACKEND STREQUAL cpu AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(COURSE_COUNTS 1)
endif()

# course_judge(LESSON NAME TEST [CONTRACT path] [COUNTED]): the judge of an exercise and the target
# check-LESSON-NAME, which builds all that grading it takes. Paths from the root; without CONTRACT the
# exercise is about a whole program. COUNTED: the judge limits loads and stores (at_most).
function(course_judge LESSON NAME TEST)
  cmake_parse_arguments(PARSE_ARGV 3 ARG "COUNTED" "CONTRACT" "LIBRARIES")
  string(REPLACE - _ function ${NAME})
  set(contract)
  if(ARG_CONTRACT)
    set(contract CONTRACT="${ARG_CONTRACT}" FUNCTION=${function})
  endif()
  if(NOT TARGET course_judge)
    add_library(course_judge STATIC ${COURSE_ROOT}/tests/grader/explain.cpp
                                    ${COURSE_ROOT}/tests/grader/judge.cpp
                                    ${COURSE_ROOT}/tests/grader/outcome.cpp)
    target_include_directories(course_judge PUBLIC ${COURSE_ROOT})
    target_link_libraries(course_judge PUBLIC course_grader Catch2::Catch2WithMain)
    target_compile_definitions(course_judge
                               PRIVATE COURSE_CUDA=$<STREQUAL:${COURSE_BACKEND},cuda>
                                       COURSE_COUNTS=${COURSE_COUNTS}
                                       COURSE_RANKS="${COURSE_ROOT}/common/ranks.sh"
                                       COURSE_SANITIZER="${COURSE_SANITIZER}")
  endif()
  set(judge judge-${LESSON}-${NAME})
  add_executable(${judge} ${COURSE_ROOT}/${TEST} ${COURSE_ROOT}/tests/grader/exercise.cpp)
  target_link_libraries(${judge} PRIVATE course_judge)
  target_compile_definitions(
    ${judge} PRIVATE COURSE_EXERCISE="${LESSON}/${NAME}" COURSE_FUNCTION="${function}"
                     COURSE_CONTRACT="${COURSE_ROOT}/${ARG_CONTRACT}")
  set_target_properties(${judge} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${COURSE_BIN}/tests/judges)

  # One object, which every submission of this exercise is linked with.
  set(harness harness-${LESSON}-${NAME})
  add_library(${harness} OBJECT ${COURSE_ROOT}/tests/grader/worker.cpp)
  target_compile_definitions(${harness} PRIVATE ${contract})
  course_link(${harness})
  if(mpi IN_LIST ARG_LIBRARIES)
    target_compile_definitions(${harness} PRIVATE COURSE_MPI)
    target_link_libraries(${harness} PRIVATE course_mpi)
  endif()

  add_custom_target(check-${LESSON}-${NAME} DEPENDS ${judge} ${harness} check)
  set(counted)
  if(ARG_COUNTED AND COURSE_COUNTS)
    set(counted "\tcounted")
    add_dependencies(check-${LESSON}-${NAME} course_cpu_checked precompiled-checked)
  endif()
  file(APPEND ${COURSE_EXERCISE_LIST}.new
       "${LESSON}\t${NAME}\t$<TARGET_FILE:${judge}>\t$<TARGET_OBJECTS:${harness}>${counted}\n")
endfunction()

# course_exercise_tests(LESSON NAME [COUNTED] [LIBRARIES name...]): the judge of an exercise and the
# tests of its starter, its solution and its bank.
function(course_exercise_tests LESSON NAME)
  set(contract)
  if(EXISTS ${COURSE_ROOT}/exercises/${LESSON}/${NAME}.hpp)
    set(contract CONTRACT exercises/${LESSON}/${NAME}.hpp)
  endif()
  course_judge(${LESSON} ${NAME} tests/${LESSON}/test_${NAME}.cpp ${contract} ${ARGN})
  set(exercise exercises/${LESSON}/${NAME}.cu)
  set(solution ${COURSE_ROOT}/solutions/${LESSON}/${NAME}.cu)
  string(REGEX REPLACE "^[0-9]+-" "" slug ${LESSON})
  set(test exercise.${slug}.${NAME})
  add_test(NAME ${test}.starter COMMAND check --expect not-started ${LESSON}/${NAME})
  add_test(NAME ${test}.solution COMMAND check --expect pass --file ${solution} ${LESSON}/${NAME})
  add_test(NAME ${test}.bank COMMAND check --bank ${LESSON}/${NAME})
  add_test(NAME ${test}.holes COMMAND holes compare ${COURSE_ROOT}/${exercise} ${solution})
  if(COURSE_COUNTS)
    add_test(NAME ${test}.checks COMMAND check --bank --tool all ${LESSON}/${NAME})
    set_tests_properties(${test}.checks PROPERTIES LABELS cpu TIMEOUT 600)
  endif()
  set(all ${test}.starter ${test}.solution ${test}.bank ${test}.holes)
  set_tests_properties(${all} PROPERTIES LABELS exercise TIMEOUT 600)
  set_tests_properties(${test}.bank PROPERTIES COST 20) # in seconds, about: long tests start first
  # Skipped, except in CI, when a learner has begun the exercise.
  set_tests_properties(${test}.starter ${test}.holes PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
