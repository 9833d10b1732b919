// Ranks of different processes: datagrams between abstract Unix sockets, which are named by the
// communicator's id and the rank. They need no folder and no shared memory, so they work in a
// sandbox; nothing is left behind when a process dies, and the others notice. (MPI is not linked:
// the program sends the id to the others.)
#include "communicator.h"

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

// A datagram begins with it; then come the next bytes of the message.
struct Header {
  int from;
  Slot slot;
  Call call;
  bool failed;
  std::uint64_t bytes; // of the whole message
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

// Reads all that comes for a rank, until its communicator is destroyed.
void read_messages(const std::shared_ptr<Rank> &rank) {
  std::map<int, std::vector<char>> parts; // by the rank that sends: its message so far
  std::vector<char> datagram(sizeof(Header) + longest);
  ssize_t length;
  while ((length = recv(rank->socket, datagram.data(), datagram.size(), 0)) > 0 || errno == EINTR) {
    if (length < 0)
      continue;
    Header header;
    std::memcpy(&header, datagram.data(), sizeof header);
    std::vector<char> &values = parts[header.from];
    values.insert(values.end(), datagram.begin() + sizeof header, datagram.begin() + length);
    if (values.size() < header.bytes)
      continue;
    came(*rank, header.from, header.slot, {header.call, header.failed, std::move(values)});
    values.clear();
  }
  ::close(rank->socket);
}

} // namespace

ncclResult_t connect(const std::vector<std::shared_ptr<Rank>> &joining) {
  for (const auto &rank : joining) {
    if (Lock lock(mutex); !std::count(rank->all->local.begin(), rank->all->local.end(), nullptr))
      continue; // all ranks are in this process
    Address address(*rank, rank->number);
    rank->socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
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
          if (!sent && send(*rank, other, hello, {{}, false, {}}))
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
  static std::mutex sending; // the datagrams of a message come one after the other
  const std::lock_guard lock(sending);
  Address address(rank, peer);
  Header header{rank.number, slot, message.call, message.failed, message.values.size()};
  std::size_t begin = 0;
  do {
    const std::size_t bytes = std::min(longest, message.values.size() - begin);
    iovec parts[] = {{&header, sizeof header},
                     {const_cast<char *>(message.values.data()) + begin, bytes}};
    const msghdr datagram{address.get(), address.bytes, parts, 2, nullptr, 0, 0};
    while (sendmsg(rank.socket, &datagram, MSG_NOSIGNAL) < 0)
      if (errno != EINTR)
        return false;
    begin += bytes;
  } while (begin < message.values.size());
  return true;
}

void close(Rank &rank) {
  if (rank.socket >= 0)
    shutdown(rank.socket, SHUT_RDWR); // wakes its reader
}

} // namespace course_cpu::nccl
