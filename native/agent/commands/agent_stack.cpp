// SPDX-License-Identifier: Apache-2.0
//
// Our commands Agent.Stack and Agent.Shown: send a whole stop at once. They prefetch what a
// debugger requests to show a stack and the topmost frame's variables: the objects in them and
// those that these refer to. The replies come from the functions of the standard commands, so they
// are always the same as theirs.
#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/commands/object_prefetch.h"
#include "agent/commands/prefetch.h"
#include "agent/commands/shown_stack.h"
#include "agent/ids/object_table.h"
#include "codec/packet.h"

namespace jvmdebug::agent::commands::agent {

namespace wire = protocol::agent;

namespace {

namespace frame_wire = protocol::stack_frame;
namespace method_wire = protocol::method;

using protocol::Location;
using protocol::Tag;

constexpr ObjectPrefetch::Limits kLimits{.bytes = std::size_t{256} * 1024, .objects = 100};

class StackPrefetch {
 public:
  StackPrefetch(Agent& agent, Prefetch& replies, bool with_contents)
      : agent_(agent), replies_(replies), objects_(agent, replies, kLimits, with_contents) {}

  // Adds the location of a frame: its type and the lines of its method.
  void location(const Location& location) {
    if (!methods_.insert(location.method_id.raw).second) {
      return;
    }
    objects_.type(location.type_id);
    replies_.add_constant(reference_type::methods_with_generic, {.type_id = location.type_id});
    replies_.add_constant(reference_type::interfaces, {.type_id = location.type_id});
    replies_.add_constant(reference_type::modifiers, {.type_id = location.type_id});
    replies_.add_constant(reference_type::class_loader, {.type_id = location.type_id});
    replies_.add_constant(reference_type::source_file, {.type_id = location.type_id});
    replies_.add_constant(reference_type::source_debug_extension, {.type_id = location.type_id});
    if (!location.method_id.is_null()) {  // not obsolete
      replies_.add_constant(method::line_table,
                            {.type_id = location.type_id, .method_id = location.method_id});
    }
  }

  // Adds `this` and the variables in scope, in the order of their slots.
  void variables(protocol::ThreadId thread, protocol::FrameId frame, const Location& location) {
    const auto self = replies_.add(stack_frame::this_object, {.thread = thread, .frame = frame});
    if (self) {
      objects_.found(self->this_object);
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
        objects_.found(value);
      }
    }
  }

  // Adds the code of a frame's method, which a step looks at when it begins and ends.
  void code(const Location& location) {
    if (!location.method_id.is_null()) {
      replies_.add_constant(method::bytecodes,
                            {.type_id = location.type_id, .method_id = location.method_id});
    }
  }

  // Adds the objects that were found, and those that they refer to.
  void objects() { objects_.describe(); }

 private:
  Agent& agent_;
  Prefetch& replies_;
  ObjectPrefetch objects_;
  std::unordered_set<std::uint64_t> methods_;
};

// Adds the frames of a suspended thread that a request wants.
Result<void> prefetch_stack(Agent& agent, Prefetch& replies, const wire::StackRequest& request) {
  JVMDEBUG_ASSIGN(const auto depth,
                  replies.add(thread_reference::frame_count, {.thread = request.thread}));
  if (request.start_frame < 0 || request.start_frame > depth.frame_count) {
    return fail(protocol::Error::kInvalidIndex);
  }
  const std::int32_t present = depth.frame_count - request.start_frame;
  const std::int32_t length = std::clamp(request.length, 0, present);
  if (length == 0) {
    return {};
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
    prefetch.code(top.location);
    if (found.frames.size() > 1) {
      prefetch.code(found.frames[1].location);
    }
  }
  return {};
}

}  // namespace

Result<wire::StackReply> stack(Agent& agent, const wire::StackRequest& request) {
  Prefetch replies(agent, agent.prefetched_keys());
  JVMDEBUG_CHECK(prefetch_stack(agent, replies, request));
  return replies.take();
}

}  // namespace jvmdebug::agent::commands::agent

namespace jvmdebug::agent::commands {
namespace {

// The names of more threads are not sent with each stop: that takes too long.
constexpr std::size_t kMostThreads = 200;

// Adds what names the methods of a set that have returned, and the classes of their results.
void prefetch_results(Agent& agent, Prefetch& replies, const protocol::event::Composite& set) {
  ObjectPrefetch objects(agent, replies, agent::kLimits, false);
  for (const protocol::Event& event : set.events) {
    const auto* exit = std::get_if<protocol::MethodExitWithReturnValueEvent>(&event);
    if (exit == nullptr) {
      continue;
    }
    objects.type(exit->location.type_id);
    replies.add_constant(reference_type::methods_with_generic, {.type_id = exit->location.type_id});
    objects.found(exit->value, ObjectPrefetch::kDeepest);
  }
  objects.describe();
}

}  // namespace

std::vector<std::uint8_t> shown(Agent& agent, const events::Sender::SetToShow& set) {
  if (agent.vm_is_dead()) {
    return {};
  }
  // Before anything is read: what a later command changes may be read before or after the change.
  const std::int32_t last_command = agent.last_command();
  const auto bytes = static_cast<std::size_t>(set.wanted.bytes);
  const auto id = agent.objects().thread_id(set.thread->thread);
  Prefetch replies(agent, agent.prefetched_keys(), bytes);
  bool is_whole = true;
  if (set.set.suspend_policy == protocol::SuspendPolicy::kNone) {
    prefetch_results(agent, replies, set.set);
  } else {
    (void)replies.add(agent::thread_name, {.thread = id});
    const bool nothing_runs = set.set.suspend_policy == protocol::SuspendPolicy::kAll;
    const auto read = agent::prefetch_stack(agent, replies,
                                            {.thread = id,
                                             .start_frame = 0,
                                             .length = set.wanted.frames,
                                             .with_contents = nothing_runs});
    is_whole = read && !replies.is_full();
    // A debugger that shows threads asks for them at each stop.
    const std::size_t threads = agent.threads_told();
    if (is_whole && nothing_runs && 0 < threads && threads <= kMostThreads) {
      (void)replies.add(agent::threads, {});
    }
  }
  if (replies.size() == 0) {
    return {};
  }
  codec::Writer answers = set.connection.writer();
  // A part of a stack would have the debugger ask for the rest one by one.
  (is_whole ? replies.take_answers() : protocol::agent::StackReply{}).write(answers);
  codec::Writer facts = set.connection.writer();
  replies.take_facts().write(facts);
  const protocol::agent::Shown content{
      .thread = id, .last_command = last_command, .answers = answers.take(), .facts = facts.take()};
  codec::Writer writer = set.connection.writer();
  content.write(writer);
  auto packet = codec::pack_command(0, protocol::agent::Shown::kCommandSet,
                                    protocol::agent::Shown::kCommand, writer.bytes());
  return packet ? *std::move(packet) : std::vector<std::uint8_t>{};
}

}  // namespace jvmdebug::agent::commands
