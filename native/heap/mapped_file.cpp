// SPDX-License-Identifier: Apache-2.0
#include "heap/mapped_file.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace jvmdebug::heap {
namespace {

[[noreturn]] void fail(const std::string& path, int code) {
  throw DumpError("cannot read " + path + ": " + std::generic_category().message(code));
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) {
    fail(path, errno);
  }
  struct stat status{};
  void* mapped = MAP_FAILED;
  int code = fstat(descriptor, &status) == 0 ? 0 : errno;
  if (code == 0 && !S_ISREG(status.st_mode)) {
    code = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  }
  if (code == 0 && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    code = mapped == MAP_FAILED ? errno : 0;
  }
  close(descriptor);
  if (code != 0) {
    fail(path, code);
  }
  if (size_ > 0) {
    begin_ = static_cast<const std::uint8_t*>(mapped);
  }
}

MappedFile::~MappedFile() {
  if (begin_ != nullptr) {
    munmap(const_cast<std::uint8_t*>(begin_), size_);
  }
}

}  // namespace jvmdebug::heap
