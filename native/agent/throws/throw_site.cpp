// SPDX-License-Identifier: Apache-2.0
#include "agent/throws/throw_site.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "agent/code/named_method.h"
#include "agent/throws/throw_hook.h"
#include "classfile/bytecode.h"
#include "classfile/code_flow.h"
#include "classfile/handler_flow.h"
#include "classfile/instructions.h"
#include "classfile/opcodes.h"

namespace jvmdebug::agent::throws {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t kFirstPart = 10;
constexpr std::size_t kMostAtOnce = 64;
constexpr std::size_t kMostExits = 24;
constexpr std::size_t kMostPassedOn = 16;

using classfile::kAreturn;
using classfile::kAthrow;
using classfile::kCheckCast;
using classfile::kGoto;
using classfile::kGotoW;
using classfile::kInvokeSpecial;
using classfile::kIreturn;
using classfile::kReturn;

// The packages whose frames are between code that creates an object by reflection and the
// constructor.
constexpr std::string_view kMethodHandles = "Ljava/lang/invoke/";
constexpr std::array kReflection = {std::string_view("Ljava/lang/reflect/"),
                                    std::string_view("Ljdk/internal/reflect/"),
                                    std::string_view("Lsun/reflect/"), kMethodHandles};

bool is_native(const jvmtiFrameInfo& frame) {
  return frame.location < 0;
}

bool is_in_one_of(const jvm::Env& env, const jvm::Jni& jni, const jvmtiFrameInfo& frame,
                  std::span<const std::string_view> prefixes) {
  const auto type = code::declaring_class(env, jni, frame.method);
  auto signature = jvm::Result<jvm::ModifiedUtf8>(jvm::ModifiedUtf8());
  if (type) {
    signature = env.get_class_signature_only(type);
  }
  return signature && std::ranges::any_of(prefixes, [&](std::string_view prefix) {
           return signature->view().starts_with(prefix);
         });
}

bool is_reflection(const jvm::Env& env, const jvm::Jni& jni, const jvmtiFrameInfo& frame) {
  return is_in_one_of(env, jni, frame, kReflection);
}

bool is_method_handle(const jvm::Env& env, const jvm::Jni& jni, const jvmtiFrameInfo& frame) {
  return is_in_one_of(env, jni, frame, std::span(&kMethodHandles, 1));
}

bool is_named(const jvm::Env& env, jmethodID method, std::string_view name) {
  const auto names = env.get_method_name(method);
  return names && names->name.view() == name;
}

bool is_of_class(const jvm::Env& env, const jvm::Jni& jni, jthrowable exception,
                 std::string_view signature) {
  const auto found = env.get_class_signature_only(jni.object_class(exception));
  return found && found->view() == signature;
}

// Whether the instruction calls a constructor of the class.
bool constructs(const jvm::Env& env, const jvm::Jni& jni, const jvmtiFrameInfo& frame,
                jclass constructed) {
  const auto code = env.get_bytecodes(frame.method);
  const auto at = static_cast<std::size_t>(frame.location);
  if (!code || at + 2 >= code->size() || (*code)[at] != kInvokeSpecial) {
    return false;
  }
  const auto type = code::declaring_class(env, jni, frame.method);
  const auto raw = type ? env.get_constant_pool(type) : std::unexpected(jvm::Error{});
  const auto signature = env.get_class_signature_only(constructed);
  if (!raw || !signature) {
    return true;  // it cannot be read, and most probably is one
  }
  codec::Reader reader(raw->bytes.span());
  const auto pool =
      classfile::ConstantPool::read(reader, static_cast<std::size_t>(raw->entry_count));
  const auto called = pool ? pool->member((*code)[at + 1] * 256U + (*code)[at + 2]) : std::nullopt;
  return !called || (called->name == "<init>" && "L" + called->owner + ";" == signature->view());
}

// Whether the instruction comes right behind a constructor call, so that it handles another
// exception.
bool follows_constructor(Bytes code, std::size_t at) {
  const auto all = classfile::instructions(code);
  const auto here = std::ranges::lower_bound(all, at);
  return here != all.begin() && here != all.end() && code[*std::prev(here)] == kInvokeSpecial;
}

// Returns the first frame from `depth` on that is neither native nor of reflection.
const jvmtiFrameInfo* java_frame(const jvm::Env& env, const jvm::Jni& jni, Stack& stack,
                                 std::size_t& depth) {
  const jvmtiFrameInfo* frame = stack.at(depth);
  while (frame != nullptr && (is_native(*frame) || is_reflection(env, jni, *frame))) {
    frame = stack.at(++depth);
  }
  return frame;
}

// Returns the instruction that uses the value which the current instruction has left on the operand
// stack.
std::optional<std::size_t> next_use(Bytes code, std::size_t at) {
  auto next = classfile::next_instruction(code, at);
  // Malformed code may jump in a circle.
  for (std::size_t left = code.size(); next && left > 0; --left) {
    const std::uint8_t opcode = code[*next];
    if (opcode == kCheckCast) {
      next = classfile::next_instruction(code, *next);
    } else if (opcode == kGoto || opcode == kGotoW) {
      const auto branch =
          classfile::branch_offsets(code, *next, classfile::instruction_size(code, *next));
      const std::int64_t target = static_cast<std::int64_t>(*next) + branch.front().offset;
      next = target >= 0 && static_cast<std::size_t>(target) < code.size()
                 ? std::optional(static_cast<std::size_t>(target))
                 : std::nullopt;
    } else {
      return next;
    }
  }
  return std::nullopt;
}

// Returns the method that a call in the frame names, if it is in the same class.
jmethodID own_method(const jvm::Env& env, const jvm::Jni& jni, const jvmtiFrameInfo& frame,
                     const unsigned char* call) {
  const auto type = code::declaring_class(env, jni, frame.method);
  const auto signature = env.get_class_signature_only(type);
  const auto called = signature ? code::member_named(env, type, call) : std::nullopt;
  return called && "L" + called->owner + ";" == signature->view()
             ? code::declared_method(env, type, *called)
             : nullptr;
}

void add_possible(Exits& exits, Bytes code, std::size_t from) {
  for (const std::size_t at : classfile::reachable(code, from)) {
    const auto location = static_cast<jlocation>(at);
    if (code[at] == kAthrow) {
      exits.throwing.push_back(location);
    } else if (code[at] < kIreturn || code[at] > kReturn) {
      continue;
    }
    exits.may_return = exits.may_return || code[at] == kAreturn;
    exits.locations.push_back(location);
  }
}

Origin origin_in_native(const jvm::Env& env, const jvm::Jni& jni, jthrowable exception,
                        Stack& stack, std::size_t depth) {
  using Maker = Origin::Maker;
  const jvmtiFrameInfo* frame = stack.at(depth);
  if (is_method_handle(env, jni, *frame)) {
    return {};  // a lookup that usually goes on without what it has not found
  }
  if (is_named(env, frame->method, "newInstance0") && is_reflection(env, jni, *frame) &&
      !is_of_class(env, jni, exception, "Ljava/lang/reflect/InvocationTargetException;")) {
    return {.maker = Maker::kReflection, .depth = depth};
  }
  while (frame != nullptr && is_native(*frame)) {
    frame = stack.at(++depth);
  }
  return frame == nullptr ? Origin{} : Origin{.maker = Maker::kVm, .depth = depth};
}

}  // namespace

const jvmtiFrameInfo* Stack::at(std::size_t depth) {
  deepest = std::max(deepest, depth);
  while (depth >= frames_.size() && !complete_) {
    const std::size_t known = frames_.size();
    const std::size_t part = known == 0 ? kFirstPart : std::min(known, kMostAtOnce);
    frames_.resize(known + part);
    const auto filled =
        env_.get_stack_trace(nullptr, static_cast<jint>(known), std::span(frames_).subspan(known));
    const auto count = static_cast<std::size_t>(filled.value_or(0));
    frames_.resize(known + count);
    complete_ = count < part;
  }
  return depth < frames_.size() ? &frames_[depth] : nullptr;
}

std::span<const jvmtiFrameInfo> Stack::part(std::size_t first, std::size_t last) {
  if (at(last) == nullptr) {
    return {};
  }
  return std::span(frames_).subspan(first, last - first + 1);
}

Origin origin_of(const jvm::Env& env, const jvm::Jni& jni, jthrowable exception, Stack& stack) {
  using Maker = Origin::Maker;
  const auto type = jni.object_class(exception);
  std::size_t depth = kHookFrames;
  jvm::LocalRef<jclass> constructed;
  const jvmtiFrameInfo* frame = stack.at(depth);
  for (; frame != nullptr && is_named(env, frame->method, "<init>"); frame = stack.at(++depth)) {
    auto declaring = code::declaring_class(env, jni, frame->method);
    if (!declaring || !jni.assignable(type, declaring)) {
      break;
    }
    constructed = std::move(declaring);
  }
  if (frame == nullptr || !constructed) {
    return {};
  }
  Origin origin{.maker = Maker::kVm, .depth = depth};
  if (is_native(*frame)) {
    origin = origin_in_native(env, jni, exception, stack, depth);
  } else if (constructs(env, jni, *frame, constructed)) {
    origin.maker = Maker::kCode;
  } else if (is_method_handle(env, jni, *frame)) {
    origin.maker = Maker::kReflection;
  } else if (is_of_class(env, jni, exception, "Ljava/lang/ClassNotFoundException;")) {
    origin.maker = Maker::kNobody;  // the VM wraps it in another one; only native code throws one
  }
  origin.first = depth;
  return origin;
}

std::optional<Exits> exits_of(const jvm::Env& env, const jvm::Jni& jni, Stack& stack,
                              std::size_t depth, bool by_reflection) {
  for (std::size_t returns = 0; returns < kMostPassedOn; ++returns) {
    const jvmtiFrameInfo* const frame =
        by_reflection || returns > 0 ? java_frame(env, jni, stack, depth) : stack.at(depth);
    const auto code = frame == nullptr ? jvm::Result<jvm::Buffer<unsigned char>>()
                                       : env.get_bytecodes(frame->method);
    if (frame == nullptr || !code) {
      return std::nullopt;
    }
    const auto next = next_use(code->span(), static_cast<std::size_t>(frame->location));
    if (!next || classfile::is_invoke(code->span(), *next)) {
      return std::nullopt;  // it is passed to other code
    }
    Exits exits;
    exits.method = frame->method;
    exits.depth = depth;
    if ((*code)[*next] == kAthrow) {
      exits.throws = static_cast<jlocation>(*next);
      return exits;
    }
    if ((*code)[*next] != kAreturn) {
      add_possible(exits, code->span(), *next);
      const std::size_t count = exits.locations.size();
      return count == 0 || count > kMostExits ? std::nullopt : std::optional(std::move(exits));
    }
    ++depth;  // its caller gets it
  }
  return std::nullopt;
}

std::optional<Passed> passed_to(const jvm::Env& env, const jvm::Jni& jni, Stack& stack,
                                std::size_t depth) {
  const jvmtiFrameInfo* const frame = stack.at(depth);
  const auto code = frame == nullptr ? jvm::Result<jvm::Buffer<unsigned char>>()
                                     : env.get_bytecodes(frame->method);
  if (frame == nullptr || frame->location < 0 || !code) {
    return std::nullopt;
  }
  const auto next = next_use(code->span(), static_cast<std::size_t>(frame->location));
  if (!next || (*code)[*next] != classfile::kInvokeStatic) {
    return std::nullopt;
  }
  jmethodID const method = own_method(env, jni, *frame, &(*code)[*next]);
  const auto slots = method == nullptr ? jvm::Result<jint>(0) : env.get_arguments_size(method);
  const auto called =
      method == nullptr ? jvm::Result<jvm::Buffer<unsigned char>>() : env.get_bytecodes(method);
  if (method == nullptr || !slots || *slots < 1 || !called) {
    return std::nullopt;
  }
  Passed passed{.index = static_cast<jlocation>(*next), .method = method, .locations = {}};
  bool throws = false;
  for (const std::size_t at : classfile::reachable(called->span(), 0)) {
    const std::uint8_t opcode = (*called)[at];
    const bool is_throw =
        opcode == kAthrow && classfile::pushed_variable(called->span(), at) == *slots - 1;
    throws = throws || is_throw;
    if (is_throw || (opcode >= kIreturn && opcode <= kReturn)) {
      passed.locations.push_back(static_cast<jlocation>(at));
    }
  }
  const bool is_followed = throws && passed.locations.size() <= kMostExits;
  return is_followed ? std::optional(std::move(passed)) : std::nullopt;
}

Exit exit_at(const jvm::Env& env, const jvm::Jni& jni, jobject exception, jmethodID method,
             jlocation index) {
  const auto code = env.get_bytecodes(method);
  const auto at = static_cast<std::size_t>(index);
  if (!code || at >= code->size()) {
    return Exit::kReturnsOther;
  }
  const std::uint8_t opcode = (*code)[at];
  if (opcode != kAthrow && opcode != kAreturn) {
    return Exit::kReturnsOther;
  }
  // A variable can be read, but not a value on the operand stack. Such a value is taken for the
  // newest exception, which is this one.
  // the newest exception, which this is.
  bool is_it = !follows_constructor(code->span(), at);
  if (const int slot = classfile::pushed_variable(code->span(), at); slot >= 0) {
    const auto local = env.get_local_object(nullptr, 0, slot);
    is_it = local && jni.same(jni.adopt(*local), exception);
  }
  if (opcode == kAthrow) {
    return is_it ? Exit::kThrows : Exit::kThrowsOther;
  }
  return is_it ? Exit::kReturnsIt : Exit::kReturnsOther;
}

}  // namespace jvmdebug::agent::throws
