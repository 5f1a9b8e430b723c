// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/check_arguments.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "agent/jvm/result.h"
#include "classfile/emitted_opcodes.h"
#include "classfile/opcodes.h"

namespace jvmdebug::agent::probes {
namespace {

constexpr std::string_view kLoadTypes = "IJFDA";
constexpr std::string_view kStoredTypes = "IJFDAIII";  // by iastore to sastore

std::uint16_t slots(char type) {
  return type == 'J' || type == 'D' ? 2 : 1;
}

void add_access(classfile::Assembler& assembler, std::uint8_t first, char type, std::size_t slot) {
  const auto opcode = static_cast<std::uint8_t>(first + kLoadTypes.find(type));
  const auto low = static_cast<std::uint8_t>(slot);
  if (slot > UINT8_MAX) {
    assembler.add({classfile::kWide, opcode, static_cast<std::uint8_t>(slot >> 8U), low});
  } else {
    assembler.add({opcode, low});
  }
}

// Copies array, index and value, which the stack has, once more onto it. The value goes through a
// local variable of its own, because no instruction copies three operands.
classfile::Rewritten<Needed> push_array_store(classfile::Assembler& assembler, char type,
                                              const classfile::Code& code, std::size_t index) {
  const std::size_t kind = index < code.bytes.size()
                               ? std::size_t{code.bytes[index]} - classfile::op::kIastore
                               : kStoredTypes.size();
  if (kind >= kStoredTypes.size() || kStoredTypes[kind] != type) {
    return std::unexpected(classfile::RewriteError::kNoInstruction);
  }
  const std::uint16_t size = slots(type);
  if (code.max_locals > UINT16_MAX - size) {
    return std::unexpected(classfile::RewriteError::kStackTooDeep);
  }
  add_access(assembler, classfile::op::kIstore, type, code.max_locals);
  assembler.add({classfile::op::kDup2});
  add_access(assembler, classfile::op::kIload, type, code.max_locals);
  assembler.add({size == 1 ? classfile::op::kDupX2 : classfile::op::kDup2X2});
  return Needed{.stack = static_cast<std::uint16_t>(2 + size),
                .locals = static_cast<std::uint16_t>(code.max_locals + size)};
}

// Copies object and value, which the stack has, once more onto it. A value of two slots goes
// through a local variable of its own.
classfile::Rewritten<Needed> push_field_store(classfile::Assembler& assembler, char type,
                                              const classfile::Code& code, std::size_t index) {
  if (index >= code.bytes.size() || code.bytes[index] != classfile::kPutField) {
    return std::unexpected(classfile::RewriteError::kNoInstruction);
  }
  const std::uint16_t size = slots(type);
  if (size == 1) {
    assembler.add({classfile::op::kDup2});
    return Needed{.stack = 2};
  }
  if (code.max_locals > UINT16_MAX - size) {
    return std::unexpected(classfile::RewriteError::kStackTooDeep);
  }
  add_access(assembler, classfile::op::kIstore, type, code.max_locals);
  assembler.add({classfile::op::kDup});
  add_access(assembler, classfile::op::kIload, type, code.max_locals);
  assembler.add({classfile::op::kDup2X1});
  return Needed{.stack = static_cast<std::uint16_t>(1 + size),
                .locals = static_cast<std::uint16_t>(code.max_locals + size)};
}

}  // namespace

classfile::Rewritten<Needed> push_arguments(classfile::Assembler& assembler, const CheckCall& call,
                                            const classfile::Code& code) {
  Needed needed;
  for (const Load& load : call.loads) {
    if (load.type == kArrayStore) {
      JVMDEBUG_ASSIGN(needed,
                      push_array_store(assembler, static_cast<char>(load.slot), code, call.index));
      continue;
    }
    if (load.type == kFieldStore) {
      JVMDEBUG_ASSIGN(needed,
                      push_field_store(assembler, static_cast<char>(load.slot), code, call.index));
      continue;
    }
    const std::uint16_t size = slots(load.type);
    if (load.slot == kOperand) {
      assembler.add({size == 2 ? classfile::op::kDup2 : classfile::op::kDup});
    } else {
      add_access(assembler, classfile::op::kIload, load.type, load.slot);
    }
    needed.stack = static_cast<std::uint16_t>(needed.stack + size);
  }
  needed.stack = std::max<std::uint16_t>(needed.stack, 1);  // the mark of a probe needs one
  return needed;
}

}  // namespace jvmdebug::agent::probes
