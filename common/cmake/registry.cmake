# The reader of registry.json, which has an entry on each line: the libraries, then each lesson with its programs and
# exercises, in the order of ./course list. A list is ["one", "two"].
#
#   library NAME            what lessons may need; libraries.cmake makes the target course_NAME where this machine has it
#     toolkit TARGET        CMake's name for a library of the CUDA Toolkit, such as CUDA::cufft: nothing else finds it
#     debian, fedora, modules "WORD..."   the packages, and a cluster's modules, that ./course installs or names
#   lesson NN-slug
#     idea TEXT             its row in README.md, which tests/course/pages --write writes
#     needs [LIBRARY]       its programs are left out where this machine lacks one. With python x-y.cu is the extension
#                           x_y, and x-y.py a program; with libpython a program has Python inside
#     run ["ARGUMENT..."]   the arguments of each test run, which ends with PASS; -n N first: on N MPI ranks; -d N first:
#                           with N devices, on the CPU backend; an argument that begins with lessons/ is a file.
#                           Without this field there is one test run, without arguments
#     refuse ["ARGUMENT..."]  the program must refuse these arguments
#     words N               its page has at most so many words of prose; tests/course/pages
#     deep N                at most so many words on all its pages deep-*.md; without this field 1500
#   program NN-slug/NAME
#     needs [LIBRARY]       what this program needs instead of its lesson's libraries
#   exercise NN-slug/NAME
#     needs [LIBRARY]
#     core true             one of the two that a course does; shown on the lesson's page
#     counted true          its judge limits loads and stores, or what these cost
#     points N              what a right answer is worth, 1 to 999; without this field 1
#     uses [NN-slug/NAME]   its program is linked with these earlier exercises: the learner's own; when it is graded, the
#                           solutions
#
# A new field is a name and a form below. As a script, cmake -P registry.cmake prints the registry for bash (common/cli/names.sh).
# The grader reads the exercises (common/grader/registry.cpp). Nothing else tests the form of registry.json.
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)
endif()

set(COURSE_FIELDS_library toolkit debian fedora modules)
set(COURSE_FIELDS_lesson idea needs run refuse words deep)
set(COURSE_FIELDS_program needs)
set(COURSE_FIELDS_exercise needs core counted points uses)
set(COURSE_FORM_library "[a-z0-9]+") # of the names, then of the fields; of needs and uses see below
set(COURSE_FORM_lesson "[0-9][0-9]-[a-z0-9-]+")
set(COURSE_FORM_program "${COURSE_FORM_lesson}/[a-z0-9-]+")
set(COURSE_FORM_exercise "${COURSE_FORM_program}")
set(COURSE_FORM_toolkit "CUDA::[A-Za-z]+")
foreach(field debian fedora modules)
  set(COURSE_FORM_${field} "[A-Za-z0-9_.+ -]+")
endforeach()
set(COURSE_FORM_idea ".+")
set(COURSE_FORM_run "\\[ (\"[A-Za-z0-9._/=,+ -]*\",? )+\\]")
set(COURSE_FORM_refuse "${COURSE_FORM_run}")
set(COURSE_FORM_words "[0-9]+")
set(COURSE_FORM_deep "[0-9]+")
set(COURSE_FORM_points "[1-9][0-9]?[0-9]?")
set(COURSE_FORM_core ON)
set(COURSE_FORM_counted ON)

set(COURSE_REGISTRY ${CMAKE_CURRENT_LIST_DIR}/registry.json)
function(course_registry_error TEXT)
  message(FATAL_ERROR " ${COURSE_REGISTRY}: ${TEXT}\n Correct this entry; the head of registry.cmake says what entries have.")
endfunction()

# COURSE_lesson and so on: the names of all entries of a kind. COURSE_run_03-add-list: what an entry has in a field.
file(READ ${COURSE_REGISTRY} json)
string(JSON size ERROR_VARIABLE error LENGTH "${json}")
if(error)
  course_registry_error("${error}")
endif()
set(for_bash)
math(EXPR last "${size} - 1")
foreach(i RANGE ${last})
  string(JSON entry GET "${json}" ${i})
  string(REGEX REPLACE "[ \n\t]+" " " entry "${entry}")
  if(NOT entry MATCHES "\"(library|lesson|program|exercise)\" : \"([^\"]*)\"")
    course_registry_error("neither library, lesson, program nor exercise: ${entry}")
  endif()
  set(kind ${CMAKE_MATCH_1})
  set(name "${CMAKE_MATCH_2}")
  string(REGEX REPLACE "/.*" "" lesson "${name}")
  if(NOT name MATCHES "^(${COURSE_FORM_${kind}})$" OR name IN_LIST COURSE_${kind} OR
     (name MATCHES / AND NOT lesson IN_LIST COURSE_lesson))
    course_registry_error("${kind} \"${name}\" is not of the form ${COURSE_FORM_${kind}}, or there twice, or before its lesson")
  endif()
  string(REPLACE ";" "|" libraries "${COURSE_library}")
  string(REPLACE ";" "|" exercises "${COURSE_exercise}")
  set(COURSE_FORM_needs "\\[ (\"(${libraries})\",? )+\\]")
  set(COURSE_FORM_uses "\\[ (\"(${exercises})\",? )+\\]")
  list(APPEND COURSE_${kind} ${name})
  string(JSON size LENGTH "${entry}")
  math(EXPR last_field "${size} - 1")
  foreach(j RANGE ${last_field})
    string(JSON field MEMBER "${entry}" ${j})
    if(field STREQUAL kind)
      continue()
    endif()
    string(JSON value GET "${entry}" "${field}")
    string(JSON type TYPE "${entry}" "${field}")
    string(REGEX REPLACE "[ \n\t]+" " " value "${value}")
    if(NOT field IN_LIST COURSE_FIELDS_${kind})
      course_registry_error("${kind} ${name} cannot have \"${field}\", but ${COURSE_FIELDS_${kind}}")
    elseif(NOT value MATCHES "^(${COURSE_FORM_${field}})$" OR (field STREQUAL "points" AND NOT type STREQUAL "NUMBER"))
      course_registry_error("${kind} ${name}: \"${field}\" is not of the form ${COURSE_FORM_${field}}: ${value}")
    endif()
    set(lines "${value}")
    if(value MATCHES "^\\[ \"(.*)\" \\]$")
      string(REPLACE "\", \"" ";" value "${CMAKE_MATCH_1}")
      string(REPLACE ";" "\n" lines "${value}")
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
  list(TRANSFORM missing APPEND "\n")
  string(JOIN "" missing ${missing})
  file(WRITE ${CMAKE_BINARY_DIR}/missing.txt "${missing}")
endfunction()
