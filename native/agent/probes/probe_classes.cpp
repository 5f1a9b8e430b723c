// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/probe_classes.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "agent/code/class_insertions.h"
#include "agent/jvm/result.h"
#include "agent/probes/check_arguments.h"
#include "classfile/assembler.h"
#include "classfile/class_file.h"
#include "classfile/code_map.h"
#include "classfile/constant_pool.h"
#include "classfile/emitted_opcodes.h"
#include "classfile/opcodes.h"

namespace jvmdebug::agent::probes {
namespace {

constexpr const char* kOtherCode = "another agent has changed the method";

// Returns the code of one call, for a method with that code.
classfile::Rewritten<classfile::Insertion> insertion_of(classfile::ConstantPool& pool,
                                                        const CheckCall& call,
                                                        const classfile::Code& code) {
  classfile::Assembler assembler(pool);
  JVMDEBUG_ASSIGN(const Needed needed, push_arguments(assembler, call, code));
  assembler.member(classfile::op::kInvokeStatic, {.kind = classfile::Constant::kMethod,
                                                  .owner = call.check,
                                                  .name = "c",
                                                  .descriptor = call.descriptor});
  JVMDEBUG_ASSIGN(const auto made, assembler.take());
  JVMDEBUG_ASSIGN(auto marked, classfile::marked_probe(call.number, made));
  return classfile::Insertion{.index = call.index,
                              .code = std::move(marked),
                              .stack = needed.stack,
                              .locals = needed.locals};
}

// Returns the code of a call of arrive().
classfile::Rewritten<classfile::Insertion> arrival(classfile::ConstantPool& pool,
                                                   std::size_t index) {
  classfile::Assembler assembler(pool);
  assembler.member(classfile::op::kInvokeStatic, {.kind = classfile::Constant::kMethod,
                                                  .owner = kProbesClass,
                                                  .name = "arrive",
                                                  .descriptor = "()V"});
  JVMDEBUG_ASSIGN(const auto code, assembler.take());
  JVMDEBUG_ASSIGN(auto marked, classfile::marked_probe(kArrival, code));
  return classfile::Insertion{.index = index, .code = std::move(marked), .stack = 1};
}

classfile::Rewritten<void> add_arrivals(classfile::ConstantPool& pool,
                                        std::vector<classfile::Insertion>& insertions) {
  std::map<std::size_t, std::size_t> counts;
  for (const classfile::Insertion& each : insertions) {
    ++counts[each.index];
  }
  for (const auto& [index, count] : counts) {
    if (count > 1) {
      JVMDEBUG_ASSIGN(auto last, arrival(pool, index));
      insertions.push_back(std::move(last));
    }
  }
  return {};
}

}  // namespace

bool calls_others(std::span<const std::uint8_t> class_file) {
  const auto file = classfile::ClassFile::read(class_file);
  if (!file) {
    return true;
  }
  const classfile::ConstantPool& pool = file->pool();
  for (std::size_t index = 1; index < pool.size(); ++index) {
    switch (pool.kind(index)) {
      case classfile::Constant::kMethod: {
        const auto member = pool.member(index);
        if (!member || member->owner != kProbesClass) {
          return true;
        }
        break;
      }
      // Reading a field may run the initializer of its class.
      case classfile::Constant::kField:
      case classfile::Constant::kInterfaceMethod:
      case classfile::Constant::kMethodHandle:
      case classfile::Constant::kInvokeDynamic:
      case classfile::Constant::kDynamic:
        return true;
      default:
        break;
    }
  }
  return false;
}

classfile::Rewritten<std::vector<std::uint8_t>> silent_check(
    std::span<const std::uint8_t> class_file) {
  JVMDEBUG_ASSIGN(classfile::ClassFile file, classfile::ClassFile::read(class_file));
  for (const classfile::Method& each : file.methods()) {
    if (file.pool().utf8(each.name) == "c") {
      JVMDEBUG_CHECK(file.empty(each));
    }
  }
  return file.write();
}

classfile::Rewritten<std::string> add_calls(classfile::ClassFile& file,
                                            std::span<CheckCall* const> calls, bool joins,
                                            classfile::MethodInsertions& insertions) {
  std::map<std::string, const classfile::Method*, std::less<>> methods;
  for (const classfile::Method& each :
       calls.empty() ? std::span<const classfile::Method>() : std::span(file.methods())) {
    methods.emplace(code::full_name(file, each), &each);
  }
  std::string left_out;
  for (CheckCall* const call : calls) {
    const auto method = methods.find(call->method);
    if (method == methods.end()) {
      left_out = kOtherCode;
      continue;
    }
    JVMDEBUG_ASSIGN(const classfile::Code code, file.code_of(*method->second));
    if (call->code.empty()) {
      call->code.assign(code.bytes.begin(), code.bytes.end());
    } else if (!std::ranges::equal(call->code, code.bytes)) {
      left_out = kOtherCode;
      continue;
    }
    JVMDEBUG_ASSIGN(auto insertion, insertion_of(file.pool(), *call, code));
    insertions[method->second].push_back(std::move(insertion));
  }
  if (joins) {
    for (auto& [method, all] : insertions) {
      JVMDEBUG_CHECK(add_arrivals(file.pool(), all));
    }
  }
  return left_out;
}

}  // namespace jvmdebug::agent::probes
