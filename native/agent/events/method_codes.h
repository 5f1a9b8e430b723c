// SPDX-License-Identifier: Apache-2.0
//
// Caches the code of methods with many breakpoints, because the VM copies it each time. For one
// series of questions on one thread, while no class changes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <jvmti.h>

#include "agent/events/code_location.h"
#include "agent/jvm/env.h"
#include "classfile/code_flow.h"
#include "classfile/opcodes.h"

namespace jvmdebug::agent::events {

class MethodCodes {
 public:
  explicit MethodCodes(const jvm::Env& env) : env_(env) {}

  [[nodiscard]] bool uses_field(const CodeLocation& location) {
    const auto opcode = of(location.method).opcode_at(location.index);
    return opcode == classfile::kGetField || opcode == classfile::kPutField;
  }

  [[nodiscard]] bool only_exceptions_lead_to(const CodeLocation& location) {
    Method& method = of(location.method);
    if (!method.exception_blocks) {
      method.exception_blocks = classfile::exception_blocks(method.code);
    }
    return location.index >= 0 &&
           std::ranges::binary_search(*method.exception_blocks,
                                      static_cast<std::size_t>(location.index));
  }

 private:
  struct Method {
    std::vector<std::uint8_t> code;  // empty if it cannot be read
    std::optional<std::vector<std::size_t>> exception_blocks;

    [[nodiscard]] std::optional<std::uint8_t> opcode_at(jlocation index) const {
      if (index < 0 || std::cmp_greater_equal(index, code.size())) {
        return std::nullopt;
      }
      return code[static_cast<std::size_t>(index)];
    }
  };

  [[nodiscard]] Method& of(jmethodID method) {
    const auto [found, is_new] = methods_.try_emplace(method);
    if (is_new) {
      if (const auto code = env_.get_bytecodes(method)) {
        found->second.code.assign(code->span().begin(), code->span().end());
      }
    }
    return found->second;
  }

  const jvm::Env& env_;
  std::map<jmethodID, Method> methods_;
};

}  // namespace jvmdebug::agent::events
