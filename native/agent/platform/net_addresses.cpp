// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#endif

#include "agent/platform/net.h"
#include "agent/platform/socket_address.h"

namespace jvmdebug::agent::platform {
namespace {

constexpr std::uint8_t kLoopbackNetwork = 127;

struct AddressListDeleter {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

using AddressList = std::unique_ptr<addrinfo, AddressListDeleter>;

}  // namespace

bool is_mapped_v4(const IpAddress& address) {
  const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
  return std::ranges::all_of(std::span(address).first(kMappedPrefix - 2), is_zero) &&
         address[kMappedPrefix - 2] == 0xff && address[kMappedPrefix - 1] == 0xff;
}

bool is_loopback(const IpAddress& address) {
  if (is_mapped_v4(address)) {
    return address[kMappedPrefix] == kLoopbackNetwork;
  }
  IpAddress loopback{};
  loopback.back() = 1;
  return address == loopback;
}

std::optional<IpAddress> parse_ip(const std::string& text) {
  IpAddress address{};
  if (!start_sockets()) {
    return std::nullopt;
  }
  if (inet_pton(AF_INET6, text.c_str(), address.data()) == 1) {
    return address;
  }
  in_addr four{};
  if (inet_pton(AF_INET, text.c_str(), &four) != 1) {
    return std::nullopt;
  }
  address = {};
  address[kMappedPrefix - 2] = address[kMappedPrefix - 1] = 0xff;
  std::memcpy(address.data() + kMappedPrefix, &four, sizeof four);
  return address;
}

std::string ip_text(const IpAddress& address) {
  const bool is_v4 = is_mapped_v4(address);
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* const bytes = address.data() + (is_v4 ? kMappedPrefix : 0);
  if (!start_sockets() ||
      inet_ntop(is_v4 ? AF_INET : AF_INET6, bytes, text.data(), text.size()) == nullptr) {
    return {};
  }
  return text.data();
}

std::expected<std::vector<Endpoint>, std::string> resolve(const char* host, std::uint16_t port,
                                                          bool to_listen) {
  if (!start_sockets()) {
    return std::unexpected("sockets cannot be used");
  }
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (to_listen ? AI_PASSIVE : 0);
  addrinfo* list = nullptr;
  const int code = getaddrinfo(host, std::to_string(port).c_str(), &hints, &list);
  if (code != 0) {
    return std::unexpected(lookup_error_text(code));
  }
  const AddressList owned(list);
  std::vector<Endpoint> found;
  for (const addrinfo* each = list; each != nullptr; each = each->ai_next) {
    if (each->ai_family == AF_INET || each->ai_family == AF_INET6) {
      found.push_back(SocketAddress(*each->ai_addr, each->ai_addrlen).endpoint());
    }
  }
  return found;
}

}  // namespace jvmdebug::agent::platform
