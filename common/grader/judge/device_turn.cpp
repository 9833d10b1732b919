#include "common/grader/judge/device_turn.hpp"

#include "common/grader/judge/environment.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace course {

std::string device_name() {
  std::string first = variable("CUDA_VISIBLE_DEVICES", "0");
  first = first.substr(0, first.find(','));
  if (first.find_first_not_of("0123456789") != first.npos) { // a UUID
    std::replace(first.begin(), first.end(), '/', '-');      // of a part of a device
    return first;
  }
  std::error_code ignored;
  std::set<std::filesystem::path> devices; // in the order of their places on the bus
  for (const auto &entry : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", ignored))
    devices.insert(entry.path());
  const std::size_t index = std::atoi(first.c_str());
  if (index >= devices.size())
    return first;
  std::ifstream about(*std::next(devices.begin(), index) / "information");
  for (std::string word; about >> word;)
    if (word.compare(0, 4, "GPU-") == 0)
      return word;
  return first;
}

namespace {

// Created by whoever comes first; another user's file may be opened, but not with O_CREAT.
int open_lock(const std::string &path) {
  int file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file >= 0)
    return file;
  file = open(path.c_str(), O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0)
    return open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  fchmod(file, 0666); // whatever the umask
  return file;
}

} // namespace

DeviceTurn::DeviceTurn(const std::string &device, bool shares) {
  constexpr int parts = 4; // that there are; who does not share takes all, always in the same order
  const auto take = [&](int part, int how) {
    const int file =
        open_lock("/dev/shm/cuda-course-" + device + "-" + std::to_string(part) + ".lock");
    if (file < 0)
      return true;
    int taken;
    do
      taken = flock(file, how);
    while (taken != 0 && errno == EINTR);
    if (taken == 0)
      files_.push_back(file);
    else
      close(file);
    return taken == 0;
  };
  for (int part = 0; part < parts; ++part)
    if (take(part, shares ? LOCK_EX | LOCK_NB : LOCK_EX) && shares)
      return;
  if (shares)
    take(getpid() % parts, LOCK_EX); // waits for one of them
}

DeviceTurn::~DeviceTurn() {
  for (const int file : files_)
    close(file);
}

} // namespace course
