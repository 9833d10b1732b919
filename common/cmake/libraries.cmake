# The libraries of the registry, as targets course_<name>. What this machine lacks has no target.

find_package(CUDAToolkit REQUIRED)
foreach(library IN LISTS COURSE_library)
  set(target "${COURSE_toolkit_${library}}")
  set(file)
  if(TARGET "${target}") # CUDA::cublas without a GPU: where there is a CBLAS
    get_target_property(file ${target} IMPORTED_LOCATION)
  endif()
  if(file AND COURSE_BACKEND STREQUAL cpu) # NVIDIA's own are of no use there
    file(REAL_PATH ${COURSE_TOOLKIT} toolkit)
    file(REAL_PATH ${file} real)
    cmake_path(IS_PREFIX toolkit ${real} file)
  endif()
  if(file)
    add_library(course_${library} INTERFACE)
    target_link_libraries(course_${library} INTERFACE ${target})
  endif()
endforeach()

# <cuda/std/mdspan>
if(COURSE_BACKEND STREQUAL cpu OR CUDAToolkit_VERSION VERSION_GREATER_EQUAL 12.2)
  add_library(course_mdspan INTERFACE)
endif()

# NCCL: without a GPU the CPU backend's own. Else it is not part of the toolkit, but often installed next to it, or a module.
# COURSE_NCCL_RANKS: the largest number of ranks that can run here.
set(COURSE_NCCL_FOLDERS)
if(COURSE_BACKEND STREQUAL cpu)
  add_library(course_nccl INTERFACE)
  target_link_libraries(course_nccl INTERFACE ${COURSE_TOOLKIT}/lib64/libnccl.a)
  set(COURSE_NCCL_RANKS 1000)
else()
  execute_process(COMMAND nvidia-smi --list-gpus OUTPUT_VARIABLE gpus ERROR_QUIET RESULT_VARIABLE no_gpus)
  string(REGEX MATCHALL "GPU [0-9]+:" gpus "${gpus}")
  list(LENGTH gpus COURSE_NCCL_RANKS)
  set(places ENV NCCL_HOME ENV NCCL_ROOT ENV EBROOTNCCL)
  find_path(COURSE_NCCL_INCLUDE nccl.h HINTS ${places} ENV CPATH ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES include)
  find_library(COURSE_NCCL_LIBRARY nccl HINTS ${places} ENV LIBRARY_PATH ${CUDAToolkit_LIBRARY_DIR} PATH_SUFFIXES lib lib64)
  if(COURSE_NCCL_INCLUDE AND COURSE_NCCL_LIBRARY)
    # -isystem /usr/include would hide C's headers from C++'s.
    if(NOT COURSE_NCCL_INCLUDE IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
      set(COURSE_NCCL_FOLDERS ${COURSE_NCCL_INCLUDE})
    endif()
    add_library(course_nccl INTERFACE)
    target_include_directories(course_nccl SYSTEM INTERFACE ${COURSE_NCCL_FOLDERS})
    target_link_libraries(course_nccl INTERFACE ${COURSE_NCCL_LIBRARY})
  endif()
endif()

# MPI, by its C interface. Where it is missing, what needs it is left out; also where only mpirun is installed: Debian's
# mpicxx is there then, without headers, which find_package takes for an error.
set(MPI_CXX_SKIP_MPICXX ON)
find_program(COURSE_MPICXX mpicxx)
set(no_headers FALSE)
if(COURSE_MPICXX)
  file(CONFIGURE OUTPUT uses-mpi.cpp CONTENT "#include <mpi.h>\n")
  execute_process(COMMAND ${COURSE_MPICXX} -E ${CMAKE_CURRENT_BINARY_DIR}/uses-mpi.cpp OUTPUT_QUIET ERROR_QUIET
                  RESULT_VARIABLE no_headers)
endif()
if(NOT no_headers)
  find_package(MPI QUIET COMPONENTS CXX)
endif()
if(MPI_CXX_FOUND)
  add_library(course_mpi INTERFACE)
  target_include_directories(course_mpi SYSTEM INTERFACE ${MPI_CXX_INCLUDE_DIRS})
  target_compile_definitions(course_mpi INTERFACE OMPI_SKIP_MPICXX)
  target_link_libraries(course_mpi INTERFACE ${MPI_CXX_LIBRARIES})
endif()

# Python, for extensions and the programs that import them. ./course names that of build/python (common/cli/python.sh). Else the
# first on the PATH, or the distribution's, with whose packages its modules come.
set(components COMPONENTS Interpreter Development.Module NumPy)
set(named ${Python_EXECUTABLE})
find_package(Python QUIET ${components})
if(NOT Python_FOUND AND NOT named)
  set(Python_EXECUTABLE /usr/bin/python3)
  find_package(Python QUIET ${components})
endif()
set(COURSE_PYTHON ${Python_EXECUTABLE})
if(Python_FOUND)
  set(PYBIND11_NOPYTHON ON) # it looks for a Python of its own otherwise
  # A package of Python knows where its files for CMake are.
  execute_process(COMMAND ${COURSE_PYTHON} -m pybind11 --cmakedir OUTPUT_VARIABLE pybind11_ROOT ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  find_package(pybind11 QUIET CONFIG)
endif()
if(Python_FOUND AND pybind11_FOUND)
  add_library(course_python INTERFACE)
  target_link_libraries(course_python INTERFACE Python::Module pybind11::headers)
  execute_process(COMMAND ${COURSE_PYTHON} -c "import mpi4py" ERROR_QUIET RESULT_VARIABLE no_mpi4py)
  if(NOT no_mpi4py)
    add_library(course_mpi4py INTERFACE)
  endif()
  # Folders that a program of Python reads, for the grader.
  execute_process(COMMAND ${COURSE_PYTHON} -c "import os, sys
places = [sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.path.realpath(sys.executable)), *sys.path]
print(*sorted({os.path.realpath(place) for place in places if os.path.exists(place)}), sep=';', end='')"
                  OUTPUT_VARIABLE COURSE_PYTHON_PLACES)
endif()
