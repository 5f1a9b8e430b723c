// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/operand_class.h"

#include "agent/jvm/result.h"
#include "agent/probes/assembler.h"
#include "agent/probes/constant_pool.h"
#include "agent/probes/emitted_opcodes.h"
#include "codec/writer.h"

namespace jvmdebug::agent::probes {
namespace {

using MadeCode = std::vector<std::uint8_t>;

constexpr const char* kSuperclass = "java/lang/Object";
constexpr const char* kStream = "java/util/stream/Stream";
constexpr const char* kFunction = "java/util/function/Function";
constexpr const char* kLiveFrame = "java/lang/LiveStackFrame";

constexpr std::uint16_t kPublicMethod = 0x0001;
constexpr std::uint16_t kStaticMethod = 0x0008;
constexpr std::uint16_t kFinalSuperSynthetic = 0x1030;

void invoke_interface(Assembler& code, const char* owner, const char* name, const char* descriptor,
                      std::uint8_t slots) {
  code.member(
      op::kInvokeInterface,
      {.kind = Constant::kInterfaceMethod, .owner = owner, .name = name, .descriptor = descriptor});
  code.add({slots, 0});
}

// public Object apply(Object frames) {
//   return ((Stream) frames).skip(1).findFirst().orElse(null);
// }
Rewritten<MadeCode> apply_code(ConstantPool& pool) {
  Assembler code(pool);
  code.add({op::kAload1});
  code.type(op::kCheckCast, kStream);
  code.add({op::kLconst1});
  invoke_interface(code, kStream, "skip", "(J)Ljava/util/stream/Stream;", 3);
  invoke_interface(code, kStream, "findFirst", "()Ljava/util/Optional;", 1);
  code.add({op::kAconstNull});
  code.member(op::kInvokeVirtual, {.kind = Constant::kMethod,
                                   .owner = "java/util/Optional",
                                   .name = "orElse",
                                   .descriptor = "(Ljava/lang/Object;)Ljava/lang/Object;"});
  code.add({op::kAreturn});
  return code.take();
}

// static Object[] read(StackWalker walker, Function first) {
//   return ((LiveStackFrame) walker.walk(first)).getStack();
// }
// An int is below on its own stack, so that the first read has the VM load what it needs for one.
Rewritten<MadeCode> read_code(ConstantPool& pool) {
  Assembler code(pool);
  code.add({op::kIconst1, op::kAload0, op::kAload1});
  code.member(op::kInvokeVirtual,
              {.kind = Constant::kMethod,
               .owner = "java/lang/StackWalker",
               .name = "walk",
               .descriptor = "(Ljava/util/function/Function;)Ljava/lang/Object;"});
  code.type(op::kCheckCast, kLiveFrame);
  invoke_interface(code, kLiveFrame, "getStack", "()[Ljava/lang/Object;", 1);
  code.add({op::kAreturn});
  return code.take();
}

// JvmdebugProbeOperands() {}
Rewritten<MadeCode> constructor_code(ConstantPool& pool) {
  Assembler code(pool);
  code.add({op::kAload0});
  code.member(
      op::kInvokeSpecial,
      {.kind = Constant::kMethod, .owner = kSuperclass, .name = "<init>", .descriptor = "()V"});
  code.add({op::kReturn});
  return code.take();
}

Rewritten<void> write_made_method(codec::Writer& writer, ConstantPool& pool, std::uint16_t access,
                                  const char* name, const char* descriptor,
                                  const Rewritten<MadeCode>& code) {
  constexpr std::uint32_t kAround = 12;  // stack, locals, length, handlers, attributes
  constexpr std::uint16_t kStack = 4;
  constexpr std::uint16_t kLocals = 2;
  if (!code) {
    return std::unexpected(code.error());
  }
  JVMDEBUG_ASSIGN(const std::uint16_t name_index, pool.add_utf8(name));
  JVMDEBUG_ASSIGN(const std::uint16_t type_index, pool.add_utf8(descriptor));
  JVMDEBUG_ASSIGN(const std::uint16_t code_index, pool.add_utf8("Code"));
  for (const std::uint16_t part : {access, name_index, type_index, std::uint16_t{1}, code_index}) {
    writer.write_unsigned_short(part);
  }
  writer.write_unsigned(kAround + code->size(), 4);
  writer.write_unsigned_short(kStack);
  writer.write_unsigned_short(kLocals);
  writer.write_bytes(*code);
  writer.write_unsigned_short(0);  // handlers
  writer.write_unsigned_short(0);  // attributes
  return {};
}

// Everything behind the constant pool.
Rewritten<MadeCode> operand_class_body(ConstantPool& pool) {
  JVMDEBUG_ASSIGN(const std::uint16_t name, pool.add_class(kOperandClass));
  JVMDEBUG_ASSIGN(const std::uint16_t object, pool.add_class(kSuperclass));
  JVMDEBUG_ASSIGN(const std::uint16_t function, pool.add_class(kFunction));
  codec::Writer writer;
  // Access, name, superclass, one interface, no fields, methods.
  for (const std::uint16_t part : {kFinalSuperSynthetic, name, object, std::uint16_t{1}, function,
                                   std::uint16_t{0}, std::uint16_t{3}}) {
    writer.write_unsigned_short(part);
  }
  JVMDEBUG_CHECK(write_made_method(writer, pool, 0, "<init>", "()V", constructor_code(pool)));
  JVMDEBUG_CHECK(write_made_method(writer, pool, kPublicMethod, "apply",
                                   "(Ljava/lang/Object;)Ljava/lang/Object;", apply_code(pool)));
  JVMDEBUG_CHECK(write_made_method(writer, pool, kStaticMethod, kReadOperands,
                                   kReadOperandsDescriptor, read_code(pool)));
  writer.write_unsigned_short(0);  // attributes of the class
  return writer.take();
}

}  // namespace

Rewritten<std::vector<std::uint8_t>> operand_class() {
  constexpr std::uint16_t kJava5 = 49;  // the last one without stack maps
  ConstantPool pool;
  JVMDEBUG_ASSIGN(const MadeCode body, operand_class_body(pool));
  codec::Writer writer;
  writer.write_unsigned(0xCAFEBABE, 4);
  writer.write_unsigned_short(0);
  writer.write_unsigned_short(kJava5);
  pool.write(writer);
  writer.write_span(body);
  return writer.take();
}

}  // namespace jvmdebug::agent::probes
