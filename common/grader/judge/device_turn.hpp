// Workers on one GPU take turns: of workers that share it, each would wait for the others within
// its own time limit.
#pragma once

#include <string>
#include <vector>

namespace course {

// A lock on a device, for all processes and users of this machine. One process holds it alone, or
// up to four share it. A child process that is forked meanwhile holds it, too, until it ends. Where
// /dev/shm has no room for a lock file, nobody waits.
class DeviceTurn {
public:
  DeviceTurn(const std::string &device, bool shares); // waits until it holds the lock
  ~DeviceTurn();
  DeviceTurn(const DeviceTurn &) = delete;
  DeviceTurn &operator=(const DeviceTurn &) = delete;

private:
  std::vector<int> files_;
};

} // namespace course
