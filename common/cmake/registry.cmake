# The targets and tests of all lessons and exercises, from registry.txt beside it, which says what its
# lines mean. An edit of registry.txt configures anew.

# course_registry_line(LINE PLACE): calls course_lesson or course_exercise for the line.
function(course_registry_line LINE PLACE)
  set(word "[A-Za-z0-9._/=,+-]+")
  set(lesson "[0-9][0-9]-[a-z0-9-]+")
  set(exercise "${lesson}/[a-z0-9-]+")
  set(library "( cublas| curand| libpython| mpi| mpi4py| nccl| python)")
  if(NOT LINE MATCHES "^lesson ${lesson}( [|] (needs${library}+|run( ${word})*|refuse( ${word})+|(bench|program) [a-z0-9-]+${library}*))*$" AND
     NOT LINE MATCHES "^exercise ${exercise}( [|] (needs${library}+|counted|uses ${exercise}))*$")
    message(FATAL_ERROR "${PLACE}: neither a lesson nor an exercise, as the file's first lines describe them: ${LINE}")
  endif()

  string(REPLACE " | " ";" fields "${LINE}")
  list(POP_FRONT fields first)
  string(REGEX REPLACE "[ /]" ";" first "${first}")
  list(POP_FRONT first kind) # leaves NN-slug, and of an exercise its name
  foreach(field needs run refuse bench program uses)
    set(${field})
  endforeach()
  foreach(text IN LISTS fields)
    string(REGEX MATCH "^([a-z]+) ?(.*)$" text "${text}")
    set(field ${CMAKE_MATCH_1})
    set(value "${CMAKE_MATCH_2}")
    if(field MATCHES "^(run|refuse|program)$")
      list(APPEND ${field} "${value} ") # the blank: without arguments it is an element, too
    else()
      string(REPLACE " " ";" value "${value}")
      list(APPEND ${field} ${value})
    endif()
  endforeach()
  if(kind STREQUAL "lesson")
    course_lesson(${first} ${run} REFUSES ${refuse} LIBRARIES ${needs} BENCH ${bench} PROGRAMS ${program})
  else()
    course_exercise(${first} USES ${uses} LIBRARIES ${needs})
  endif()
endfunction()

# course_registry(): all lines. What programs need and this machine lacks goes to missing.txt in the build
# folder, a line each, for ./course.
function(course_registry)
  set(registry ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/registry.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${registry})
  file(STRINGS ${registry} lines)
  set(number 0)
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    if(NOT line MATCHES "^(#|$)")
      course_registry_line("${line}" "${registry}:${number}")
    endif()
  endforeach()

  get_property(missing GLOBAL PROPERTY COURSE_MISSING)
  list(REMOVE_DUPLICATES missing)
  list(TRANSFORM missing APPEND "\n")
  string(JOIN "" missing ${missing})
  file(WRITE ${CMAKE_BINARY_DIR}/missing.txt "${missing}")
endfunction()
