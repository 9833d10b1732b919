# The reader of registry.json, which has an entry on each line: the libraries, then each lesson with its programs and
# exercises, in the order of ./course list. A list is ["one", "two"].
#
#   library NAME            what lessons may need; libraries.cmake makes the target course_NAME where this machine has it
#     toolkit TARGET        CMake's name for a library of the CUDA Toolkit, such as CUDA::cufft: nothing else finds it
#     debian, fedora, modules "WORD..."   the packages, and a cluster's modules, that ./course installs or names
#   lesson NN-slug
#     idea TEXT             its row in README.md, which common/pages/write writes
#     needs [LIBRARY]       its programs are left out where this machine lacks one. With python x-y.cu is the shared
#                           library x_y.so, and x-y.py a program
#     run ["ARGUMENT..."]   the arguments of each test run, which ends with PASS; -n N first: on N MPI ranks; -d N first:
#                           with N devices, on the CPU backend; an argument that begins with lessons/ is a file.
#                           Without this field there is one test run, without arguments
#     refuse ["ARGUMENT..."]  the program must refuse these arguments
#   program NN-slug/NAME
#     needs [LIBRARY]       what this program needs instead of its lesson's libraries
#   exercise NN-slug/NAME
#     needs [LIBRARY]       with python the learner writes NAME.py, which calls the library of exercises/NN-slug/NAME.cu
#     core true             one of the lesson's two core exercises; shown on the lesson's page
#     counted true          its judge limits loads and stores, or what these cost
#     points N              what a right answer is worth, 1 to 999; without this field 1
#     uses [NN-slug/NAME]   its program is linked with these earlier exercises: the learner's own; when it is graded, the
#                           solutions
#
# registry.schema.json says the same for .ci/run, which checks the form of registry.json. As a script, cmake -P registry.cmake
# prints the registry for bash (common/cli/names.sh). The grader reads the exercises (common/grader/commands/registry.cpp).
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)
endif()

set(COURSE_REGISTRY ${CMAKE_CURRENT_LIST_DIR}/registry.json)

# COURSE_lesson and so on: the names of all entries of a kind. COURSE_run_03-add-list: what an entry has in a field.
file(READ ${COURSE_REGISTRY} json)
string(JSON size ERROR_VARIABLE error LENGTH "${json}")
if(error)
  message(FATAL_ERROR " ${COURSE_REGISTRY}: ${error}")
endif()
set(for_bash)
math(EXPR last "${size} - 1")
foreach(i RANGE ${last})
  string(JSON entry GET "${json}" ${i})
  set(name)
  foreach(kind library lesson program exercise)
    string(JSON value ERROR_VARIABLE other GET "${entry}" ${kind})
    if(NOT other)
      set(name ${value})
      list(APPEND COURSE_${kind} ${name})
    endif()
  endforeach()
  if(NOT name)
    message(FATAL_ERROR " ${COURSE_REGISTRY}: neither library, lesson, program nor exercise: ${entry}")
  endif()
  string(JSON size LENGTH "${entry}")
  math(EXPR last_field "${size} - 1")
  foreach(j RANGE ${last_field})
    string(JSON field MEMBER "${entry}" ${j})
    string(JSON value GET "${entry}" ${field})
    string(JSON type TYPE "${entry}" ${field})
    set(lines "${value}")
    if(type STREQUAL ARRAY)
      string(REGEX REPLACE "^\\[[ \n]*\"|\"[ \n]*\\]$" "" value "${value}")
      string(REGEX REPLACE "\",[ \n]*\"" ";" value "${value}")
      string(REPLACE ";" "\n" lines "${value}")
    endif()
    if(field MATCHES "^(library|lesson|program|exercise)$")
      continue()
    endif()
    set(COURSE_${field}_${name} "${value}")
    string(REPLACE "'" "'\\''" lines "${lines}")
    string(APPEND for_bash "['${name} ${field}']='${lines}'\n")
  endforeach()
endforeach()
if(CMAKE_SCRIPT_MODE_FILE)
  list(JOIN COURSE_library " " libraries)
  list(JOIN COURSE_exercise " " exercises)
  message(NOTICE "known_libraries=(${libraries})\nexercises=(${exercises})\nregistry=(\n${for_bash})")
endif()

# course_registry(): the targets and tests of all lessons and exercises. What programs need and this machine lacks goes to
# missing.txt in the build folder, a line each, for ./course.
function(course_registry)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${COURSE_REGISTRY})
  foreach(lesson IN LISTS COURSE_lesson)
    course_lesson(${lesson})
  endforeach()
  foreach(exercise IN LISTS COURSE_exercise)
    string(REPLACE / ";" exercise ${exercise})
    course_exercise(${exercise})
  endforeach()
  get_property(missing GLOBAL PROPERTY COURSE_MISSING)
  list(REMOVE_DUPLICATES missing)
  set(libraries ${missing})
  list(REMOVE_ITEM libraries tests)
  if(libraries)
    list(JOIN libraries ", " libraries)
    message(STATUS "Left out: programs that need a library which this machine does not have: ${libraries}")
  endif()
  list(TRANSFORM missing APPEND "\n")
  string(JOIN "" missing ${missing})
  file(WRITE ${CMAKE_BINARY_DIR}/missing.txt "${missing}")
endfunction()
