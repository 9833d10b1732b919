// Where the text comes from: a saved file, one that gzip has compressed, standard input, or sacct.
#pragma once

#include "lessons/19-queue-time/options.hpp"
#include "lessons/19-queue-time/sacct.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

// The one call of sacct. It asks the accounting database, not the controller that schedules jobs.
// With TZ=UTC no wait is an hour wrong where summer time begins or ends. Without --duplicates a job
// that was requeued has its last record only.
inline std::string sacct_command(const Options &options) {
  return "TZ=UTC SLURM_TIME_FORMAT=standard sacct --allusers --allocations --duplicates "
         "--parsable2 "
         "--starttime=" +
         show_time(options.from) +
         " --endtime=" + (options.to == Options::no_end ? "now" : show_time(options.to)) +
         " --format=" + SacctReader::sacct_format;
}

class Input {
public:
  // `name` is a file, - for standard input, or empty for sacct.
  Input(const std::string &name, const Options &options) : name_(name) {
    if (name == "-")
      file_ = stdin;
    else if (name.empty()) {
      name_ = "sacct";
      command_ = sacct_command(options);
    } else if (!(file_ = std::fopen(name.c_str(), "r")))
      throw std::runtime_error(name + ": cannot be read: " + std::strerror(errno));
    else if (const int first = std::getc(file_); first == 0x1f) { // gzip's, and no text's
      std::fclose(file_);
      command_ = "gzip -dc -- " + quoted(name);
    } else
      std::ungetc(first, file_);
    if (!command_.empty() && !(file_ = popen(command_.c_str(), "r")))
      throw std::runtime_error(name_ + ": cannot be started: " + std::strerror(errno));
    if (const int first = std::getc(file_); first != EOF) {
      std::ungetc(first, file_);
      return;
    }
    if (command_.empty() && !std::ferror(file_)) // empty; a folder can be opened, but not read
      return;
    finish();
    throw std::runtime_error(name_ + ": this command printed nothing: " + command_);
  }
  ~Input() { close(); }
  Input(const Input &) = delete;
  Input &operator=(const Input &) = delete;

  std::FILE *file() const { return file_; }
  const std::string &name() const { return name_; }

  // A command that failed has said why on standard error.
  void finish() {
    if (std::ferror(file_))
      throw std::runtime_error(name_ + ": cannot be read: " + std::strerror(errno));
    if (close() != 0)
      throw std::runtime_error(
          name_ + ": this command failed: " + command_ +
          (name_ == "sacct"
               ? "; where there is no sacct, or no accounting, name a saved file, such "
                 "as lessons/19-queue-time/sample.txt.gz"
               : ""));
  }

private:
  static std::string quoted(const std::string &text) { // for the shell
    std::string word = "'";
    for (const char letter : text)
      word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return word + "'";
  }
  int close() {
    std::FILE *file = file_;
    file_ = nullptr;
    return !file ? 0 : !command_.empty() ? pclose(file) : file == stdin ? 0 : std::fclose(file);
  }

  std::string name_, command_;
  std::FILE *file_ = nullptr;
};
