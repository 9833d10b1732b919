#include "tests/grader/device_turn.hpp"

#include "tests/grader/environment.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace course {

std::string device_name() {
  std::string first = variable("CUDA_VISIBLE_DEVICES", "0");
  first = first.substr(0, first.find(','));
  if (first.find_first_not_of("0123456789") != first.npos) { // a UUID
    std::replace(first.begin(), first.end(), '/', '-');      // of a part of a device
    return first;
  }
  const std::string command =
      "nvidia-smi --query-gpu=uuid --format=csv,noheader -i " + first + " 2>/dev/null";
  char uuid[128] = "";
  if (std::FILE *answer = popen(command.c_str(), "re")) {
    const bool read = std::fgets(uuid, sizeof uuid, answer);
    if (pclose(answer) != 0 || !read)
      uuid[0] = 0;
  }
  uuid[std::strcspn(uuid, "\n")] = 0;
  return *uuid ? uuid : first;
}

DeviceTurn::DeviceTurn(const std::string &device) {
  const std::string path = "/dev/shm/cuda-course-" + device + ".lock";
  // Created by whoever comes first; another user's file may be opened, but not with O_CREAT.
  file_ = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file_ < 0) {
    file_ = open(path.c_str(), O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file_ >= 0)
      fchmod(file_, 0666); // whatever the umask
    else
      file_ = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  }
  if (file_ >= 0)
    while (flock(file_, LOCK_EX) != 0 && errno == EINTR)
      ;
}

DeviceTurn::~DeviceTurn() {
  if (file_ >= 0)
    close(file_);
}

} // namespace course
