// SPDX-License-Identifier: Apache-2.0
#include "classfile/recorded_kinds.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "codec/reader.h"

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

}  // namespace jvmdebug::classfile
