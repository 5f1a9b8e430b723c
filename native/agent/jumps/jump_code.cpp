// SPDX-License-Identifier: Apache-2.0
#include "agent/jumps/jump_code.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "agent/threads/arguments.h"
#include "classfile/assembler.h"
#include "classfile/bytecode.h"
#include "classfile/code_map.h"
#include "classfile/constant_pool.h"
#include "classfile/emitted_opcodes.h"

namespace jvmdebug::agent::jumps {
namespace {

namespace op = classfile::op;
using classfile::ConstantPool;
using classfile::KnownLocals;
using classfile::Rewritten;

constexpr std::uint16_t kStatic = 0x0008;
constexpr std::uint16_t kByte = 256;

// JVM specification, 4.7.4: verification types.
enum Type : std::uint8_t {
  kTop = 0,
  kInteger = 1,
  kFloat = 2,
  kDouble = 3,
  kLong = 4,
  kNull = 5,
  kObject = 7,
};

std::uint8_t high(std::size_t number) {
  return static_cast<std::uint8_t>(number / kByte);
}

std::uint8_t low(std::size_t number) {
  return static_cast<std::uint8_t>(number % kByte);
}

bool is_wide(std::string_view type) {
  return type == "J" || type == "D";
}

bool is_reference(std::string_view type) {
  return type.starts_with('L') || type.starts_with('[');
}

// Returns the name of the class as the constant pool has it: a/b/C, or [La/b/C;.
std::string_view class_name(std::string_view type) {
  return type.starts_with('L') ? type.substr(1, type.size() - 2) : type;
}

class FrameTypes {
 public:
  explicit FrameTypes(ConstantPool& pool) : pool_(pool) {}

  // kMalformed if the slots overlap or are not in order.
  Rewritten<void> add(std::size_t slot, std::string_view type) {
    if (slot < next_) {
      return std::unexpected(classfile::RewriteError::kMalformed);
    }
    for (; next_ < slot; ++next_) {
      plain(kTop);
    }
    next_ += is_wide(type) ? 2 : 1;
    if (is_reference(type)) {
      JVMDEBUG_ASSIGN(const std::uint16_t name, pool_.add_class(class_name(type)));
      plain(kObject);
      known_.types.push_back(high(name));
      known_.types.push_back(low(name));
    } else if (type.empty()) {
      plain(kNull);
    } else {
      plain(type == "F" ? kFloat : type == "J" ? kLong : type == "D" ? kDouble : kInteger);
    }
    return {};
  }

  KnownLocals take() { return std::move(known_); }

 private:
  void plain(Type type) {
    known_.types.push_back(type);
    ++known_.count;
  }

  ConstantPool& pool_;
  std::size_t next_ = 0;
  KnownLocals known_;
};

Rewritten<KnownLocals> at_start(classfile::ClassFile& file, const classfile::Method& method) {
  FrameTypes types(file.pool());
  std::size_t slot = 0;
  if ((method.access & kStatic) == 0) {
    JVMDEBUG_CHECK(types.add(slot++, "L" + file.name() + ";"));
  }
  const auto descriptor = file.pool().utf8(method.descriptor).value_or("");
  for (const auto& type : threads::parse_descriptor(descriptor).parameters) {
    JVMDEBUG_CHECK(types.add(slot, type));
    slot += is_wide(type) ? 2 : 1;
  }
  return types.take();
}

Rewritten<KnownLocals> at_target(ConstantPool& pool, const JumpSpec& jump) {
  FrameTypes types(pool);
  for (const JumpLocal& local : jump.locals) {
    JVMDEBUG_CHECK(types.add(local.slot, local.type));
  }
  return types.take();
}

struct Getter {
  const char* name;
  const char* descriptor;
  std::uint8_t store;
};

Getter getter_of(std::string_view type) {
  if (is_reference(type) || type.empty()) {
    return {.name = "reference", .descriptor = "(I)Ljava/lang/Object;", .store = op::kAstore};
  }
  if (type == "F") {
    return {.name = "real", .descriptor = "(I)F", .store = op::kFstore};
  }
  if (type == "J") {
    return {.name = "wide", .descriptor = "(I)J", .store = op::kLstore};
  }
  if (type == "D") {
    return {.name = "wideReal", .descriptor = "(I)D", .store = op::kDstore};
  }
  return {.name = "integer", .descriptor = "(I)I", .store = op::kIstore};
}

classfile::MemberReference member(const char* name, const char* descriptor) {
  return {.kind = classfile::Constant::kMethod,
          .owner = kJumpsClass,
          .name = name,
          .descriptor = descriptor};
}

// Adds the code that restores a variable, the one at `index` of the values.
Rewritten<void> restore(ConstantPool& pool, classfile::Assembler& code, const JumpLocal& local,
                        std::size_t index) {
  const Getter getter = getter_of(local.type);
  if (local.type.empty()) {
    code.add({op::kAconstNull});
  } else {
    code.add({op::kSipush, high(index), low(index)});
    code.member(op::kInvokeStatic, member(getter.name, getter.descriptor));
  }
  if (is_reference(local.type) && local.type != "Ljava/lang/Object;") {
    JVMDEBUG_ASSIGN(const std::uint16_t name, pool.add_class(class_name(local.type)));
    code.add({op::kCheckCast, high(name), low(name)});
  }
  if (local.slot < kByte) {
    code.add({getter.store, low(local.slot)});
  } else {
    code.add({op::kWide, getter.store, high(local.slot), low(local.slot)});
  }
  return {};
}

}  // namespace

bool JumpSpec::is_like(const JumpSpec& other) const {
  return target == other.target &&
         std::ranges::equal(locals, other.locals, [](const JumpLocal& one, const JumpLocal& two) {
           return one.slot == two.slot && one.type == two.type &&
                  one.is_parameter == two.is_parameter;
         });
}

Rewritten<classfile::Insertion> jump_code(classfile::ClassFile& file,
                                          const classfile::Method& method, const JumpSpec& jump) {
  constexpr std::size_t kGotoSize = 5;
  constexpr std::size_t kBranchAt = 6;  // behind sipush and invokestatic
  constexpr std::size_t kAlignment = 4;
  ConstantPool& pool = file.pool();
  JVMDEBUG_ASSIGN(const classfile::Code own, file.code_of(method));
  // The verifier would refuse it, but it is not asked for classes of the boot loader; nor does it
  // let code jump over the call of another constructor.
  const bool fits = std::ranges::all_of(jump.locals, [&](const JumpLocal& local) {
    return local.slot + (is_wide(local.type) ? 2U : 1U) <= own.max_locals;
  });
  if (!fits || !classfile::begins_instruction(own.bytes, jump.target) ||
      file.pool().is_utf8(method.name, "<init>")) {
    return std::unexpected(classfile::RewriteError::kMalformed);
  }
  classfile::Assembler assembler(pool);
  assembler.add({op::kSipush, high(jump.number), low(jump.number)});
  assembler.member(op::kInvokeStatic, member("begins", "(I)Z"));
  assembler.add({op::kIfEq, 0, 0});
  for (std::size_t index = 0; index < jump.locals.size(); ++index) {
    if (!jump.locals[index].is_parameter) {
      JVMDEBUG_CHECK(restore(pool, assembler, jump.locals[index], index));
    }
  }
  JVMDEBUG_ASSIGN(auto code, assembler.take());
  // The jump comes last, as the verifier wants to know nothing of what is behind it.
  while ((classfile::kMarksSize + code.size() + kGotoSize) % kAlignment != 0) {
    code.push_back(0);
  }
  auto jumps = std::make_shared<classfile::InsertedJump>();
  jumps->at = classfile::kMarksSize + code.size();
  jumps->target = jump.target;
  code.insert(code.end(), {op::kGotoW, 0, 0, 0, 0});
  const std::size_t distance = code.size() - kBranchAt;
  code[kBranchAt + 1] = high(distance);
  code[kBranchAt + 2] = low(distance);
  JVMDEBUG_ASSIGN(jumps->stack_map, pool.add_utf8("StackMapTable"));
  JVMDEBUG_ASSIGN(jumps->at_start, at_start(file, method));
  JVMDEBUG_ASSIGN(jumps->at_target, at_target(pool, jump));
  JVMDEBUG_ASSIGN(auto marked, classfile::marked_code(classfile::kJump, code));
  return classfile::Insertion{
      .index = 0, .code = std::move(marked), .stack = 2, .locals = 0, .jump = std::move(jumps)};
}

}  // namespace jvmdebug::agent::jumps
