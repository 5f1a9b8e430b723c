// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as a class file, inserts code at all of its instructions, and finds its open
// throws. What can be read is written again byte by byte, and what was rewritten can be read.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "agent/throws/throw_checks.h"
#include "classfile/class_file.h"
#include "classfile/instructions.h"

namespace {

namespace classfile = jvmdebug::classfile;
namespace throws = jvmdebug::agent::throws;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void look_up_everything(const classfile::ClassFile& file) {
  for (std::size_t index = 0; index <= file.pool().size(); ++index) {
    (void)file.pool().utf8(index);
    (void)file.pool().class_name(index);
    (void)file.pool().member(index);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* content, std::size_t size) {
  const std::span bytes(content, size);
  auto file = classfile::ClassFile::read(bytes);
  if (!file) {
    require(!classfile::text(file.error()).empty());
    return 0;
  }
  require(file->write() == std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
  look_up_everything(*file);
  if (const auto checked = throws::with_throw_checks(bytes)) {
    require(classfile::ClassFile::read(*checked).has_value());
  }
  for (const classfile::Method& method : file->methods()) {
    const auto code = file->code_of(method);
    if (code) {
      (void)throws::throw_checks_in(code->bytes);
    }
    std::vector<classfile::Insertion> insertions;
    for (const std::size_t index :
         code ? classfile::instructions(code->bytes) : std::vector<std::size_t>{}) {
      insertions.push_back({.index = index, .code = {3, 87}, .stack = 1});
    }
    (void)file->insert(method, insertions);
  }
  (void)file->pool().add_member({.kind = classfile::Constant::kMethod,
                                 .owner = "java/lang/Probe",
                                 .name = "hit",
                                 .descriptor = "()V"});
  const std::vector<std::uint8_t> written = file->write();
  require(classfile::ClassFile::read(written).has_value());
  return 0;
}
