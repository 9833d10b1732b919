# How the course is built: the functions behind the root CMakeLists.txt and registry.cmake.
include(common/cmake/registry.cmake)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_FLAGS_RELEASE -O3) # no -DNDEBUG: assert() works as in a build by hand
set(COURSE_ROOT ${CMAKE_CURRENT_SOURCE_DIR})
set(COURSE_BIN ${CMAKE_BINARY_DIR}/bin)

include(common/cmake/backend.cmake)
include(common/cmake/libraries.cmake)

add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wall> $<$<COMPILE_LANGUAGE:CXX>:-Wextra>
                    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)

# course_quoted(RESULT WORD...): the words as a shell reads them, whatever characters they have.
function(course_quoted RESULT)
  string(REPLACE "'" "'\\''" words "${ARGN}")
  list(TRANSFORM words PREPEND "'")
  list(TRANSFORM words APPEND "'")
  list(JOIN words " " words)
  set(${RESULT} "${words}" PARENT_SCOPE)
endfunction()

# course_refuse(TARGET WHY): a target that says why it cannot be built.
function(course_refuse TARGET WHY)
  add_custom_target(${TARGET} COMMAND ${CMAKE_COMMAND} -E echo "${WHY}"
                    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endfunction()

# Programs of ./course profile: the picture, a GPU's recorder, MPI's recorder.
add_executable(timeline EXCLUDE_FROM_ALL common/profiling/timeline.cpp)
target_compile_options(timeline PRIVATE -O1)
set(recorders)
if(TARGET CUDA::cupti)
  add_library(cupti-timeline SHARED EXCLUDE_FROM_ALL common/profiling/cupti_timeline.cpp)
  target_link_libraries(cupti-timeline PRIVATE CUDA::cupti)
  target_include_directories(cupti-timeline SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  list(APPEND recorders cupti-timeline)
else()
  course_refuse(cupti-timeline "a timeline of a GPU needs CUPTI, which CMake did not find in the CUDA Toolkit")
endif()
if(TARGET course_mpi)
  add_library(mpi-timeline SHARED EXCLUDE_FROM_ALL common/profiling/mpi_timeline.cpp)
  target_link_libraries(mpi-timeline PRIVATE course_mpi)
  list(APPEND recorders mpi-timeline)
endif()
foreach(recorder timeline ${recorders})
  target_include_directories(${recorder} PRIVATE ${COURSE_ROOT})
endforeach()
set_target_properties(timeline ${recorders} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${COURSE_BIN}/tools
                                                       LIBRARY_OUTPUT_DIRECTORY ${COURSE_BIN}/tools)

# course_link(TARGET): for C++ that includes CUDA's headers and the course's.
function(course_link TARGET)
  target_include_directories(${TARGET} PRIVATE ${COURSE_ROOT})
  target_link_libraries(${TARGET} PRIVATE CUDA::cudart_static)
  if(COURSE_BACKEND STREQUAL cpu)
    add_dependencies(${TARGET} toolkit)
  endif()
endfunction()

# course_program(TARGET [INSTRUMENTED] source... [LIBRARIES name...]): an executable of CUDA and C++
# sources, with the library python an extension. A library `name` is the target course_<name>. INSTRUMENTED: for the CPU backend's tools, which see each of its accesses.
function(course_program TARGET)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "INSTRUMENTED" "" LIBRARIES)
  if(python IN_LIST ARG_LIBRARIES)
    add_library(${TARGET} MODULE ${ARG_UNPARSED_ARGUMENTS})
    set_target_properties(${TARGET} PROPERTIES PREFIX "")
    if(COURSE_BACKEND STREQUAL cpu) # the extensions of a process share one runtime, as nvcc -shared links it
      set_target_properties(${TARGET} PROPERTIES CUDA_RUNTIME_LIBRARY None BUILD_RPATH ${COURSE_TOOLKIT}/lib64)
      target_link_libraries(${TARGET} PRIVATE ${COURSE_TOOLKIT}/lib64/libcudart_process.so)
    endif()
  else()
    add_executable(${TARGET} ${ARG_UNPARSED_ARGUMENTS})
  endif()
  target_include_directories(${TARGET} PRIVATE ${COURSE_ROOT})
  foreach(library ${ARG_LIBRARIES})
    target_link_libraries(${TARGET} PRIVATE course_${library})
  endforeach()
  if(ARG_INSTRUMENTED)
    target_link_libraries(${TARGET} PRIVATE course_instrumented)
    add_dependencies(${TARGET} toolkit-instrumented)
    set_target_properties(${TARGET} PROPERTIES CUDA_RUNTIME_LIBRARY None)
  endif()
  if(COURSE_BACKEND STREQUAL cpu)
    add_dependencies(${TARGET} toolkit)
    set(sources ${ARG_UNPARSED_ARGUMENTS})
    list(FILTER sources INCLUDE REGEX "\\.cu$")
    # CMake knows these neither as -lcudart_static, nor behind a linker script, nor as the compiler.
    set(archives ${COURSE_TOOLKIT}/lib64/libcudart_static.a)
    if(cublas IN_LIST ARG_LIBRARIES)
      list(APPEND archives ${COURSE_TOOLKIT}/lib64/libcublas_static.a)
    endif()
    set_property(TARGET ${TARGET} APPEND PROPERTY LINK_DEPENDS ${archives})
    set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${COURSE_TOOLKIT}/bin/nvcc)
    list(LENGTH sources files)
    if(files EQUAL 1 AND NOT ARG_INSTRUMENTED)
      target_compile_definitions(${TARGET} PRIVATE COURSE_CPU_ONE_FILE) # see execution.h
    endif()
    foreach(source ${sources})
      cmake_path(ABSOLUTE_PATH source NORMALIZE)
      set_property(GLOBAL APPEND PROPERTY COURSE_CUDA_FILES ${source})
    endforeach()
  endif()
endfunction()

# course_python_program(TARGET PROGRAM source extensions... [LIBRARIES name...]): bin/PROGRAM, which starts the source with the
# Python of build/python, where it can load these extensions of the same folder; left out, with a target that says so, where
# a library is missing.
function(course_python_program TARGET PROGRAM SOURCE)
  cmake_parse_arguments(PARSE_ARGV 3 ARG "" "" LIBRARIES)
  course_find_libraries(missing ${ARG_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY COURSE_MISSING ${missing})
  set(needs ${SOURCE})
  foreach(target ${TARGET}-instrumented ${TARGET})
    if(missing)
      list(JOIN missing " and " names)
      course_refuse(${target} "${SOURCE} needs ${names}, which CMake did not find")
    elseif(target STREQUAL TARGET)
      add_custom_target(${target} ALL DEPENDS ${ARG_UNPARSED_ARGUMENTS})
    else()
      course_refuse(${target} "${SOURCE} is a program of Python, and the tools look into those of CUDA C++")
    endif()
  endforeach()
  if(missing)
    return()
  endif()
  cmake_path(SET file ${COURSE_BIN}/${PROGRAM})
  cmake_path(GET file PARENT_PATH folder)
  course_quoted(folder ${folder})
  set(runner)
  if(mpi4py IN_LIST ARG_LIBRARIES)
    set(runner -m mpi4py) # an exception on one rank ends all ranks
  endif()
  course_quoted(command ${COURSE_PYTHON} -B ${runner} ${COURSE_ROOT}/${SOURCE})
  file(WRITE ${file} "#!/bin/sh
export PYTHONPATH=${folder}\${PYTHONPATH:+:\$PYTHONPATH}
export LD_LIBRARY_PATH=${folder}\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}
exec ${command} \"\$@\"
")
  file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()

set(COURSE_NO_TOOLS "the tools need g++: configure with -DCMAKE_CXX_COMPILER=g++")

# course_find_libraries(OUT name...): those of the names that this machine lacks.
function(course_find_libraries OUT)
  set(missing)
  foreach(library ${ARGN})
    if(NOT TARGET course_${library})
      list(APPEND missing ${library})
    endif()
  endforeach()
  set(${OUT} "${missing}" PARENT_SCOPE)
endfunction()

# course_learner_program(TARGET FOLDER NAME source... [LIBRARIES name...]): the executable
# bin/FOLDER/NAME, or with the library python the extension bin/FOLDER/NAME.so; left out, with a target that says so,
# where a library is missing. On the CPU backend also TARGET-instrumented, bin/instrumented/FOLDER/NAME: the same for
# the tools, built only when asked for; they do not look into extensions.
function(course_learner_program TARGET FOLDER NAME)
  cmake_parse_arguments(PARSE_ARGV 3 ARG "" "" LIBRARIES)
  set(files ${ARG_UNPARSED_ARGUMENTS})
  course_find_libraries(missing ${ARG_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY COURSE_MISSING ${missing})
  if(missing)
    list(JOIN missing " and " missing)
    course_refuse(${TARGET} "${files} needs ${missing}, which CMake did not find")
    course_refuse(${TARGET}-instrumented "${files} needs ${missing}, which CMake did not find")
    return()
  endif()
  course_program(${TARGET} ${files} LIBRARIES ${ARG_LIBRARIES})
  set_target_properties(${TARGET} PROPERTIES OUTPUT_NAME ${NAME} RUNTIME_OUTPUT_DIRECTORY ${COURSE_BIN}/${FOLDER}
                                             LIBRARY_OUTPUT_DIRECTORY ${COURSE_BIN}/${FOLDER})
  if(python IN_LIST ARG_LIBRARIES)
    course_refuse(${TARGET}-instrumented "${files} is an extension of Python, and the tools look into programs")
  elseif(COURSE_INSTRUMENTS)
    course_program(${TARGET}-instrumented INSTRUMENTED ${files} LIBRARIES ${ARG_LIBRARIES})
    set_target_properties(${TARGET}-instrumented
                          PROPERTIES EXCLUDE_FROM_ALL TRUE OUTPUT_NAME ${NAME}
                                     RUNTIME_OUTPUT_DIRECTORY ${COURSE_BIN}/instrumented/${FOLDER})
  elseif(COURSE_BACKEND STREQUAL cpu)
    course_refuse(${TARGET}-instrumented "${COURSE_NO_TOOLS}")
  endif()
endfunction()

# All programs, exercises or solutions that this machine can compile.
add_custom_target(lessons)
add_custom_target(exercises)
add_custom_target(solutions)

# course_lesson(NN-slug): the programs in the lesson's folder, with the libraries that the registry names; with BUILD_TESTING
# also its tests: the registry's runs of <slug> and <slug>-versions, and one run without arguments of each other program, with as
# many devices as the first run (with mpi4py, on three ranks).
function(course_lesson LESSON)
  string(REGEX REPLACE "^[0-9]+-" "" slug ${LESSON})
  file(GLOB sources CONFIGURE_DEPENDS ${COURSE_ROOT}/lessons/${LESSON}/*.cu ${COURSE_ROOT}/lessons/${LESSON}/*.cpp)
  file(GLOB programs CONFIGURE_DEPENDS ${COURSE_ROOT}/lessons/${LESSON}/*-*.py)
  list(APPEND sources ${programs}) # last: they need the extensions
  set(extensions)
  foreach(source ${sources})
    cmake_path(GET source STEM program)
    cmake_path(GET source EXTENSION extension)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${COURSE_ROOT})
    set(libraries ${COURSE_needs_${LESSON}})
    if("${LESSON}/${program}" IN_LIST COURSE_program)
      set(libraries ${COURSE_needs_${LESSON}/${program}})
    endif()
    if(extension STREQUAL .cu AND python IN_LIST libraries)
      string(REPLACE - _ program ${program})
      list(APPEND extensions ${program})
    endif()
    if(extension STREQUAL .py)
      course_python_program(${program} ${program} ${source} ${extensions} LIBRARIES ${libraries})
    else()
      course_learner_program(${program} "." ${program} ${source} LIBRARIES ${libraries})
    endif()
    course_find_libraries(missing ${libraries})
    if(NOT missing)
      add_dependencies(lessons ${program})
    endif()
    file(STRINGS ${source} contraction REGEX "^// Build:.* -fmad=false ") # of a product and a sum
    foreach(target ${program} ${program}-instrumented)
      set(type)
      if(contraction AND TARGET ${target})
        get_target_property(type ${target} TYPE)
      endif()
      if(type STREQUAL EXECUTABLE) # else it only says why it cannot be built
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false>)
      endif()
    endforeach()
    file(STRINGS ${source} hopper REGEX "^// Build:.*=compute_90a,") # instructions of this GPU only
    if(hopper AND NOT missing)
      set_target_properties(${program} PROPERTIES CUDA_ARCHITECTURES 90a-real)
    endif()
    get_target_property(type ${program} TYPE)
    if(BUILD_TESTING AND (type STREQUAL EXECUTABLE OR (extension STREQUAL .py AND NOT missing)))
      if(program MATCHES "^${slug}(-versions)?$")
        course_lesson_tests(${slug} ${program} "${COURSE_run_${LESSON}}" "${COURSE_refuse_${LESSON}}")
      elseif(mpi4py IN_LIST libraries)
        course_lesson_tests(${slug} ${program} "-n 3" "")
      elseif(hopper AND NOT 90 IN_LIST CMAKE_CUDA_ARCHITECTURES)
        course_lesson_tests(${slug} ${program} "" " ") # it says what it needs
      else()
        string(REGEX MATCH "^-d [0-9]+" devices "${COURSE_run_${LESSON}}")
        course_lesson_tests(${slug} ${program} "${devices}" "")
      endif()
    endif()
  endforeach()
endfunction()

# course_lesson_tests(SLUG PROGRAM "arguments;..." "refused arguments;..."): its runs; arguments that begin
# with -n N are for a program with MPI, which then runs on N ranks; -d N: with N devices of the CPU backend.
# An argument that begins with lessons/ is a file of the course.
# A rank of NCCL needs a GPU of its own: a run on more ranks than GPUs is left out.
# Quick are the page's program and those beside it. The same under the tools, in one order of the threads; nightly in others.
function(course_lesson_tests SLUG PROGRAM PASSES REFUSES)
  if(NOT PASSES AND NOT REFUSES STREQUAL " ")
    set(PASSES " ") # one run, without arguments
  endif()
  get_target_property(type ${PROGRAM} TYPE)
  set(quick QUICK)
  if(PROGRAM MATCHES "-versions$")
    set(quick)
  endif()
  set(python) # imports of a Python program
  if(NOT type STREQUAL EXECUTABLE)
    file(GLOB python ${COURSE_ROOT}/lessons/*-${SLUG}/*.py ${COURSE_ROOT}/lessons/*-${SLUG}/*.cu)
    string(REPLACE - _ extension ${SLUG})
    list(APPEND python ${COURSE_BIN}/${extension}.so ${COURSE_TOOLKIT}/lib64/libcudart_process.so)
  endif()
  set(number 0)
  foreach(expected PASSES REFUSES)
    foreach(arguments IN LISTS ${expected})
      math(EXPR number "${number} + 1")
      separate_arguments(arguments UNIX_COMMAND "${arguments}")
      list(TRANSFORM arguments PREPEND "${COURSE_ROOT}/" REGEX "^lessons/")
      set(launcher)
      if(arguments MATCHES "^-n;")
        list(POP_FRONT arguments option ranks)
        get_target_property(libraries ${PROGRAM} LINK_LIBRARIES)
        if("course_nccl" IN_LIST libraries AND ranks GREATER COURSE_NCCL_RANKS)
          continue()
        endif()
        set(launcher ${COURSE_ROOT}/common/cli/ranks.sh ${ranks})
      elseif(arguments MATCHES "^-d;")
        list(POP_FRONT arguments option devices)
        set(launcher env COURSE_CPU_DEVICES=${devices})
      endif()
      set(test lesson.${PROGRAM}.${number})
      string(TOLOWER ${expected} how)
      course_test(${test} lesson ${quick} TIMEOUT 120 INPUTS ${python} BUILDS ${PROGRAM}
                  COMMAND ${COURSE_ROOT}/common/cli/lesson-test.sh ${how} ${launcher} ${COURSE_BIN}/${PROGRAM} ${arguments})
      if(expected STREQUAL PASSES AND number EQUAL 1 AND NOT PROGRAM MATCHES "-versions$" AND COURSE_INSTRUMENTS AND type STREQUAL EXECUTABLE)
        foreach(order random:1 forward reverse)
          course_tier_of(tier ${order})
          course_test(${test}.tools.${order} cpu ${tier} TIMEOUT 300
                      COMMAND env COURSE_CPU_ORDER=${order} ${COURSE_ROOT}/common/cli/lesson-test.sh passes ${launcher}
                              $<TARGET_FILE:${PROGRAM}-instrumented> ${arguments})
        endforeach()
      endif()
    endforeach()
  endforeach()
endfunction()

# An exercise with open blanks has unused parameters and variables, and warnings about int and size_t would hide others.
set(COURSE_RELAXED -Wno-unused-parameter -Wno-unused-variable -Wno-unused-but-set-variable -Wno-sign-compare)
list(JOIN COURSE_RELAXED "," relaxed)
set(COURSE_RELAXED_NVCC -Xcompiler=${relaxed} -diag-suppress=177,550) # the same for nvcc

# course_relax_warnings(TARGET): for an exercise's programs.
function(course_relax_warnings TARGET)
  foreach(target ${TARGET} ${TARGET}-instrumented)
    if(TARGET ${target})
      set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS ${COURSE_RELAXED_NVCC})
    endif()
  endforeach()
endfunction()


# The folder; nothing in a handout.
file(GLOB COURSE_SOLUTIONS CONFIGURE_DEPENDS ${COURSE_ROOT}/solution[s])

# course_python_exercise(NN-slug name): the learner's program in Python bin/exercises/<name>, and the library that it calls;
# with BUILD_TESTING as course_exercise.
function(course_python_exercise LESSON NAME)
  set(libraries ${COURSE_needs_${LESSON}/${NAME}})
  string(REPLACE - _ library ${NAME})
  course_learner_program(library-${LESSON}-${NAME} exercises ${library} exercises/${LESSON}/${NAME}.cu LIBRARIES ${libraries})
  set_target_properties(library-${LESSON}-${NAME} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  course_python_program(exercise-${LESSON}-${NAME} exercises/${NAME} exercises/${LESSON}/${NAME}.py library-${LESSON}-${NAME}
                        LIBRARIES ${libraries})
  set_target_properties(exercise-${LESSON}-${NAME} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  course_find_libraries(missing ${libraries})
  if(NOT missing)
    add_dependencies(exercises exercise-${LESSON}-${NAME})
    if(COURSE_GRADES)
      course_exercise_tests(${LESSON} ${NAME} LIBRARIES ${libraries})
    endif()
  endif()
endfunction()

# course_exercise(NN-slug name): the learner's program bin/exercises/<name> and the filled one bin/solutions/<name>; with
# BUILD_TESTING its judge and its bank (tests/exercises.cmake). The files of exercises that it uses have a weak main.
function(course_exercise LESSON NAME)
  set(libraries ${COURSE_needs_${LESSON}/${NAME}})
  if(python IN_LIST libraries)
    course_python_exercise(${LESSON} ${NAME})
    return()
  endif()
  set(uses ${COURSE_uses_${LESSON}/${NAME}})
  set(kinds exercise)
  if(COURSE_SOLUTIONS)
    set(kinds solution exercise)
  endif()
  foreach(kind IN LISTS kinds)
    set(target ${kind}-${LESSON}-${NAME})
    list(TRANSFORM uses REPLACE ".+" "${kind}s/\\0.cu" OUTPUT_VARIABLE files)
    course_learner_program(${target} ${kind}s ${NAME} ${kind}s/${LESSON}/${NAME}.cu ${files} LIBRARIES ${libraries})
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL EXECUTABLE)
      add_dependencies(${kind}s ${target})
    endif()
  endforeach()
  course_relax_warnings(exercise-${LESSON}-${NAME})
  if(COURSE_GRADES AND type STREQUAL EXECUTABLE)
    course_exercise_tests(${LESSON} ${NAME} LIBRARIES ${libraries} USES ${uses})
  endif()
endfunction()

# An editor that uses clangd reads the .cu files themselves, in clang's own CUDA mode: so it sees
# <<<...>>>, with the headers of the CPU backend.
function(course_editor_database)
  get_property(files GLOBAL PROPERTY COURSE_CUDA_FILES)
  set(exercises ${COURSE_ROOT}/exercises)
  set(entries)
  foreach(file ${files})
    set(warnings -Wall -Wextra)
    cmake_path(IS_PREFIX exercises "${file}" is_exercise)
    if(is_exercise)
      list(APPEND warnings ${COURSE_RELAXED})
    endif()
    string(JOIN "\", \"" arguments clang++ -std=c++17 -xcuda --cuda-host-only -nocudainc -nocudalib
           -Xclang -fcuda-allow-variadic-functions -Wno-unknown-cuda-version
           -I${COURSE_ROOT} -I${COURSE_ROOT}/common/cpu/include -include course_cpu/editor.h ${warnings}
           ${file})
    list(APPEND entries
         "{\"directory\": \"${COURSE_ROOT}\", \"file\": \"${file}\", \"arguments\": [\"${arguments}\"]}")
  endforeach()
  list(JOIN entries ",\n" entries)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/editor/compile_commands.json CONTENT "[\n@entries@\n]\n" @ONLY)
endfunction()

# course_finish(): what follows when every lesson and exercise is known.
function(course_finish)
  if(COURSE_BACKEND STREQUAL cpu)
    course_editor_database()
  endif()
  if(COURSE_GRADES)
    add_subdirectory(common/grader grader EXCLUDE_FROM_ALL)
    if(NOT COURSE_TIER STREQUAL "quick")
      add_subdirectory(common/cpu/tests cpu-tests EXCLUDE_FROM_ALL)
    endif()
    add_subdirectory(tests EXCLUDE_FROM_ALL)
  endif()
endfunction()

set(COURSE_GRADES FALSE) # true if the grader and its tests can be built
if(BUILD_TESTING)
  enable_testing()
  include(common/cmake/packages.cmake)
  include(tests/test.cmake)
  if(COURSE_GRADES)
    if(EXISTS ${COURSE_ROOT}/tests/systems) # not in a handout
      add_subdirectory(tests/systems) # the longest: eighths are balanced in the order in which tests come
    endif()
    include(common/grader/judge.cmake)
    include(tests/exercises.cmake)
  endif()
endif()
