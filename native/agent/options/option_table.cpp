// SPDX-License-Identifier: Apache-2.0
#include "agent/options/option_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace jvmdebug::agent {
namespace {

using Outcome = std::expected<void, OptionError>;

Outcome read_yes_or_no(std::string_view name, std::string_view value, bool& target) {
  if (value != "y" && value != "n") {
    return refuse(name, value, "y or n is accepted");
  }
  target = value == "y";
  return {};
}

template <bool Options::* member>
Outcome set_yes_or_no(std::string_view name, std::string_view value, GivenOptions& given) {
  return read_yes_or_no(name, value, given.options.*member);
}

Outcome set_transport(std::string_view name, std::string_view value, GivenOptions& given) {
  if (!given.transport.empty()) {
    return refuse(name, value, "there can be one transport only");
  }
  if (value.empty()) {
    return refuse(name, value, "dt_socket, unix or the name of a transport library is accepted");
  }
  given.transport = value;
  return {};
}

Outcome set_address(std::string_view /*name*/, std::string_view value, GivenOptions& given) {
  given.address = value;
  return {};
}

Outcome set_timeout(std::string_view name, std::string_view value, GivenOptions& given) {
  std::int64_t milliseconds = 0;
  const auto [end, status] =
      std::from_chars(value.data(), value.data() + value.size(), milliseconds);
  constexpr std::int64_t kLongest = std::int64_t{1000} * 60 * 60 * 24 * 365;
  if (value.empty() || status != std::errc{} || end != value.data() + value.size() ||
      milliseconds > kLongest) {
    return refuse(name, value, "a number of milliseconds is accepted; 0 is no limit");
  }
  given.options.timeout.reset();
  if (milliseconds > 0) {
    given.options.timeout = std::chrono::milliseconds{milliseconds};
  }
  return {};
}

Outcome set_allow(std::string_view name, std::string_view value, GivenOptions& given) {
  if (value.empty()) {
    return refuse(name, value, "addresses or networks are accepted, or *");
  }
  given.options.allow_text = value;  // its meaning depends on the transport
  return {};
}

template <Role kRole>
Outcome set_token_file(std::string_view name, std::string_view value, GivenOptions& given) {
  if (value.empty()) {
    return refuse(name, value, "the path of a file with a token is accepted");
  }
  auto& tokens = given.options.tokens;
  std::erase_if(tokens, [](const TokenFile& each) { return each.role == kRole; });
  tokens.push_back({.path = std::string(value), .role = kRole});
  return {};
}

Outcome set_longest_stop(std::string_view name, std::string_view value, GivenOptions& given) {
  std::int64_t milliseconds = 0;
  const auto [end, status] =
      std::from_chars(value.data(), value.data() + value.size(), milliseconds);
  constexpr std::int64_t kShortest = 10;
  constexpr std::int64_t kLongest = std::int64_t{1000} * 60 * 60;
  if (status != std::errc{} || end != value.data() + value.size() || milliseconds < kShortest ||
      milliseconds > kLongest) {
    return refuse(name, value, "a number of milliseconds from 10 to 3600000 is accepted");
  }
  given.options.longest_stop = std::chrono::milliseconds{milliseconds};
  return {};
}

Outcome set_mode(std::string_view name, std::string_view value, GivenOptions& given) {
  if (value != "full" && value != "fast") {
    return refuse(name, value, "full or fast is accepted");
  }
  given.options.mode = value == "fast" ? Mode::kFast : Mode::kFull;
  return {};
}

Outcome set_on_throw(std::string_view name, std::string_view value, GivenOptions& given) {
  if (value.empty() || value.find_first_of(";[") != std::string_view::npos) {
    return refuse(name, value, "the name of an exception class is accepted, java.io.IOException");
  }
  std::string signature = "L" + std::string(value) + ";";
  std::ranges::replace(signature, '.', '/');
  given.options.on_throw = std::move(signature);
  return {};
}

Outcome set_launch(std::string_view name, std::string_view value, GivenOptions& given) {
  if (value.find_first_not_of(" \t") == std::string_view::npos) {
    return refuse(name, value,
                  "a command is accepted; it gets the transport and the address as two more "
                  "arguments");
  }
  given.options.launch = value;
  return {};
}

Outcome set_log_file(std::string_view /*name*/, std::string_view value, GivenOptions& given) {
  given.options.unused_log = value;
  return {};
}

// Accepts an option of old command lines, and ignores it: the feature does not exist.
Outcome ignore_yes_or_no(std::string_view name, std::string_view value, GivenOptions& /*given*/) {
  bool ignored = false;
  return read_yes_or_no(name, value, ignored);
}

Outcome ignore_assert(std::string_view name, std::string_view value, GivenOptions& /*given*/) {
  if (value != "y" && value != "n" && value != "fatal") {
    return refuse(name, value, "y, n or fatal is accepted");
  }
  return {};
}

Outcome ignore(std::string_view /*name*/, std::string_view /*value*/, GivenOptions& /*given*/) {
  return {};
}

Outcome refuse_removed(std::string_view name, std::string_view value, GivenOptions& /*given*/) {
  return refuse(name, value, "this option was removed from JDWP agents; use -XX:OnError");
}

constexpr std::array kTable = {
    OptionEntry{.name = "transport",
                .value = "dt_socket, unix or NAME",
                .fallback = "(must be given)",
                .meaning = "TCP, a UNIX-domain socket of this user, or the transport library "
                           "libNAME.so",
                .set = set_transport},
    OptionEntry{.name = "server",
                .value = "y or n",
                .fallback = "n",
                .meaning = "y: listen for the debugger, n: connect to it",
                .set = set_yes_or_no<&Options::server>},
    OptionEntry{.name = "suspend",
                .value = "y or n",
                .fallback = "y",
                .meaning = "y: hold the program until the debugger resumes it",
                .set = set_yes_or_no<&Options::suspend>},
    OptionEntry{.name = "address",
                .value = "[host:]port, *:port, [ipv6]:port; unix: a path; a library: what it takes",
                .fallback = "loopback, any free port",
                .meaning = "where to listen, or to connect to",
                .set = set_address},
    OptionEntry{.name = "timeout",
                .value = "milliseconds",
                .fallback = "0 (no limit)",
                .meaning = "how long to wait for the debugger; then the VM ends",
                .set = set_timeout},
    OptionEntry{.name = "allow",
                .value = "networks such as 127.0.0.1+10.0.0.0/8+::1, or *",
                .fallback = "*",
                .meaning = "who may connect",
                .set = set_allow},
    OptionEntry{.name = "token-file",
                .value = "path",
                .fallback = "$JVMDEBUG_TOKEN_FILE, or none",
                .meaning = "let in only debuggers that have the token in this file",
                .set = set_token_file<Role::kDebug>},
    OptionEntry{.name = "observe-token-file",
                .value = "path",
                .fallback = "none",
                .meaning = "let in debuggers with the token in this file, which may look and count",
                .set = set_token_file<Role::kObserve>},
    OptionEntry{.name = "read-only-token-file",
                .value = "path",
                .fallback = "none",
                .meaning = "let in debuggers with the token in this file, which may look",
                .set = set_token_file<Role::kReadOnly>},
    OptionEntry{.name = "longest-stop",
                .value = "milliseconds",
                .fallback = "2000",
                .meaning = "how long such a debugger may hold the program at once",
                .set = set_longest_stop},
    OptionEntry{.name = "insecure",
                .value = "y or n",
                .fallback = "n",
                .meaning = "y: listen on a network without a token",
                .set = set_yes_or_no<&Options::insecure>},
    OptionEntry{.name = "quiet",
                .value = "y or n",
                .fallback = "n",
                .meaning = "y: do not print where the agent listens",
                .set = set_yes_or_no<&Options::quiet>},
    OptionEntry{.name = "launch",
                .value = "command",
                .fallback = "none",
                .meaning = "run it when the agent listens, with transport and address appended",
                .set = set_launch},
    OptionEntry{.name = "onthrow",
                .value = "exception class",
                .fallback = "none",
                .meaning = "begin only when this exception is thrown; needs launch",
                .set = set_on_throw},
    OptionEntry{.name = "onuncaught",
                .value = "y or n",
                .fallback = "n",
                .meaning = "y: begin only at an exception that is not caught; needs launch",
                .set = set_yes_or_no<&Options::on_uncaught>},
    OptionEntry{.name = "onjcmd",
                .value = "y or n",
                .fallback = "n",
                .meaning = "y: begin only at jcmd PID VM.start_java_debugging (JDK 12 to 23)",
                .set = set_yes_or_no<&Options::on_jcmd>},
    OptionEntry{.name = "includevirtualthreads",
                .value = "y or n",
                .fallback = "n",
                .meaning = "y: list virtual threads too",
                .set = set_yes_or_no<&Options::include_virtual_threads>},
    OptionEntry{.name = "mutf8",
                .value = "y or n",
                .fallback = "n",
                .meaning = "y: strings travel as modified UTF-8",
                .set = set_yes_or_no<&Options::modified_utf8>},
    OptionEntry{.name = "mode",
                .value = "full or fast",
                .fallback = "full",
                .meaning = "full: all that JDWP offers; fast: the program runs at full speed, "
                           "method exit events of named classes only",
                .set = set_mode},
    OptionEntry{
        .name = "probes",
        .value = "y or n",
        .fallback = "y",
        .meaning = "n: never change the program's code; in the fast mode no exceptions then",
        .set = set_yes_or_no<&Options::probes>},
    OptionEntry{.name = "vmreads",
                .value = "y or n",
                .fallback = "y",
                .meaning = "n: never read the VM's own memory, for what no interface tells",
                .set = set_yes_or_no<&Options::vm_reads>},
    OptionEntry{.name = "pause",
                .value = "y or n",
                .fallback = "n",
                .meaning = "y: wait ten minutes for a native debugger",
                .set = set_yes_or_no<&Options::pause>},
    OptionEntry{.name = "datadump",
                .value = "y or n",
                .fallback = "n",
                .meaning = "y: print which threads are suspended at jcmd PID JVMTI.data_dump",
                .set = set_yes_or_no<&Options::data_dump>},
    OptionEntry{.name = "assert", .set = ignore_assert},
    OptionEntry{.name = "coredump", .set = ignore_yes_or_no},
    OptionEntry{.name = "debugflags", .set = ignore},
    OptionEntry{.name = "errorexit", .set = ignore_yes_or_no},
    OptionEntry{.name = "logfile", .set = set_log_file},
    OptionEntry{.name = "logflags", .set = ignore},
    OptionEntry{.name = "stdalloc", .set = ignore_yes_or_no},
    OptionEntry{.name = "strict", .set = ignore_yes_or_no},
    OptionEntry{.name = "exitpause", .set = refuse_removed},
    OptionEntry{.name = "precrash", .set = refuse_removed},
};

}  // namespace

std::span<const OptionEntry> option_table() {
  return kTable;
}

}  // namespace jvmdebug::agent
