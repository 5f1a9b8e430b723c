// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/tcp.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace jvmdebug::agent::tcp {
namespace {

using platform::Endpoint;

std::string text_of(const Address& address) {
  const std::string host = address.host.empty() ? "localhost" : address.host;
  return host + ":" + std::to_string(address.port);
}

// The most that waits unsent. By default some megabytes of written data wait in the system unsent,
// which are a hundred thousand events. A debugger that reads more slowly than events come would
// have to read all of them before it gets the reply to the command that clears their request.
constexpr int kMostUnsent = 128 * 1024;

// A debugger whose machine or network is gone sends nothing any more. After a minute of silence the
// system begins to ask whether it is alive, and gives it up after two. A debugger that only reads
// slowly still answers.
constexpr std::chrono::seconds kIdle{60};
constexpr std::chrono::seconds kInterval{15};
constexpr int kCount = 4;

// The time for an answer. While sent data is not acknowledged, the system sends no keep-alive
// probes but retransmits, for a quarter of an hour by default; it is to give a silent debugger up
// after the same time.
constexpr std::chrono::milliseconds kMostUnanswered = kIdle + kInterval * kCount;

// Sets what it can. If one of these fails, only speed or latency is lost, or a dead connection
// lasts long: no reason to refuse a live one.
void set_options(const Socket& socket) {
  const auto descriptor = socket.descriptor();
  platform::send_small_packets_at_once(descriptor);
  platform::keep_alive(descriptor, kIdle, kInterval, kCount);
  platform::limit_retransmission(descriptor, kMostUnanswered);
  platform::limit_unsent(descriptor, kMostUnsent);
}

// Finds the interface of a scope, by name or number; as in the JDK's own agent an empty scope means
// none.
std::optional<std::uint32_t> scope_id(const std::string& scope) {
  if (scope.empty()) {
    return 0;
  }
  std::uint32_t number = 0;
  const auto [end, status] = std::from_chars(scope.data(), scope.data() + scope.size(), number);
  if (status == std::errc{} && end == scope.data() + scope.size()) {
    return number;
  }
  number = platform::interface_number(scope);
  return number == 0 ? std::nullopt : std::optional(number);
}

// Why an address cannot be resolved, and the message of the JDK's own agent.
struct Unresolved {
  std::string why;
  std::string_view jdk_message;
};

using Endpoints = std::vector<Endpoint>;

std::expected<Endpoints, Unresolved> resolve_host(const char* host, const Address& address,
                                                  bool to_listen) {
  auto found = platform::resolve(host, address.port, to_listen);
  if (!found) {
    return std::unexpected(
        Unresolved{.why = std::move(found.error()),
                   .jdk_message = "transport error 202: getaddrinfo: failed to parse address"});
  }
  return *std::move(found);
}

// Resolves `fe80::1%eth0`: the system's resolver accepts an interface name only for a few kinds of
// addresses.
std::expected<Endpoints, Unresolved> resolve_scoped(const Address& address, std::size_t percent,
                                                    bool to_listen) {
  const std::string scope = address.host.substr(percent + 1);
  const auto id = scope_id(scope);
  if (!id) {
    return std::unexpected(Unresolved{.why = "there is no network interface " + scope,
                                      .jdk_message = "transport error 103: failed to parse scope"});
  }
  auto found = resolve_host(address.host.substr(0, percent).c_str(), address, to_listen);
  if (!found) {
    return found;
  }
  for (Endpoint& each : *found) {
    if (each.is_v4) {
      return std::unexpected(
          Unresolved{.why = "only an IPv6 address can name an interface",
                     .jdk_message = "transport error 103: IPv4 address cannot contain scope"});
    }
    each.scope = *id;
  }
  return found;
}

std::expected<Endpoints, Unresolved> resolve(const Address& address, bool to_listen) {
  if (const auto percent = address.host.find('%'); percent != std::string::npos) {
    return resolve_scoped(address, percent, to_listen);
  }
  const char* host = address.host.c_str();
  if (address.host.empty()) {
    host = "localhost";
  } else if (address.host == "*") {
    host = nullptr;
  }
  return resolve_host(host, address, to_listen);
}

// Chooses IPv6 for every interface (one socket serves both families) and IPv4 for loopback, as
// libjdwp does.
void put_preferred_first(Endpoints& all, bool every_interface) {
  const auto found = std::ranges::find(all, !every_interface, &Endpoint::is_v4);
  if (found != all.end()) {
    all.insert(all.begin(), *found);
  }
}

// Returns a name like `127.0.0.1:40000` or `[::1]:40000`.
std::string name_of(const Endpoint& peer) {
  const std::string text = platform::ip_text(peer.address);
  if (text.empty()) {
    return "an unknown address";
  }
  const bool is_v4 = platform::is_mapped_v4(peer.address);
  return (is_v4 ? text : "[" + text + "]") + ":" + std::to_string(peer.port);
}

bool may_connect(const std::vector<Network>& allow, const Endpoint& peer) {
  return allow.empty() || std::ranges::any_of(allow, [&](const Network& network) {
           return network.contains(peer.address);
         });
}

}  // namespace

bool is_loopback(const Address& address) {
  const auto targets = resolve(address, true);
  return !targets || std::ranges::all_of(*targets, [](const Endpoint& each) {
    return platform::is_loopback(each.address);
  });
}

std::expected<Listening, TransportError> listen_on(const Address& address) {
  auto targets = resolve(address, true);
  if (!targets) {
    return std::unexpected(transport_error("cannot listen on", text_of(address),
                                           targets.error().why, targets.error().jdk_message));
  }
  put_preferred_first(*targets, address.host == "*");
  std::string why = "it has no address";
  for (const Endpoint& each : *targets) {
    const auto listening = platform::listen_at(each, kBacklog);
    if (listening) {
      Socket socket(*listening);
      const auto bound = platform::own_endpoint(*listening);
      return Listening{.socket = std::move(socket), .port = bound ? bound->port : std::uint16_t{0}};
    }
    why = platform::error_text(listening.error());
  }
  return std::unexpected(transport_error("cannot listen on", text_of(address), why,
                                         "transport error 202: bind failed: " + why));
}

std::expected<std::optional<Peer>, TransportError> accept_from(const Socket& listening,
                                                               const std::vector<Network>& allow) {
  const auto accepted = platform::accept(listening.descriptor());
  if (!accepted) {
    return failed_accept(accepted.error());
  }
  Socket socket(accepted->socket);
  if (!may_connect(allow, accepted->peer)) {
    std::fputs("jvmdebug: a peer that allow= does not name tried to connect; refused\n", stderr);
    return std::nullopt;
  }
  set_options(socket);
  return Peer{.socket = std::move(socket), .name = name_of(accepted->peer)};
}

void tell_slow_from_gone(Socket::Descriptor descriptor) {
  if (const auto state = platform::tcp_state(descriptor)) {
    const bool answers = state->is_all_acknowledged && state->answers_probes;
    platform::limit_retransmission(descriptor,
                                   answers ? std::chrono::milliseconds{} : kMostUnanswered);
  }
}

void has_room_again(Socket::Descriptor descriptor) {
  if (platform::is_tcp(descriptor)) {
    platform::limit_retransmission(descriptor, kMostUnanswered);
  }
}

std::string own_end(Socket::Descriptor descriptor) {
  const auto end = platform::own_endpoint(descriptor);
  return end ? name_of(*end) : std::string();
}

std::string peer_end(Socket::Descriptor descriptor) {
  const auto end = platform::peer_endpoint(descriptor);
  return end ? name_of(*end) : std::string();
}

bool answers(Socket::Descriptor descriptor, std::chrono::milliseconds lately) {
  const auto state = platform::tcp_state(descriptor);
  return !state || state->since_answer < lately;
}

bool is_local(Socket::Descriptor descriptor) {
  const auto end = platform::peer_endpoint(descriptor);
  return end && platform::is_loopback(end->address);
}

bool has_left(Socket::Descriptor descriptor) {
  const auto state = platform::tcp_state(descriptor);
  return state && state->peer_has_ended;
}

std::expected<Socket, TransportError> connect_to(const Address& address, const Deadline& deadline) {
  const auto targets = resolve(address, false);
  if (!targets) {
    return std::unexpected(transport_error("cannot connect to", text_of(address),
                                           targets.error().why, targets.error().jdk_message));
  }
  int error_number = platform::connection_refused();
  for (const Endpoint& each : *targets) {
    const auto connected = platform::connect_to(each, time_until(deadline));
    if (connected) {
      Socket socket(*connected);
      set_options(socket);
      return socket;
    }
    error_number = connected.error();
  }
  const std::string why = platform::error_text(error_number);
  return std::unexpected(transport_error("cannot connect to", text_of(address), why,
                                         "transport error 202: connect failed: " + why));
}

}  // namespace jvmdebug::agent::tcp
