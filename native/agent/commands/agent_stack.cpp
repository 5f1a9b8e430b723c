// SPDX-License-Identifier: Apache-2.0
//
// Agent.Stack, ours: a whole stop in one reply. It prefetches what a debugger requests to show a
// stack and the topmost frame's variables, one object deep and what those refer to. The replies
// come from the functions of the standard commands, so they are always the same as theirs.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_set>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/commands/prefetch.h"
#include "agent/ids/field_ids.h"
#include "codec/reader.h"

namespace jvmdebug::agent::commands::agent {

namespace wire = protocol::agent;

namespace {

namespace frame_wire = protocol::stack_frame;
namespace method_wire = protocol::method;

using protocol::Location;
using protocol::Tag;
using protocol::TaggedObject;

// Limits of what is prefetched.
constexpr std::size_t kMostBytes = std::size_t{256} * 1024;
constexpr std::size_t kMostObjects = 100;
constexpr int kDeepest = 2;
constexpr std::size_t kMostFields = 40;
constexpr std::int32_t kMostElements = 32;
constexpr jsize kLongestString = 1024;

constexpr std::uint32_t kStatic = 0x0008;

class StackPrefetch {
 public:
  StackPrefetch(Agent& agent, Prefetch& replies, bool with_contents)
      : agent_(agent), replies_(replies), with_contents_(with_contents) {}

  // The location of a frame: its type and the lines of its method.
  void location(const Location& location) {
    if (!methods_.insert(location.method_id.raw).second) {
      return;
    }
    type(location.type_id);
    replies_.add_constant(reference_type::methods_with_generic, {.type_id = location.type_id});
    replies_.add_constant(reference_type::source_file, {.type_id = location.type_id});
    replies_.add_constant(reference_type::source_debug_extension, {.type_id = location.type_id});
    if (!location.method_id.is_null()) {  // not obsolete
      replies_.add_constant(method::line_table,
                            {.type_id = location.type_id, .method_id = location.method_id});
    }
  }

  // `this` and the variables in scope, in the order of their slots.
  void variables(protocol::ThreadId thread, protocol::FrameId frame, const Location& location) {
    const auto self = replies_.add(stack_frame::this_object, {.thread = thread, .frame = frame});
    if (self) {
      found(self->this_object, 0);
    }
    if (location.method_id.is_null()) {
      return;
    }
    const method_wire::VariableTableWithGenericRequest request{.type_id = location.type_id,
                                                               .method_id = location.method_id};
    replies_.add_constant(method::variable_table_with_generic, request);
    const auto table = method::variable_table_with_generic(agent_, request);
    if (!table) {
      return;
    }
    std::vector<frame_wire::GetValuesRequest::Slot> slots;
    for (const auto& entry : table->variables) {
      const bool in_scope =
          entry.start <= location.index && location.index < entry.start + entry.length;
      const bool is_this = entry.slot == 0 && entry.name == "this";
      if (in_scope && !is_this && !entry.signature.empty()) {
        slots.push_back({.slot = entry.slot, .tag = static_cast<Tag>(entry.signature.front())});
      }
    }
    if (slots.empty()) {
      return;
    }
    std::ranges::stable_sort(slots, {}, &frame_wire::GetValuesRequest::Slot::slot);
    const auto values = replies_.add(stack_frame::get_values,
                                     {.thread = thread, .frame = frame, .slots = std::move(slots)});
    if (values) {
      for (const protocol::Value& value : values->values) {
        found(value, 0);
      }
    }
  }

  // The objects that were found, and those that they refer to.
  void objects() {
    while (!queue_.empty() && replies_.size() < kMostBytes) {
      const Found next = queue_.front();
      queue_.pop_front();
      describe(next);
    }
  }

 private:
  struct Found {
    TaggedObject object;
    int depth = 0;
  };

  // Queues an object, unless it was seen already. Ignores null and primitive values.
  void found(const TaggedObject& object, int depth) {
    if (!object.id.is_null() && depth <= kDeepest && seen_.size() < kMostObjects &&
        seen_.insert(object.id.raw).second) {
      queue_.push_back({object, depth});
    }
  }

  void found(const protocol::Value& value, int depth) {
    if (protocol::is_object(value.tag)) {
      found(TaggedObject{value.tag, protocol::ObjectId{value.bits}}, depth);
    }
  }

  void type(protocol::ReferenceTypeId id) {
    replies_.add_constant(reference_type::signature_with_generic, {.type_id = id});
  }

  void describe(const Found& next) {
    const protocol::ObjectId id = next.object.id;
    const auto type_of = replies_.add(object_reference::reference_type, {.object = id});
    if (!type_of) {
      return;  // collected
    }
    type(type_of->type_id);
    switch (next.object.tag) {
      case Tag::kString:
        string(id);
        break;
      case Tag::kArray:
        array(protocol::ArrayId{id.raw}, next.depth);
        break;
      case Tag::kObject:
        fields(next, type_of->type_id);
        break;
      default:
        break;  // fields of threads and classes are rarely shown
    }
  }

  void string(protocol::ObjectId id) {
    const auto string = agent_.objects().string(protocol::StringId{id.raw});
    if (string && agent_.jni()->GetStringLength(*string) <= kLongestString) {
      (void)replies_.add(string_reference::value, {.string = id});
    }
  }

  void array(protocol::ArrayId id, int depth) {
    const auto length = replies_.add(array_reference::length, {.array = id});
    if (!length || !with_contents_ || length->length == 0) {
      return;
    }
    const auto elements = replies_.add(
        array_reference::get_values,
        {.array = id, .first_index = 0, .length = std::min(length->length, kMostElements)});
    if (elements) {
      for (const protocol::Value& value : codec::values_of(elements->values)) {
        found(value, depth + 1);
      }
    }
  }

  // The instance fields, those of the class first, then those of its superclasses.
  void fields(const Found& next, protocol::ReferenceTypeId type_id) {
    const jvm::Env& env = agent_.jvmti();
    std::vector<protocol::FieldId> members;
    auto current = agent_.objects().type(type_id);
    while (current && *current) {
      const protocol::ReferenceTypeId id = agent_.objects().type_id(*current);
      type(id);
      replies_.add_constant(reference_type::fields_with_generic, {.type_id = id});
      replies_.add_constant(class_type::superclass, {.type_id = protocol::ClassId{id.raw}});
      const auto declared = env.get_class_fields(*current);
      if (!declared) {
        return;
      }
      for (auto* const field : *declared) {
        const auto modifiers = env.get_field_modifiers(*current, field);
        if (modifiers && (static_cast<std::uint32_t>(*modifiers) & kStatic) == 0) {
          members.push_back(ids::FieldIds::id(field));
        }
      }
      current = agent_.jni().superclass(*current);
    }
    if (!with_contents_ || members.empty() || members.size() > kMostFields) {
      return;
    }
    const auto values = replies_.add(object_reference::get_values,
                                     {.object = next.object.id, .fields = std::move(members)});
    if (values) {
      for (const protocol::Value& value : values->values) {
        found(value, next.depth + 1);
      }
    }
  }

  Agent& agent_;
  Prefetch& replies_;
  bool with_contents_;
  std::unordered_set<std::uint64_t> methods_;
  std::unordered_set<std::uint64_t> seen_;
  std::deque<Found> queue_;
};

}  // namespace

Result<wire::StackReply> stack(Agent& agent, const wire::StackRequest& request) {
  Prefetch replies(agent, agent.prefetched_keys());
  JVMDEBUG_ASSIGN(const auto depth,
                  replies.add(thread_reference::frame_count, {.thread = request.thread}));
  if (request.start_frame < 0 || request.start_frame > depth.frame_count) {
    return fail(protocol::Error::kInvalidIndex);
  }
  const std::int32_t present = depth.frame_count - request.start_frame;
  const std::int32_t length = std::clamp(request.length, 0, present);
  if (length == 0) {
    return replies.take();
  }
  JVMDEBUG_ASSIGN(const auto found,
                  replies.add(thread_reference::frames, {.thread = request.thread,
                                                         .start_frame = request.start_frame,
                                                         .length = length}));
  StackPrefetch prefetch(agent, replies, request.with_contents);
  for (const auto& frame : found.frames) {
    prefetch.location(frame.location);
  }
  if (request.start_frame == 0 && !found.frames.empty()) {
    const auto& top = found.frames.front();
    prefetch.variables(request.thread, top.frame_id, top.location);
    prefetch.objects();
  }
  return replies.take();
}

}  // namespace jvmdebug::agent::commands::agent
