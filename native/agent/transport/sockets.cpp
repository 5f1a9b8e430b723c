// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/sockets.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "codec/packet.h"

namespace jvmdebug::agent {

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Socket::~Socket() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

std::string system_message(int error_number) {
  return std::generic_category().message(error_number);
}

TransportError transport_error(std::string_view what, std::string_view where, std::string_view why,
                               std::string_view jdk_message) {
  std::string message(what);
  message.append(" ").append(where).append(": ").append(why);
  return {.message = std::move(message), .jdk_message = std::string(jdk_message)};
}

Deadline deadline_after(std::optional<std::chrono::milliseconds> timeout) {
  if (!timeout) {
    return std::nullopt;
  }
  return Clock::now() + *timeout;
}

bool wait_ready(int descriptor, short events, const Deadline& deadline) {
  while (true) {
    int remaining_ms = -1;
    if (deadline) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
      if (left <= 0) {
        return false;
      }
      remaining_ms = static_cast<int>(std::min<std::int64_t>(left, 1'000'000));
    }
    pollfd waiting{.fd = descriptor, .events = events, .revents = 0};
    const int ready = poll(&waiting, 1, remaining_ms);
    if (ready > 0) {
      return true;
    }
    if (ready < 0 && errno != EINTR) {
      return true;  // the call that follows reports what is wrong
    }
  }
}

bool peer_has_closed(int descriptor) {
  pollfd asked{.fd = descriptor, .events = POLLRDHUP, .revents = 0};
  return poll(&asked, 1, 0) > 0 && (asked.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

bool write_at_once(int descriptor, std::string_view bytes) {
  const auto written = send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return std::cmp_equal(written, bytes.size());
}

bool write_fully(int descriptor, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const auto written = send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

bool read_fully(int descriptor, std::span<std::uint8_t> into) {
  while (!into.empty()) {
    const auto got = recv(descriptor, into.data(), into.size(), 0);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return false;
    }
    into = into.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

bool make_blocking(const Socket& socket) {
  const int flags = fcntl(socket.descriptor(), F_GETFL);
  return flags >= 0 && fcntl(socket.descriptor(), F_SETFL, flags & ~O_NONBLOCK) == 0;
}

std::expected<std::optional<Peer>, TransportError> failed_accept(int error_number) {
  constexpr auto kPause = std::chrono::milliseconds{100};
  switch (error_number) {
    case EBADF:
    case EFAULT:
    case EINVAL:
    case ENOTSOCK:
    case EOPNOTSUPP:
      return std::unexpected(
          TransportError{.message = "cannot accept a debugger: " + system_message(error_number)});
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
      // The program has used up a resource and may free some; it must not end because of us.
      std::this_thread::sleep_for(kPause);
      return std::nullopt;
    default:
      return std::nullopt;  // a signal, or the peer has already disconnected
  }
}

}  // namespace jvmdebug::agent
