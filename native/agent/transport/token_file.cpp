// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/token_file.h"

#include <cstddef>
#include <utility>

#include "agent/platform/files.h"

namespace jvmdebug::agent {
namespace {

constexpr std::size_t kLongestToken = 4096;

}  // namespace

std::expected<std::string, std::string> read_token(const std::string& file) {
  auto read = platform::read_private_file(file, kLongestToken);
  if (!read) {
    return read;
  }
  std::string token = *std::move(read);
  if (token.size() > kLongestToken) {
    return std::unexpected("it has more than " + std::to_string(kLongestToken) + " bytes");
  }
  token.resize(token.find_last_not_of(" \t\r\n") + 1);  // npos + 1 is 0
  if (token.empty()) {
    return std::unexpected("there is no token in it; `openssl rand -base64 32` writes one");
  }
  return token;
}

}  // namespace jvmdebug::agent
