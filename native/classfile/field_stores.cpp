// SPDX-License-Identifier: Apache-2.0
#include "classfile/field_stores.h"

#include "classfile/emitted_opcodes.h"
#include "classfile/instructions.h"
#include "classfile/opcodes.h"

namespace jvmdebug::classfile {

bool NamedField::owns(std::string_view signature) const {
  return signature.size() > 2 && owners.contains(signature.substr(1, signature.size() - 2));
}

std::set<std::size_t> constants_of(const ConstantPool& pool, const NamedField& field) {
  std::set<std::size_t> found;
  for (std::size_t index = 1; index < pool.size(); ++index) {
    if (pool.kind(index) != Constant::kField) {
      continue;
    }
    const auto member = pool.member(index);
    if (member && member->name == field.name && member->descriptor == field.descriptor &&
        field.owners.contains(member->owner)) {
      found.insert(index);
    }
  }
  return found;
}

std::vector<std::size_t> field_stores(std::span<const std::uint8_t> code,
                                      const std::set<std::size_t>& constants) {
  std::vector<std::size_t> found;
  for (const std::size_t at : instructions(code)) {
    const bool writes = code[at] == kPutField || code[at] == op::kPutStatic;
    if (writes && at + 2 < code.size() &&
        constants.contains(code[at + 1] * std::size_t{256} + code[at + 2])) {
      found.push_back(at);
    }
  }
  return found;
}

}  // namespace jvmdebug::classfile
