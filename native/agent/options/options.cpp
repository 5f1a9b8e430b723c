// SPDX-License-Identifier: Apache-2.0
#include "agent/options/options.h"

#include <algorithm>
#include <utility>

#include "agent/options/option_table.h"

namespace jvmdebug::agent {
namespace {

using Outcome = std::expected<void, OptionError>;

std::unexpected<OptionError> missing(std::string_view option, std::string_view why,
                                     std::string_view jdk_message = kJdkSyntaxError) {
  return std::unexpected(
      OptionError{.message = "option " + std::string(option) + ": " + std::string(why),
                  .jdk_message = std::string(jdk_message)});
}

std::string known_names() {
  std::string names;
  for (const OptionEntry& entry : option_table()) {
    if (!entry.meaning.empty()) {
      names.append(entry.name).append(", ");
    }
  }
  return names + "help";
}

// Cuts the next item off the front of `rest`, up to the separator or the end.
std::string_view next_item(std::string_view& rest, char separator) {
  const auto end = std::min(rest.find(separator), rest.size());
  const auto item = rest.substr(0, end);
  rest.remove_prefix(end < rest.size() ? end + 1 : end);
  return item;
}

Outcome read_item(std::string_view item, GivenOptions& given) {
  const auto equals = item.find('=');
  const auto name = item.substr(0, equals);
  const auto entry = std::ranges::find(option_table(), name, &OptionEntry::name);
  if (entry == option_table().end()) {
    return missing(item, "unknown; accepted are " + known_names());
  }
  if (equals == std::string_view::npos) {
    return missing(name, "needs a value, as in " + std::string(name) + "=...");
  }
  return entry->set(name, item.substr(equals + 1), given);
}

std::expected<Address, OptionError> given_address(const GivenOptions& given) {
  if (given.transport == "unix") {
    return parse_socket_path(given.address);
  }
  if (given.transport != "dt_socket") {
    Address address;
    address.library = given.transport;
    address.text = given.address;
    return address;
  }
  return given.address.empty() ? Address{} : parse_address(given.address);
}

// Reads who may connect. A transport library reads that itself.
Outcome parse_given_allow(Options& options) {
  if (options.allow_text.empty() || options.address.is_library()) {
    return {};
  }
  if (options.address.is_unix()) {
    return missing("allow", "names networks, and transport=unix has none; the peer's user counts");
  }
  auto networks = parse_allow(options.allow_text);
  if (!networks) {
    return std::unexpected(networks.error());
  }
  options.allow = *std::move(networks);
  return {};
}

// Checks the address to which the agent connects with server=n.
Outcome check_peer_address(const GivenOptions& given) {
  const Address& address = given.options.address;
  const bool is_missing = address.is_library() ? address.text.empty() : address.port == 0;
  if (is_missing) {
    return missing("address",
                   address.is_library()
                       ? "with server=n the agent connects to the debugger and needs the address "
                         "that the transport library understands; write server=y to listen"
                       : "with server=n the agent connects to the debugger and needs "
                         "address=host:port; write server=y to listen",
                   "JDWP Non-server transport " + address.transport_name() +
                       " must have a connection address specified through the 'address=' option");
  }
  if (address.host == "*") {
    return refuse("address", given.address,
                  "the agent cannot connect to every host; name one, or write server=y to listen");
  }
  return {};
}

Outcome parse_given_address(GivenOptions& given) {
  Options& options = given.options;
  if (given.transport.empty()) {
    return missing("transport", "must be given; write transport=dt_socket",
                   "JDWP no transport specified");
  }
  auto address = given_address(given);
  if (!address) {
    return std::unexpected(address.error());
  }
  options.address = *std::move(address);
  if (auto allowed = parse_given_allow(options); !allowed) {
    return allowed;
  }
  if (options.server || options.address.is_unix()) {
    return {};
  }
  if (options.on_jcmd && !given.address.empty()) {
    return {};  // check_beginning() refuses it
  }
  return check_peer_address(given);
}

Outcome check_beginning(const Options& options) {
  const bool at_exception = !options.on_throw.empty() || options.on_uncaught;
  if (at_exception && options.launch.empty()) {
    return missing("launch", "onthrow and onuncaught need launch=COMMAND, the debugger to start",
                   "JDWP Specify launch=<command line> when using onthrow or onuncaught suboption");
  }
  if (at_exception && options.mode == Mode::kFast) {
    return missing("mode", "onthrow and onuncaught need exception events; write mode=full");
  }
  if (options.on_jcmd && !options.server) {
    return missing("onjcmd", "needs server=y", "JDWP Can only use onjcmd with server=y");
  }
  if (options.on_jcmd && (at_exception || !options.launch.empty())) {
    return missing("onjcmd", "cannot be combined with launch, onthrow and onuncaught",
                   "JDWP Cannot combine onjcmd and launch suboptions");
  }
  return {};
}

}  // namespace

ParsedOptions parse_options(std::string_view text) {
  GivenOptions given;
  for (auto rest = text; !rest.empty();) {
    const auto item = next_item(rest, ',');
    if (item == "help") {
      return {};
    }
    if (const auto set = read_item(item, given); !set) {
      return {.options = {}, .error = set.error()};
    }
  }
  if (const auto parsed = parse_given_address(given); !parsed) {
    return {.options = {}, .error = parsed.error()};
  }
  if (const auto fits = check_beginning(given.options); !fits) {
    return {.options = {}, .error = fits.error()};
  }
  if (given.options.on_jcmd) {
    given.options.suspend = false;  // the program runs already, and jcmd waits for its answer
  }
  return {.options = std::move(given.options), .error = {}};
}

}  // namespace jvmdebug::agent
