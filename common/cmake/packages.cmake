# The libraries of check, test and bench: this machine's where they are new enough, else pinned releases, which are downloaded
# into COURSE_SOURCES: ./course has one such folder for all build folders, since a cluster's nodes may not reach the internet.
# If one is missing, COURSE_GRADES stays false, and only the lessons are tested.
include(FetchContent)
set(COURSE_SOURCES ${CMAKE_BINARY_DIR}/sources CACHE PATH "the folder for downloaded releases")

# course_package(NAME VERSION URL SHA256): appends NAME to missing_packages where it is neither here nor could be downloaded.
macro(course_package NAME VERSION URL SHA256)
  find_package(${NAME} ${VERSION} QUIET)
  if(NOT ${NAME}_FOUND)
    get_filename_component(archive ${URL} NAME)
    set(archive ${COURSE_SOURCES}/${NAME}-${archive})
    # A machine without a network waits once. A job downloads nothing.
    if(NOT EXISTS ${archive} AND NOT missing_packages AND NOT DEFINED ENV{SLURM_JOB_ID})
      message(STATUS "No ${NAME} ${VERSION} or newer on this machine: downloading the pinned release")
      string(RANDOM part) # another build folder may download it at the same time
      file(DOWNLOAD ${URL} ${archive}.${part} STATUS ignored INACTIVITY_TIMEOUT 10 TIMEOUT 120)
      set(hash)
      if(EXISTS ${archive}.${part})
        file(SHA256 ${archive}.${part} hash)
      endif()
      if(hash STREQUAL ${SHA256}) # else it is incomplete, or the page of a proxy
        file(RENAME ${archive}.${part} ${archive})
      endif()
      file(REMOVE ${archive}.${part})
    endif()
    if(EXISTS ${archive})
      FetchContent_Declare(${NAME} URL ${archive} DOWNLOAD_EXTRACT_TIMESTAMP OFF)
      FetchContent_MakeAvailable(${NAME})
    else()
      list(APPEND missing_packages "${NAME} ${VERSION}")
    endif()
  endif()
endmacro()

set(missing_packages)
course_package(Catch2 3.4 https://github.com/catchorg/Catch2/archive/refs/tags/v3.4.0.tar.gz
               122928b814b75717316c71af69bd2b43387643ba076a6ec16e7882bfb2dfacbb)
course_package(nlohmann_json 3.10 https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
               d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d)
course_package(CLI11 2.1 https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
               f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)
if(missing_packages)
  list(JOIN missing_packages ", " names)
  message(STATUS "Left out: all tests except those of the lessons. They need ${names}, which this machine does not have, and which "
                 "could not be downloaded. On Debian and Ubuntu: apt install catch2 nlohmann-json3-dev libcli11-dev")
  set_property(GLOBAL APPEND PROPERTY COURSE_MISSING tests)
  return()
endif()

set(COURSE_GRADES TRUE)
if(Catch2_SOURCE_DIR)
  list(APPEND CMAKE_MODULE_PATH ${Catch2_SOURCE_DIR}/extras)
endif()
include(Catch)
