# What the tests with a label run, and what all run: targets that ./course test and CI build.
foreach(suite all quick course cpu exercise grader jobs lesson)
  add_custom_target(suite-${suite})
endforeach()

# course_test(NAME LABEL [QUICK] [TIMEOUT seconds] [COST seconds] [INPUTS path...] [BUILDS target...]
# [PROPERTIES name value...] COMMAND word...): a test. QUICK: ./course test runs it also without --all. Where it has passed
# before it is not run again while its inputs are the same (tests/stamped): the files that COMMAND names, and INPUTS. For it
# are built the targets that both name as $<TARGET_FILE:...>, and BUILDS. COST: about how long it takes; long tests start first.
function(course_test NAME LABEL)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "QUICK" "TIMEOUT;COST" "INPUTS;BUILDS;PROPERTIES;COMMAND")
  set(labels ${LABEL})
  if(ARG_QUICK)
    list(APPEND labels quick)
  endif()
  string(REGEX MATCHALL "TARGET_FILE:[^>]+" programs "${ARG_COMMAND};${ARG_INPUTS}")
  list(TRANSFORM programs REPLACE "TARGET_FILE:" "")
  foreach(suite IN LISTS labels ITEMS all)
    foreach(target IN LISTS programs ARG_BUILDS)
      add_dependencies(suite-${suite} ${target})
    endforeach()
  endforeach()
  set(stamped ${COURSE_ROOT}/tests/stamped ${NAME} ${ARG_INPUTS} --)
  if(PASS_REGULAR_EXPRESSION IN_LIST ARG_PROPERTIES)
    set(stamped) # what it prints tells
  endif()
  add_test(NAME ${NAME} COMMAND ${stamped} ${ARG_COMMAND})
  set_tests_properties(${NAME} PROPERTIES LABELS "${labels}" ${ARG_PROPERTIES})
  foreach(property TIMEOUT COST)
    if(ARG_${property})
      set_tests_properties(${NAME} PROPERTIES ${property} ${ARG_${property}})
    endif()
  endforeach()
endfunction()
