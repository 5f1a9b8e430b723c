// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/reach.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "agent/transport/tcp.h"
#include "agent/transport/token_file.h"

namespace jvmdebug::agent {
namespace {

constexpr const char* kVariable = "JVMDEBUG_TOKEN_FILE";

using Outcome = std::expected<void, OptionError>;

Outcome check_token(const Options& options) {
  if (options.address.is_library()) {
    return std::unexpected(OptionError{
        .message = "option token-file: the transport library " + options.address.library +
                   " shakes hands itself, without a token; use transport=dt_socket or unix",
        .jdk_message = std::string(kJdkSyntaxError)});
  }
  for (const TokenFile& file : options.tokens) {
    if (const auto token = read_token(file.path); !token) {
      return refuse("token-file", file.path, token.error());
    }
  }
  return {};
}

}  // namespace

std::expected<void, OptionError> check_reach(Options& options) {
  const bool is_tcp = !options.address.is_unix() && !options.address.is_library();
  const char* const file = std::getenv(kVariable);
  const bool has_token = std::ranges::any_of(
      options.tokens, [](const TokenFile& each) { return each.role == Role::kDebug; });
  if (!has_token && options.server && is_tcp && file != nullptr) {
    options.tokens.push_back({.path = file});
  }
  if (!options.tokens.empty()) {
    return check_token(options);
  }
  if (!options.server || !is_tcp || tcp::is_loopback(options.address)) {
    return {};
  }
  if (!options.insecure) {
    return refuse("address", options.address.host + ":" + std::to_string(options.address.port),
                  "whoever reaches it could run code in the program; token-file=PATH lets in only "
                  "who has the token, without a host the agent listens on loopback, and insecure=y "
                  "lets everybody in");
  }
  std::fprintf(stderr, "jvmdebug: insecure=y: whoever reaches %s:%u can run code in this program\n",
               options.address.host.c_str(), unsigned{options.address.port});
  return {};
}

}  // namespace jvmdebug::agent
