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
      list(APPEND needs ${COURSE_TOOLKIT}/bin/nvcc)
    endif()
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
      OUTPUT ${folder}/${name}.o
      COMMAND sh ${COURSE_ROOT}/tests/grader/compile-worker.sh compile ${CMAKE_BINARY_DIR}/tests/settings.sh ${worker}
              ${folder} ${COURSE_ROOT}/solutions/${EXERCISE}.cu ${name} "" ""
      DEPENDS ${COURSE_ROOT}/solutions/${EXERCISE}.cu ${COURSE_ROOT}/tests/grader/compile-worker.sh
              ${CMAKE_BINARY_DIR}/tests/settings.sh blind-spots ${needs}
      DEPFILE ${folder}/${name}.d
      VERBATIM)
    list(APPEND objects ${folder}/${name}.o)
  endforeach()
  add_custom_target(used-${name} DEPENDS ${objects})
  set_property(TARGET used-${name} PROPERTY COURSE_OBJECTS ${objects})
endfunction()

# course_judge(LESSON NAME TEST [CONTRACT path] [LIBRARIES name...] [USES NN-slug/name...]): the judge of an exercise
# and the target check-LESSON-NAME, which builds all that grading it takes. Paths from the root; without CONTRACT
# the exercise is about a whole program. Where judge and harness lie, tests/grader/registry.cpp knows.
function(course_judge LESSON NAME TEST)
  cmake_parse_arguments(PARSE_ARGV 3 ARG "" "CONTRACT" "LIBRARIES;USES")
  string(REPLACE - _ function ${NAME})
  set(judge judge-${LESSON}-${NAME})
  add_executable(${judge} ${COURSE_ROOT}/${TEST})
  target_link_libraries(${judge} PRIVATE course_judge)
  set_property(GLOBAL APPEND PROPERTY COURSE_JUDGES ${judge})
  set_target_properties(${judge} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${COURSE_BIN}/tests/judges)

  set(harness harness-${LESSON}-${NAME})
  add_library(${harness} STATIC ${COURSE_ROOT}/tests/grader/harness.cpp)
  course_link(${harness})
  set_target_properties(${harness} PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/harness)
  if(ARG_CONTRACT)
    target_compile_definitions(${harness} PRIVATE CONTRACT="${ARG_CONTRACT}" FUNCTION=${function})
  endif()
  if(mpi IN_LIST ARG_LIBRARIES)
    target_sources(${harness} PRIVATE $<TARGET_OBJECTS:course_worker_mpi>)
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
    get_property(objects TARGET ${used} PROPERTY COURSE_OBJECTS)
    set_property(TARGET check-${LESSON}-${NAME} APPEND PROPERTY COURSE_USED ${objects})
  endforeach()
endfunction()

# course_bank_test(TEST LESSON/NAME ARGUMENT... [QUICK] [COST seconds]): a run of `bank` for an exercise.
function(course_bank_test TEST EXERCISE)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "QUICK" "COST" "")
  string(REPLACE / - name ${EXERCISE})
  get_filename_component(lesson ${EXERCISE} DIRECTORY)
  set(quick)
  if(ARG_QUICK)
    set(quick QUICK)
  endif()
  set(label exercise)
  if(NOT lesson MATCHES "^[0-9]") # the grader's own
    set(label grader)
  endif()
  # What a submission is compiled and judged with: an exercise of the course, or of the grader's own.
  file(GLOB headers ${COURSE_ROOT}/exercises/*/*.hpp ${COURSE_ROOT}/tests/grader/*.hpp)
  get_property(used TARGET check-${name} PROPERTY COURSE_USED)
  course_test(${TEST} ${label} ${quick} TIMEOUT ${COURSE_WORKER_TIMEOUT} COST ${ARG_COST} BUILDS check-${name}
              INPUTS ${headers} ${COURSE_ROOT}/solutions/${EXERCISE}.cu ${COURSE_ROOT}/tests/bank/${EXERCISE}
                     ${COURSE_ROOT}/tests/bank/${EXERCISE}.md ${used} $<TARGET_FILE:judge-${name}>
                     $<TARGET_FILE:harness-${name}> $<TARGET_FILE:course_worker> $<TARGET_FILE:blind-spots>
                     ${CMAKE_BINARY_DIR}/tests/settings.sh ${COURSE_ROOT}/tests/grader/compile-worker.sh
                     ${COURSE_ROOT}/tests/grader/bounded
              COMMAND $<TARGET_FILE:bank> ${ARG_UNPARSED_ARGUMENTS} ${EXERCISE})
endfunction()

# course_exercise_tests(LESSON NAME [LIBRARIES name...] [USES NN-slug/name...]): the judge of an exercise, and the
# tests of its solution and its bank: one answer for each misconception; the others, and all under the tools.
function(course_exercise_tests LESSON NAME)
  set(contract)
  if(EXISTS ${COURSE_ROOT}/exercises/${LESSON}/${NAME}.hpp)
    set(contract CONTRACT exercises/${LESSON}/${NAME}.hpp)
  endif()
  course_judge(${LESSON} ${NAME} tests/${LESSON}/test_${NAME}.cpp ${contract} ${ARGN})
  string(REGEX REPLACE "^[0-9]+-" "" slug ${LESSON})
  set(test exercise.${slug}.${NAME})
  set(cost 20)
  if(libpython IN_LIST ARGN) # each case starts Python
    set(cost 60)
  endif()
  course_bank_test(${test} ${LESSON}/${NAME} --quick QUICK COST ${cost})
  math(EXPR cost "2 * ${cost}")
  set(tools)
  if(COURSE_COUNTS)
    set(tools --tool all)
  endif()
  course_bank_test(${test}.rest ${LESSON}/${NAME} --rest ${tools} COST ${cost})
  add_dependencies(suite-all exercise-${LESSON}-${NAME}) # as it is handed out it compiles
  set_property(GLOBAL APPEND PROPERTY COURSE_EXERCISES ${LESSON}/${NAME})
endfunction()
