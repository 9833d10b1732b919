#include "common/grader/sandbox/confine.hpp"

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>

namespace course {
namespace {

namespace fs = std::filesystem;

// The kernel's interface (linux/landlock.h), which older headers lack.
constexpr long create_ruleset = 444, add_rule = 445, restrict_self = 446;
constexpr unsigned ask_version = 1, rule_path_beneath = 1;
struct Ruleset {
  std::uint64_t files, network, scope;
};
struct [[gnu::packed]] PathBeneath {
  std::uint64_t rights;
  std::int32_t folder;
};
enum : std::uint64_t {
  execute = 1 << 0,
  write_file = 1 << 1,
  read_file = 1 << 2,
  read_folder = 1 << 3,
  truncate = 1 << 14,
  device_control = 1 << 15,
  reading = execute | read_file | read_folder,
  of_files = execute | write_file | read_file | truncate | device_control
};

int landlock_version() {
  static const int version =
      int(std::max(0L, syscall(create_ruleset, nullptr, std::size_t(0), ask_version)));
  return version;
}
constexpr int version_with_signals = 6;

// All rights that this kernel knows: what is not granted is refused.
std::uint64_t all_rights() {
  const int bits[] = {0, 13, 14, 15, 15, 16};
  return (std::uint64_t(1) << bits[std::min(landlock_version(), 5)]) - 1;
}

class Rules {
public:
  explicit Rules(const Access &access) {
    Ruleset rules{all_rights(), 0, 0};
    if (landlock_version() >= 4 && !access.network)
      rules.network = 3; // TCP, to bind and to connect
    if (landlock_version() >= version_with_signals)
      rules.scope = 3; // abstract sockets, signals
    file_ = int(syscall(create_ruleset, &rules, sizeof rules, 0u));
  }
  ~Rules() {
    if (file_ >= 0)
      close(file_);
  }
  Rules(const Rules &) = delete;
  Rules &operator=(const Rules &) = delete;

  // Missing files need no rule.
  void grant(const fs::path &path, std::uint64_t rights) {
    const int file = open(path.c_str(), O_PATH | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status))
      return;
    rights &= all_rights() & (S_ISDIR(status.st_mode) ? ~std::uint64_t(0) : of_files);
    const PathBeneath rule{rights, file};
    syscall(add_rule, file_, rule_path_beneath, &rule, 0u);
    close(file);
  }

  bool enforce() { return file_ >= 0 && syscall(restrict_self, file_, 0u) == 0; }

private:
  int file_;
};

bool holds(const fs::path &folder, const fs::path &path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

// Without links, as far as they can be followed.
fs::path resolved(const fs::path &path) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : canonical;
}

// Adds what lies in `folder`, except what lies in `places`.
void add_rest(const fs::path &folder, const std::vector<fs::path> &places,
              std::vector<fs::path> &found) {
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(folder, ignored)) {
    const auto [within, above] = closed(entry.path(), places);
    if (!within && above)
      add_rest(entry.path(), places, found);
    else if (!within)
      found.push_back(entry.path());
  }
}

std::string variable_or(const char *name, const char *otherwise) {
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

// Private data: the folders of the course and the submission, homes, and things that are not files.
std::vector<fs::path> private_places(const Access &access) {
  std::vector<fs::path> places{"/home",       "/root",       "/mnt",  "/media",   "/srv",
                               "/scratch",    "/data",       "/tmp",  "/var",     "/dev",
                               "/proc",       "/run",        "/boot", "/etc/ssh", "/etc/ssl",
                               "/etc/shadow", "/etc/gshadow"};
  for (fs::path &place : places)
    place = resolved(place);
  for (const std::string &path :
       {std::string(COURSE_ROOT), variable_or("HOME", "/root"), variable_or("TMPDIR", "/tmp")})
    places.push_back(resolved(path));
  for (const std::string &path : access.hidden)
    places.push_back(resolved(path).parent_path());
  return places;
}

// Of what was installed with `--prefix`: PREFIX/bin, PREFIX/lib, ...
bool is_part_of_prefix(const fs::path &folder) {
  const std::string name = folder.filename();
  return name == "bin" || name == "include" || name == "lib" || name == "lib64" ||
         name == "libexec" || name.find("-linux-gnu") != name.npos;
}

// The folders of the system, of the software that a cluster keeps elsewhere, and of what PATH and
// LD_LIBRARY_PATH name and CMake found, which may lie in a home.
std::vector<fs::path> software(const Access &access) {
  std::vector<fs::path> found;
  const auto places = private_places(access);
  const std::vector<fs::path> system{"/bin", "/etc", "/lib", "/lib64", "/opt", "/sbin", "/usr"};
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator("/", ignored)) {
    const auto [within, above] = closed(entry.path(), places);
    const bool is_system = std::find(system.begin(), system.end(), entry.path()) != system.end();
    if (!above && (!within || is_system))
      found.push_back(entry.path());
    else if (is_system)
      add_rest(entry.path(), places, found);
  }
  std::istringstream folders(variable_or("PATH", "") + ":" + variable_or("LD_LIBRARY_PATH", "") +
                             ":" COURSE_SOFTWARE);
  for (std::string text; std::getline(folders, text, ':');) {
    const fs::path folder = resolved(text);
    if (text.empty() || text[0] != '/' || closed(folder, places).above)
      continue;
    found.push_back(folder);
    if (!is_part_of_prefix(folder))
      continue;
    for (const auto &entry : fs::directory_iterator(folder.parent_path(), ignored))
      if (is_part_of_prefix(entry.path()) && !closed(entry.path(), places).above)
        found.push_back(entry.path());
  }
  return found;
}

// The same, kept for those that follow with the same hidden files: the cases of a judge.
const std::vector<fs::path> &known_software(const Access &access) {
  static std::optional<std::vector<std::string>> hidden;
  static std::vector<fs::path> found;
  if (hidden != access.hidden) {
    found = software(access);
    hidden = access.hidden;
  }
  return found;
}

// The loopback device of a new network is off.
bool start_loopback() {
  const int socket_of_any_kind = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  const bool started = ioctl(socket_of_any_kind, SIOCSIFFLAGS, &request) == 0;
  close(socket_of_any_kind);
  return started;
}

// A network with nothing but a loopback device, and System V shared memory of its own: both go with
// the process. An ordinary user may have them inside a namespace of users.
bool enter_namespaces() {
  return unshare(CLONE_NEWNET | CLONE_NEWIPC | (geteuid() == 0 ? 0 : CLONE_NEWUSER)) == 0 &&
         start_loopback();
}

} // namespace

Closed closed(const fs::path &folder, const std::vector<fs::path> &places) {
  const fs::path named = resolved(folder);
  const auto any = [&](auto predicate) {
    return std::any_of(places.begin(), places.end(), predicate);
  };
  return {any([&](const fs::path &place) { return holds(place, named); }),
          any([&](const fs::path &place) { return holds(named, place); })};
}

// On a GPU not: drivers differ in what they do in a namespace. A child tries it to the end: where
// AppArmor restricts namespaces of users, they can be entered, and then nothing works there.
bool can_leave_network() {
  static const bool can = [] {
    const pid_t child = COURSE_CUDA ? -1 : fork();
    if (child == 0)
      _exit(enter_namespaces() ? 0 : 1);
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
  }();
  return can;
}

void leave_network() {
  if (can_leave_network())
    enter_namespaces();
}

void find_software(const Access &access) {
  if (landlock_version() > 0)
    known_software(access);
}

bool confine(const Access &access, const std::string &folder) {
  if (landlock_version() == 0)
    return true;
  Rules rules(access);
  for (const fs::path &path : known_software(access))
    rules.grant(path, reading);
  for (const std::string &path : access.readable)
    rules.grant(path, reading);
  rules.grant(folder, ~std::uint64_t(0));
  rules.grant("/dev/null", read_file | write_file);
  for (const std::string &path : access.devices)
    rules.grant(path, ~execute);
  return rules.enforce();
}

Isolation isolation() {
  static const Isolation level = landlock_version() == 0 ? Isolation::limits
                                 : landlock_version() >= version_with_signals && can_leave_network()
                                     ? Isolation::full
                                     : Isolation::files;
  return level;
}

const char *name(Isolation level) {
  return level == Isolation::full ? "full" : level == Isolation::files ? "files" : "limits";
}

const char *meaning(Isolation level) {
  switch (level) {
  case Isolation::full:
    return "a submission cannot access home folders, other answers, other processes or the network";
  case Isolation::files:
    return can_leave_network() ? "a submission cannot access home folders, other answers or the "
                                 "network, but it can send signals to other processes of its user"
                               : "a submission cannot access home folders or other answers, but it "
                                 "can access the network or shared memory";
  default:
    return "this kernel has no Landlock: time and memory of a submission are limited, but it can "
           "read and write all files that you can read and write";
  }
}

} // namespace course
