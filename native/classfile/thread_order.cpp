// SPDX-License-Identifier: Apache-2.0
#include "classfile/thread_order.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "classfile/instructions.h"
#include "classfile/opcodes.h"

namespace jvmdebug::classfile {
namespace {

// Methods of Thread and Object. A class of the program may inherit them, so the names count.
bool is_of_thread(const MemberReference& called) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kMethods = {{
      {"start", "()V"},
      {"join", "()V"},
      {"join", "(J)V"},
      {"join", "(JI)V"},
      {"isAlive", "()Z"},
      {"interrupt", "()V"},
      {"isInterrupted", "()Z"},
      {"wait", "()V"},
      {"wait", "(J)V"},
      {"wait", "(JI)V"},
      {"notify", "()V"},
      {"notifyAll", "()V"},
  }};
  return std::ranges::any_of(kMethods, [&](const auto& each) {
    return called.name == each.first && called.descriptor == each.second;
  });
}

}  // namespace

bool is_synchronized(const Method& method) {
  constexpr std::uint16_t kSynchronized = 0x0020;
  return (method.access & kSynchronized) != 0;
}

bool is_volatile(std::uint32_t access) {
  constexpr std::uint32_t kVolatile = 0x0040;
  return (access & kVolatile) != 0;
}

bool orders_threads(const MemberReference& called) {
  return called.name != "<init>" &&
         (called.owner.starts_with("java/util/concurrent/") ||
          called.owner == "java/lang/invoke/VarHandle" || is_of_thread(called));
}

Ordering ordering(const ClassFile& file, const Code& code, std::size_t at,
                  const IsVolatile& is_volatile) {
  const std::uint8_t opcode = code.bytes[at];
  if (opcode == kMonitorEnter || opcode == kMonitorExit) {
    return {.acquires = opcode == kMonitorEnter, .releases = opcode == kMonitorExit};
  }
  if (opcode < kGetStatic || opcode > kInvokeInterface) {
    return {};
  }
  const auto member = file.pool().member(operand_at(code.bytes, at + 1));
  if (!member) {
    return {};
  }
  if (opcode >= kInvokeVirtual) {
    const bool orders = orders_threads(*member);
    return {.acquires = orders, .releases = orders};
  }
  const bool reads = opcode == kGetStatic || opcode == kGetField;
  const bool orders = is_volatile && is_volatile(member->owner, member->name);
  return {.acquires = orders && reads, .releases = orders && !reads};
}

}  // namespace jvmdebug::classfile
