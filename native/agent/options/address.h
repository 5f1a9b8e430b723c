// SPDX-License-Identifier: Apache-2.0
//
// Addresses of debuggers: the values of address= and allow=, as text and parsed. Knows no sockets
// and needs no VM. Called by options and by the transports.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace jvmdebug::agent {

// The reason why an option string was refused: names the option, its value and what is accepted.
struct OptionError {
  std::string message;
  std::string jdk_message;  // the message of the JDK's own agent, which tools look for
};

constexpr std::string_view kJdkSyntaxError = "JDWP option syntax error";

// `option NAME=VALUE: ACCEPTED`
[[nodiscard]] std::unexpected<OptionError> refuse(std::string_view option, std::string_view value,
                                                  std::string_view accepted,
                                                  std::string_view jdk_message = kJdkSyntaxError);

// The address to listen on or to connect to: a host and a port, the path of a UNIX-domain socket,
// or the text that a transport library understands.
struct Address {
  std::string host;          // empty for loopback, "*" for every interface
  std::uint16_t port = 0;    // 0: any free port (listening only)
  std::string socket_path;   // if not empty, a UNIX-domain socket; host and port are unused
  std::string library = {};  // if not empty, the name of a transport library; only `text` is used
  std::string text = {};     // what the library makes an address of; empty: it chooses one

  [[nodiscard]] bool is_library() const { return !library.empty(); }

  [[nodiscard]] bool is_unix() const { return !socket_path.empty(); }

  // The parts of `Listening for transport <name> at address: <where>`; like the JDK's agent, only
  // the port is named.
  [[nodiscard]] std::string transport_name() const {
    return is_library() ? library : is_unix() ? "unix" : "dt_socket";
  }

  [[nodiscard]] std::string announced() const {
    return is_library() ? text : is_unix() ? socket_path : std::to_string(port);
  }
};

// One network of allow=, for instance 192.168.1.0/24 or ::1/128; IPv4 is stored as IPv4-mapped
// IPv6.
struct Network {
  std::array<std::uint8_t, 16> address{};
  int prefix_bits = 128;

  [[nodiscard]] bool contains(const std::array<std::uint8_t, 16>& peer) const;
};

// Parses `[host:]port`, `*:port`, `[ipv6]:port` or only a port.
[[nodiscard]] std::expected<Address, OptionError> parse_address(std::string_view text);

// Parses the path of a socket file, which must fit into a socket address.
[[nodiscard]] std::expected<Address, OptionError> parse_socket_path(std::string_view text);

// Parses networks separated by `+`, each an IPv4 or IPv6 address with an optional /prefix; `*`
// alone allows every peer and gives an empty list.
[[nodiscard]] std::expected<std::vector<Network>, OptionError> parse_allow(std::string_view text);

}  // namespace jvmdebug::agent
