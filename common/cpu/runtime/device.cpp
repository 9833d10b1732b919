// Devices and errors.
#include "device.h"
#include "course_cpu/api.h"
#include "course_cpu/execution.h"
#include "course_cpu_grader.h"
#include "observer.h"
#include "runtime.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace course_cpu {
namespace {

thread_local int device_index = 0;
thread_local cudaError_t last_error = cudaSuccess;

// Bytes that programs can still take on this machine, and in this container where it is limited.
size_t available_memory() {
  std::ifstream meminfo("/proc/meminfo");
  std::string line;
  size_t available = size_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  while (std::getline(meminfo, line))
    if (line.rfind("MemAvailable:", 0) == 0)
      available = std::strtoull(line.c_str() + 13, nullptr, 10) << 10;
  const auto number_in = [](const char *path) {
    size_t value = 0; // stays where there is no such file, or no number in it
    std::ifstream(path) >> value;
    return value;
  };
  size_t limit = number_in("/sys/fs/cgroup/memory.max");
  size_t taken = number_in("/sys/fs/cgroup/memory.current");
  return limit > taken ? std::min(available, limit - taken) : available;
}

// The ordinals that CUDA_VISIBLE_DEVICES leaves of `count` devices: as in CUDA, the list ends
// before its first entry that names no device, or names one twice.
std::vector<int> visible_devices(int count) {
  std::vector<int> visible;
  const char *list = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!list) {
    for (int i = 0; i < count; i++)
      visible.push_back(i);
    return visible;
  }
  std::istringstream entries(list);
  std::string entry;
  while (std::getline(entries, entry, ',')) {
    char *end = nullptr;
    long i = std::strtol(entry.c_str(), &end, 10);
    bool number = end != entry.c_str() && *end == '\0';
    if (!number || i < 0 || i >= count ||
        std::find(visible.begin(), visible.end(), int(i)) != visible.end())
      break;
    visible.push_back(int(i));
  }
  return visible;
}

// The variable's value for each of `count` devices: a number for all of them, or a list, whose last
// number also holds for all further devices.
std::vector<size_t> of_devices(const char *name, int count, size_t otherwise) {
  std::vector<size_t> found;
  if (const char *list = std::getenv(name)) {
    std::istringstream entries(list);
    for (std::string entry; std::getline(entries, entry, ',');)
      found.push_back(whole_number(name, entry, 1));
  }
  found.resize(count, found.empty() ? otherwise : found.back());
  return found;
}

std::vector<Device> find_devices() {
  int count = int(setting("COURSE_CPU_DEVICES", 0, 1));
  const std::vector<int> visible = visible_devices(count);
  const auto capacity = of_devices("COURSE_CPU_MEMORY", count,
                                   host_capacity() / std::max<size_t>(visible.size(), 1)),
             processors = of_devices("COURSE_CPU_PROCESSORS", count, pool_size());
  std::vector<Device> found(visible.size());
  for (size_t i = 0; i < found.size(); i++) {
    found[i].index = int(i);
    found[i].bus = visible[i];
    found[i].capacity = capacity[visible[i]];
    found[i].processors = int(processors[visible[i]]);
    found[i].peers.resize(found.size());
  }
  return found;
}

} // namespace

__thread const Stream *running_stream = nullptr;
__thread bool host_callback_runs = false;

Stream::Stream(Device &device)
    : device(device), number([] {
        static std::atomic<std::uint64_t> created{0};
        return created++;
      }()) {}

bool device_exists(int device) { return device >= 0 && size_t(device) < devices().size(); }

size_t host_capacity() {
  static const size_t bytes = available_memory() / 2;
  return bytes;
}

std::vector<Device> &devices() {
  // Never destroyed: destructors of the program's own global objects may still call the API.
  static auto &all = *[] {
    auto *found = new std::vector<Device>(find_devices());
    for (Device &device : *found)
      device.streams = {device.default_stream = std::make_shared<Stream>(device)};
    return found;
  }();
  return all;
}

Device &current_device() {
  return running_stream ? running_stream->device : devices()[device_index];
}

cudaError_t access_error() {
  if (host_callback_runs || in_kernel())
    return cudaErrorNotPermitted;
  return devices().empty() ? cudaErrorNoDevice : cudaSuccess;
}

cudaError_t standing_error() {
  const cudaError_t error = access_error();
  return error != cudaSuccess ? error : current_device().sticky;
}

cudaError_t record_error(cudaError_t error) {
  tools::returned(error);
  if (error != cudaSuccess && error != cudaErrorNotReady) // an answer, and no error: as on a GPU
    last_error = error;
  return error;
}

void set_sticky_error(cudaError_t error) {
  Device &device = current_device();
  if (device.sticky == cudaSuccess)
    device.sticky = error;
}

} // namespace course_cpu

using namespace course_cpu;

// ---- errors ----

// Not the sticky error, before another call has returned it: as on a GPU.
static cudaError_t peek() {
  const cudaError_t standing = host_callback_runs ? cudaSuccess : access_error();
  return standing != cudaSuccess ? standing : last_error;
}

int course_cpu::take_last_error() {
  const cudaError_t error = peek();
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  tools::error_asked_for();
  return peek();
}

cudaError_t cudaGetLastError() {
  tools::error_asked_for();
  return cudaError_t(take_last_error());
}

const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define COURSE_CPU_ERROR(name, number, text)                                                       \
  case name:                                                                                       \
    return #name;
#include "course_cpu/errors.inc"
#undef COURSE_CPU_ERROR
  }
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define COURSE_CPU_ERROR(name, number, text)                                                       \
  case name:                                                                                       \
    return text;
#include "course_cpu/errors.inc"
#undef COURSE_CPU_ERROR
  }
  return "unrecognized error code";
}

// ---- devices ----

cudaError_t cudaGetDeviceCount(int *count) {
  if (!count)
    return record_error(cudaErrorInvalidValue);
  *count = int(devices().size());
  return record_error(devices().empty() ? cudaErrorNoDevice : cudaSuccess);
}

cudaError_t cudaGetDevice(int *device) {
  return api_call(
      [&] {
        *device = current_device().index;
        return cudaSuccess;
      },
      access_error());
}

cudaError_t cudaSetDevice(int device) {
  return with_device(
      device,
      [=](Device &) {
        device_index = device;
        return cudaSuccess;
      },
      access_error());
}

// How a host thread waits for a device: there is one way.
cudaError_t cudaSetDeviceFlags(unsigned int) {
  return api_call([] { return cudaSuccess; });
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device) {
  return with_device(device, [&](Device &d) {
    std::snprintf(id, length, "0000:%02x:00.0", d.bus);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
  return api_call([&] {
    unsigned int domain = 0, bus = 0;
    if (std::sscanf(id, "%x:%x", &domain, &bus) != 2)
      return cudaErrorInvalidValue;
    for (const Device &d : devices())
      if (d.bus == int(bus)) {
        *device = d.index;
        return cudaSuccess;
      }
    return cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return api_call([&] {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
  });
}

// ---- peers: the devices share one memory, but what CUDA asks for is checked ----

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  return with_device(device, [&](Device &) {
    if (!device_exists(peer))
      return cudaErrorInvalidDevice;
    *can = device != peer;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return with_device(peer, [&](Device &other) {
    Device &device = current_device();
    if (flags != 0)
      return cudaErrorInvalidValue;
    if (&other == &device)
      return cudaErrorInvalidDevice;
    if (device.peers[peer])
      return cudaErrorPeerAccessAlreadyEnabled;
    device.peers[peer] = true;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return with_device(peer, [&](Device &) {
    Device &device = current_device();
    if (!device.peers[peer])
      return cudaErrorPeerAccessNotEnabled;
    device.peers[peer] = false;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int device,
                                      int peer) {
  return with_device(device, [&](Device &) {
    if (!device_exists(peer) || device == peer)
      return cudaErrorInvalidDevice;
    *value = attribute == cudaDevP2PAttrAccessSupported ||
             attribute == cudaDevP2PAttrNativeAtomicSupported;
    return cudaSuccess;
  });
}

// ---- versions and profiler ----

cudaError_t cudaDriverGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
