# How exercises are graded: for each exercise a judge (bin/grader/judges) and a harness that a submission is linked with.

# Loads and stores are counted where the tools are.
set(COURSE_COUNTS 0)
if(COURSE_INSTRUMENTS)
  set(COURSE_COUNTS 1)
endif()

# Functions of CUDA that the worker's device guard replaces.
set(COURSE_WRAPPED)
if(COURSE_BACKEND STREQUAL cuda)
  set(COURSE_WRAPPED cudaMalloc cudaFree cudaLaunchKernel cudaLaunchCooperativeKernel cudaLaunchKernelExC __cudaLaunchKernel)
endif()

# course_used(OUT NN-slug/name): OUT is a target that compiles the solution of an exercise, where the course has
# solutions, else the learner's own, for the workers of later ones: build/cpu/grader/used/worker/NN-slug-name.o, as compiler.cpp knows; for the tools worker-instrumented.
function(course_used OUT EXERCISE)
  string(REPLACE / - name ${EXERCISE})
  set(${OUT} used-${name} PARENT_SCOPE)
  if(TARGET used-${name})
    return()
  endif()
  set(source ${COURSE_ROOT}/solutions/${EXERCISE}.cu)
  if(NOT COURSE_SOLUTIONS)
    set(source ${COURSE_ROOT}/exercises/${EXERCISE}.cu)
  endif()
  set(workers worker)
  if(COURSE_COUNTS)
    list(APPEND workers worker-instrumented)
  endif()
  set(objects)
  foreach(worker IN LISTS workers)
    set(folder ${CMAKE_BINARY_DIR}/grader/used/${worker})
    set(needs)
    if(COURSE_BACKEND STREQUAL cpu)
      string(REPLACE worker toolkit needs ${worker})
      list(APPEND needs ${COURSE_TOOLKIT}/bin/nvcc)
    endif()
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
      OUTPUT ${folder}/${name}.o
      COMMAND compile-worker ${CMAKE_BINARY_DIR}/grader/settings.txt ${worker} ${folder} compile ${source} ${name} "" ""
      DEPENDS ${source} ${CMAKE_BINARY_DIR}/grader/settings.txt compile-worker ${needs}
      DEPFILE ${folder}/${name}.d
      VERBATIM)
    list(APPEND objects ${folder}/${name}.o)
  endforeach()
  add_custom_target(used-${name} DEPENDS ${objects})
  set_property(TARGET used-${name} PROPERTY COURSE_OBJECTS ${objects})
endfunction()

# course_judge(LESSON NAME TEST [CONTRACT path] [LIBRARIES name...] [USES NN-slug/name...]): the judge of an exercise
# and the target check-LESSON-NAME, which builds all that grading it takes. Paths from the root; without CONTRACT
# the exercise is about a whole program. With the library python the harness is the shared library that a submission
# calls, with the worker in it. Where judge and harness lie, common/grader/commands/registry.cpp knows.
function(course_judge LESSON NAME TEST)
  cmake_parse_arguments(PARSE_ARGV 3 ARG "" "CONTRACT" "LIBRARIES;USES")
  string(REPLACE - _ function ${NAME})
  set(judge judge-${LESSON}-${NAME})
  add_executable(${judge} ${COURSE_ROOT}/${TEST})
  target_link_libraries(${judge} PRIVATE course_judge)
  set_property(GLOBAL APPEND PROPERTY COURSE_JUDGES ${judge})
  set_target_properties(${judge} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${COURSE_BIN}/grader/judges)

  set(harness harness-${LESSON}-${NAME})
  if(python IN_LIST ARG_LIBRARIES)
    add_library(${harness} MODULE EXCLUDE_FROM_ALL exercises/${LESSON}/${NAME}.cu $<TARGET_OBJECTS:course_worker_python>)
    course_link(${harness})
    foreach(wrapped IN LISTS COURSE_WRAPPED)
      target_link_options(${harness} PRIVATE LINKER:--wrap=${wrapped})
    endforeach()
    set_target_properties(${harness} PROPERTIES PREFIX "" OUTPUT_NAME ${function}
                                                LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/grader/harness/${LESSON}-${NAME})
    add_custom_target(check-${LESSON}-${NAME} DEPENDS ${judge} ${harness} check)
    return()
  endif()
  add_library(${harness} STATIC ${COURSE_ROOT}/common/grader/worker/harness.cpp)
  course_link(${harness})
  set_target_properties(${harness} PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/grader/harness)
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
  if(mpi IN_LIST ARG_LIBRARIES)
    add_dependencies(check-${LESSON}-${NAME} control-mpi)
  endif()
  foreach(exercise IN LISTS ARG_USES)
    course_used(used ${exercise})
    add_dependencies(check-${LESSON}-${NAME} ${used})
    get_property(objects TARGET ${used} PROPERTY COURSE_OBJECTS)
    set_property(TARGET check-${LESSON}-${NAME} APPEND PROPERTY COURSE_USED ${objects})
  endforeach()
endfunction()
