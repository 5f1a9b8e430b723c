// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/throw_hook.h"

#include <array>
#include <cstddef>
#include <string>

#include "agent/jvm/opcodes.h"
#include "agent/jvm/result.h"
#include "agent/probes/class_file.h"
#include "agent/probes/constant_pool.h"
#include "agent/probes/instructions.h"
#include "codec/writer.h"

namespace jvmdebug::agent::probes {
namespace {

using ByteVector = std::vector<std::uint8_t>;

constexpr const char* kConstructed = "constructed";
constexpr const char* kReport = "report";
constexpr const char* kTakesThrowable = "(Ljava/lang/Throwable;)V";

using jvm::kAload0;
using jvm::kInvokeStatic;
using jvm::kReturn;

constexpr std::uint16_t kStatic = 0x0008;
constexpr std::uint16_t kFinal = 0x0010;
constexpr std::uint16_t kSuper = 0x0020;
constexpr std::uint16_t kNative = 0x0100;
constexpr std::uint16_t kSynthetic = 0x1000;

std::uint8_t high(std::uint16_t index) {
  return static_cast<std::uint8_t>(index >> 8U);
}

std::uint8_t low(std::uint16_t index) {
  return static_cast<std::uint8_t>(index);
}

MemberReference method(const char* owner, const char* name, const char* descriptor) {
  return {.kind = Constant::kMethod, .owner = owner, .name = name, .descriptor = descriptor};
}

// for (Class type : wanted) { if (type.isInstance(thrown)) { report(thrown); return; } }
// Below 35 bytes, so that the compilers of HotSpot inline it.
Rewritten<ByteVector> constructed_code(ConstantPool& pool) {
  JVMDEBUG_ASSIGN(const std::uint16_t wanted, pool.add_member({.kind = Constant::kField,
                                                               .owner = kHookClass,
                                                               .name = kWantedField,
                                                               .descriptor = kWantedDescriptor}));
  JVMDEBUG_ASSIGN(
      const std::uint16_t is_instance,
      pool.add_member(method("java/lang/Class", "isInstance", "(Ljava/lang/Object;)Z")));
  JVMDEBUG_ASSIGN(const std::uint16_t report,
                  pool.add_member(method(kHookClass, kReport, kTakesThrowable)));
  return ByteVector{
      178,
      high(wanted),
      low(wanted),  // 0: getstatic wanted
      76,
      3,
      61,  // 3: astore_1, iconst_0, istore_2
      28,
      43,
      190,
      162,
      0,
      24,  // 6: iload_2, aload_1, arraylength, if_icmpge 33
      43,
      28,
      50,
      42,  // 12: aload_1, iload_2, aaload, aload_0
      182,
      high(is_instance),
      low(is_instance),  // 16: invokevirtual isInstance
      153,
      0,
      8,  // 19: ifeq 27
      42,
      184,
      high(report),
      low(report),  // 22: aload_0, invokestatic report
      177,          // 26: return
      132,
      2,
      1,  // 27: iinc 2, 1
      167,
      0xff,
      0xe8,  // 30: goto 6
      177,   // 33: return
  };
}

// At 6 there are two more locals, an array and a number; the same at 27 and 33.
Rewritten<ByteVector> stack_map(ConstantPool& pool) {
  JVMDEBUG_ASSIGN(const std::uint16_t classes, pool.add_class(kWantedDescriptor));
  return ByteVector{0, 3, 253, 0, 6, 7, high(classes), low(classes), 1, 20, 5};
}

Rewritten<ByteVector> code_attribute(ConstantPool& pool) {
  JVMDEBUG_ASSIGN(const ByteVector code, constructed_code(pool));
  JVMDEBUG_ASSIGN(const ByteVector frames, stack_map(pool));
  JVMDEBUG_ASSIGN(const std::uint16_t name, pool.add_utf8("StackMapTable"));
  codec::Writer writer;
  writer.write_unsigned_short(2);  // stack
  writer.write_unsigned_short(3);  // locals
  writer.write_bytes(code);
  writer.write_unsigned_short(0);  // handlers
  writer.write_unsigned_short(1);  // attributes
  writer.write_unsigned_short(name);
  writer.write_bytes(frames);
  return writer.take();
}

Rewritten<void> write_member(codec::Writer& writer, ConstantPool& pool, std::uint16_t access,
                             const char* name, const char* descriptor) {
  JVMDEBUG_ASSIGN(const std::uint16_t name_index, pool.add_utf8(name));
  JVMDEBUG_ASSIGN(const std::uint16_t type_index, pool.add_utf8(descriptor));
  writer.write_unsigned_short(access);
  writer.write_unsigned_short(name_index);
  writer.write_unsigned_short(type_index);
  return {};
}

// Everything behind the constant pool.
Rewritten<ByteVector> class_body(ConstantPool& pool) {
  JVMDEBUG_ASSIGN(const std::uint16_t name, pool.add_class(kHookClass));
  JVMDEBUG_ASSIGN(const std::uint16_t object, pool.add_class("java/lang/Object"));
  JVMDEBUG_ASSIGN(const std::uint16_t code_name, pool.add_utf8("Code"));
  JVMDEBUG_ASSIGN(const ByteVector code, code_attribute(pool));
  codec::Writer writer;
  writer.write_unsigned_short(kFinal | kSuper | kSynthetic);
  writer.write_unsigned_short(name);
  writer.write_unsigned_short(object);
  writer.write_unsigned_short(0);  // interfaces
  writer.write_unsigned_short(1);  // fields
  JVMDEBUG_CHECK(write_member(writer, pool, kStatic | kSynthetic, kWantedField, kWantedDescriptor));
  writer.write_unsigned_short(0);
  writer.write_unsigned_short(2);  // methods
  JVMDEBUG_CHECK(write_member(writer, pool, kStatic | kSynthetic, kConstructed, kTakesThrowable));
  writer.write_unsigned_short(1);
  writer.write_unsigned_short(code_name);
  writer.write_bytes(code);
  JVMDEBUG_CHECK(
      write_member(writer, pool, kStatic | kNative | kSynthetic, kReport, kTakesThrowable));
  writer.write_unsigned_short(0);
  writer.write_unsigned_short(0);  // attributes of the class
  return writer.take();
}

}  // namespace

Rewritten<std::vector<std::uint8_t>> hook_class() {
  constexpr std::uint16_t kJava8 = 52;
  ConstantPool pool;
  JVMDEBUG_ASSIGN(const ByteVector body, class_body(pool));
  codec::Writer writer;
  writer.write_unsigned(0xCAFEBABE, 4);
  writer.write_unsigned_short(0);
  writer.write_unsigned_short(kJava8);
  pool.write(writer);
  writer.write_span(body);
  return writer.take();
}

Rewritten<std::vector<std::uint8_t>> hooked_throwable(std::span<const std::uint8_t> original) {
  JVMDEBUG_ASSIGN(ClassFile file, ClassFile::read(original));
  JVMDEBUG_ASSIGN(const std::uint16_t constructed,
                  file.pool().add_member(method(kHookClass, kConstructed, kTakesThrowable)));
  const ByteVector call{kAload0, kInvokeStatic, high(constructed), low(constructed)};
  bool has_constructor = false;
  for (const Method& each : file.methods()) {
    if (!file.pool().is_utf8(each.name, "<init>")) {
      continue;
    }
    JVMDEBUG_ASSIGN(const Code code, file.code_of(each));
    std::vector<Insertion> insertions;
    for (const std::size_t index : instructions(code.bytes)) {
      if (code.bytes[index] == kReturn) {
        insertions.push_back({.index = index, .code = call, .stack = 1});
      }
    }
    JVMDEBUG_CHECK(file.insert(each, insertions));
    has_constructor = true;
  }
  if (!has_constructor) {
    return std::unexpected(RewriteError::kMalformed);
  }
  return file.write();
}

}  // namespace jvmdebug::agent::probes
