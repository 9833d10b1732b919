# The CPU backend as a CUDA Toolkit: common/cpu is a project of its own. Here only what CMake's test of a CUDA compiler needs
# is built; the target `toolkit` builds the rest, and keeps it up to date.
set(COURSE_TOOLKIT ${CMAKE_BINARY_DIR}/toolkit)
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
message(STATUS "Building the CPU backend's nvcc, which is the CUDA compiler of this build folder ...")
foreach(arguments "-S;${COURSE_ROOT}/common/cpu;-B;${COURSE_TOOLKIT};-G;${CMAKE_GENERATOR};-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
                  "--build;${COURSE_TOOLKIT};--parallel;${cores};--target;nvcc;cudart_static")
  execute_process(COMMAND ${CMAKE_COMMAND} ${arguments} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "the CPU backend was not built:\n${said}")
  endif()
endforeach()
set(CMAKE_CUDA_COMPILER ${COURSE_TOOLKIT}/bin/nvcc)
set(CMAKE_CUDA_ARCHITECTURES OFF)
# A make that runs this build passes flags that do not fit.
set(without_flags ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS --unset=MAKELEVEL)
set(precompiled)
if(BUILD_TESTING)
  set(precompiled --target all precompiled) # pays when more is compiled than a lesson
endif()
add_custom_target(toolkit COMMAND ${without_flags} ${CMAKE_COMMAND} --build ${COURSE_TOOLKIT} --parallel ${cores} ${precompiled} COMMENT "" VERBATIM
                          BYPRODUCTS ${COURSE_TOOLKIT}/bin/nvcc ${COURSE_TOOLKIT}/lib64/libcudart_static.a
                                     ${COURSE_TOOLKIT}/lib64/libcudart_process.so
                                     ${COURSE_TOOLKIT}/lib64/libcublas_static.a
                                     ${COURSE_TOOLKIT}/lib64/libnccl.a)

# Programs for the tools are instrumented by g++, and linked with instrumented libraries.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(COURSE_INSTRUMENTS 1)
  add_custom_target(toolkit-instrumented
                    COMMAND ${without_flags} ${CMAKE_COMMAND} --build ${COURSE_TOOLKIT} --parallel ${cores} --target instrumented COMMENT "" VERBATIM
                    BYPRODUCTS ${COURSE_TOOLKIT}/lib64/libcudart_instrumented.a)
  add_dependencies(toolkit-instrumented toolkit) # never two builds in one folder
  add_library(course_instrumented INTERFACE)
  # The second reader has read the same source for the plain program.
  target_compile_options(course_instrumented INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:--instrument;--second-reader=none>")
  target_link_libraries(course_instrumented INTERFACE ${COURSE_TOOLKIT}/lib64/libcudart_instrumented.a pthread)
endif()
