// Ranks of different processes: datagrams between abstract Unix sockets, which are named by the
// communicator's id and the rank. They need no folder and no shared memory, so they work in a
// sandbox; nothing is left behind when a process dies, and the others notice. (MPI is not linked:
// the program sends the id to the others.)
#include "communicator.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <thread>

namespace course_cpu::nccl {
namespace {

// A datagram begins with it; then come the message's bytes `begin`, `begin` + 1, ...
struct Header {
  int from;
  Slot slot;
  Call call;
  bool failed;
  std::uint64_t begin, bytes; // of the whole message
};
constexpr std::size_t longest = 1 << 16; // bytes of a datagram behind its header

struct Address {
  sockaddr_un name{};
  socklen_t bytes;

  Address(const Rank &rank, int number) {
    const std::string text = rank.all->id + "." + std::to_string(number);
    name.sun_family = AF_UNIX;
    std::memcpy(name.sun_path + 1, text.data(), text.size());
    bytes = offsetof(sockaddr_un, sun_path) + 1 + text.size();
  }
  sockaddr *get() { return reinterpret_cast<sockaddr *>(&name); }
};

constexpr Slot hello{Slot::join, -1, 0}; // of a message to each other rank

int new_socket() { return ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0); }

// The ranks of other processes that had joined, and have ended.
std::vector<int> ended(const Rank &rank) {
  std::vector<int> others;
  const int probe = new_socket();
  if (probe < 0) // no more files: nothing is known
    return others;
  Lock lock(mutex);
  for (int other = 0; other < rank.all->count(); ++other) {
    Address address(rank, other);
    if (rank.arrived.count({other, hello}) && ::connect(probe, address.get(), address.bytes) != 0)
      others.push_back(other);
  }
  ::close(probe);
  return others;
}

// Reads all that comes for a rank, until its communicator is destroyed.
void read_messages(const std::shared_ptr<Rank> &rank) {
  std::map<std::pair<int, Slot>, std::pair<std::vector<char>, std::size_t>> parts; // bytes so far
  std::vector<char> datagram(sizeof(Header) + longest);
  for (bool destroyed = false; !destroyed;) {
    pollfd ready{rank->socket, POLLIN, 0};
    const auto gone = poll(&ready, 1, 100) == 0 ? ended(*rank) : std::vector<int>();
    ssize_t length; // what a rank sent before it ended is read first
    while ((length = recv(rank->socket, datagram.data(), datagram.size(), MSG_DONTWAIT)) > 0) {
      Header header;
      std::memcpy(&header, datagram.data(), sizeof header);
      auto &[values, so_far] = parts[{header.from, header.slot}];
      values.resize(header.bytes);
      std::copy(datagram.begin() + sizeof header, datagram.begin() + length,
                values.begin() + header.begin);
      so_far += length - sizeof header;
      if (so_far < header.bytes)
        continue;
      came(*rank, header.from, header.slot,
           {header.call, header.failed,
            std::make_shared<const std::vector<char>>(std::move(values))});
      parts.erase({header.from, header.slot});
    }
    Lock lock(mutex);
    for (int other : gone)
      rank->gone[other] = true;
    news().notify_all();
    destroyed = rank->destroyed;
  }
  ::close(rank->socket);
}

} // namespace

ncclResult_t connect(const std::vector<std::shared_ptr<Rank>> &joining) {
  for (const auto &rank : joining) {
    Address address(*rank, rank->number);
    rank->socket = new_socket();
    if (bind(rank->socket, address.get(), address.bytes) != 0) {
      const int error = errno;
      ::close(rank->socket);
      return error == EADDRINUSE
                 ? fail(ncclInvalidUsage,
                        "rank " + std::to_string(rank->number) + " is there twice")
                 : fail(ncclSystemError, "a socket: " + std::string(std::strerror(error)));
    }
    std::thread(read_messages, rank).detach();
  }
  // A greeting from and to each rank of another process: first all are sent, then all have come.
  const auto greeting = std::make_shared<std::vector<char>>();
  const auto start = std::chrono::steady_clock::now();
  bool reported = false;
  for (bool sent : {false, true})
    for (const auto &rank : joining)
      for (int other = 0; other < rank->all->count(); ++other)
        for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
          Lock lock(mutex);
          if (rank->all->local[other] || (sent && rank->arrived.count({other, hello})))
            break;
          lock.unlock();
          if (!sent && send(*rank, other, hello, {{}, false, greeting}))
            break;
          if (reported || std::chrono::steady_clock::now() - start < patience)
            continue;
          report_wait(rank->number, "ncclCommInitRank", other);
          std::fputs("If one thread calls it for several ranks, put the calls between "
                     "ncclGroupStart and ncclGroupEnd\n",
                     stderr);
          reported = true;
        }
  return ncclSuccess;
}

bool send(const Rank &rank, int peer, const Slot &slot, const Message &message) {
  Address address(rank, peer);
  Header header{rank.number, slot, message.call, message.failed, 0, message.values->size()};
  do {
    const std::size_t bytes = std::min<std::size_t>(longest, header.bytes - header.begin);
    iovec parts[] = {{&header, sizeof header},
                     {const_cast<char *>(message.values->data()) + header.begin, bytes}};
    const msghdr datagram{address.get(), address.bytes, parts, 2, nullptr, 0, 0};
    while (sendmsg(rank.socket, &datagram, MSG_NOSIGNAL) < 0)
      if (errno != EINTR)
        return false;
    header.begin += bytes;
  } while (header.begin < header.bytes);
  return true;
}

void close(Rank &rank) {
  rank.destroyed = true;
  if (rank.socket >= 0)
    shutdown(rank.socket, SHUT_RDWR); // wakes its reader
}

} // namespace course_cpu::nccl
