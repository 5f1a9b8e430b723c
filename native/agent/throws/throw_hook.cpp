// SPDX-License-Identifier: Apache-2.0
#include "agent/throws/throw_hook.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include "agent/jvm/result.h"
#include "classfile/assembler.h"
#include "classfile/code_map.h"
#include "classfile/constant_pool.h"
#include "classfile/emitted_opcodes.h"
#include "classfile/instructions.h"

namespace jvmdebug::agent::throws {
namespace {

using ByteVector = std::vector<std::uint8_t>;

constexpr const char* kConstructed = "constructed";
constexpr const char* kTakesBoth = "(Ljava/lang/Throwable;Ljava/lang/Object;)V";

// Returns the code at the end of a constructor: constructed(this, this.backtrace);
classfile::Rewritten<ByteVector> call_code(classfile::ConstantPool& pool, bool has_backtrace) {
  classfile::Assembler code(pool);
  code.add({classfile::op::kAload0});
  if (has_backtrace) {
    code.add({classfile::op::kAload0});
    code.member(classfile::op::kGetField, {.kind = classfile::Constant::kField,
                                           .owner = "java/lang/Throwable",
                                           .name = kBacktraceField,
                                           .descriptor = kBacktraceDescriptor});
  } else {
    code.add({classfile::op::kAconstNull});
  }
  code.member(classfile::op::kInvokeStatic, {.kind = classfile::Constant::kMethod,
                                             .owner = kHookClass,
                                             .name = kConstructed,
                                             .descriptor = kTakesBoth});
  return code.take();
}

}  // namespace

classfile::Rewritten<void> add_throw_reports(classfile::ClassFile& file, ThrowReports reports,
                                             MethodInsertions& insertions) {
  JVMDEBUG_ASSIGN(const ByteVector call, call_code(file.pool(), reports.has_backtrace));
  JVMDEBUG_ASSIGN(const ByteVector marked, classfile::marked_probe(kThrowReport, call));
  bool has_constructor = false;
  for (const classfile::Method& each : file.methods()) {
    if (!file.pool().is_utf8(each.name, "<init>")) {
      continue;
    }
    JVMDEBUG_ASSIGN(const classfile::Code code, file.code_of(each));
    std::vector<classfile::Insertion> all;
    for (const std::size_t index : classfile::instructions(code.bytes)) {
      if (code.bytes[index] == classfile::op::kReturn) {
        all.push_back({.index = index, .code = marked, .stack = 2});
      }
    }
    auto& others = insertions[&each];
    std::ranges::move(others, std::back_inserter(all));
    others = std::move(all);
    has_constructor = true;
  }
  return has_constructor ? classfile::Rewritten<void>{}
                         : std::unexpected(classfile::RewriteError::kMalformed);
}

}  // namespace jvmdebug::agent::throws
