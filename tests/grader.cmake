# How exercises are graded: the grader's own programs, and for each exercise a judge (bin/tests/judges)
# and a harness that a submission is linked with. See tests/README.md.

# Loads and stores are counted where the tools are.
set(COURSE_COUNTS 0)
if(COURSE_INSTRUMENTS)
  set(COURSE_COUNTS 1)
endif()

# Seconds for a test that runs workers: on a GPU they take turns, and ctest counts the wait.
set(COURSE_WORKER_TIMEOUT 600)
if(COURSE_BACKEND STREQUAL cuda)
  set(COURSE_WORKER_TIMEOUT 3600)
endif()

# course_quoted(RESULT WORD...): the words as a shell reads them, whatever characters they have.
function(course_quoted RESULT)
  string(REPLACE "'" "'\\''" words "${ARGN}")
  list(TRANSFORM words PREPEND "'")
  list(TRANSFORM words APPEND "'")
  list(JOIN words " " words)
  set(${RESULT} "${words}" PARENT_SCOPE)
endfunction()

# course_used(OUT NN-slug/name): OUT is a target that compiles the solution of an exercise for the workers of
# later ones: build/cpu/tests/used/worker/NN-slug-name.o, as compiler.cpp knows; for the tools worker-instrumented.
function(course_used OUT EXERCISE)
  string(REPLACE / - name ${EXERCISE})
  set(${OUT} used-${name} PARENT_SCOPE)
  if(TARGET used-${name})
    return()
  endif()
  set(workers worker)
  if(COURSE_COUNTS)
    list(APPEND workers worker-instrumented)
  endif()
  set(objects)
  foreach(worker IN LISTS workers)
    set(folder ${CMAKE_BINARY_DIR}/tests/used/${worker})
    set(needs)
    if(COURSE_BACKEND STREQUAL cpu)
      string(REPLACE worker toolkit needs ${worker})
    endif()
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
      OUTPUT ${folder}/${name}.o
      COMMAND sh ${COURSE_ROOT}/tests/grader/compile-worker.sh compile ${CMAKE_BINARY_DIR}/tests/settings.sh ${worker}
              ${folder} ${COURSE_ROOT}/solutions/${EXERCISE}.cu ${name}
      DEPENDS ${COURSE_ROOT}/solutions/${EXERCISE}.cu ${COURSE_ROOT}/tests/grader/compile-worker.sh
              ${CMAKE_BINARY_DIR}/tests/settings.sh blind-spots ${needs}
      DEPFILE ${folder}/${name}.d
      VERBATIM)
    list(APPEND objects ${folder}/${name}.o)
  endforeach()
  add_custom_target(used-${name} ALL DEPENDS ${objects})
endfunction()

# course_judge(LESSON NAME TEST [CONTRACT path] [LIBRARIES name...] [USES NN-slug/name...]): the judge of an exercise
# and the target check-LESSON-NAME, which builds all that grading it takes. Paths from the root; without CONTRACT
# the exercise is about a whole program. Where judge and harness lie, tests/grader/registry.cpp knows.
function(course_judge LESSON NAME TEST)
  cmake_parse_arguments(PARSE_ARGV 3 ARG "" "CONTRACT" "LIBRARIES;USES")
  string(REPLACE - _ function ${NAME})
  set(judge judge-${LESSON}-${NAME})
  set(with_nccl false)
  if(nccl IN_LIST ARG_LIBRARIES)
    set(with_nccl true)
  endif()
  add_executable(${judge} ${COURSE_ROOT}/${TEST} ${COURSE_ROOT}/tests/grader/exercise.cpp)
  target_link_libraries(${judge} PRIVATE course_judge)
  set_property(GLOBAL APPEND PROPERTY COURSE_JUDGES ${judge})
  target_compile_definitions(
    ${judge} PRIVATE COURSE_EXERCISE="${LESSON}/${NAME}" COURSE_FUNCTION="${function}"
                     COURSE_CONTRACT="${COURSE_ROOT}/${ARG_CONTRACT}"
                     COURSE_WITH_NCCL=${with_nccl})
  set_target_properties(${judge} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${COURSE_BIN}/tests/judges)

  set(harness harness-${LESSON}-${NAME})
  add_library(${harness} STATIC ${COURSE_ROOT}/tests/grader/worker.cpp)
  course_link(${harness})
  target_compile_options(${harness} PRIVATE -O1) # as judges
  set_target_properties(${harness} PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/harness)
  if(ARG_CONTRACT)
    target_compile_definitions(${harness} PRIVATE CONTRACT="${ARG_CONTRACT}" FUNCTION=${function})
  endif()
  if(mpi IN_LIST ARG_LIBRARIES)
    target_compile_definitions(${harness} PRIVATE COURSE_MPI)
    target_link_libraries(${harness} PRIVATE course_mpi)
  endif()
  if(nccl IN_LIST ARG_LIBRARIES)
    target_link_libraries(${harness} PRIVATE course_nccl)
  endif()

  add_custom_target(check-${LESSON}-${NAME} DEPENDS ${judge} ${harness} check)
  if(COURSE_COUNTS)
    add_dependencies(check-${LESSON}-${NAME} toolkit-instrumented)
  endif()
  foreach(exercise IN LISTS ARG_USES)
    course_used(used ${exercise})
    add_dependencies(check-${LESSON}-${NAME} ${used})
  endforeach()
endfunction()

# course_exercise_tests(LESSON NAME [LIBRARIES name...] [USES NN-slug/name...]): the judge of an exercise and the
# tests of its starter, and of its bank with the solution.
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
  add_test(NAME ${test}.bank COMMAND bank ${LESSON}/${NAME})
  add_test(NAME ${test}.holes COMMAND holes compare ${COURSE_ROOT}/${exercise} ${solution})
  if(COURSE_COUNTS)
    add_test(NAME ${test}.tools COMMAND bank --tool all ${LESSON}/${NAME})
    set_tests_properties(${test}.tools PROPERTIES LABELS cpu TIMEOUT 600 COST 20)
  endif()
  set(all ${test}.starter ${test}.bank ${test}.holes)
  set_tests_properties(${all} PROPERTIES LABELS exercise TIMEOUT ${COURSE_WORKER_TIMEOUT})
  set_tests_properties(${test}.bank PROPERTIES COST 20) # in seconds, about: long tests start first
  # Skipped, except in CI, when a learner has begun the exercise.
  set_tests_properties(${test}.starter ${test}.holes PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
