# The libraries of check, test and bench: the distribution's where they are new enough, else pinned releases, downloaded
# once for all build folders: a cluster's nodes may not reach the internet.
include(FetchContent)

# course_package(NAME VERSION URL SHA256)
macro(course_package NAME VERSION URL SHA256)
  find_package(${NAME} ${VERSION} QUIET)
  if(NOT ${NAME}_FOUND)
    message(STATUS "No ${NAME} ${VERSION} or newer on this machine: fetching the pinned release")
    string(TOLOWER ${NAME} folder)
    string(TOUPPER ${NAME} variable)
    set(source ${COURSE_ROOT}/build/sources/${folder})
    if(EXISTS ${source}/CMakeLists.txt)
      set(FETCHCONTENT_SOURCE_DIR_${variable} ${source})
    endif()
    FetchContent_Declare(${NAME} URL ${URL} URL_HASH SHA256=${SHA256} DOWNLOAD_EXTRACT_TIMESTAMP OFF SOURCE_DIR ${source})
    FetchContent_MakeAvailable(${NAME})
  endif()
endmacro()

course_package(Catch2 3.4 https://github.com/catchorg/Catch2/archive/refs/tags/v3.4.0.tar.gz
               122928b814b75717316c71af69bd2b43387643ba076a6ec16e7882bfb2dfacbb)
if(Catch2_SOURCE_DIR)
  list(APPEND CMAKE_MODULE_PATH ${Catch2_SOURCE_DIR}/extras)
endif()
include(Catch)
course_package(nlohmann_json 3.10 https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
               d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d)
course_package(CLI11 2.1 https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
               f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)

# The table and the JSON of ./course bench.
add_executable(figures common/profiling/figures.cpp)
target_compile_options(figures PRIVATE -O0) # compiled for longer than it runs
target_link_libraries(figures PRIVATE nlohmann_json::nlohmann_json)
target_include_directories(figures PRIVATE ${CMAKE_SOURCE_DIR})
set_target_properties(figures PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${COURSE_BIN}/tools)
