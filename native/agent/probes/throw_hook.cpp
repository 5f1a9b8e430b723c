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
#include "agent/probes/parking_code.h"
#include "codec/writer.h"

namespace jvmdebug::agent::probes {
namespace {

using ByteVector = std::vector<std::uint8_t>;

constexpr const char* kConstructed = "constructed";
constexpr const char* kLook = "look";
constexpr const char* kWalk = "walk";
constexpr const char* kReport = "report";
constexpr const char* kStay = "stay";
constexpr const char* kThrowing = "throwing";
constexpr const char* kReached = "reached";
constexpr const char* kWaits = "waits";  // as add_parking() calls it
constexpr const char* kTakesBoth = "(Ljava/lang/Throwable;Ljava/lang/Object;)V";
constexpr const char* kWalks = "(Ljava/lang/Object;[JII)Z";
constexpr const char* kReports = "(Ljava/lang/Throwable;)I";
constexpr const char* kObjectType = "java/lang/Object";
constexpr const char* kObjectArray = "[Ljava/lang/Object;";

constexpr std::uint16_t kPublic = 0x0001;
constexpr std::uint16_t kStatic = 0x0008;
constexpr std::uint16_t kFinal = 0x0010;
constexpr std::uint16_t kSuper = 0x0020;
constexpr std::uint16_t kNative = 0x0100;
constexpr std::uint16_t kSynthetic = 0x1000;

// Enough for each of the methods below.
constexpr std::uint16_t kStack = 8;
constexpr std::uint16_t kLocals = 13;

MemberReference method(const char* owner, const char* name, const char* descriptor) {
  return {.kind = Constant::kMethod, .owner = owner, .name = name, .descriptor = descriptor};
}

MemberReference field(const char* owner, const char* name, const char* descriptor) {
  return {.kind = Constant::kField, .owner = owner, .name = name, .descriptor = descriptor};
}

// static void constructed(Throwable thrown, Object backtrace) {
//   for (Class type : requested) {
//     if (type.isInstance(thrown)) { look(thrown, backtrace); return; }
//   }
// }
// And static void thrown(Throwable thrown), whose last call is throwing(thrown). Below 35 bytes, so
// that the compilers of HotSpot inline them always.
Rewritten<ByteVector> test_code(ConstantPool& pool, bool has_backtrace) {
  Assembler code(pool);
  const auto next = code.label();
  const auto loop = code.label();
  const auto end = code.label();
  code.member(op::kGetStatic, field(kHookClass, kRequestedField, kRequestedDescriptor));
  code.add({op::kAstore2, op::kIconst0, op::kIstore3});
  code.place(loop);
  code.add({op::kIload3, op::kAload2, op::kArrayLength});
  code.jump(op::kIfIcmpGe, end);
  code.add({op::kAload2, op::kIload3, op::kAaload, op::kAload0});
  code.member(op::kInvokeVirtual, method("java/lang/Class", "isInstance", "(Ljava/lang/Object;)Z"));
  code.jump(op::kIfEq, next);
  if (has_backtrace) {
    code.add({op::kAload0, op::kAload1});
    code.member(op::kInvokeStatic, method(kHookClass, kLook, kTakesBoth));
  } else {
    code.add({op::kAload0});
    code.member(op::kInvokeStatic, method(kHookClass, kThrowing, kThrownDescriptor));
  }
  code.add({op::kReturn});
  code.place(next);
  code.add({op::kIinc, 3, 1});
  code.jump(op::kGoto, loop);
  code.place(end);
  code.add({op::kReturn});
  return code.take();
}

// static void throwing(Throwable thrown) {
//   if (reached(thrown) != 0) stay();
// }
Rewritten<ByteVector> throwing_code(ConstantPool& pool) {
  Assembler code(pool);
  const auto end = code.label();
  code.add({op::kAload0});
  code.member(op::kInvokeStatic, method(kHookClass, kReached, kReports));
  code.jump(op::kIfEq, end);
  code.member(op::kInvokeStatic, method(kHookClass, kStay, "()V"));
  code.place(end);
  code.add({op::kReturn});
  return code.take();
}

// static void look(Throwable thrown, Object backtrace) {
//   long[] table = ignored;
//   int type = System.identityHashCode(thrown.getClass());
//   if (walk(backtrace, table, type, 0)) return;
//   int frames = report(thrown);
//   if (frames > 0) walk(backtrace, table, type, frames);
//   else if (frames != 0) stay();
// }
Rewritten<ByteVector> look_code(ConstantPool& pool) {
  constexpr std::uint8_t kType = 3;
  constexpr std::uint8_t kFrames = 4;
  const auto walk = method(kHookClass, kWalk, kWalks);
  Assembler code(pool);
  const auto end = code.label();
  const auto is_thrown = code.label();
  code.member(op::kGetStatic, field(kHookClass, kIgnoredField, kIgnoredDescriptor));
  code.add({op::kAstore2, op::kAload0});
  code.member(op::kInvokeVirtual, method(kObjectType, "getClass", "()Ljava/lang/Class;"));
  code.member(op::kInvokeStatic,
              method("java/lang/System", "identityHashCode", "(Ljava/lang/Object;)I"));
  code.add({op::kIstore, kType, op::kAload1, op::kAload2, op::kIload, kType, op::kIconst0});
  code.member(op::kInvokeStatic, walk);
  code.jump(op::kIfNe, end);
  code.add({op::kAload0});
  code.member(op::kInvokeStatic, method(kHookClass, kReport, kReports));
  code.add({op::kIstore, kFrames, op::kIload, kFrames});
  code.jump(op::kIfLe, is_thrown);
  code.add({op::kAload1, op::kAload2, op::kIload, kType, op::kIload, kFrames});
  code.member(op::kInvokeStatic, walk);
  code.add({op::kPop, op::kReturn});
  code.place(is_thrown);
  code.add({op::kIload, kFrames});
  code.jump(op::kIfEq, end);
  code.member(op::kInvokeStatic, method(kHookClass, kStay, "()V"));
  code.place(end);
  code.add({op::kReturn});
  return code.take();
}

// static void stay()
Rewritten<ByteVector> stay_code(ConstantPool& pool) {
  Assembler code(pool);
  add_parking(code, kHookClass, 0);
  return code.take();
}

// Its local variables.
struct Walk {
  enum Local : std::uint8_t {
    kTable = 1,
    kCount = 3,
    kHash = 4,
    kDone = 6,
    kParts = 7,
    kMethods = 8,
    kIndices = 9,
    kClasses = 10,
    kFrame = 11,
    kClass = 12
  };
};

// if (!(parts[index] instanceof type)) goto other; local = (type) parts[index];
void take_part(Assembler& code, std::uint8_t index, const char* type, std::uint8_t local,
               Assembler::Label other) {
  code.add({op::kAload, Walk::kParts, index, op::kAaload});
  code.type(op::kInstanceOf, type);
  code.jump(op::kIfEq, other);
  code.add({op::kAload, Walk::kParts, index, op::kAaload});
  code.type(op::kCheckCast, type);
  code.add({op::kAstore, local});
}

// if (frame >= array.length) goto target;
void check_length(Assembler& code, std::uint8_t array, Assembler::Label target) {
  code.add({op::kIload, Walk::kFrame, op::kAload, array, op::kArrayLength});
  code.jump(op::kIfIcmpGe, target);
}

// Object[] parts = (Object[]) backtrace;
// short[] methods = (short[]) parts[0]; int[] indices = (int[]) parts[1];
// Object[] classes = (Object[]) parts[2];
void add_parts(Assembler& code, Assembler::Label other) {
  code.add({op::kAload0});
  code.type(op::kInstanceOf, kObjectArray);
  code.jump(op::kIfEq, other);
  code.add({op::kAload0});
  code.type(op::kCheckCast, kObjectArray);
  code.add({op::kAstore, Walk::kParts, op::kAload, Walk::kParts, op::kArrayLength, op::kIconst5});
  code.jump(op::kIfIcmpLt, other);
  take_part(code, op::kIconst0, "[S", Walk::kMethods, other);
  take_part(code, op::kIconst1, "[I", Walk::kIndices, other);
  take_part(code, op::kIconst2, kObjectArray, Walk::kClasses, other);
}

// hash ^= (long) identityHashCode(class) << 32 ^ (long) methods[frame] << 46 ^ indices[frame];
// hash ^= hash << 13; hash ^= hash >>> 7; hash ^= hash << 17;
void add_hash(Assembler& code) {
  code.add({op::kLload, Walk::kHash, op::kAload, Walk::kClass});
  code.member(op::kInvokeStatic,
              method("java/lang/System", "identityHashCode", "(Ljava/lang/Object;)I"));
  code.add({op::kI2l, op::kBipush, 32, op::kLshl, op::kLxor});
  code.add({op::kAload, Walk::kMethods, op::kIload, Walk::kFrame, op::kSaload, op::kI2l});
  code.add({op::kBipush, 46, op::kLshl, op::kLxor});
  code.add(
      {op::kAload, Walk::kIndices, op::kIload, Walk::kFrame, op::kIaload, op::kI2l, op::kLxor});
  code.add({op::kDup2, op::kBipush, 13, op::kLshl, op::kLxor});
  code.add({op::kDup2, op::kBipush, 7, op::kLushr, op::kLxor});
  code.add({op::kDup2, op::kBipush, 17, op::kLshl, op::kLxor});
  code.add({op::kLstore, Walk::kHash});
}

// table[(int) (hash >>> …)], as far as the operands of an access
void add_entry(Assembler& code) {
  constexpr std::uint8_t kLongBits = 64;
  code.add({op::kAload1, op::kLload, Walk::kHash, op::kBipush, kLongBits - kIgnoredBits, op::kLushr,
            op::kL2i});
}

// if (count == 0) { if (table[…] == hash) return true; }
// else if (++done == count) { table[…] = hash; return true; }
void add_compare(Assembler& code, Assembler::Label go_on) {
  const auto adding = code.label();
  code.add({op::kIload3});
  code.jump(op::kIfNe, adding);
  add_entry(code);
  code.add({op::kLaload, op::kLload, Walk::kHash, op::kLcmp});
  code.jump(op::kIfNe, go_on);
  code.add({op::kIconst1, op::kIreturn});
  code.place(adding);
  code.add({op::kIinc, Walk::kDone, 1, op::kIload, Walk::kDone, op::kIload3});
  code.jump(op::kIfIcmpNe, go_on);
  add_entry(code);
  code.add({op::kLload, Walk::kHash, op::kLastore, op::kIconst1, op::kIreturn});
}

// static boolean walk(Object backtrace, long[] table, int type, int count): whether the frames
// down to some depth are in the table; with a count, adds that many. False for another layout than
// HotSpot's, whose backtrace is a list of {short[] methods, int[] indices, Object[] classes, …,
// next}.
Rewritten<ByteVector> walk_code(ConstantPool& pool) {
  Assembler code(pool);
  const auto part = code.label();
  const auto frame = code.label();
  const auto next_frame = code.label();
  const auto next_part = code.label();
  const auto fail = code.label();
  code.add(
      {op::kIload2, op::kI2l, op::kLstore, Walk::kHash, op::kIconst0, op::kIstore, Walk::kDone});
  code.place(part);
  add_parts(code, fail);
  code.add({op::kIconst0, op::kIstore, Walk::kFrame});
  code.place(frame);
  check_length(code, Walk::kClasses, next_part);
  check_length(code, Walk::kMethods, fail);
  check_length(code, Walk::kIndices, fail);
  code.add({op::kAload, Walk::kClasses, op::kIload, Walk::kFrame, op::kAaload});
  code.add({op::kAstore, Walk::kClass, op::kAload, Walk::kClass});
  code.jump(op::kIfNull, fail);
  add_hash(code);
  add_compare(code, next_frame);
  code.place(next_frame);
  code.add({op::kIinc, Walk::kFrame, 1});
  code.jump(op::kGoto, frame);
  code.place(next_part);
  code.add({op::kAload, Walk::kParts, op::kIconst4, op::kAaload, op::kAstore0});
  code.jump(op::kGoto, part);
  code.place(fail);
  code.add({op::kIconst0, op::kIreturn});
  return code.take();
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

Rewritten<void> write_code(codec::Writer& writer, ConstantPool& pool,
                           const Rewritten<ByteVector>& code) {
  constexpr std::uint32_t kAround = 12;  // stack, locals, length, handlers, attributes
  if (!code) {
    return std::unexpected(code.error());
  }
  JVMDEBUG_ASSIGN(const std::uint16_t name, pool.add_utf8("Code"));
  writer.write_unsigned_short(1);  // attributes of the method
  writer.write_unsigned_short(name);
  writer.write_unsigned(kAround + code->size(), 4);
  writer.write_unsigned_short(kStack);
  writer.write_unsigned_short(kLocals);
  writer.write_bytes(*code);
  writer.write_unsigned_short(0);  // handlers
  writer.write_unsigned_short(0);  // attributes
  return {};
}

// Everything behind the constant pool.
Rewritten<ByteVector> class_body(ConstantPool& pool) {
  constexpr std::uint16_t kMade = kStatic | kSynthetic;
  JVMDEBUG_ASSIGN(const std::uint16_t name, pool.add_class(kHookClass));
  JVMDEBUG_ASSIGN(const std::uint16_t object, pool.add_class(kObjectType));
  codec::Writer writer;
  writer.write_unsigned_short(kPublic | kFinal | kSuper | kSynthetic);
  writer.write_unsigned_short(name);
  writer.write_unsigned_short(object);
  writer.write_unsigned_short(0);  // interfaces
  writer.write_unsigned_short(2);  // fields
  JVMDEBUG_CHECK(write_member(writer, pool, kMade, kRequestedField, kRequestedDescriptor));
  writer.write_unsigned_short(0);
  JVMDEBUG_CHECK(write_member(writer, pool, kMade, kIgnoredField, kIgnoredDescriptor));
  writer.write_unsigned_short(0);
  writer.write_unsigned_short(9);  // methods
  JVMDEBUG_CHECK(write_member(writer, pool, kMade, kConstructed, kTakesBoth));
  JVMDEBUG_CHECK(write_code(writer, pool, test_code(pool, true)));
  JVMDEBUG_CHECK(write_member(writer, pool, kPublic | kMade, kThrown, kThrownDescriptor));
  JVMDEBUG_CHECK(write_code(writer, pool, test_code(pool, false)));
  JVMDEBUG_CHECK(write_member(writer, pool, kMade, kThrowing, kThrownDescriptor));
  JVMDEBUG_CHECK(write_code(writer, pool, throwing_code(pool)));
  JVMDEBUG_CHECK(write_member(writer, pool, kMade, kLook, kTakesBoth));
  JVMDEBUG_CHECK(write_code(writer, pool, look_code(pool)));
  JVMDEBUG_CHECK(write_member(writer, pool, kMade, kWalk, kWalks));
  JVMDEBUG_CHECK(write_code(writer, pool, walk_code(pool)));
  JVMDEBUG_CHECK(write_member(writer, pool, kMade | kNative, kReport, kReports));
  writer.write_unsigned_short(0);
  JVMDEBUG_CHECK(write_member(writer, pool, kMade | kNative, kReached, kReports));
  writer.write_unsigned_short(0);
  JVMDEBUG_CHECK(write_member(writer, pool, kMade, kStay, "()V"));
  JVMDEBUG_CHECK(write_code(writer, pool, stay_code(pool)));
  JVMDEBUG_CHECK(write_member(writer, pool, kMade | kNative, kWaits, "()Z"));
  writer.write_unsigned_short(0);
  writer.write_unsigned_short(0);  // attributes of the class
  return writer.take();
}

// At the end of a constructor: constructed(this, this.backtrace);
Rewritten<ByteVector> call_code(ConstantPool& pool, bool has_backtrace) {
  Assembler code(pool);
  code.add({op::kAload0});
  if (has_backtrace) {
    code.add({op::kAload0});
    code.member(op::kGetField, field("java/lang/Throwable", kBacktraceField, kBacktraceDescriptor));
  } else {
    code.add({op::kAconstNull});
  }
  code.member(op::kInvokeStatic, method(kHookClass, kConstructed, kTakesBoth));
  return code.take();
}

}  // namespace

Rewritten<std::vector<std::uint8_t>> hook_class() {
  constexpr std::uint16_t kJava5 = 49;  // the last one without stack maps
  ConstantPool pool;
  JVMDEBUG_ASSIGN(const ByteVector body, class_body(pool));
  codec::Writer writer;
  writer.write_unsigned(0xCAFEBABE, 4);
  writer.write_unsigned_short(0);
  writer.write_unsigned_short(kJava5);
  pool.write(writer);
  writer.write_span(body);
  return writer.take();
}

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
