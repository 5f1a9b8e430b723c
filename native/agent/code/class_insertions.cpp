// SPDX-License-Identifier: Apache-2.0
#include "agent/code/class_insertions.h"

#include <utility>

namespace jvmdebug::agent::code {

std::string full_name(const classfile::ClassFile& file, const classfile::Method& method) {
  return file.pool().utf8(method.name).value_or("") +
         file.pool().utf8(method.descriptor).value_or("");
}

ClassInsertions inserted_into(const classfile::ClassFile& file,
                              const classfile::MethodInsertions& insertions,
                              const std::set<std::string>& deepened, std::uint16_t words) {
  ClassInsertions found;
  for (const std::string& name : deepened) {
    found[name].deeper = words;
  }
  for (const auto& [method, all] : insertions) {
    const std::string name = full_name(file, *method);
    Inserted& of = found[name];
    for (const classfile::Insertion& each : all) {
      auto made = classfile::portable(each, file.pool());
      if (!made) {
        found.erase(name);
        break;
      }
      of.insertions.push_back(*std::move(made));
    }
  }
  return found;
}

}  // namespace jvmdebug::agent::code
