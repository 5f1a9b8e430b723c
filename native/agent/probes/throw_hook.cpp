// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/throw_hook.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include "agent/jvm/result.h"
#include "agent/probes/assembler.h"
#include "agent/probes/code_map.h"
#include "agent/probes/constant_pool.h"
#include "agent/probes/emitted_opcodes.h"
#include "agent/probes/instructions.h"

namespace jvmdebug::agent::probes {
namespace {

using ByteVector = std::vector<std::uint8_t>;

constexpr const char* kConstructed = "constructed";
constexpr const char* kTakesBoth = "(Ljava/lang/Throwable;Ljava/lang/Object;)V";

// At the end of a constructor: constructed(this, this.backtrace);
Rewritten<ByteVector> call_code(ConstantPool& pool, bool has_backtrace) {
  Assembler code(pool);
  code.add({op::kAload0});
  if (has_backtrace) {
    code.add({op::kAload0});
    code.member(op::kGetField, {.kind = Constant::kField,
                                .owner = "java/lang/Throwable",
                                .name = kBacktraceField,
                                .descriptor = kBacktraceDescriptor});
  } else {
    code.add({op::kAconstNull});
  }
  code.member(op::kInvokeStatic, {.kind = Constant::kMethod,
                                  .owner = kHookClass,
                                  .name = kConstructed,
                                  .descriptor = kTakesBoth});
  return code.take();
}

}  // namespace

Rewritten<void> add_throw_reports(ClassFile& file, ThrowReports reports,
                                  MethodInsertions& insertions) {
  JVMDEBUG_ASSIGN(const ByteVector call, call_code(file.pool(), reports.has_backtrace));
  JVMDEBUG_ASSIGN(const ByteVector marked, marked_probe(kThrowReport, call));
  bool has_constructor = false;
  for (const Method& each : file.methods()) {
    if (!file.pool().is_utf8(each.name, "<init>")) {
      continue;
    }
    JVMDEBUG_ASSIGN(const Code code, file.code_of(each));
    std::vector<Insertion> all;
    for (const std::size_t index : instructions(code.bytes)) {
      if (code.bytes[index] == op::kReturn) {
        all.push_back({.index = index, .code = marked, .stack = 2});
      }
    }
    auto& others = insertions[&each];
    std::ranges::move(others, std::back_inserter(all));
    others = std::move(all);
    has_constructor = true;
  }
  return has_constructor ? Rewritten<void>{} : std::unexpected(RewriteError::kMalformed);
}

}  // namespace jvmdebug::agent::probes
