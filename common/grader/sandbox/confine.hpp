// Confines a process to the files that it needs, without a network, and out of reach of all
// processes outside. Landlock (Linux 5.13, as any user) does it for files and processes, namespaces
// for the network and for shared memory. Where the kernel has neither, limits alone remain.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace course {

// The rights of a confined process in addition to the system's own folders.
struct Access {
  std::vector<std::string> readable; // files, folders with all below; they may be executed, too
  std::vector<std::string> hidden;   // whose folder stays closed, wherever it lies
  std::vector<std::string> devices;  // which it also writes and controls
  bool network = false;              // it speaks TCP, if only to itself
};

// Of this process, for good: a network and shared memory of its own. Before it gives up root.
void leave_network();
bool can_leave_network(); // asked in the process that starts them, it is tried once for all

// Finds what confine() lets a process read of the system, for those that this one starts.
void find_software(const Access &access);

// Of this process and its children, for good; afterwards it can write in `folder` only. Returns
// false, with errno, where Landlock is there and refuses.
bool confine(const Access &access, const std::string &folder);

// `within`: the folder lies in one of these places; `above`: it leads to one. A link counts by its
// target. All of the folder may be read if neither is so.
struct Closed {
  bool within, above;
};
Closed closed(const std::filesystem::path &folder,
              const std::vector<std::filesystem::path> &places);

// How far submissions are confined on this machine.
enum class Isolation {
  limits, // time, memory, processes, output
  files,  // and files; other processes where the kernel is new enough
  full    // and processes, network and shared memory
};
Isolation isolation();
const char *name(Isolation level);
const char *meaning(Isolation level); // a sentence

} // namespace course
