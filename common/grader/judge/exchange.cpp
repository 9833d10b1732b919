#include "common/grader/judge/exchange.hpp"

#include "common/grader/judge/verdict.hpp"
#include "common/grader/sandbox/sandbox.hpp"
#include "common/grader/sandbox/text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

namespace course {
namespace {

const char no_space[] = ": the disk is full\nTo use another folder for temporary files, set TMPDIR";

} // namespace

void write_request(const std::string &path, std::uint64_t nonce, Launches launches,
                   const std::vector<Calls> &cases) {
  std::ofstream file(path, std::ios::binary);
  auto number = [&](std::uint64_t value) {
    file.write(reinterpret_cast<const char *>(&value), sizeof value);
  };
  number(nonce);
  number(std::uint64_t(launches));
  number(cases.size());
  for (const Calls &calls : cases) {
    number(calls.size());
    for (const Call *call : calls)
      for (const Parameter &parameter : call->parameters) {
        number(parameter.count);
        file.write(reinterpret_cast<const char *>(parameter.before.data()),
                   parameter.before.size());
      }
  }
  if (!file.flush())
    throw MachineFault("cannot write " + path + no_space);
}

void reserve(const std::string &path, std::size_t bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  const bool full = file < 0 || (fallocate(file, FALLOC_FL_KEEP_SIZE, 0, off_t(bytes)) != 0 &&
                                 (errno == ENOSPC || errno == EDQUOT));
  if (file >= 0) {
    fchmod(file, 0666); // the worker, another user, writes it
    close(file);
  }
  if (full)
    throw MachineFault("cannot write " + path + no_space);
}

Bytes content_of(const std::string &path) {
  Bytes bytes;
  int file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status;
  if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    bytes.resize(status.st_size);
    if (read(file, bytes.data(), bytes.size()) != ssize_t(bytes.size()))
      bytes.clear();
  }
  if (file >= 0)
    close(file);
  return bytes;
}

bool Reply::read(std::string &to) {
  std::uint64_t length = 0;
  const auto text = read(length) ? take(length) : std::nullopt;
  to = text ? printable(std::string(text->begin(), text->end())) : "";
  return text.has_value();
}

} // namespace course
