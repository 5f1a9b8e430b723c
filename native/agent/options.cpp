// SPDX-License-Identifier: Apache-2.0
#include "agent/options.h"

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <cstring>
#include <span>

namespace jvmdebug::agent {
namespace {

using Outcome = std::expected<void, OptionError>;

std::unexpected<OptionError> refuse(std::string_view option, std::string_view value,
                                    std::string_view accepted) {
  std::string message = "option ";
  message.append(option).append("=").append(value).append(": ").append(accepted);
  return std::unexpected(OptionError{std::move(message)});
}

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || status != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

Outcome set_yes_or_no(std::string_view option, std::string_view value, bool& target) {
  if (value != "y" && value != "n") {
    return refuse(option, value, "y or n is accepted");
  }
  target = value == "y";
  return {};
}

Outcome set_transport(std::string_view value, Options& /*options*/) {
  if (value == "dt_socket") {
    return {};
  }
  return refuse("transport", value, "dt_socket is the only transport");
}

Outcome set_mode(std::string_view value, Options& options) {
  if (value != "full" && value != "fast") {
    return refuse("mode", value, "full or fast is accepted");
  }
  options.mode = value == "fast" ? Mode::kFast : Mode::kFull;
  return {};
}

Outcome set_address(std::string_view value, Options& options) {
  auto address = parse_address(value);
  if (!address) {
    return std::unexpected(address.error());
  }
  options.address = *std::move(address);
  return {};
}

Outcome set_timeout(std::string_view value, Options& options) {
  const auto milliseconds = whole_number<std::uint32_t>(value);
  if (!milliseconds) {
    return refuse("timeout", value, "a number of milliseconds is accepted, 0 or more");
  }
  options.timeout.reset();
  if (*milliseconds > 0) {
    options.timeout = std::chrono::milliseconds{*milliseconds};
  }
  return {};
}

Outcome set_allow(std::string_view value, Options& options) {
  auto networks = parse_allow(value);
  if (!networks) {
    return std::unexpected(networks.error());
  }
  options.allow = *std::move(networks);
  return {};
}

Outcome not_yet(std::string_view option, std::string_view value) {
  return refuse(option, value,
                "not supported yet; start with suspend=y and set an exception breakpoint");
}

// To add an option: write its setter, name it here and in usage().
Outcome set_option(std::string_view name, std::string_view value, Options& options) {
  if (name == "transport") {
    return set_transport(value, options);
  }
  if (name == "server") {
    return set_yes_or_no(name, value, options.server);
  }
  if (name == "suspend") {
    return set_yes_or_no(name, value, options.suspend);
  }
  if (name == "quiet") {
    return set_yes_or_no(name, value, options.quiet);
  }
  if (name == "address") {
    return set_address(value, options);
  }
  if (name == "timeout") {
    return set_timeout(value, options);
  }
  if (name == "allow") {
    return set_allow(value, options);
  }
  if (name == "includevirtualthreads") {
    return set_yes_or_no(name, value, options.include_virtual_threads);
  }
  if (name == "mode") {
    return set_mode(value, options);
  }
  if (name == "mutf8") {
    // The wire's strings are UTF-8 by the specification; the old encoding is not offered.
    return value == "n" ? Outcome{} : refuse(name, value, "n is accepted; strings travel as UTF-8");
  }
  if (name == "onthrow" || name == "onuncaught" || name == "launch") {
    return not_yet(name, value);
  }
  return refuse(name, value,
                "unknown option; accepted are transport, address, server, suspend, timeout, quiet, "
                "allow, includevirtualthreads, mode, mutf8 and help");
}

// Cuts the next item off the front of `rest`, up to `separator` or the end.
std::string_view next_item(std::string_view& rest, char separator) {
  const auto end = std::min(rest.find(separator), rest.size());
  const auto item = rest.substr(0, end);
  rest.remove_prefix(end < rest.size() ? end + 1 : end);
  return item;
}

std::optional<Network> parse_network(std::string_view text) {
  const auto slash = text.find('/');
  const std::string host(text.substr(0, slash));
  Network network;
  int family_bits = 128;
  if (inet_pton(AF_INET6, host.c_str(), network.address.data()) != 1) {
    in_addr four{};
    if (inet_pton(AF_INET, host.c_str(), &four) != 1) {
      return std::nullopt;
    }
    network.address = {};
    network.address[10] = network.address[11] = 0xff;
    std::memcpy(network.address.data() + 12, &four, sizeof four);
    family_bits = 32;
  }
  int prefix = family_bits;
  if (slash != std::string_view::npos) {
    const auto given = whole_number<int>(text.substr(slash + 1));
    if (!given || *given < 0 || *given > family_bits) {
      return std::nullopt;
    }
    prefix = *given;
  }
  network.prefix_bits = 128 - family_bits + prefix;
  return network;
}

Outcome check_together(const Options& options, bool transport_given, bool address_given) {
  if (!transport_given) {
    return std::unexpected(OptionError{"option transport is missing: write transport=dt_socket"});
  }
  if (!options.server && (!address_given || options.address.port == 0)) {
    return std::unexpected(
        OptionError{"option address is missing: with server=n the agent connects out and needs "
                    "address=host:port; "
                    "write server=y to listen"});
  }
  if (!options.server && options.address.host == "*") {
    return refuse("address", "*", "the agent cannot connect out to every host; name one");
  }
  if (!options.server && !options.allow.empty()) {
    return std::unexpected(OptionError{"option allow: needs server=y, it says who may connect"});
  }
  return {};
}

}  // namespace

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
  Address address;
  auto port_text = text;
  if (text.starts_with('[')) {
    const auto close = text.find("]:");
    if (close == std::string_view::npos) {
      return refuse("address", text, kAccepted);
    }
    address.host = text.substr(1, close - 1);
    port_text = text.substr(close + 2);
  } else if (const auto colon = text.rfind(':'); colon != std::string_view::npos) {
    address.host = text.substr(0, colon);
    port_text = text.substr(colon + 1);
  }
  const auto port = whole_number<std::uint16_t>(port_text);
  if (!port) {
    return refuse("address", text, kAccepted);
  }
  address.port = *port;
  return address;
}

std::expected<std::vector<Network>, OptionError> parse_allow(std::string_view text) {
  constexpr std::string_view kAccepted =
      "addresses or networks separated by + are accepted, such as 127.0.0.1+192.168.0.0/16, or *";
  if (text == "*") {
    return std::vector<Network>{};
  }
  if (text.empty()) {
    return refuse("allow", text, kAccepted);
  }
  std::vector<Network> networks;
  for (auto rest = text; !rest.empty();) {
    const auto network = parse_network(next_item(rest, '+'));
    if (!network) {
      return refuse("allow", text, kAccepted);
    }
    networks.push_back(*network);
  }
  return networks;
}

ParsedOptions parse_options(std::string_view text) {
  Options options;
  bool transport_given = false;
  bool address_given = false;
  if (text == "help") {
    return {};
  }
  for (auto rest = text; !rest.empty();) {
    const auto item = next_item(rest, ',');
    const auto equals = item.find('=');
    const auto name = item.substr(0, equals);
    if (name == "help") {
      return {};
    }
    if (equals == std::string_view::npos) {
      return {.options = {},
              .error = OptionError{"option " + std::string(name) + ": needs a value, as in " +
                                   std::string(name) + "=..."}};
    }
    if (const auto set = set_option(name, item.substr(equals + 1), options); !set) {
      return {.options = {}, .error = set.error()};
    }
    transport_given |= name == "transport";
    address_given |= name == "address";
  }
  if (const auto fits = check_together(options, transport_given, address_given); !fits) {
    return {.options = {}, .error = fits.error()};
  }
  return {.options = std::move(options), .error = {}};
}

std::string_view usage() {
  return R"(jvmdebug: a JDWP server inside the VM, a drop-in replacement for the JDK's jdwp agent

  java -agentpath:/path/to/libjvmdebug.so=transport=dt_socket,server=y,suspend=n,address=5005 ...

option                   value                          default
transport                dt_socket                      (must be given)
server                   y: listen, n: connect out      n
suspend                  y: hold the program at start   y
address                  [host:]port, *:port,           loopback, any free port
                         [ipv6]:port
timeout                  milliseconds to wait for the   (for ever)
                         debugger
allow                    networks that may connect,     (all that reach the socket)
                         as 127.0.0.1+10.0.0.0/8
quiet                    y: do not print the address    n
includevirtualthreads    y: list virtual threads too    n
mode                     full: all that JDWP offers     full
                         fast: the program runs at full
                         speed; no exception and method
                         exit events
help                     print this

The address is bound to loopback unless a host or * is given: whoever can connect can run code in
the program.
)";
}

}  // namespace jvmdebug::agent
