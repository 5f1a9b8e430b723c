// SPDX-License-Identifier: Apache-2.0
#include "agent/platform/files.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace jvmdebug::agent::platform {
namespace {

class OpenFile {
 public:
  // Does not block: opening a pipe would wait for a process that writes.
  explicit OpenFile(const std::string& file)
      : descriptor_(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}

  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  ~OpenFile() {
    if (descriptor_ >= 0) {
      (void)close(descriptor_);
    }
  }

  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

std::unexpected<std::string> cannot_read() {
  return std::unexpected("it cannot be read: " + std::generic_category().message(errno));
}

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

std::expected<std::string, std::string> read_private_file(const std::string& file,
                                                          std::size_t longest) {
  const OpenFile opened(file);
  struct stat found = {};
  if (opened.get() < 0 || fstat(opened.get(), &found) != 0) {
    return cannot_read();
  }
  if (!S_ISREG(found.st_mode)) {
    return std::unexpected("it is no regular file");
  }
  if (is_open_to_others(found)) {
    return std::unexpected("others can read it; chmod 600 " + file);
  }
  std::string text(longest + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const auto got = read(opened.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return cannot_read();
    }
    if (got == 0) {
      break;
    }
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

}  // namespace jvmdebug::agent::platform
