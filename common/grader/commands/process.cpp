#include "common/grader/commands/process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace course {
namespace {

void redirect(int to, const std::filesystem::path &path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || dup2(file, to) < 0)
    _exit(127);
}

} // namespace

pid_t start(Words words, const std::filesystem::path &output, const std::filesystem::path &errors,
            const std::map<const char *, std::string> &variables) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error("cannot run " + words[0]);
  if (child > 0)
    return child;
  if (!output.empty())
    redirect(1, output);
  if (errors == output)
    dup2(1, 2);
  else
    redirect(2, errors);
  for (auto &[name, value] : variables)
    setenv(name, value.c_str(), 1);
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

int finish(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child)
    throw std::runtime_error("a process of the grader's own was lost");
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace course
