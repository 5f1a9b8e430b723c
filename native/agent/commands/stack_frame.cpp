// SPDX-License-Identifier: Apache-2.0
//
// Command set StackFrame except PopFrames.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/commands/values.h"
#include "agent/jvm/assignability.h"
#include "agent/probes/frame_values.h"
#include "agent/probes/probe_table.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"
#include "classfile/bytecode.h"

namespace jvmdebug::agent::commands::stack_frame {

namespace wire = protocol::stack_frame;

namespace {

using protocol::Tag;
using protocol::Value;

// JVM specification, tables 4.6-A.
constexpr std::uint32_t kStatic = 0x0008;
constexpr std::uint32_t kNative = 0x0100;

bool has_any(jint modifiers, std::uint32_t bits) {
  return (static_cast<std::uint32_t>(modifiers) & bits) != 0;
}

// A frame of a suspended thread.
struct Frame {
  jvm::LocalRef<jthread> thread;
  jint depth = 0;
};

Result<Frame> find(Agent& agent, protocol::ThreadId thread_id, protocol::FrameId frame_id) {
  JVMDEBUG_ASSIGN(auto thread, agent.objects().thread(thread_id));
  JVMDEBUG_CHECK(agent.suspension().check_suspended(thread));
  JVMDEBUG_ASSIGN(const jint depth, agent.frame_ids().depth(thread, frame_id));
  return Frame{std::move(thread), depth};
}

Result<Value> read_slot(Agent& agent, const Frame& frame, jint slot, Tag tag) {
  const jvm::Env& env = agent.jvmti();
  if (protocol::is_object(tag)) {
    JVMDEBUG_ASSIGN(auto* const raw, env.get_local_object(frame.thread, frame.depth, slot));
    const auto object = agent.jni().adopt(raw);
    return Value::of_object(agent.objects().tagged_id(object));
  }
  switch (tag) {
    case Tag::kLong: {
      JVMDEBUG_ASSIGN(const jlong value, env.get_local_long(frame.thread, frame.depth, slot));
      return Value::of_long(value);
    }
    case Tag::kFloat: {
      JVMDEBUG_ASSIGN(const jfloat value, env.get_local_float(frame.thread, frame.depth, slot));
      return Value::of_float(value);
    }
    case Tag::kDouble: {
      JVMDEBUG_ASSIGN(const jdouble value, env.get_local_double(frame.thread, frame.depth, slot));
      return Value::of_double(value);
    }
    case Tag::kBoolean:
    case Tag::kByte:
    case Tag::kChar:
    case Tag::kShort:
    case Tag::kInt:
      break;
    default:
      return fail(protocol::Error::kInvalidTag);
  }
  JVMDEBUG_ASSIGN(const jint value, env.get_local_int(frame.thread, frame.depth, slot));
  switch (tag) {
    case Tag::kBoolean:
      return Value::of_boolean(value != 0);
    case Tag::kByte:
      return Value::of_byte(static_cast<std::int8_t>(value));
    case Tag::kChar:
      return Value::of_char(static_cast<std::uint16_t>(value));
    case Tag::kShort:
      return Value::of_short(static_cast<std::int16_t>(value));
    default:
      return Value::of_int(value);
  }
}

// Finds the type of a parameter by its slot, from the method's descriptor; used when a class has no
// local variable table. Nothing if the slot is not a parameter.
std::optional<std::string> parameter_type(std::string_view descriptor, bool is_static, jint slot) {
  jint next = is_static ? 0 : 1;
  descriptor.remove_prefix(1);  // '('
  while (!descriptor.empty() && descriptor.front() != ')') {
    const std::size_t dimensions = std::min(descriptor.find_first_not_of('['), descriptor.size());
    const char kind = dimensions < descriptor.size() ? descriptor[dimensions] : ')';
    const std::size_t end = kind == 'L' ? descriptor.find(';', dimensions) + 1 : dimensions + 1;
    const std::string_view type = descriptor.substr(0, end);
    if (next == slot) {
      return std::string(type);
    }
    next += type == "J" || type == "D" ? 2 : 1;
    descriptor.remove_prefix(type.size());
  }
  return std::nullopt;
}

// Returns how the VM stores values of a type: I J F D, or A for references.
char kind_of(char type) {
  switch (type) {
    case 'Z':
    case 'B':
    case 'C':
    case 'S':
      return 'I';
    case 'L':
    case '[':
      return 'A';
    default:
      return type;
  }
}

// Whether the slot of a parameter still has a value of the descriptor's type: some compilers reuse
// it for another variable. A reference that is stored may be of another class.
bool keeps_type(const jvm::Env& env, jmethodID method, jint slot, std::string_view type) {
  const auto code = env.get_bytecodes(method);
  return code && std::ranges::all_of(classfile::stores_into(code->span(), slot), [&](char stored) {
           return stored != 'A' && stored == kind_of(type.front());
         });
}

// The variable that is declared for a slot at the location of a frame.
struct Declared {
  jvm::LocalRef<jclass> declaring;
  std::optional<std::string> signature;  // nothing if unknown
  bool in_table = false;                 // the method has a table of its variables
};

Result<Declared> declared_at(Agent& agent, const Frame& frame, jint slot) {
  const jvm::Env& env = agent.jvmti();
  JVMDEBUG_ASSIGN(const auto where, env.get_frame_location(frame.thread, frame.depth));
  JVMDEBUG_ASSIGN(auto* const raw, env.get_method_declaring_class(where.method));
  Declared declared{.declaring = agent.jni().adopt(raw), .signature = {}};
  const auto table = env.get_local_variable_table(where.method);
  if (table) {
    declared.in_table = true;
    for (const jvm::LocalVariableEntry& entry : *table) {
      if (entry.slot == slot && entry.start <= where.index &&
          where.index < entry.start + entry.length) {
        declared.signature = std::string(entry.names.signature.view());
      }
    }
    return declared;
  }
  JVMDEBUG_ASSIGN(const auto names, env.get_method_name(where.method));
  JVMDEBUG_ASSIGN(const jint modifiers, env.get_method_modifiers(where.method));
  declared.signature = parameter_type(names.signature.view(), has_any(modifiers, kStatic), slot);
  if (declared.signature && !keeps_type(env, where.method, slot, *declared.signature)) {
    declared.signature.reset();
  }
  return declared;
}

// JDK-8080406 (11..15): without a table the VM stores a number over a reference, and the garbage
// collector follows it. So without a table only slots of a known type are written.
Result<void> check_number_slot(Agent& agent, const Frame& frame, jint slot, Tag tag) {
  constexpr jint kCheckedSince = 16;
  const jvm::Env& env = agent.jvmti();
  if (env.feature_version() >= kCheckedSince) {
    return {};
  }
  JVMDEBUG_ASSIGN(const auto declared, declared_at(agent, frame, slot));
  if (declared.in_table) {
    return {};
  }
  JVMDEBUG_CHECK(
      env.get_local_int(frame.thread, frame.depth, slot));  // fails if there is no such slot
  if (!declared.signature ||
      kind_of(declared.signature->front()) != kind_of(static_cast<char>(tag))) {
    return fail(protocol::Error::kTypeMismatch);
  }
  return {};
}

Result<void> write_object_slot(Agent& agent, const Frame& frame, jint slot, const Value& value) {
  const jvm::Env& env = agent.jvmti();
  const jvm::Jni jni = agent.jni();
  JVMDEBUG_ASSIGN(const auto object, agent.objects().object_or_null(value.as_object()));
  JVMDEBUG_ASSIGN(const auto declared, declared_at(agent, frame, slot));
  if (declared.signature) {
    if (kind_of(declared.signature->front()) != 'A' ||
        !jvm::assignable(env, jni, object, *declared.signature, declared.declaring)) {
      return fail(protocol::Error::kTypeMismatch);
    }
  } else {
    // Without a table, and not a parameter: the new value must be an instance of the current
    // value's class.
    JVMDEBUG_ASSIGN(auto* const raw, env.get_local_object(frame.thread, frame.depth, slot));
    const auto current = jni.adopt(raw);
    if (!current || (object && !jni.instance_of(object, jni.object_class(current)))) {
      return fail(protocol::Error::kTypeMismatch);
    }
  }
  JVMDEBUG_CHECK(env.set_local_object(frame.thread, frame.depth, slot, object));
  return {};
}

Result<void> write_slot(Agent& agent, const Frame& frame, jint slot, const Value& value) {
  const jvm::Env& env = agent.jvmti();
  const auto write_int = [&](jint number) {
    return env.set_local_int(frame.thread, frame.depth, slot, number);
  };
  if (!protocol::is_object(value.tag) && value.tag != Tag::kVoid) {
    JVMDEBUG_CHECK(check_number_slot(agent, frame, slot, value.tag));
  }
  jvm::Result<void> outcome;
  switch (value.tag) {
    case Tag::kBoolean:
      outcome = write_int(value.as_boolean() ? 1 : 0);
      break;
    case Tag::kByte:
      outcome = write_int(value.as_byte());
      break;
    case Tag::kChar:
      outcome = write_int(value.as_char());
      break;
    case Tag::kShort:
      outcome = write_int(value.as_short());
      break;
    case Tag::kInt:
      outcome = write_int(value.as_int());
      break;
    case Tag::kLong:
      outcome = env.set_local_long(frame.thread, frame.depth, slot, value.as_long());
      break;
    case Tag::kFloat:
      outcome = env.set_local_float(frame.thread, frame.depth, slot, value.as_float());
      break;
    case Tag::kDouble:
      outcome = env.set_local_double(frame.thread, frame.depth, slot, value.as_double());
      break;
    case Tag::kVoid:
      return fail(protocol::Error::kInvalidTag);
    default:
      return write_object_slot(agent, frame, slot, value);
  }
  JVMDEBUG_CHECK(outcome);
  return {};
}

}  // namespace

namespace {

// The variables of the frame that a check has passed to the agent, for VMs that give none.
Result<std::shared_ptr<const jvmdebug::agent::probes::FrameValues>> handed_over(
    Agent& agent, const Frame& frame) {
  const auto tracked = agent.threads().find(frame.thread);
  auto values = tracked ? agent.probes().hits().values_of(tracked, frame.depth) : nullptr;
  if (!values) {
    return fail(protocol::Error::kNotImplemented);
  }
  return values;
}

Result<Value> value_of(Agent& agent, const jvmdebug::agent::probes::FrameValues& values, jint slot,
                       Tag tag) {
  const auto found = values.at(slot);
  if (!found) {
    return fail(protocol::Error::kInvalidSlot);
  }
  if (found->type != (protocol::is_object(tag) ? 'A' : kind_of(static_cast<char>(tag)))) {
    return fail(protocol::Error::kTypeMismatch);
  }
  const auto bits = static_cast<std::uint64_t>(found->bits);
  switch (tag) {
    case Tag::kBoolean:
      return Value::of_boolean(found->bits != 0);
    case Tag::kByte:
      return Value::of_byte(static_cast<std::int8_t>(bits));
    case Tag::kChar:
      return Value::of_char(static_cast<std::uint16_t>(bits));
    case Tag::kShort:
      return Value::of_short(static_cast<std::int16_t>(bits));
    case Tag::kInt:
      return Value::of_int(static_cast<std::int32_t>(bits));
    case Tag::kLong:
      return Value::of_long(found->bits);
    case Tag::kFloat:
      return Value::of_float(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case Tag::kDouble:
      return Value::of_double(std::bit_cast<double>(bits));
    default:
      return Value::of_object(agent.objects().tagged_id(found->reference));
  }
}

bool vm_gives_variables(const Agent& agent) {
  return agent.jvmti().has(jvm::Capability::kAccessLocalVariables);
}

}  // namespace

Result<wire::GetValuesReply> get_values(Agent& agent, const wire::GetValuesRequest& request) {
  JVMDEBUG_ASSIGN(const auto frame, find(agent, request.thread, request.frame));
  wire::GetValuesReply reply;
  reply.values.reserve(request.slots.size());
  if (!vm_gives_variables(agent)) {
    JVMDEBUG_ASSIGN(const auto values, handed_over(agent, frame));
    for (const auto& wanted : request.slots) {
      JVMDEBUG_ASSIGN(const Value value, value_of(agent, *values, wanted.slot, wanted.tag));
      reply.values.push_back(value);
    }
    return reply;
  }
  for (const auto& wanted : request.slots) {
    JVMDEBUG_ASSIGN(const Value value, read_slot(agent, frame, wanted.slot, wanted.tag));
    reply.values.push_back(value);
  }
  return reply;
}

Result<void> set_values(Agent& agent, const wire::SetValuesRequest& request) {
  JVMDEBUG_ASSIGN(const auto frame, find(agent, request.thread, request.frame));
  for (const auto& wanted : request.slots) {
    JVMDEBUG_CHECK(write_slot(agent, frame, wanted.slot, wanted.value));
  }
  return {};
}

Result<wire::ThisObjectReply> this_object(Agent& agent, const wire::ThisObjectRequest& request) {
  const jvm::Env& env = agent.jvmti();
  JVMDEBUG_ASSIGN(const auto frame, find(agent, request.thread, request.frame));
  JVMDEBUG_ASSIGN(const auto where, env.get_frame_location(frame.thread, frame.depth));
  JVMDEBUG_ASSIGN(const jint modifiers, env.get_method_modifiers(where.method));
  if (has_any(modifiers, kStatic | kNative)) {
    return wire::ThisObjectReply{};
  }
  if (!vm_gives_variables(agent)) {
    JVMDEBUG_ASSIGN(const auto values, handed_over(agent, frame));
    const auto self = values->at(0);
    return wire::ThisObjectReply{.this_object = self ? agent.objects().tagged_id(self->reference)
                                                     : protocol::TaggedObject{}};
  }
  JVMDEBUG_ASSIGN(auto* const raw, env.get_local_instance(frame.thread, frame.depth));
  const auto object = agent.jni().adopt(raw);
  return wire::ThisObjectReply{.this_object = agent.objects().tagged_id(object)};
}

}  // namespace jvmdebug::agent::commands::stack_frame
