// SPDX-License-Identifier: Apache-2.0
//
// The option string of -agentpath:...=OPTIONS, in the words of the JDK's own agent, so that any
// tool that builds an option string for that agent can build one for ours. Parsing needs no VM.
// Called by main (Agent_OnLoad); read by session and transport.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jvmdebug::agent {

// Where to listen or to connect to. host is empty for loopback and "*" for every interface.
struct Address {
  std::string host;
  std::uint16_t port = 0;  // 0: any free port (listening only)
};

// One network of allow=, for instance 192.168.1.0/24 or ::1/128; IPv4 is kept mapped into IPv6.
struct Network {
  std::array<std::uint8_t, 16> address{};
  int prefix_bits = 128;

  [[nodiscard]] bool contains(const std::array<std::uint8_t, 16>& peer) const;
};

// What the agent may cost while it is idle. full: all that JDWP offers, as the JDK's own agent; the
// VM then throws exceptions slowly for the whole run. fast: without the three JVM TI capabilities
// that do this (see jvm::Capabilities), so without exception and method exit events.
enum class Mode : std::uint8_t { kFull, kFast };

struct Options {
  bool server = false;  // listen for the debugger (y) or connect out to it (n)
  bool suspend = true;  // hold the program at its start until the debugger resumes it
  bool quiet = false;   // do not print the `Listening for transport` line
  bool include_virtual_threads = false;  // AllThreads lists virtual threads as well
  Mode mode = Mode::kFull;
  Address address;
  std::optional<std::chrono::milliseconds> timeout;  // for accepting, or for connecting out
  std::vector<Network> allow;                        // empty: every peer that can reach the socket
};

// Why an option string was refused: a text that names the option, its value and what is accepted.
struct OptionError {
  std::string message;
};

// The outcome of parsing is one of three: options, a wish for help, or a reason for refusing.
struct ParsedOptions {
  std::optional<Options> options;
  std::optional<OptionError> error;  // neither: help was asked for
};

[[nodiscard]] ParsedOptions parse_options(std::string_view text);

// `[host:]port`, `*:port`, `[ipv6]:port` or only a port.
[[nodiscard]] std::expected<Address, OptionError> parse_address(std::string_view text);

// Networks separated by `+`, each an IPv4 or IPv6 address with an optional /prefix; `*` is every
// peer.
[[nodiscard]] std::expected<std::vector<Network>, OptionError> parse_allow(std::string_view text);

// What `help` prints.
[[nodiscard]] std::string_view usage();

}  // namespace jvmdebug::agent
