// SPDX-License-Identifier: Apache-2.0
//
// An address as the functions of the system take it. Used by the implementations of net.h only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <netinet/in.h>
#include <sys/socket.h>
#endif

#include "agent/platform/net.h"

namespace jvmdebug::agent::platform {

class SocketAddress {
 public:
  // Room for any address.
  SocketAddress() : size(sizeof storage_) {}

  SocketAddress(const sockaddr& address, std::size_t length)
      : size(static_cast<socklen_t>(std::min(length, sizeof storage_))) {
    std::memcpy(&storage_, &address, static_cast<std::size_t>(size));
  }

  explicit SocketAddress(const Endpoint& endpoint) {
    if (endpoint.is_v4) {
      auto& four = *reinterpret_cast<sockaddr_in*>(&storage_);
      four.sin_family = AF_INET;
      four.sin_port = htons(endpoint.port);
      std::memcpy(&four.sin_addr, endpoint.address.data() + kMappedPrefix, sizeof four.sin_addr);
      size = sizeof four;
    } else {
      auto& six = *reinterpret_cast<sockaddr_in6*>(&storage_);
      six.sin6_family = AF_INET6;
      six.sin6_port = htons(endpoint.port);
      six.sin6_scope_id = endpoint.scope;
      std::memcpy(&six.sin6_addr, endpoint.address.data(), sizeof six.sin6_addr);
      size = sizeof six;
    }
  }

  [[nodiscard]] sockaddr* plain() { return reinterpret_cast<sockaddr*>(&storage_); }

  [[nodiscard]] const sockaddr* plain() const {
    return reinterpret_cast<const sockaddr*>(&storage_);
  }

  [[nodiscard]] int family() const { return storage_.ss_family; }

  [[nodiscard]] Endpoint endpoint() const {
    Endpoint found;
    if (storage_.ss_family == AF_INET6) {
      const auto& six = *reinterpret_cast<const sockaddr_in6*>(&storage_);
      std::memcpy(found.address.data(), &six.sin6_addr, sizeof six.sin6_addr);
      found.port = ntohs(six.sin6_port);
      found.scope = static_cast<std::uint32_t>(six.sin6_scope_id);
    } else {
      const auto& four = *reinterpret_cast<const sockaddr_in*>(&storage_);
      found.address[kMappedPrefix - 2] = found.address[kMappedPrefix - 1] = 0xff;
      std::memcpy(found.address.data() + kMappedPrefix, &four.sin_addr, sizeof four.sin_addr);
      found.port = ntohs(four.sin_port);
      found.is_v4 = true;
    }
    return found;
  }

 private:
  sockaddr_storage storage_{};

 public:
  socklen_t size = 0;  // of what is in use
};

// Has to have been called before any function of sockets; false if there are none.
[[nodiscard]] bool start_sockets();
// Why no address of a host was found: the text of an error of getaddrinfo().
[[nodiscard]] std::string lookup_error_text(int code);

}  // namespace jvmdebug::agent::platform
