# How the course is built: the functions behind the lines of the root CMakeLists.txt.

if(NOT COURSE_BACKEND MATCHES "^(cpu|cuda)$")
  message(FATAL_ERROR "COURSE_BACKEND is '${COURSE_BACKEND}'; use cpu or cuda: cmake --preset cpu")
endif()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_FLAGS_RELEASE -O3) # no -DNDEBUG: assert() works as in a build by hand
set(COURSE_ROOT ${CMAKE_CURRENT_SOURCE_DIR})
set(COURSE_BIN ${CMAKE_BINARY_DIR}/bin)

# The architectures to compile for: the device's own where there is one; else (a login node) those
# from Turing to Hopper that this toolkit has.
function(course_cuda_architectures OUT)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE devices ERROR_QUIET RESULT_VARIABLE no_device)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]+" found "${devices}")
  if(no_device OR NOT found)
    find_program(COURSE_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_HOME PATHS /usr/local/cuda
                 PATH_SUFFIXES bin)
    if(NOT COURSE_NVCC)
      message(FATAL_ERROR "the cuda backend needs nvcc, and there is none on the PATH. "
                          "On a cluster: module load CUDA. Without a GPU: cmake --preset cpu")
    endif()
    execute_process(COMMAND ${COURSE_NVCC} --list-gpu-arch OUTPUT_VARIABLE known)
    foreach(architecture 75 80 86 89 90)
      if(known MATCHES "compute_${architecture}\n")
        list(APPEND found ${architecture})
      endif()
    endforeach()
  endif()
  list(REMOVE_DUPLICATES found)
  string(REPLACE "." "" found "${found}")
  set(${OUT} "${found}" PARENT_SCOPE)
endfunction()

if(COURSE_BACKEND STREQUAL cuda)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    course_cuda_architectures(architectures)
    set(CMAKE_CUDA_ARCHITECTURES "${architectures}" CACHE STRING "compute capabilities to compile for")
  endif()
  enable_language(CUDA)
  set(CMAKE_CUDA_STANDARD 17)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  # With lines of kernels and of host code, for compute-sanitizer and the profilers.
  set(CMAKE_CUDA_FLAGS_RELEASE "-O3 -lineinfo -Xcompiler=-g1")
  find_package(CUDAToolkit REQUIRED)
  add_library(course_cublas INTERFACE)
  target_link_libraries(course_cublas INTERFACE CUDA::cublas)
endif()

# MPI, by its C interface. Where it is missing, what needs it is left out.
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  add_library(course_mpi INTERFACE)
  target_include_directories(course_mpi SYSTEM INTERFACE ${MPI_CXX_INCLUDE_DIRS})
  target_compile_definitions(course_mpi INTERFACE OMPI_SKIP_MPICXX)
  target_link_libraries(course_mpi INTERFACE ${MPI_CXX_LIBRARIES})
endif()

add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wall> $<$<COMPILE_LANGUAGE:CXX>:-Wextra>
                    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)

if(COURSE_BACKEND STREQUAL cpu)
  add_subdirectory(common/cpu)
endif()

# Where there is a GPU it stands between a program and compute-sanitizer.
add_executable(course-sanitizer EXCLUDE_FROM_ALL common/sanitizer.cpp)
target_compile_options(course-sanitizer PRIVATE -O1)
set_target_properties(course-sanitizer PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${COURSE_BIN}/tools)
set(COURSE_SANITIZER ${COURSE_BIN}/tools/course-sanitizer)

# course_sources(OUT source...): what a target compiles for these sources. For the CPU backend each
# .cu file becomes C++ below the build folder; everything else stays as it is. A target with
# translated sources also links course_cpu (course_link does).
# CHECKED before the sources: for a program with the checks, which links course_cpu_checked instead.
function(course_sources OUT)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "CHECKED" "" "")
  set(folder translated)
  set(options)
  if(ARG_CHECKED)
    set(folder checked)
    set(options --checked)
  endif()
  set(result)
  foreach(source ${ARG_UNPARSED_ARGUMENTS})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    if(COURSE_BACKEND STREQUAL cpu AND source MATCHES "\\.cu$")
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${COURSE_ROOT} OUTPUT_VARIABLE name)
      set(translated ${CMAKE_CURRENT_BINARY_DIR}/${folder}/${name}.cpp)
      get_property(known DIRECTORY PROPERTY COURSE_TRANSLATED)
      if(NOT translated IN_LIST known)
        set_property(DIRECTORY APPEND PROPERTY COURSE_TRANSLATED ${translated})
        set_property(GLOBAL APPEND PROPERTY COURSE_CUDA_FILES ${source})
        cmake_path(GET translated PARENT_PATH parent)
        file(MAKE_DIRECTORY ${parent})
        add_custom_command(
          OUTPUT ${translated}
          COMMAND course-translate ${options} -I ${COURSE_ROOT} -M ${translated}.d ${source}
                  ${translated}
          DEPENDS course-translate ${source}
          DEPFILE ${translated}.d
          COMMENT "Translating ${name}")
        # nvcc includes this header in every file too.
        set_source_files_properties(${translated} PROPERTIES COMPILE_OPTIONS
                                    "-include;cuda_runtime.h")
      endif()
      list(APPEND result ${translated})
    else()
      list(APPEND result ${source})
    endif()
  endforeach()
  set(${OUT} ${result} PARENT_SCOPE)
endfunction()

# course_link(TARGET): what every program of the course needs to compile and link.
function(course_link TARGET)
  target_include_directories(${TARGET} PRIVATE ${COURSE_ROOT})
  if(COURSE_BACKEND STREQUAL cpu)
    target_link_libraries(${TARGET} PRIVATE course_cpu)
  else()
    target_link_libraries(${TARGET} PRIVATE CUDA::cudart_static)
  endif()
endfunction()

# course_program(TARGET source... [LIBRARIES name...]): an executable of CUDA sources. A library `name`
# is the target course_<name>: cublas, mpi.
function(course_program TARGET)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" LIBRARIES)
  course_sources(sources ${ARG_UNPARSED_ARGUMENTS})
  add_executable(${TARGET} ${sources})
  course_link(${TARGET})
  list(TRANSFORM ARG_LIBRARIES PREPEND course_)
  target_link_libraries(${TARGET} PRIVATE ${ARG_LIBRARIES})
  list(LENGTH sources files)
  if(COURSE_BACKEND STREQUAL cpu AND files EQUAL 1 AND sources MATCHES "\\.cu\\.cpp$")
    target_compile_definitions(${TARGET} PRIVATE COURSE_CPU_ONE_FILE) # see execution.h
  endif()
endfunction()

# course_refuse(TARGET WHY): a target that says why it cannot be built.
function(course_refuse TARGET WHY)
  add_custom_target(${TARGET} COMMAND ${CMAKE_COMMAND} -E echo "${WHY}"
                    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endfunction()

set(COURSE_CHECKS_REFUSED "the checks need g++: configure with -DCMAKE_CXX_COMPILER=g++")

# course_find_libraries(OUT name...): those of the names that this machine lacks. ./course reads them
# all from the cache's COURSE_MISSING.
set(COURSE_MISSING "" CACHE INTERNAL "libraries that lessons need and this machine lacks")
function(course_find_libraries OUT)
  set(missing)
  foreach(library ${ARGN})
    if(NOT TARGET course_${library})
      list(APPEND missing ${library})
    endif()
  endforeach()
  set(all ${COURSE_MISSING} ${missing})
  list(REMOVE_DUPLICATES all)
  set(COURSE_MISSING "${all}" CACHE INTERNAL "")
  set(${OUT} "${missing}" PARENT_SCOPE)
endfunction()

# course_learner_program(TARGET FOLDER NAME source [LIBRARIES name...]): the executable
# bin/FOLDER/NAME; left out, with a target that says so, where a library is missing. For the CPU
# backend also TARGET-checked, bin/checked/FOLDER/NAME: the same with the checks, built only when
# asked for. It needs g++, whose instrumentation the checks are made for.
function(course_learner_program TARGET FOLDER NAME SOURCE)
  cmake_parse_arguments(PARSE_ARGV 4 ARG "" "" LIBRARIES)
  course_find_libraries(missing ${ARG_LIBRARIES})
  if(missing)
    list(JOIN missing " and " missing)
    message(STATUS "${SOURCE} is left out: no ${missing} on this machine")
    course_refuse(${TARGET} "${SOURCE} needs ${missing}, which CMake did not find")
    course_refuse(${TARGET}-checked "${SOURCE} needs ${missing}, which CMake did not find")
    return()
  endif()
  course_program(${TARGET} ${SOURCE} LIBRARIES ${ARG_LIBRARIES})
  set_target_properties(${TARGET} PROPERTIES OUTPUT_NAME ${NAME}
                        RUNTIME_OUTPUT_DIRECTORY ${COURSE_BIN}/${FOLDER})
  if(COURSE_BACKEND STREQUAL cpu AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    course_sources(sources CHECKED ${SOURCE})
    add_executable(${TARGET}-checked EXCLUDE_FROM_ALL ${sources})
    target_include_directories(${TARGET}-checked PRIVATE ${COURSE_ROOT})
    target_link_libraries(${TARGET}-checked PRIVATE course_cpu_checked)
    foreach(library ${ARG_LIBRARIES})
      if(TARGET course_${library}_checked)
        string(APPEND library _checked)
      endif()
      target_link_libraries(${TARGET}-checked PRIVATE course_${library})
    endforeach()
    set_target_properties(${TARGET}-checked PROPERTIES OUTPUT_NAME ${NAME}
                          RUNTIME_OUTPUT_DIRECTORY ${COURSE_BIN}/checked/${FOLDER})
  elseif(COURSE_BACKEND STREQUAL cpu)
    course_refuse(${TARGET}-checked "${COURSE_CHECKS_REFUSED}")
  endif()
endfunction()

# course_lesson(NN-slug [arguments]... [REFUSES arguments...] [LIBRARIES name...]): the lesson's
# program bin/<slug> and, where it has one, bin/<slug>-ladder; with COURSE_TESTS a run of each for each
# string of arguments (none: one run without): it ends with PASS and 0, or it refuses.
function(course_lesson LESSON)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "REFUSES;LIBRARIES")
  string(REGEX REPLACE "^[0-9]+-" "" slug ${LESSON})
  file(GLOB sources CONFIGURE_DEPENDS ${COURSE_ROOT}/lessons/${LESSON}/${slug}.c*
                                      ${COURSE_ROOT}/lessons/${LESSON}/${slug}-ladder.cu)
  foreach(source ${sources})
    cmake_path(GET source STEM program)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${COURSE_ROOT})
    course_learner_program(${program} "." ${program} ${source} LIBRARIES ${ARG_LIBRARIES})
    get_target_property(type ${program} TYPE)
    if(COURSE_TESTS AND type STREQUAL EXECUTABLE)
      course_lesson_tests(${program} "${ARG_UNPARSED_ARGUMENTS}" "${ARG_REFUSES}")
    endif()
  endforeach()
endfunction()

# course_lesson_tests(PROGRAM "arguments;..." "refused arguments;..."): its runs; arguments that begin
# with -n N are for a program with MPI, which then runs on N ranks.
function(course_lesson_tests PROGRAM PASSES REFUSES)
  if(NOT PASSES)
    set(PASSES " ") # one run, without arguments
  endif()
  set(number 0)
  foreach(expected PASSES REFUSES)
    foreach(arguments IN LISTS ${expected})
      math(EXPR number "${number} + 1")
      separate_arguments(arguments UNIX_COMMAND "${arguments}")
      set(launcher)
      if(arguments MATCHES "^-n;")
        list(POP_FRONT arguments option ranks)
        set(launcher ${COURSE_ROOT}/common/ranks.sh ${ranks})
      endif()
      set(test lesson.${PROGRAM}.${number})
      string(TOLOWER ${expected} how)
      add_test(NAME ${test} COMMAND ${COURSE_ROOT}/common/lesson-test.sh ${how} ${launcher}
                                    $<TARGET_FILE:${PROGRAM}> ${arguments})
      set_tests_properties(${test} PROPERTIES LABELS lesson TIMEOUT 120)
      if(number EQUAL 1 AND COURSE_BACKEND STREQUAL cpu AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        set_target_properties(${PROGRAM}-checked PROPERTIES EXCLUDE_FROM_ALL FALSE)
        add_test(NAME ${test}.checks COMMAND ${COURSE_ROOT}/common/lesson-test.sh clean ${launcher}
                                             $<TARGET_FILE:${PROGRAM}-checked> ${arguments})
        set_tests_properties(${test}.checks PROPERTIES LABELS cpu TIMEOUT 600)
      endif()
    endforeach()
  endforeach()
endfunction()

# course_exercise(NN-slug name [COUNTED] [LIBRARIES name...]): the learner's program
# bin/exercises/<name> and the filled one bin/solutions/<name>; with COURSE_TESTS its judge and its bank
# (tests/grader.cmake). COUNTED: the judge limits loads and stores.
function(course_exercise LESSON NAME)
  cmake_parse_arguments(PARSE_ARGV 2 ARG COUNTED "" LIBRARIES)
  foreach(kind exercise solution)
    set(target ${kind}-${LESSON}-${NAME})
    course_learner_program(${target} ${kind}s ${NAME} ${kind}s/${LESSON}/${NAME}.cu
                           LIBRARIES ${ARG_LIBRARIES})
  endforeach()
  get_target_property(type ${target} TYPE)
  if(COURSE_TESTS AND type STREQUAL EXECUTABLE)
    set(counted)
    if(ARG_COUNTED)
      set(counted COUNTED)
    endif()
    course_exercise_tests(${LESSON} ${NAME} ${counted} LIBRARIES ${ARG_LIBRARIES})
  endif()
endfunction()

# An editor that uses clangd reads the .cu files themselves, in clang's own CUDA mode: so it sees
# <<<...>>>, with the headers of the CPU backend.
function(course_editor_database)
  get_property(files GLOBAL PROPERTY COURSE_CUDA_FILES)
  set(entries)
  foreach(file ${files})
    string(JOIN "\", \"" arguments clang++ -std=c++17 -xcuda --cuda-host-only -nocudainc -nocudalib
           -Xclang -fcuda-allow-variadic-functions -Wno-unknown-cuda-version
           -I${COURSE_ROOT} -I${COURSE_ROOT}/common/cpu/include -include course_cpu/editor.h -Wall -Wextra
           ${file})
    list(APPEND entries
         "{\"directory\": \"${COURSE_ROOT}\", \"file\": \"${file}\", \"arguments\": [\"${arguments}\"]}")
  endforeach()
  list(JOIN entries ",\n" entries)
  file(CONFIGURE OUTPUT ${COURSE_ROOT}/build/editor/compile_commands.json CONTENT "[\n@entries@\n]\n" @ONLY)
endfunction()

# course_compiler(OUT LIBRARY): the command that compiles a translated file, without -O and without
# cuda_runtime.h, for a program that links LIBRARY: course_cpu or course_cpu_checked. For a shell: the
# course's path may have spaces.
function(course_compiler OUT LIBRARY)
  set(command "${CMAKE_CXX_COMPILER} -std=c++17 -Wall -Wextra \"-I${COURSE_ROOT}\"")
  foreach(pair "INCLUDE_DIRECTORIES -I" "COMPILE_DEFINITIONS -D" "COMPILE_OPTIONS ")
    string(REGEX MATCH "^(.*) (.*)$" pair "${pair}")
    set(values $<TARGET_PROPERTY:${LIBRARY},INTERFACE_${CMAKE_MATCH_1}>)
    string(APPEND command
           "$<$<BOOL:${values}>: \"${CMAKE_MATCH_2}$<JOIN:${values},\" \"${CMAKE_MATCH_2}>\">")
  endforeach()
  set(${OUT} "${command}" PARENT_SCOPE)
endfunction()

# course_nvcc(OUT): nvcc with the options that choose the architectures.
function(course_nvcc OUT)
  set(command "${CMAKE_CUDA_COMPILER} -std=c++17")
  foreach(architecture ${CMAKE_CUDA_ARCHITECTURES})
    string(APPEND command " --generate-code=arch=compute_${architecture},code=sm_${architecture}")
  endforeach()
  set(${OUT} "${command}" PARENT_SCOPE)
endfunction()

# course_own(NAME COMPILE LINK [TRANSLATE]): NAME.ninja, the rules by which ./course builds a .cu file
# that is none of the course's: commands that lack their output and, but for LINK, their input.
function(course_own NAME COMPILE LINK)
  set(rules "rule compile
  command = ${COMPILE} -MD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
  description = Compiling
rule link
  command = ${LINK} -o $out
  description = Linking
")
  if(ARGC GREATER 3)
    string(APPEND rules "rule translate
  command = ${ARGV3} -M $out.d $in $out
  depfile = $out.d
  description = Translating
")
  endif()
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/${NAME}.ninja CONTENT "${rules}")
endfunction()

# course_own_files(): the rules for this backend, and the targets of the same names, which build what
# the rules use: own, and without a GPU own-checked, for the checks.
function(course_own_files)
  if(COURSE_BACKEND STREQUAL cuda)
    course_nvcc(nvcc)
    course_own(own "${nvcc} ${CMAKE_CUDA_FLAGS_RELEASE} \"-I${COURSE_ROOT}\"" "${nvcc} $in -lcublas")
    add_custom_target(own)
    return()
  endif()
  foreach(kind "" _checked)
    set(runtime course_cpu${kind})
    set(link "${CMAKE_CXX_COMPILER} $in")
    set(uses course-translate ${runtime})
    course_compiler(compile ${runtime})
    string(APPEND compile " -include cuda_runtime.h")
    if(TARGET course_cublas)
      list(APPEND uses course_cublas${kind})
      string(APPEND compile " \"-I${COURSE_ROOT}/common/cpu/cublas\"")
      string(APPEND link " \"$<TARGET_FILE:course_cublas${kind}>\" -Wl,--as-needed ${COURSE_CBLAS_LIBRARY}")
    endif()
    string(APPEND link " \"$<TARGET_FILE:${runtime}>\" -pthread")
    set(translate "\"$<TARGET_FILE:course-translate>\" -I \"${COURSE_ROOT}\"")
    if(NOT kind)
      course_own(own "${compile} -O3 -DCOURSE_CPU_ONE_FILE" "${link}" "${translate}")
      add_custom_target(own DEPENDS ${uses})
    elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      course_own(own-checked "${compile}" "${link}" "${translate} --checked")
      add_custom_target(own-checked DEPENDS ${uses})
    else()
      course_refuse(own-checked "${COURSE_CHECKS_REFUSED}")
    endif()
  endforeach()
endfunction()

# course_finish(): what follows when every lesson and exercise is known.
function(course_finish)
  course_own_files()
  if(COURSE_BACKEND STREQUAL cpu)
    course_editor_database()
  endif()
  if(COURSE_TESTS)
    add_subdirectory(tests)
  endif()
endfunction()

if(COURSE_TESTS)
  enable_testing()
  find_package(Catch2 3.4 QUIET)
  if(NOT Catch2_FOUND)
    message(STATUS "No Catch2 3.4 or newer on this machine: fetching the pinned release")
    include(FetchContent)
    FetchContent_Declare(
      Catch2
      URL https://github.com/catchorg/Catch2/archive/refs/tags/v3.4.0.tar.gz
      URL_HASH SHA256=122928b814b75717316c71af69bd2b43387643ba076a6ec16e7882bfb2dfacbb
      DOWNLOAD_EXTRACT_TIMESTAMP OFF)
    FetchContent_MakeAvailable(Catch2)
    list(APPEND CMAKE_MODULE_PATH ${Catch2_SOURCE_DIR}/extras)
  endif()
  include(Catch)
  include(tests/grader.cmake)
endif()
