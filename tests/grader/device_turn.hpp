// Workers on one GPU take turns: of workers that share it, each would wait for the others within
// its own time limit.
#pragma once

#include <string>
#include <vector>

namespace course {

// The device that a program uses first, named alike for all users of this machine: by its UUID
// where the driver tells it.
std::string device_name();

// While it lives, no other process of this machine, of whichever user, has a turn of that name; of
// those that share, up to four have one. A child that is forked meanwhile has its part of the turn,
// until it ends. Where /dev/shm has no room for a lock, everybody has a turn at once.
class DeviceTurn {
public:
  explicit DeviceTurn(const std::string &device, bool shares); // waits
  ~DeviceTurn();
  DeviceTurn(const DeviceTurn &) = delete;
  DeviceTurn &operator=(const DeviceTurn &) = delete;

private:
  std::vector<int> files_;
};

} // namespace course
