// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/probe_classes.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "agent/jvm/opcodes.h"
#include "agent/jvm/result.h"
#include "agent/probes/assembler.h"
#include "agent/probes/class_file.h"
#include "agent/probes/code_map.h"
#include "agent/probes/constant_pool.h"
#include "agent/probes/emitted_opcodes.h"
#include "codec/writer.h"

namespace jvmdebug::agent::probes {
namespace {

constexpr std::string_view kLoadTypes = "IJFDA";

void add_load(Assembler& assembler, const Load& load) {
  const auto opcode = static_cast<std::uint8_t>(op::kIload + kLoadTypes.find(load.type));
  const auto low = static_cast<std::uint8_t>(load.slot);
  if (load.slot > UINT8_MAX) {
    assembler.add({jvm::kWide, opcode, static_cast<std::uint8_t>(load.slot >> 8U), low});
  } else {
    assembler.add({opcode, low});
  }
}

// The code of one call.
Rewritten<Insertion> insertion_of(ConstantPool& pool, const CheckCall& call) {
  Assembler assembler(pool);
  std::uint16_t stack = 1;  // for the mark
  std::uint16_t arguments = 0;
  for (const Load& load : call.loads) {
    add_load(assembler, load);
    arguments =
        static_cast<std::uint16_t>(arguments + (load.type == 'J' || load.type == 'D' ? 2 : 1));
  }
  stack = std::max(stack, arguments);
  assembler.member(
      op::kInvokeStatic,
      {.kind = Constant::kMethod, .owner = call.check, .name = "c", .descriptor = call.descriptor});
  JVMDEBUG_ASSIGN(const auto code, assembler.take());
  JVMDEBUG_ASSIGN(auto marked, marked_probe(call.number, code));
  return Insertion{.index = call.index, .code = std::move(marked), .stack = stack};
}

constexpr const char* kEnterDescriptor = "(IIJ[Ljava/lang/Object;[J)Z";

struct MethodHead {
  std::uint16_t access = 0;
  const char* name = nullptr;
  const char* descriptor = nullptr;
};

// The code of stop():
//
//   if (!enter(number, outcome, count, references, others)) return;
//   boolean interrupted = false;
//   do {
//     interrupted |= Thread.interrupted();  // else park() returns at once
//     LockSupport.park();
//   } while (waits());
//   if (interrupted) Thread.currentThread().interrupt();
Rewritten<std::vector<std::uint8_t>> body_of_stop(ConstantPool& pool) {
  constexpr std::uint8_t kReferences = 4;
  constexpr std::uint8_t kOthers = 5;
  constexpr std::uint8_t kInterrupted = 6;
  const auto method = [](const char* owner, const char* name, const char* descriptor) {
    return MemberReference{
        .kind = Constant::kMethod, .owner = owner, .name = name, .descriptor = descriptor};
  };
  Assembler code(pool);
  const auto wait = code.label();
  const auto end = code.label();
  code.add(
      {op::kIload, 0, op::kIload, 1, op::kLload, 2, op::kAload, kReferences, op::kAload, kOthers});
  code.member(op::kInvokeStatic, method(kProbesClass, "enter", kEnterDescriptor));
  code.jump(op::kIfEq, end);
  code.add({op::kIconst0, op::kIstore, kInterrupted});
  code.place(wait);
  code.member(op::kInvokeStatic, method("java/lang/Thread", "interrupted", "()Z"));
  code.add({op::kIload, kInterrupted, op::kIor, op::kIstore, kInterrupted});
  code.member(op::kInvokeStatic, method("java/util/concurrent/locks/LockSupport", "park", "()V"));
  code.member(op::kInvokeStatic, method(kProbesClass, "waits", "()Z"));
  code.jump(op::kIfNe, wait);
  code.add({op::kIload, kInterrupted});
  code.jump(op::kIfEq, end);
  code.member(op::kInvokeStatic,
              method("java/lang/Thread", "currentThread", "()Ljava/lang/Thread;"));
  code.member(op::kInvokeVirtual, method("java/lang/Thread", "interrupt", "()V"));
  code.place(end);
  code.add({op::kReturn});
  return code.take();
}

// The attribute Code of a method like that.
void write_code(codec::Writer& writer, std::uint16_t name, std::span<const std::uint8_t> code) {
  constexpr std::uint16_t kStack = 6;
  constexpr std::uint16_t kLocals = 7;
  constexpr std::size_t kRest = 12;
  writer.write_unsigned_short(name);
  writer.write_unsigned(code.size() + kRest, 4);
  writer.write_unsigned_short(kStack);
  writer.write_unsigned_short(kLocals);
  writer.write_unsigned(code.size(), 4);
  writer.write_span(code);
  writer.write_unsigned_short(0);  // no exception handlers
  writer.write_unsigned_short(0);  // no attributes
}

}  // namespace

Rewritten<std::vector<std::uint8_t>> probes_class() {
  constexpr std::uint16_t kJava5 = 49;
  constexpr std::uint16_t kPublicFinalSuper = 0x0031;
  constexpr std::uint16_t kPublicStatic = 0x0009;
  constexpr std::uint16_t kPublicStaticNative = 0x0109;
  ConstantPool pool;
  JVMDEBUG_ASSIGN(const std::uint16_t name, pool.add_class(kProbesClass));
  JVMDEBUG_ASSIGN(const std::uint16_t object, pool.add_class("java/lang/Object"));
  JVMDEBUG_ASSIGN(const auto body, body_of_stop(pool));
  JVMDEBUG_ASSIGN(const std::uint16_t code, pool.add_utf8("Code"));
  codec::Writer methods;
  constexpr std::array<MethodHead, 4> kMethods = {
      {{.access = kPublicStaticNative, .name = "hit", .descriptor = "(IIJ)V"},
       {.access = kPublicStaticNative, .name = "enter", .descriptor = kEnterDescriptor},
       {.access = kPublicStaticNative, .name = "waits", .descriptor = "()Z"},
       {.access = kPublicStatic, .name = "stop", .descriptor = kStopDescriptor}}};
  for (const MethodHead& each : kMethods) {
    JVMDEBUG_ASSIGN(const std::uint16_t method, pool.add_utf8(each.name));
    JVMDEBUG_ASSIGN(const std::uint16_t descriptor, pool.add_utf8(each.descriptor));
    const bool has_code = each.access == kPublicStatic;
    for (const std::uint16_t part : std::array<std::uint16_t, 4>{
             each.access, method, descriptor, static_cast<std::uint16_t>(has_code ? 1 : 0)}) {
      methods.write_unsigned_short(part);
    }
    if (has_code) {
      write_code(methods, code, body);
    }
  }
  codec::Writer writer;
  writer.write_unsigned(0xCAFEBABE, 4);
  writer.write_unsigned_short(0);
  writer.write_unsigned_short(kJava5);
  pool.write(writer);
  // Access, name, superclass, no interfaces, no fields, the methods, no attributes.
  for (const std::uint16_t part :
       std::array<std::uint16_t, 6>{kPublicFinalSuper, name, object, 0, 0, kMethods.size()}) {
    writer.write_unsigned_short(part);
  }
  writer.write_span(methods.bytes());
  writer.write_unsigned_short(0);
  return writer.take();
}

Rewritten<std::vector<std::uint8_t>> silent_check(std::span<const std::uint8_t> class_file) {
  JVMDEBUG_ASSIGN(ClassFile file, ClassFile::read(class_file));
  for (const Method& each : file.methods()) {
    if (file.pool().utf8(each.name) == "c") {
      JVMDEBUG_CHECK(file.empty(each));
    }
  }
  return file.write();
}

Rewritten<Instrumented> instrumented(std::span<const std::uint8_t> original,
                                     std::span<CheckCall> calls, const Renewal& renewal) {
  JVMDEBUG_ASSIGN(ClassFile file, ClassFile::read(original));
  std::map<std::string, const Method*, std::less<>> methods;
  for (const Method& each : file.methods()) {
    methods.emplace(
        file.pool().utf8(each.name).value_or("") + file.pool().utf8(each.descriptor).value_or(""),
        &each);
  }
  std::map<const Method*, std::vector<Insertion>> insertions;
  Instrumented result;
  for (std::size_t number = 0; number < calls.size(); ++number) {
    CheckCall& call = calls[number];
    const auto method = methods.find(call.method);
    if (method == methods.end()) {
      result.left_out.push_back(number);
      continue;
    }
    JVMDEBUG_ASSIGN(const Code code, file.code_of(*method->second));
    if (call.code.empty()) {
      call.code.assign(code.bytes.begin(), code.bytes.end());
    } else if (!std::ranges::equal(call.code, code.bytes)) {
      result.left_out.push_back(number);
      continue;
    }
    JVMDEBUG_ASSIGN(auto insertion, insertion_of(file.pool(), call));
    insertions[method->second].push_back(std::move(insertion));
  }
  for (const auto& [method, all] : insertions) {
    JVMDEBUG_CHECK(file.insert(*method, all));
  }
  for (const std::string& name : renewal.methods) {
    if (const auto method = methods.find(name); method != methods.end()) {
      file.deepen_stack(*method->second, renewal.words);
    }
  }
  result.class_file = file.write();
  return result;
}

}  // namespace jvmdebug::agent::probes
