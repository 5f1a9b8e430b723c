// SPDX-License-Identifier: Apache-2.0
// Classes that keep in static fields what checks share: the ring of log points (log_ring.h) and
// the guard (check_guard.h).
#include <array>
#include <span>
#include <string_view>

#include "agent/jvm/result.h"
#include "agent/probes/assembler.h"
#include "agent/probes/constant_pool.h"
#include "agent/probes/emitted_opcodes.h"
#include "agent/probes/probe_classes.h"
#include "codec/writer.h"

namespace jvmdebug::agent::probes {
namespace {

using ClassBytes = std::vector<std::uint8_t>;

constexpr std::uint16_t kPublicStatic = 0x0009;
constexpr std::uint16_t kPublicStaticFinal = 0x0019;

// One that is final gets an object: an array of the size of the ring, or what the constructor
// without arguments makes.
struct StateField {
  const char* name;
  const char* descriptor;
  std::uint16_t access = kPublicStaticFinal;
};

constexpr std::array<StateField, 5> kLogFields{{{"values", kLongArray},
                                                {"published", kLongArray},
                                                {"objects", kObjectArray},
                                                {"tail", kCounterType},
                                                {"head", kCounterType}}};

constexpr std::array<StateField, 2> kGuardFields{
    {{"calling", "I", kPublicStatic}, {"running", kThreadLocalType}}};

void make_value(Assembler& code, std::string_view descriptor) {
  constexpr std::uint8_t kLong = 11;  // what newarray calls it
  if (!descriptor.starts_with('[')) {
    const auto type = std::string(descriptor.substr(1, descriptor.size() - 2));
    code.type(op::kNew, type);
    code.add({op::kDup});
    code.member(op::kInvokeSpecial,
                {.kind = Constant::kMethod, .owner = type, .name = "<init>", .descriptor = "()V"});
    return;
  }
  code.add({op::kIconst1, op::kBipush, kLogSizePower, op::kIshl});
  if (descriptor == kObjectArray) {
    code.type(op::kAnewArray, "java/lang/Object");
  } else {
    code.add({op::kNewArray, kLong});
  }
}

// static { values = new long[1 << kLogSizePower]; … tail = new AtomicLong(); … }
Rewritten<ClassBytes> initializer_of(ConstantPool& pool, const char* name,
                                     std::span<const StateField> fields) {
  Assembler code(pool);
  for (const StateField& field : fields) {
    if (field.access == kPublicStaticFinal) {
      make_value(code, field.descriptor);
      code.member(op::kPutStatic, {.kind = Constant::kField,
                                   .owner = name,
                                   .name = field.name,
                                   .descriptor = field.descriptor});
    }
  }
  code.add({op::kReturn});
  return code.take();
}

// Everything behind the constant pool.
Rewritten<ClassBytes> state_body(ConstantPool& pool, const char* name,
                                 std::span<const StateField> fields) {
  constexpr std::uint16_t kPublicFinalSuper = 0x0031;
  constexpr std::uint16_t kStatic = 0x0008;
  constexpr std::uint32_t kAround = 12;  // stack, locals, length, handlers, attributes
  constexpr std::uint16_t kStack = 2;
  codec::Writer writer;
  JVMDEBUG_ASSIGN(const std::uint16_t own, pool.add_class(name));
  JVMDEBUG_ASSIGN(const std::uint16_t object, pool.add_class("java/lang/Object"));
  for (const std::uint16_t part : std::array<std::uint16_t, 5>{
           kPublicFinalSuper, own, object, 0, static_cast<std::uint16_t>(fields.size())}) {
    writer.write_unsigned_short(part);
  }
  for (const StateField& field : fields) {
    JVMDEBUG_ASSIGN(const std::uint16_t field_name, pool.add_utf8(field.name));
    JVMDEBUG_ASSIGN(const std::uint16_t descriptor, pool.add_utf8(field.descriptor));
    for (const std::uint16_t part :
         std::array<std::uint16_t, 4>{field.access, field_name, descriptor, 0}) {
      writer.write_unsigned_short(part);
    }
  }
  JVMDEBUG_ASSIGN(const std::uint16_t initializer, pool.add_utf8("<clinit>"));
  JVMDEBUG_ASSIGN(const std::uint16_t no_arguments, pool.add_utf8("()V"));
  JVMDEBUG_ASSIGN(const std::uint16_t code_name, pool.add_utf8("Code"));
  JVMDEBUG_ASSIGN(const auto code, initializer_of(pool, name, fields));
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

Rewritten<ClassBytes> state_class(const char* name, std::span<const StateField> fields) {
  constexpr std::uint16_t kJava5 = 49;
  ConstantPool pool;
  JVMDEBUG_ASSIGN(const auto body, state_body(pool, name, fields));
  codec::Writer writer;
  writer.write_unsigned(0xCAFEBABE, 4);
  writer.write_unsigned_short(0);
  writer.write_unsigned_short(kJava5);
  pool.write(writer);
  writer.write_span(body);
  return writer.take();
}

}  // namespace

Rewritten<ClassBytes> log_class() {
  return state_class(kLogClass, kLogFields);
}

Rewritten<ClassBytes> guard_class() {
  return state_class(kGuardClass, kGuardFields);
}

}  // namespace jvmdebug::agent::probes
