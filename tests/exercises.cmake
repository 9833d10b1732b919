# The tests of each exercise.
add_custom_target(suite-mine ALL)

# Seconds for a test that runs workers: on a GPU they take turns, and ctest counts the wait.
set(COURSE_WORKER_TIMEOUT 600)
if(COURSE_BACKEND STREQUAL cuda)
  set(COURSE_WORKER_TIMEOUT 3600)
endif()

# Programs share a GPU that is not set to be exclusive: they take longer to begin than they compute.
set(COURSE_SHARES)
if(COURSE_BACKEND STREQUAL cuda)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_mode --format=csv,noheader OUTPUT_VARIABLE modes ERROR_QUIET)
  if(modes MATCHES "^(Default\n)+$")
    set(COURSE_SHARES ENVIRONMENT COURSE_GPU_SHARED=1)
  endif()
endif()

# course_bank_test(TEST LESSON/NAME ARGUMENT... [QUICK | NIGHTLY] [COST seconds]): a run of `bank` for an exercise.
function(course_bank_test TEST EXERCISE)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "QUICK;NIGHTLY" "COST" "")
  string(REPLACE / - name ${EXERCISE})
  get_filename_component(lesson ${EXERCISE} DIRECTORY)
  set(tier)
  foreach(word QUICK NIGHTLY)
    if(ARG_${word})
      set(tier ${word})
    endif()
  endforeach()
  set(label exercise)
  set(own)
  set(registry)
  if(NOT lesson MATCHES "^[0-9]") # the grader's own
    set(label grader)
    set(own grader/)
    set(registry --registry ${COURSE_ROOT}/tests/grader/registry.json)
  endif()
  # The files that compile and judge a submission: an exercise of the course, or of the grader's own. Not the runtime: a
  # known answer protects its judge.
  file(GLOB headers ${COURSE_ROOT}/common/*.hpp ${COURSE_ROOT}/exercises/*/*.hpp ${COURSE_ROOT}/lessons/${lesson}/*.hpp
       ${COURSE_ROOT}/common/grader/*/*.hpp ${COURSE_ROOT}/common/grader/worker/python_worker.py ${COURSE_ROOT}/tests/grader/*.hpp
       ${COURSE_ROOT}/solutions/${EXERCISE}.*)
  list(APPEND headers ${COURSE_ROOT}/common/cli/ranks.sh ${COURSE_ROOT}/common/cli/sanitizer.sh)
  set(entry ${CMAKE_BINARY_DIR}/grader/entries/${name}) # the grader's part of the registry
  file(CONFIGURE OUTPUT ${entry} CONTENT "${COURSE_needs_${EXERCISE}}|${COURSE_uses_${EXERCISE}}|${COURSE_counted_${EXERCISE}}\n")
  if(own AND COURSE_COUNTS) # their subject is findings of the tools
    list(APPEND headers ${COURSE_TOOLKIT}/lib64/libcudart_instrumented.a)
  endif()
  get_property(used TARGET check-${name} PROPERTY COURSE_USED)
  course_test(${TEST} ${label} ${tier} TIMEOUT ${COURSE_WORKER_TIMEOUT} COST ${ARG_COST} BUILDS check-${name}
              PROPERTIES ${COURSE_SHARES} INPUTS ${headers} ${entry} ${used} $<TARGET_FILE:judge-${name}>
                     ${COURSE_ROOT}/tests/${own}${EXERCISE}/answers ${COURSE_ROOT}/tests/${own}${EXERCISE}/answers.md
                     $<TARGET_FILE:harness-${name}> $<TARGET_FILE:course_worker> $<TARGET_FILE:compile-worker>
                     ${CMAKE_BINARY_DIR}/grader/settings.txt ${COURSE_ROOT}/common/grader/worker/bounded
              COMMAND $<TARGET_FILE:bank> ${registry} ${ARG_UNPARSED_ARGUMENTS} ${EXERCISE})
endfunction()

# course_exercise_tests(LESSON NAME [LIBRARIES name...] [USES NN-slug/name...]): the judge of an exercise, the test of the
# learner's file, and the tests of its solution and its bank, tier by tier.
function(course_exercise_tests LESSON NAME)
  set(contract)
  if(EXISTS ${COURSE_ROOT}/exercises/${LESSON}/${NAME}.hpp)
    set(contract CONTRACT exercises/${LESSON}/${NAME}.hpp)
  endif()
  course_judge(${LESSON} ${NAME} tests/${LESSON}/${NAME}/judge.cpp ${contract} ${ARGN})
  string(REGEX REPLACE "^[0-9]+-" "" slug ${LESSON})
  # The learner's own file: skipped until it is started. In a handout, one that uses others has no such test: theirs might not compile.
  if(COURSE_SOLUTIONS OR NOT COURSE_uses_${LESSON}/${NAME})
    add_test(NAME mine.${slug}.${NAME} COMMAND $<TARGET_FILE:check> ${LESSON}/${NAME})
    set_tests_properties(mine.${slug}.${NAME} PROPERTIES LABELS mine SKIP_RETURN_CODE 4 TIMEOUT ${COURSE_WORKER_TIMEOUT})
    add_dependencies(suite-mine check-${LESSON}-${NAME})
  endif()
  if(NOT COURSE_SOLUTIONS)
    return() # answers are written as changes of them
  endif()
  set(test exercise.${slug}.${NAME})
  set(seconds 1) # of a core, for each answer
  if(python IN_LIST ARGN) # each case starts Python
    set(seconds 4)
  endif()
  file(STRINGS ${COURSE_ROOT}/tests/${LESSON}/${NAME}/answers.md answers REGEX "^## ")
  list(LENGTH answers answers)
  set(tools)
  if(COURSE_COUNTS)
    set(tools --tool all)
  endif()
  math(EXPR cost "2 * ${seconds}")
  course_bank_test(${test} ${LESSON}/${NAME} --tier quick QUICK COST ${cost})
  math(EXPR cost "${answers} * ${seconds}")
  course_bank_test(${test}.wrong ${LESSON}/${NAME} --tier commit ${tools} COST ${cost})
  math(EXPR cost "${cost} + 10 * ${seconds}")
  course_bank_test(${test}.rest ${LESSON}/${NAME} --tier nightly ${tools} NIGHTLY COST ${cost})
  add_dependencies(suite-commit exercise-${LESSON}-${NAME}) # as it is handed out it compiles
  if(python IN_LIST ARGN)
    add_custom_target(parse-${LESSON}-${NAME} COMMAND ${COURSE_PYTHON} -c "import ast; ast.parse(open('${LESSON}/${NAME}.py').read())"
                      WORKING_DIRECTORY ${COURSE_ROOT}/exercises VERBATIM)
    add_dependencies(suite-commit parse-${LESSON}-${NAME})
  endif()
  set_property(GLOBAL APPEND PROPERTY COURSE_EXERCISES ${LESSON}/${NAME})
endfunction()
