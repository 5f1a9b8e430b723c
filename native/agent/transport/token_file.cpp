// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/token_file.h"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/transport/sockets.h"

namespace jvmdebug::agent {
namespace {

constexpr std::size_t kLongestToken = 4096;

// Whether other users may use the file. The group may read what belongs to root, and not to this
// process's user: so a container's platform hands out secrets.
bool is_open_to_others(const struct stat& found) {
  if ((found.st_mode & S_IRWXO) != 0) {
    return true;
  }
  const bool is_handed_out = found.st_uid == 0 && geteuid() != 0;
  return (found.st_mode & (is_handed_out ? S_IWGRP | S_IXGRP : S_IRWXG)) != 0;
}

}  // namespace

std::expected<std::string, std::string> read_token(const std::string& file) {
  // Without O_NONBLOCK, opening a pipe would wait for a process that writes.
  const Socket opened(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat found = {};
  if (!opened.open() || fstat(opened.descriptor(), &found) != 0) {
    return std::unexpected("it cannot be read: " + system_message(errno));
  }
  if (!S_ISREG(found.st_mode)) {
    return std::unexpected("it is no regular file");
  }
  if (is_open_to_others(found)) {
    return std::unexpected("others can read it; chmod 600 " + file);
  }
  std::string token(kLongestToken + 1, '\0');
  std::size_t size = 0;
  while (size < token.size()) {
    const auto got = read(opened.descriptor(), token.data() + size, token.size() - size);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return std::unexpected("it cannot be read: " + system_message(errno));
    }
    if (got == 0) {
      break;
    }
    size += static_cast<std::size_t>(got);
  }
  if (size > kLongestToken) {
    return std::unexpected("it has more than " + std::to_string(kLongestToken) + " bytes");
  }
  token.resize(size);
  token.resize(token.find_last_not_of(" \t\r\n") + 1);  // npos + 1 is 0
  if (token.empty()) {
    return std::unexpected("there is no token in it; `openssl rand -base64 32` writes one");
  }
  return token;
}

}  // namespace jvmdebug::agent
