// SPDX-License-Identifier: Apache-2.0
#include "agent/options/address.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>

#include "agent/platform/local_socket.h"
#include "agent/platform/net.h"

namespace jvmdebug::agent {
namespace {

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || status != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

std::optional<Network> parse_network(std::string_view text) {
  const auto slash = text.find('/');
  const std::string host(text.substr(0, slash));
  const auto address = platform::parse_ip(host);
  if (!address) {
    return std::nullopt;
  }
  const bool is_v4 = host.find(':') == std::string::npos;
  const int family_bits = is_v4 ? 32 : 128;
  int prefix = family_bits;
  if (slash != std::string_view::npos) {
    const auto given = whole_number<int>(text.substr(slash + 1));
    if (!given || *given < 0 || *given > family_bits) {
      return std::nullopt;
    }
    prefix = *given;
  }
  return Network{.address = *address, .prefix_bits = 128 - family_bits + prefix};
}

}  // namespace

std::unexpected<OptionError> refuse(std::string_view option, std::string_view value,
                                    std::string_view accepted, std::string_view jdk_message) {
  std::string message = "option ";
  message.append(option).append("=").append(value).append(": ").append(accepted);
  return std::unexpected(
      OptionError{.message = std::move(message), .jdk_message = std::string(jdk_message)});
}

bool Network::contains(const std::array<std::uint8_t, 16>& peer) const {
  const auto whole = static_cast<std::size_t>(prefix_bits / 8);
  if (!std::equal(peer.begin(), peer.begin() + static_cast<std::ptrdiff_t>(whole),
                  address.begin())) {
    return false;
  }
  const int rest = prefix_bits % 8;
  if (rest == 0) {
    return true;
  }
  const auto mask = static_cast<std::uint8_t>(0xff << (8 - rest));
  return ((peer[whole] ^ address[whole]) & mask) == 0;
}

std::expected<Address, OptionError> parse_address(std::string_view text) {
  constexpr std::string_view kAccepted =
      "[host:]port, *:port or [ipv6]:port is accepted, with a port from 0 to 65535";
  constexpr std::string_view kJdkWrongPort = "transport error 103: invalid port number specified";
  Address address;
  auto port_text = text;
  if (text.starts_with('[')) {
    const auto close = text.find("]:");
    if (close == std::string_view::npos) {
      return refuse("address", text, kAccepted, kJdkWrongPort);
    }
    address.host = text.substr(1, close - 1);
    port_text = text.substr(close + 2);
  } else if (const auto colon = text.rfind(':'); colon != std::string_view::npos) {
    address.host = text.substr(0, colon);
    port_text = text.substr(colon + 1);
  }
  const auto port = whole_number<std::uint16_t>(port_text);
  if (!port) {
    return refuse("address", text, kAccepted, kJdkWrongPort);
  }
  address.port = *port;
  return address;
}

std::expected<Address, OptionError> parse_socket_path(std::string_view text) {
  const std::size_t longest = platform::longest_socket_path();
  if (text.empty() || text.size() > longest) {
    return refuse("address", text,
                  "with transport=unix the path of a socket file is accepted, of at most " +
                      std::to_string(longest) + " bytes (this one has " +
                      std::to_string(text.size()) + ")");
  }
  Address address;
  address.socket_path = text;
  return address;
}

std::expected<std::vector<Network>, OptionError> parse_allow(std::string_view text) {
  constexpr std::string_view kAccepted =
      "addresses or networks separated by + are accepted, such as 127.0.0.1+192.168.0.0/16, or *";
  std::vector<Network> networks;
  if (text == "*") {
    return networks;
  }
  for (auto rest = text;;) {
    const auto plus = rest.find('+');
    const auto network = parse_network(rest.substr(0, plus));
    if (!network) {
      return refuse("allow", text, kAccepted,
                    "transport error 103: invalid IP address in allow option");
    }
    networks.push_back(*network);
    if (plus == std::string_view::npos) {
      return networks;
    }
    rest.remove_prefix(plus + 1);
  }
}

}  // namespace jvmdebug::agent
