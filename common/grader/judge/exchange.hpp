// The files that judge and worker exchange in the worker's folder. Nothing that a worker left is
// trusted.
//
// Request: a nonce, what becomes of launches, and the number of cases; for each case the number of
// calls; for each call and parameter its count and its bytes. Reply, for each case: the nonce plus
// the case's number; for each call the bytes of every array and of the result; the number of
// launches; the number of kernels whose work is counted and for each its name and its Work so far;
// the number of findings and for each the members of Found. A text is its length and its
// characters. All numbers have 64 bits. With MPI each rank has its own files (request.RANK,
// reply.RANK).
#pragma once

#include "common/grader/judge/case.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace course {

// Throws MachineFault where the disk is full.
void write_request(const std::string &path, std::uint64_t nonce, Launches launches,
                   const std::vector<Calls> &cases);

// Makes an empty file that has room on the disk for these bytes: later nobody can have filled it.
// Throws MachineFault where there is no room.
void reserve(const std::string &path, std::size_t bytes);

// A file that the worker left; empty if there is none, or not a regular one.
Bytes content_of(const std::string &path);

// A file of the worker, read piece by piece.
class Reply {
public:
  explicit Reply(const std::string &path) : bytes_(content_of(path)) {}
  std::size_t left() const { return bytes_.size() - at_; }
  std::optional<Bytes> take(std::uint64_t count) {
    if (count > left())
      return {};
    at_ += count;
    return Bytes(bytes_.begin() + at_ - count, bytes_.begin() + at_);
  }

  // What comes next, texts as printable() gives them; false if the reply ends before.
  template <class T> bool read(T &to) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = take(sizeof to);
    if (bytes)
      to = value_at<T>(bytes->data());
    return bytes.has_value();
  }
  bool read(std::string &to);
  template <class... T> bool read(T &...to) { return (read(to) && ...); }

  // A number and as many items, which read_one() reads.
  template <class T, class Read> bool read_list(std::vector<T> &items, Read read_one) {
    std::uint64_t count = 0;
    bool came = read(count);
    for (; came && count > 0; --count)
      came = read_one(items.emplace_back());
    return came;
  }

private:
  Bytes bytes_;
  std::size_t at_ = 0;
};

} // namespace course
