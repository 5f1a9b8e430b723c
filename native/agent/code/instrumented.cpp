// SPDX-License-Identifier: Apache-2.0
#include "agent/code/instrumented.h"

#include <utility>

#include "agent/jvm/result.h"
#include "classfile/class_file.h"

namespace jvmdebug::agent::code {
namespace {

void deepen(classfile::ClassFile& file, const Renewal& renewal) {
  if (renewal.methods.empty()) {
    return;
  }
  for (const classfile::Method& each : file.methods()) {
    if (renewal.methods.contains(full_name(file, each))) {
      file.deepen_stack(each, renewal.words);
    }
  }
}

}  // namespace

classfile::Rewritten<Instrumented> instrumented(std::span<const std::uint8_t> original,
                                                const ChangedClass& of,
                                                std::span<CodeClient* const> clients,
                                                const Renewal& renewal) {
  JVMDEBUG_ASSIGN(classfile::ClassFile file, classfile::ClassFile::read(original));
  classfile::MethodInsertions insertions;
  Instrumented result;
  for (CodeClient* const client : clients) {
    JVMDEBUG_ASSIGN(auto left_out, client->add(of, file, insertions));
    if (!left_out.empty()) {
      result.left_out = std::move(left_out);
    }
  }
  for (const auto& [method, all] : insertions) {
    JVMDEBUG_CHECK(file.insert(*method, all));
  }
  deepen(file, renewal);
  result.inserted = inserted_into(file, insertions, renewal.methods, renewal.words);
  result.class_file = file.write();
  return result;
}

classfile::Rewritten<std::vector<std::uint8_t>> deepened(std::span<const std::uint8_t> original,
                                                         const Renewal& renewal) {
  JVMDEBUG_ASSIGN(classfile::ClassFile file, classfile::ClassFile::read(original));
  deepen(file, renewal);
  return file.write();
}

}  // namespace jvmdebug::agent::code
