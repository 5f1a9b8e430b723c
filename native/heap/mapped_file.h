// SPDX-License-Identifier: Apache-2.0
//
// A local file as bytes in memory, read when they are accessed. It must not shrink meanwhile. Used
// by Dump.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace jvmdebug::heap {

// The file cannot be read, or is not a heap dump; the text is a sentence.
class DumpError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The bytes end before a record does.
class CutError : public DumpError {
 public:
  CutError()
      : DumpError(
            "ends in the middle of a record of a heap dump: it was cut off, or is still "
            "being written") {}
};

class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {begin_, size_}; }

 private:
  const std::uint8_t* begin_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace jvmdebug::heap
