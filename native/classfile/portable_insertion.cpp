// SPDX-License-Identifier: Apache-2.0
#include "classfile/portable_insertion.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "classfile/bytecode.h"
#include "classfile/opcodes.h"
#include "codec/result.h"

namespace jvmdebug::classfile {
namespace {

constexpr std::size_t kByte = 256;

bool has_member(std::uint8_t opcode) {
  return opcode >= kGetStatic && opcode <= kInvokeStatic;
}

// Whether the instruction may name other constants: some from invokeinterface to multianewarray do.
bool may_name_others(std::uint8_t opcode) {
  return (opcode >= kLdc && opcode <= kLdc2W) ||
         (opcode > kInvokeStatic && opcode <= kMultiANewArray && opcode != kAthrow &&
          opcode != kWide && opcode != kCheckCast);
}

std::size_t number_at(std::span<const std::uint8_t> bytes, std::size_t at) {
  return bytes[at] * kByte + bytes[at + 1];
}

void write_number(std::vector<std::uint8_t>& bytes, std::size_t at, std::size_t number) {
  bytes[at] = static_cast<std::uint8_t>(number / kByte);
  bytes[at + 1] = static_cast<std::uint8_t>(number % kByte);
}

Rewritten<PortableInsertion::Named> class_at(std::span<const std::uint8_t> bytes, std::size_t at,
                                             const ConstantPool& pool) {
  auto name = pool.class_name(number_at(bytes, at));
  if (!name) {
    return std::unexpected(RewriteError::kMalformed);
  }
  PortableInsertion::Named named{.at = at, .member = {}};
  named.member.kind = Constant::kClass;
  named.member.owner = *std::move(name);
  return named;
}

Rewritten<std::vector<PortableInsertion::Named>> classes_in(const KnownLocals& known,
                                                            const ConstantPool& pool) {
  constexpr std::uint8_t kObject = 7;
  std::vector<PortableInsertion::Named> found;
  for (std::size_t at = 0; at < known.types.size(); ++at) {
    if (known.types[at] == kObject && at + 2 < known.types.size()) {
      JVMDEBUG_ASSIGN(auto named, class_at(known.types, at + 1, pool));
      found.push_back(std::move(named));
      at += 2;
    }
  }
  return found;
}

Rewritten<void> fit(std::vector<std::uint8_t>& bytes,
                    std::span<const PortableInsertion::Named> named, ConstantPool& pool) {
  for (const auto& [at, member] : named) {
    JVMDEBUG_ASSIGN(const std::uint16_t index, member.kind == Constant::kClass
                                                   ? pool.add_class(member.owner)
                                                   : pool.add_member(member));
    write_number(bytes, at, index);
  }
  return {};
}

// Returns the members and classes that the instructions name.
Rewritten<std::vector<PortableInsertion::Named>> named_in(std::span<const std::uint8_t> code,
                                                          const ConstantPool& pool) {
  std::vector<PortableInsertion::Named> found;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t size = instruction_size(code, at);
    if (size == 0 || may_name_others(code[at])) {
      return std::unexpected(RewriteError::kMalformed);
    }
    if (has_member(code[at])) {
      auto member = pool.member(number_at(code, at + 1));
      if (!member) {
        return std::unexpected(RewriteError::kMalformed);
      }
      found.push_back({.at = at + 1, .member = *std::move(member)});
    } else if (code[at] == kCheckCast) {
      JVMDEBUG_ASSIGN(auto named, class_at(code, at + 1, pool));
      found.push_back(std::move(named));
    }
    at += size;
  }
  return found;
}

}  // namespace

Rewritten<PortableInsertion> portable(const Insertion& insertion, const ConstantPool& pool) {
  PortableInsertion made;
  made.insertion = insertion;
  JVMDEBUG_ASSIGN(made.named, named_in(insertion.code, pool));
  if (insertion.jump) {
    JVMDEBUG_ASSIGN(made.at_start, classes_in(insertion.jump->at_start, pool));
    JVMDEBUG_ASSIGN(made.at_target, classes_in(insertion.jump->at_target, pool));
  }
  if (insertion.variables) {
    const AddedVariables& added = *insertion.variables;
    JVMDEBUG_ASSIGN(made.variables, classes_in(added.types, pool));
    JVMDEBUG_ASSIGN(made.variables_at_start, classes_in(added.at_start, pool));
    JVMDEBUG_ASSIGN(made.saved, classes_in(added.saved, pool));
    JVMDEBUG_ASSIGN(made.handler, named_in(added.handler, pool));
  }
  return made;
}

Rewritten<Insertion> fitted(const PortableInsertion& portable, ConstantPool& pool) {
  constexpr const char* kStackMap = "StackMapTable";
  Insertion made = portable.insertion;
  JVMDEBUG_CHECK(fit(made.code, portable.named, pool));
  if (made.jump) {
    auto jump = std::make_shared<InsertedJump>(*made.jump);
    JVMDEBUG_CHECK(fit(jump->at_start.types, portable.at_start, pool));
    JVMDEBUG_CHECK(fit(jump->at_target.types, portable.at_target, pool));
    JVMDEBUG_ASSIGN(jump->stack_map, pool.add_utf8(kStackMap));
    made.jump = std::move(jump);
  }
  if (made.variables) {
    auto added = std::make_shared<AddedVariables>(*made.variables);
    JVMDEBUG_CHECK(fit(added->types.types, portable.variables, pool));
    JVMDEBUG_CHECK(fit(added->at_start.types, portable.variables_at_start, pool));
    JVMDEBUG_CHECK(fit(added->saved.types, portable.saved, pool));
    JVMDEBUG_CHECK(fit(added->handler, portable.handler, pool));
    JVMDEBUG_ASSIGN(added->stack_map, pool.add_utf8(kStackMap));
    JVMDEBUG_ASSIGN(added->exception, pool.add_class("java/lang/Throwable"));
    made.variables = std::move(added);
  }
  return made;
}

}  // namespace jvmdebug::classfile
