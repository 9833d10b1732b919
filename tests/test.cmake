# The tests' tiers, as labels of ctest and as targets suite-TIER that build what a tier runs:
#
#   quick      ./course test           each page's program, each solution, a wrong answer for each exercise, the command
#   commit     ./course test --all     what a change must pass: quick, and every judge, checker and fault once
#   nightly    ./course test --nightly, and K/8 of it, nightly-K: all answers under all tools, in all orders; other
#                                      compilers and systems
#
# CMake makes the tests up to the tier COURSE_TIER, and `all` builds what they run. suite-LABEL builds what the tests with
# another label run in the first two tiers. The learner's own exercises have the label mine, and no tier (exercises.cmake).
set(tiers quick commit nightly)
if(NOT COURSE_TIER IN_LIST tiers)
  message(FATAL_ERROR "COURSE_TIER is '${COURSE_TIER}'; use quick, commit or nightly")
endif()
foreach(suite quick commit nightly course cpu exercise grader jobs lesson)
  set(all)
  if(suite STREQUAL COURSE_TIER OR (suite STREQUAL "commit" AND COURSE_TIER STREQUAL "nightly"))
    set(all ALL)
  endif()
  add_custom_target(suite-${suite} ${all})
endforeach()
foreach(eighth RANGE 1 8)
  add_custom_target(suite-nightly-${eighth})
endforeach()

# The files that a test protects in addition to the inputs that it names, by its label: if they change, the test runs
# again (tests/stamped).
set(COURSE_PROTECTS_course ${COURSE_ROOT}/course ${COURSE_ROOT}/common/cli ${COURSE_ROOT}/common/cmake)
set(COURSE_PROTECTS_jobs ${COURSE_PROTECTS_course} ${COURSE_ROOT}/jobs)
if(COURSE_BACKEND STREQUAL cpu)
  set(COURSE_PROTECTS_cpu ${COURSE_TOOLKIT}/bin ${COURSE_TOOLKIT}/include ${COURSE_TOOLKIT}/lib64)
endif()

# course_eighth(OUT COST): the eighth of the nightly tests that has least to do so far, 1 to 8.
function(course_eighth OUT COST)
  unset(least)
  foreach(eighth RANGE 1 8)
    get_property(load GLOBAL PROPERTY COURSE_EIGHTH_${eighth})
    if(NOT load)
      set(load 0)
    endif()
    if(NOT DEFINED least OR load LESS least)
      set(least ${load})
      set(chosen ${eighth})
    endif()
  endforeach()
  math(EXPR load "${least} + ${COST} + 5")
  set_property(GLOBAL PROPERTY COURSE_EIGHTH_${chosen} ${load})
  set(${OUT} ${chosen} PARENT_SCOPE)
endfunction()

# course_tier_of(OUT ORDER): of the tests that are the same but for the order of the threads, one is of the tier commit.
function(course_tier_of OUT ORDER)
  set(${OUT} NIGHTLY PARENT_SCOPE)
  if(ORDER MATCHES "random:1$")
    set(${OUT} "" PARENT_SCOPE)
  endif()
endfunction()

# course_test(NAME LABEL [QUICK | NIGHTLY] [TIMEOUT seconds] [COST seconds] [INPUTS path...] [BUILDS target...]
# [PROPERTIES name value...] COMMAND word...): a test, of the tier commit if no other is named; none above COURSE_TIER. Where
# it has passed before it is not run again while its inputs are the same (tests/stamped): the files that COMMAND names, INPUTS,
# and what its label protects. For it are built the targets that both name as $<TARGET_FILE:...>, and BUILDS. COST: about how
# long a core works for it; long tests start first.
function(course_test NAME LABEL)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "QUICK;NIGHTLY" "TIMEOUT;COST" "INPUTS;BUILDS;PROPERTIES;COMMAND")
  set(tiers commit)
  if(ARG_QUICK)
    list(APPEND tiers quick)
  elseif(ARG_NIGHTLY)
    course_eighth(eighth 0${ARG_COST})
    set(tiers nightly nightly-${eighth})
  endif()
  if((COURSE_TIER STREQUAL "quick" AND NOT ARG_QUICK) OR (COURSE_TIER STREQUAL "commit" AND ARG_NIGHTLY))
    return()
  endif()
  set(suites ${tiers})
  if(NOT ARG_NIGHTLY)
    list(APPEND suites ${LABEL})
  endif()
  string(REGEX MATCHALL "TARGET_FILE:[^>]+" programs "${ARG_COMMAND};${ARG_INPUTS}")
  list(TRANSFORM programs REPLACE "TARGET_FILE:" "")
  foreach(suite IN LISTS suites)
    foreach(target IN LISTS programs ARG_BUILDS)
      add_dependencies(suite-${suite} ${target})
    endforeach()
  endforeach()
  set(stamped ${COURSE_ROOT}/tests/stamped ${NAME} ${ARG_INPUTS} ${COURSE_PROTECTS_${LABEL}} --)
  if(PASS_REGULAR_EXPRESSION IN_LIST ARG_PROPERTIES)
    set(stamped) # its output tells
  endif()
  add_test(NAME ${NAME} COMMAND ${stamped} ${ARG_COMMAND})
  set_tests_properties(${NAME} PROPERTIES LABELS "${LABEL};${tiers}" ${ARG_PROPERTIES})
  foreach(property TIMEOUT COST)
    if(ARG_${property})
      set_tests_properties(${NAME} PROPERTIES ${property} ${ARG_${property}})
    endif()
  endforeach()
endfunction()
