// What a program under watch can reach, by trying. The grader's tests run it as root and as an
// ordinary user.
#include "tests/grader/sandbox.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using course::End, course::Isolation, course::Outcome;

namespace {

// What a shell said of `script`, run under watch in `folder`.
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

TEST_CASE("the folder of a submission stays closed, wherever it lies") {
  if (course::isolation() == Isolation::limits)
    SKIP("this kernel has no Landlock");
  const course::PrivateFolder folder;
  course::Access access;
  CHECK(shell("cat /usr/include/stdio.h > /dev/null", folder, {}, access).code == 0);
  access.hidden = {"/usr/include/answer.cu"};
  CHECK(shell("cat /usr/include/stdio.h > /dev/null", folder, {}, access).code != 0);
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

TEST_CASE("memory that is in no process counts") {
  course::Limits limits;
  limits.memory = 64 << 20;
  const Outcome outcome = shell("exec 3> file && rm file && head -c 200000000 < /usr/lib/locale/"
                                "locale-archive >&3; for i in {1..100}; do cat /usr/bin/bash >&3; "
                                "done; sleep 5",
                                course::PrivateFolder(), limits);
  CHECK(outcome.end == End::memory);
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
  std::filesystem::copy_file("/bin/true", path);
  chmod(path.c_str(), 0444);
  const Outcome outcome = course::Sandbox(path, {}, {}, folder, {}, {}).wait();
  CHECK(outcome.end == End::not_started);
  CHECK(outcome.output == "exec: Permission denied");
  const Outcome imitation = shell("for n in {1..20}; do { echo exec: x >&$n; } 2> /dev/null; done; "
                                  "exit 127");
  CHECK(imitation.end == End::finished);
  CHECK(imitation.code == 127);
}

TEST_CASE("folders of processes that were killed are removed, of those that live they stay") {
  const course::PrivateFolder base;
  const char *const old = std::getenv("TMPDIR");
  const std::string before = old ? old : "/tmp";
  setenv("TMPDIR", base.path().c_str(), 1);
  const course::PrivateFolder living;
  const std::string dead = base.path() + "/cuda-course-grader-abcdef",
                    others = base.path() + "/course-slurm-test-1";
  for (const std::string &path : {dead, living.path(), others}) {
    std::filesystem::create_directory(path);
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() -
                                               std::chrono::hours(1));
  }
  course::PrivateFolder::sweep();
  CHECK_FALSE(std::filesystem::exists(dead));
  CHECK(std::filesystem::exists(living.path()));
  CHECK(std::filesystem::exists(others));
  setenv("TMPDIR", before.c_str(), 1);
}
