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
#include "agent/probes/check_arguments.h"
#include "agent/probes/class_file.h"
#include "agent/probes/code_map.h"
#include "agent/probes/constant_pool.h"
#include "agent/probes/emitted_opcodes.h"
#include "agent/probes/parking_code.h"
#include "agent/probes/throw_checks.h"
#include "codec/writer.h"

namespace jvmdebug::agent::probes {
namespace {

// The code of one call, in a method with that code.
Rewritten<Insertion> insertion_of(ConstantPool& pool, const CheckCall& call, const Code& code) {
  Assembler assembler(pool);
  JVMDEBUG_ASSIGN(const Needed needed, push_arguments(assembler, call, code));
  assembler.member(
      op::kInvokeStatic,
      {.kind = Constant::kMethod, .owner = call.check, .name = "c", .descriptor = call.descriptor});
  JVMDEBUG_ASSIGN(const auto made, assembler.take());
  JVMDEBUG_ASSIGN(auto marked, marked_probe(call.number, made));
  return Insertion{.index = call.index,
                   .code = std::move(marked),
                   .stack = needed.stack,
                   .locals = needed.locals};
}

// The code of a call of arrive().
Rewritten<Insertion> arrival(ConstantPool& pool, std::size_t index) {
  Assembler assembler(pool);
  assembler.member(
      op::kInvokeStatic,
      {.kind = Constant::kMethod, .owner = kProbesClass, .name = "arrive", .descriptor = "()V"});
  JVMDEBUG_ASSIGN(const auto code, assembler.take());
  JVMDEBUG_ASSIGN(auto marked, marked_probe(kArrival, code));
  return Insertion{.index = index, .code = std::move(marked), .stack = 1};
}

Rewritten<void> add_arrivals(ConstantPool& pool, std::vector<Insertion>& insertions) {
  std::map<std::size_t, std::size_t> counts;
  for (const Insertion& each : insertions) {
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

constexpr const char* kEnterDescriptor = "(IIJ[Ljava/lang/Object;[J)I";
constexpr const char* kCounterName = "java/util/concurrent/atomic/AtomicInteger";
constexpr const char* kCounterDescriptor = "Ljava/util/concurrent/atomic/AtomicInteger;";
constexpr const char* kPending = "pending";  // how many threads arrive() is to report

struct MethodHead {
  std::uint16_t access = 0;
  const char* name = nullptr;
  const char* descriptor = nullptr;
  Rewritten<std::vector<std::uint8_t>> (*code)(ConstantPool&) = nullptr;
};

MemberReference method_of(const char* owner, const char* name, const char* descriptor) {
  return {.kind = Constant::kMethod, .owner = owner, .name = name, .descriptor = descriptor};
}

MemberReference pending_field() {
  return {.kind = Constant::kField,
          .owner = kProbesClass,
          .name = kPending,
          .descriptor = kCounterDescriptor};
}

// Calls a method of the counter, and pops what it gives.
void count(Assembler& code, const char* name) {
  code.member(op::kGetStatic, pending_field());
  code.member(op::kInvokeVirtual, method_of(kCounterName, name, "()I"));
  code.add({op::kPop});
}

// What follows enter() and arrived(), whose result is in `state`:
//
//   if (state == kArrive) pending.incrementAndGet();
//   if (state != kWait) return;
//   and what add_parking() adds
void add_wait(Assembler& code, std::uint8_t state) {
  const auto interrupted = static_cast<std::uint8_t>(state + 1);
  const auto no_arrival = code.label();
  const auto begin = code.label();
  code.add({op::kIload, state, op::kIconst2});
  code.jump(op::kIfIcmpNe, no_arrival);
  count(code, "incrementAndGet");
  code.place(no_arrival);
  code.add({op::kIload, state, op::kIconst1});
  code.jump(op::kIfIcmpEq, begin);
  code.add({op::kReturn});
  code.place(begin);
  add_parking(code, kProbesClass, interrupted);
}

// int state = enter(number, outcome, count, references, others); and so on.
Rewritten<std::vector<std::uint8_t>> body_of_stop(ConstantPool& pool) {
  constexpr std::uint8_t kReferences = 4;
  constexpr std::uint8_t kOthers = 5;
  constexpr std::uint8_t kState = 6;
  Assembler code(pool);
  code.add(
      {op::kIload, 0, op::kIload, 1, op::kLload, 2, op::kAload, kReferences, op::kAload, kOthers});
  code.member(op::kInvokeStatic, method_of(kProbesClass, "enter", kEnterDescriptor));
  code.add({op::kIstore, kState});
  add_wait(code, kState);
  return code.take();
}

// if (pending.get() == 0) return;
// int state = arrived();
// if ((state & kArrive) != 0) { pending.decrementAndGet(); state &= kWait; }  and so on.
Rewritten<std::vector<std::uint8_t>> body_of_arrive(ConstantPool& pool) {
  constexpr std::uint8_t kState = 0;
  Assembler code(pool);
  const auto some = code.label();
  const auto other = code.label();
  code.member(op::kGetStatic, pending_field());
  code.member(op::kInvokeVirtual, method_of(kCounterName, "get", "()I"));
  code.jump(op::kIfNe, some);
  code.add({op::kReturn});
  code.place(some);
  code.member(op::kInvokeStatic, method_of(kProbesClass, "arrived", "()I"));
  code.add({op::kIstore, kState, op::kIload, kState, op::kIconst2, op::kIand});
  code.jump(op::kIfEq, other);
  count(code, "decrementAndGet");
  code.place(other);
  code.add({op::kIload, kState, op::kIconst1, op::kIand, op::kIstore, kState});
  add_wait(code, kState);
  return code.take();
}

// pending = new AtomicInteger();
Rewritten<std::vector<std::uint8_t>> body_of_initializer(ConstantPool& pool) {
  Assembler code(pool);
  code.type(op::kNew, kCounterName);
  code.add({op::kDup});
  code.member(op::kInvokeSpecial, method_of(kCounterName, "<init>", "()V"));
  code.member(op::kPutStatic, pending_field());
  code.add({op::kReturn});
  return code.take();
}

// The attribute Code of a method like that.
void write_code(codec::Writer& writer, std::uint16_t name, std::span<const std::uint8_t> code) {
  constexpr std::uint16_t kStack = 6;
  constexpr std::uint16_t kLocals = 8;
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
  constexpr std::uint16_t kPrivateStaticFinal = 0x001A;
  ConstantPool pool;
  JVMDEBUG_ASSIGN(const std::uint16_t name, pool.add_class(kProbesClass));
  JVMDEBUG_ASSIGN(const std::uint16_t object, pool.add_class("java/lang/Object"));
  JVMDEBUG_ASSIGN(const std::uint16_t code, pool.add_utf8("Code"));
  JVMDEBUG_ASSIGN(const std::uint16_t field, pool.add_utf8(kPending));
  JVMDEBUG_ASSIGN(const std::uint16_t field_type, pool.add_utf8(kCounterDescriptor));
  codec::Writer methods;
  constexpr std::array<MethodHead, 10> kMethods = {
      {{.access = kPublicStaticNative, .name = "hit", .descriptor = "(IIJ)V"},
       {.access = kPublicStaticNative, .name = "store", .descriptor = kStoreDescriptor},
       {.access = kPublicStaticNative, .name = "given", .descriptor = "()[Ljava/lang/Object;"},
       {.access = kPublicStaticNative, .name = "write", .descriptor = kWriteDescriptor},
       {.access = kPublicStaticNative, .name = "enter", .descriptor = kEnterDescriptor},
       {.access = kPublicStaticNative, .name = "arrived", .descriptor = "()I"},
       {.access = kPublicStaticNative, .name = "waits", .descriptor = "()Z"},
       {.access = kPublicStatic,
        .name = "stop",
        .descriptor = kStopDescriptor,
        .code = body_of_stop},
       {.access = kPublicStatic, .name = "arrive", .descriptor = "()V", .code = body_of_arrive},
       {.access = kPublicStatic,
        .name = "<clinit>",
        .descriptor = "()V",
        .code = body_of_initializer}}};
  for (const MethodHead& each : kMethods) {
    JVMDEBUG_ASSIGN(const std::uint16_t method, pool.add_utf8(each.name));
    JVMDEBUG_ASSIGN(const std::uint16_t descriptor, pool.add_utf8(each.descriptor));
    const bool has_code = each.code != nullptr;
    for (const std::uint16_t part : std::array<std::uint16_t, 4>{
             each.access, method, descriptor, static_cast<std::uint16_t>(has_code ? 1 : 0)}) {
      methods.write_unsigned_short(part);
    }
    if (has_code) {
      JVMDEBUG_ASSIGN(const auto body, each.code(pool));
      write_code(methods, code, body);
    }
  }
  codec::Writer writer;
  writer.write_unsigned(0xCAFEBABE, 4);
  writer.write_unsigned_short(0);
  writer.write_unsigned_short(kJava5);
  pool.write(writer);
  // Access, name, superclass, no interfaces; the field without attributes; the methods, no
  // attributes.
  for (const std::uint16_t part :
       std::array<std::uint16_t, 10>{kPublicFinalSuper, name, object, 0, 1, kPrivateStaticFinal,
                                     field, field_type, 0, kMethods.size()}) {
    writer.write_unsigned_short(part);
  }
  writer.write_span(methods.bytes());
  writer.write_unsigned_short(0);
  return writer.take();
}

bool calls_others(std::span<const std::uint8_t> class_file) {
  const auto file = ClassFile::read(class_file);
  if (!file) {
    return true;
  }
  const ConstantPool& pool = file->pool();
  for (std::size_t index = 1; index < pool.size(); ++index) {
    switch (pool.kind(index)) {
      case Constant::kMethod: {
        const auto member = pool.member(index);
        if (!member || member->owner != kProbesClass) {
          return true;
        }
        break;
      }
      // The initializer of the class of a field may be run.
      case Constant::kField:
      case Constant::kInterfaceMethod:
      case Constant::kMethodHandle:
      case Constant::kInvokeDynamic:
      case Constant::kDynamic:
        return true;
      default:
        break;
    }
  }
  return false;
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
                                     std::span<CheckCall> calls, const Renewal& renewal, bool joins,
                                     const std::optional<ThrowReports>& reports,
                                     bool checks_throws) {
  JVMDEBUG_ASSIGN(ClassFile file, ClassFile::read(original));
  std::map<std::string, const Method*, std::less<>> methods;
  for (const Method& each : file.methods()) {
    methods.emplace(
        file.pool().utf8(each.name).value_or("") + file.pool().utf8(each.descriptor).value_or(""),
        &each);
  }
  MethodInsertions insertions;
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
    JVMDEBUG_ASSIGN(auto insertion, insertion_of(file.pool(), call, code));
    insertions[method->second].push_back(std::move(insertion));
  }
  if (joins) {
    for (auto& [method, all] : insertions) {
      JVMDEBUG_CHECK(add_arrivals(file.pool(), all));
    }
  }
  if (reports) {
    JVMDEBUG_CHECK(add_throw_reports(file, *reports, insertions));
  }
  if (checks_throws) {
    JVMDEBUG_CHECK(add_throw_checks(file, insertions));
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
