// SPDX-License-Identifier: Apache-2.0
// The class of the ring of log points, see log_ring.h.
#include <array>
#include <utility>

#include "agent/jvm/result.h"
#include "agent/probes/assembler.h"
#include "agent/probes/constant_pool.h"
#include "agent/probes/emitted_opcodes.h"
#include "agent/probes/probe_classes.h"
#include "codec/writer.h"

namespace jvmdebug::agent::probes {
namespace {

struct LogField {
  const char* name;
  const char* descriptor;
};

constexpr std::array<LogField, 5> kLogFields{{{"values", kLongArray},
                                              {"published", kLongArray},
                                              {"objects", kObjectArray},
                                              {"tail", kCounterType},
                                              {"head", kCounterType}}};

// static { values = new long[1 << kLogSizePower]; … tail = new AtomicLong(); … }
Rewritten<std::vector<std::uint8_t>> log_initializer(ConstantPool& pool) {
  constexpr std::uint8_t kLong = 11;  // what newarray calls it
  constexpr const char* kCounterClass = "java/util/concurrent/atomic/AtomicLong";
  Assembler code(pool);
  for (const LogField& field : kLogFields) {
    if (field.descriptor == kCounterType) {
      code.type(op::kNew, kCounterClass);
      code.add({op::kDup});
      code.member(op::kInvokeSpecial, {.kind = Constant::kMethod,
                                       .owner = kCounterClass,
                                       .name = "<init>",
                                       .descriptor = "()V"});
    } else {
      code.add({op::kIconst1, op::kBipush, kLogSizePower, op::kIshl});
      if (field.descriptor == kObjectArray) {
        code.type(op::kAnewArray, "java/lang/Object");
      } else {
        code.add({op::kNewArray, kLong});
      }
    }
    code.member(op::kPutStatic, {.kind = Constant::kField,
                                 .owner = kLogClass,
                                 .name = field.name,
                                 .descriptor = field.descriptor});
  }
  code.add({op::kReturn});
  return code.take();
}

// Everything behind the constant pool.
Rewritten<std::vector<std::uint8_t>> log_body(ConstantPool& pool) {
  constexpr std::uint16_t kPublicFinalSuper = 0x0031;
  constexpr std::uint16_t kPublicStaticFinal = 0x0019;
  constexpr std::uint16_t kStatic = 0x0008;
  constexpr std::uint32_t kAround = 12;  // stack, locals, length, handlers, attributes
  constexpr std::uint16_t kStack = 2;
  codec::Writer writer;
  JVMDEBUG_ASSIGN(const std::uint16_t name, pool.add_class(kLogClass));
  JVMDEBUG_ASSIGN(const std::uint16_t object, pool.add_class("java/lang/Object"));
  for (const std::uint16_t part :
       std::array<std::uint16_t, 5>{kPublicFinalSuper, name, object, 0, kLogFields.size()}) {
    writer.write_unsigned_short(part);
  }
  for (const LogField& field : kLogFields) {
    JVMDEBUG_ASSIGN(const std::uint16_t field_name, pool.add_utf8(field.name));
    JVMDEBUG_ASSIGN(const std::uint16_t descriptor, pool.add_utf8(field.descriptor));
    for (const std::uint16_t part :
         std::array<std::uint16_t, 4>{kPublicStaticFinal, field_name, descriptor, 0}) {
      writer.write_unsigned_short(part);
    }
  }
  JVMDEBUG_ASSIGN(const std::uint16_t initializer, pool.add_utf8("<clinit>"));
  JVMDEBUG_ASSIGN(const std::uint16_t no_arguments, pool.add_utf8("()V"));
  JVMDEBUG_ASSIGN(const std::uint16_t code_name, pool.add_utf8("Code"));
  JVMDEBUG_ASSIGN(const auto code, log_initializer(pool));
  for (const std::uint16_t part :
       std::array<std::uint16_t, 6>{1, kStatic, initializer, no_arguments, 1, code_name}) {
    writer.write_unsigned_short(part);
  }
  writer.write_unsigned(kAround + code.size(), 4);
  writer.write_unsigned_short(kStack);
  writer.write_unsigned_short(0);  // locals
  writer.write_bytes(code);
  // No handlers, no attributes of the code, none of the class.
  for (int rest = 0; rest < 3; ++rest) {
    writer.write_unsigned_short(0);
  }
  return writer.take();
}

}  // namespace

Rewritten<std::vector<std::uint8_t>> log_class() {
  constexpr std::uint16_t kJava5 = 49;
  ConstantPool pool;
  JVMDEBUG_ASSIGN(const auto body, log_body(pool));
  codec::Writer writer;
  writer.write_unsigned(0xCAFEBABE, 4);
  writer.write_unsigned_short(0);
  writer.write_unsigned_short(kJava5);
  pool.write(writer);
  writer.write_span(body);
  return writer.take();
}

}  // namespace jvmdebug::agent::probes
