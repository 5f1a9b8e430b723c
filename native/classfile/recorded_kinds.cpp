// SPDX-License-Identifier: Apache-2.0
#include "classfile/recorded_kinds.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "classfile/instructions.h"
#include "classfile/opcodes.h"
#include "classfile/verification_types.h"
#include "codec/reader.h"
#include "codec/result.h"

namespace jvmdebug::classfile {

char computed(char type) {
  switch (type) {
    case 'J':
    case 'F':
    case 'D':
    case 'V':
      return type;
    case 'L':
    case '[':
    case 'A':
      return 'A';
    default:
      return 'I';
  }
}

std::string descriptor_of(char type) {
  const char kind = computed(type);
  return kind == 'A' ? "Ljava/lang/Object;" : kind == 'V' ? "" : std::string(1, kind);
}

std::optional<RecordedSlot> stored_local(std::span<const std::uint8_t> code, std::size_t at) {
  constexpr std::string_view kTypes = "IJFDA";
  constexpr std::size_t kShort = 4;  // instructions of a type whose slot is part of the opcode
  const bool is_wide = code[at] == kWide;
  const std::uint8_t opcode = code[is_wide ? at + 1 : at];
  if (opcode < kIstore || opcode > kAstore3) {
    return std::nullopt;
  }
  if (opcode >= kIstore0) {
    const std::size_t number = opcode - std::size_t{kIstore0};
    return RecordedSlot{.type = kTypes[number / kShort], .slot = number % kShort};
  }
  const std::size_t slot = is_wide ? operand_at(code, at + 2) : code[at + 1];
  return RecordedSlot{.type = kTypes[opcode - std::size_t{kIstore}], .slot = slot};
}

std::pair<std::size_t, std::size_t> increment_at(std::span<const std::uint8_t> code,
                                                 std::size_t at) {
  if (code[at] == kWide) {
    return {operand_at(code, at + 2), operand_at(code, at + 4)};
  }
  const auto amount = static_cast<std::int8_t>(code[at + 2]);
  return {code[at + 1], static_cast<std::uint16_t>(amount)};
}

bool has_subroutines(std::span<const std::uint8_t> code,
                     const std::vector<std::size_t>& instructions) {
  return std::ranges::any_of(instructions, [&](std::size_t at) {
    return code[at] == kJsr || code[at] == kJsrW || code[at] == kRet;
  });
}

std::vector<std::size_t> lines_in(const ClassFile& file, const Code& code) {
  constexpr std::size_t kEntry = 4;
  std::vector<std::size_t> lines;
  for (const Attribute& each : code.attributes) {
    if (file.pool().is_utf8(each.name, "LineNumberTable")) {
      codec::Reader reader(each.content);
      std::size_t left = reader.read_unsigned_short();
      for (; left > 0 && reader.remaining() >= kEntry; --left) {
        lines.push_back(reader.read_unsigned_short());
        (void)reader.read_unsigned_short();
      }
    }
  }
  return lines;
}

bool is_noise(const MemberReference& member) {
  static constexpr std::array kBoxes = {
      std::string_view("java/lang/Integer"), std::string_view("java/lang/Long"),
      std::string_view("java/lang/Boolean"), std::string_view("java/lang/Double"),
      std::string_view("java/lang/Float"),   std::string_view("java/lang/Short"),
      std::string_view("java/lang/Byte"),    std::string_view("java/lang/Character")};
  const bool is_box = std::ranges::find(kBoxes, member.owner) != kBoxes.end();
  return (is_box && (member.name == "valueOf" || member.name.ends_with("Value"))) ||
         (member.owner == "java/lang/Object" && member.name == "<init>");
}

bool is_static(const Method& method) {
  constexpr std::uint16_t kStatic = 0x0008;
  return (method.access & kStatic) != 0;
}

Rewritten<std::size_t> behind_super(const ClassFile& file, const Code& code,
                                    const std::vector<std::size_t>& instructions) {
  std::size_t made = 0;
  for (std::size_t number = 0; number + 1 < instructions.size(); ++number) {
    const std::size_t at = instructions[number];
    if (code.bytes[at] == kNew) {
      ++made;
    } else if (code.bytes[at] == kInvokeSpecial) {
      const auto member = file.pool().member(operand_at(code.bytes, at + 1));
      if (!member || member->name != "<init>") {
        continue;
      }
      if (made == 0) {
        return instructions[number + 1];
      }
      --made;
    }
  }
  return std::unexpected(RewriteError::kNoInstruction);
}

std::vector<RecordedSlot> parameters_of(const MethodTypes& types, bool is_static,
                                        bool is_constructor) {
  std::vector<RecordedSlot> all;
  if (!is_static && !is_constructor) {
    all.push_back({.type = 'L', .slot = 0});
  }
  std::size_t slot = is_static ? 0 : 1;
  for (const std::string_view each : types.parameters) {
    all.push_back({.type = each.front(), .slot = slot});
    slot += slots_of(each.front());
  }
  return all;
}

Rewritten<KnownLocals> locals_at_start(ClassFile& file, const Method& method,
                                       const MethodTypes& types) {
  constexpr unsigned kByteBits = 8;
  KnownLocals known;
  auto& pool = file.pool();
  const auto add = [&](std::string_view type) -> Rewritten<void> {
    ++known.count;
    switch (computed(type.front())) {
      case 'A': {
        const auto name = type.front() == 'L' ? type.substr(1, type.size() - 2) : type;
        JVMDEBUG_ASSIGN(const std::uint16_t index, pool.add_class(name));
        known.types.insert(known.types.end(),
                           {verification::kObject, static_cast<std::uint8_t>(index >> kByteBits),
                            static_cast<std::uint8_t>(index)});
        return {};
      }
      case 'J':
        known.types.push_back(verification::kLong);
        return {};
      case 'F':
        known.types.push_back(verification::kFloat);
        return {};
      case 'D':
        known.types.push_back(verification::kDouble);
        return {};
      default:
        known.types.push_back(verification::kInteger);
        return {};
    }
  };
  if (pool.is_utf8(method.name, "<init>")) {
    known = {.count = 1, .types = {verification::kUninitializedThis}};
  } else if (!is_static(method)) {
    JVMDEBUG_CHECK(add("L" + file.name() + ";"));
  }
  for (const std::string_view each : types.parameters) {
    JVMDEBUG_CHECK(add(each));
  }
  return known;
}

}  // namespace jvmdebug::classfile
