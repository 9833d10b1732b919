// Ranks of different processes: how they meet, and a thread for each that reads.
#include "clique.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <thread>

namespace course_cpu::nccl {

// A socket; closed when the last who uses it is gone.
class Connection {
public:
  explicit Connection(int file) : file(file) {}
  ~Connection() { ::close(file); }
  Connection(const Connection &) = delete;
  Connection &operator=(const Connection &) = delete;

  const int file;
  std::mutex sending;
};

namespace {

struct Header {
  Slot slot;
  Call call;
  bool failed;
  std::uint64_t bytes;
};

bool write_all(int file, const void *data, std::size_t bytes) {
  for (const char *from = static_cast<const char *>(data); bytes > 0;) {
    const ssize_t written = ::send(file, from, bytes, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false; // its reader finds the end, too
    from += written;
    bytes -= written;
  }
  return true;
}

bool read_all(int file, void *data, std::size_t bytes) {
  for (char *to = static_cast<char *>(data); bytes > 0;) {
    const ssize_t got = ::recv(file, to, bytes, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    to += got;
    bytes -= got;
  }
  return true;
}

// The address of a rank that listens: a name without a file.
struct Address {
  sockaddr_un name{};
  socklen_t bytes;

  Address(const std::string &id, int rank) {
    name.sun_family = AF_UNIX;
    const std::string text = id + "." + std::to_string(rank);
    std::memcpy(name.sun_path + 1, text.data(), text.size());
    bytes = offsetof(sockaddr_un, sun_path) + 1 + text.size();
  }
  const sockaddr *get() const { return reinterpret_cast<const sockaddr *>(&name); }
};

int new_socket() { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }

// A rank that joins: it calls the lower ranks, and the higher ones call it.
class Joining {
public:
  Joining(std::shared_ptr<Rank> rank, const std::string &id)
      : rank_(std::move(rank)), id_(id), listener_(new_socket()) {}
  ~Joining() { ::close(listener_); }
  Joining(const Joining &) = delete;
  Joining &operator=(const Joining &) = delete;

  bool listen() {
    const Address address(id_, rank_->rank);
    return bind(listener_, address.get(), address.bytes) == 0 && ::listen(listener_, 64) == 0;
  }

  // Waits for all others. A rank of this process needs no connection.
  void meet() {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    bool told = false;
    for (auto others = missing(); !others.empty(); others = missing()) {
      if (!told && Clock::now() - start > patience) {
        tell_wait(rank_->rank, "ncclCommInitRank", listed(others));
        std::fputs("If one thread calls it for several ranks, put the calls between "
                   "ncclGroupStart and ncclGroupEnd\n",
                   stderr);
        told = true;
      }
      for (int other : others)
        if (other < rank_->rank)
          call(other);
      pollfd calls{listener_, POLLIN, 0};
      if (poll(&calls, 1, 1) > 0)
        answer();
    }
  }

private:
  std::vector<int> missing() {
    std::vector<int> others;
    for (int other = 0; other < rank_->clique->count; ++other)
      if (!known(other))
        others.push_back(other);
    return others;
  }

  static std::string listed(const std::vector<int> &ranks) {
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < ranks.size(); ++i)
      text += (i == 0 ? "" : i + 1 < ranks.size() ? ", " : " and ") + std::to_string(ranks[i]);
    return text;
  }

  bool known(int other) {
    Lock lock(mutex);
    return rank_->connections[other] || rank_->clique->local[other];
  }

  void keep(int other, std::shared_ptr<Connection> connection) {
    Lock lock(mutex);
    if (other >= 0 && other < rank_->clique->count && !rank_->clique->local[other])
      rank_->connections[other] = std::move(connection);
  }

  void call(int other) {
    const auto connection = std::make_shared<Connection>(new_socket());
    const Address address(id_, other);
    if (::connect(connection->file, address.get(), address.bytes) == 0 &&
        write_all(connection->file, &rank_->rank, sizeof rank_->rank))
      keep(other, connection);
  }

  void answer() {
    const auto connection =
        std::make_shared<Connection>(accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC));
    int other = -1;
    if (connection->file >= 0 && read_all(connection->file, &other, sizeof other))
      keep(other, connection);
  }

  std::shared_ptr<Rank> rank_;
  const std::string id_;
  const int listener_;
};

void read_messages(const std::shared_ptr<Rank> &rank, int from,
                   const std::shared_ptr<Connection> &connection) {
  Header header;
  while (read_all(connection->file, &header, sizeof header)) {
    const auto values = std::make_shared<std::vector<char>>(header.bytes);
    if (!read_all(connection->file, values->data(), header.bytes))
      break;
    came(*rank, from, header.slot, {header.call, header.failed, values, {0, header.bytes}});
  }
  Lock lock(mutex);
  rank->gone[from] = true;
  news().notify_all();
}

} // namespace

ncclResult_t connect(const std::vector<std::shared_ptr<Rank>> &joining, const std::string &id) {
  std::vector<std::unique_ptr<Joining>> all;
  for (const auto &rank : joining) {
    all.push_back(std::make_unique<Joining>(rank, id));
    if (!all.back()->listen())
      return errno == EADDRINUSE
                 ? fail(ncclInvalidUsage, "rank " + std::to_string(rank->rank) + " is there twice")
                 : fail(ncclSystemError, std::string("a socket: ") + std::strerror(errno));
  }
  for (const auto &its : all)
    its->meet();
  for (const auto &rank : joining)
    for (int other = 0; other < rank->clique->count; ++other)
      if (const auto connection = rank->connections[other])
        std::thread(read_messages, rank, other, connection).detach();
  return ncclSuccess;
}

void send(Connection &connection, const Slot &slot, const Message &message) {
  const Header header{slot, message.call, message.failed, message.part.bytes};
  std::lock_guard<std::mutex> lock(connection.sending);
  if (write_all(connection.file, &header, sizeof header))
    write_all(connection.file, message.values->data() + message.part.offset, message.part.bytes);
}

void close(Rank &rank) {
  for (const auto &connection : rank.connections)
    if (connection)
      shutdown(connection->file, SHUT_RDWR);
}

} // namespace course_cpu::nccl
