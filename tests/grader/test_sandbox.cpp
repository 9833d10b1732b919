// The reach of a watched program, by trying. The grader's tests run it as root and as an ordinary
// user.
#include "common/grader/sandbox/processes.hpp"
#include "common/grader/sandbox/sandbox.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;
using course::End, course::Isolation, course::Outcome;

namespace {

// The outcome of `script` in a watched shell, in `folder`.
Outcome shell(const std::string &script, const course::PrivateFolder &folder,
              const course::Limits &limits = {}, const course::Access &access = {}) {
  return course::Sandbox("/bin/bash", {"-c", script}, {{"PATH", "/usr/bin:/bin"}}, folder, limits,
                         access)
      .wait();
}

Outcome shell(const std::string &script) { return shell(script, course::PrivateFolder()); }

} // namespace

TEST_CASE("a program reads the system and its own folder, and writes its folder only") {
  if (course::isolation() == Isolation::limits)
    SKIP("this kernel has no Landlock");
  const course::PrivateFolder folder, other;
  std::ofstream(other.path() + "/answer") << "somebody else's";
  chmod(other.path().c_str(), 0755);
  const Outcome own = shell("echo mine > file && cat file && ls /usr/include > /dev/null", folder);
  CHECK(own.output == "mine\n");
  CHECK(own.code == 0);
  for (const std::string &command :
       {std::string("cat '" COURSE_ROOT "/tests/README.md'"),
        std::string("ls '" COURSE_ROOT "/solutions'"), "cat " + other.path() + "/answer",
        std::string("ls /tmp"), std::string("ls ~root"), std::string("echo x > /tmp/left-behind"),
        std::string("echo x > /dev/shm/left-behind"), std::string("head -c 1 /dev/zero"),
        std::string("cat /proc/1/cmdline"), std::string("ls /proc/self/fd")}) {
    INFO(command);
    CHECK(shell(command).code != 0);
  }
}

#ifdef COURSE_PYTHON
TEST_CASE("a program runs the course's Python, wherever its parts lie") {
  if (shell("test -x '" COURSE_PYTHON "'").code != 0)
    SKIP("another user may not enter the course's folder");
  const Outcome outcome = shell("'" COURSE_PYTHON "' -c 'import numpy'");
  INFO(outcome.output);
  CHECK(outcome.code == 0);
}
#endif

TEST_CASE("the folder of a submission stays closed, wherever it lies") {
  if (course::isolation() == Isolation::limits)
    SKIP("this kernel has no Landlock");
  const course::PrivateFolder folder;
  course::Access access;
  CHECK(shell("cat /usr/include/stdio.h > /dev/null", folder, {}, access).code == 0);
  access.hidden = {"/usr/include/answer.cu"};
  CHECK(shell("cat /usr/include/stdio.h > /dev/null", folder, {}, access).code != 0);
}

TEST_CASE("a folder of / that is a link is what it names") {
  const course::PrivateFolder base;
  const fs::path top = base.path();
  for (const char *folder : {"mnt/home/user", "usr/bin", "nfs/software"})
    fs::create_directories(top / folder);
  fs::create_directory_symlink("mnt/home", top / "home");
  fs::create_directory_symlink("mnt/home/user", top / "users");
  fs::create_directory_symlink("usr/bin", top / "bin");
  const std::vector<fs::path> places{fs::weakly_canonical(top / "home")};
  const auto is_open = [&](const char *folder) {
    const auto [within, above] = course::closed(top / folder, places);
    return !within && !above;
  };
  CHECK(is_open("bin"));
  CHECK(is_open("nfs"));
  CHECK_FALSE(is_open("home"));
  CHECK_FALSE(is_open("users"));
  CHECK_FALSE(is_open("mnt"));
  CHECK(course::closed(top / "mnt", places).above);
  CHECK_FALSE(course::closed(top / "mnt", places).within);
}

TEST_CASE("a program reaches no process outside") {
  const std::string pid = std::to_string(getpid());
  if (course::isolation() == Isolation::limits && geteuid() != 0)
    SKIP("this kernel has no Landlock");
  for (const std::string &process : {pid, std::string("$PPID")}) {
    INFO(process);
    CHECK(shell("kill -0 " + process).code != 0);
    CHECK(shell("exec 3< /proc/" + process + "/mem").code != 0);
  }
}

TEST_CASE("a program has a network and shared memory of its own") {
  if (course::isolation() != Isolation::full)
    SKIP("this kernel gives no namespaces to this user");
  CHECK(
      shell("tail -n +3 /sys/class/net/*/operstate; readlink /proc/self/ns/net").output !=
      shell("readlink /proc/self/ns/net", course::PrivateFolder(), {}, {{}, {}, {}, true}).output);
  const Outcome segment = shell("ipcmk -M 4096 > /dev/null && ipcs -m | grep -c 4096");
  CHECK(segment.output == "1\n");
  CHECK(shell("ipcs -m | grep -c 4096").output == "0\n"); // it went with its program
}

TEST_CASE("a program has no open file of its watcher's") {
  const int file = open("/dev/null", O_WRONLY); // as a careless library would
  const int far = fcntl(file, F_DUPFD, 700);
  CHECK(shell("for n in {3..9} {20..1023}; do { : >&$n; } 2> /dev/null && echo $n; done").output ==
        "");
  close(far);
  close(file);
}

TEST_CASE("of much output the beginning and the end are kept") {
  const Outcome outcome = shell("echo first; for i in {1..20000}; do echo $i $i; done; echo last");
  CHECK(outcome.output.substr(0, 6) == "first\n");
  CHECK(outcome.output.size() < 1 << 17);
  CHECK(outcome.output.substr(outcome.output.size() - 5) == "last\n");
  CHECK(outcome.output.find("bytes left out") != std::string::npos);
}

TEST_CASE("what cannot be started says why, and nothing that runs can say so") {
  const course::PrivateFolder folder;
  const std::string path = folder.path() + "/program";
  fs::copy_file("/bin/true", path);
  chmod(path.c_str(), 0444);
  const Outcome outcome = course::Sandbox(path, {}, {}, folder, {}, {}).wait();
  CHECK(outcome.end == End::not_started);
  CHECK(outcome.output == "exec: Permission denied");
  const Outcome imitation = shell("for n in {1..20}; do { echo exec: x >&$n; } 2> /dev/null; done; "
                                  "exit 127");
  CHECK(imitation.end == End::finished);
  CHECK(imitation.code == 127);
}

TEST_CASE("a signal to the watcher ends the program") {
  const course::PrivateFolder folder;
  course::Sandbox sandbox("/bin/sleep", {"60"}, {}, folder, {}, {});
  while (course::descendants().size() < 2)
    usleep(1000);
  kill(course::descendants().begin()->first, SIGTERM); // the older one
  CHECK(sandbox.wait().end == End::interrupted);
}
