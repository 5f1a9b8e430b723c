// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/throw_watch.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "agent/agent.h"
#include "agent/events/breakpoints.h"
#include "agent/events/composer.h"
#include "agent/events/match.h"
#include "agent/events/request_table.h"
#include "agent/java/generated/agent_classes.h"
#include "agent/probes/backtrace.h"
#include "agent/probes/left_class.h"
#include "agent/probes/probe_table.h"
#include "agent/probes/throw_hook.h"
#include "agent/scope.h"
#include "agent/threads/parking.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::probes {

using events::Occurrence;
using protocol::EventKind;
using threads::Tracked;

namespace {

// One that another version of the agent has left may lack it.
bool has_thrown(const jvm::Jni& jni, jclass hook_class) {
  const bool has = jni->GetStaticMethodID(hook_class, kThrown, kThrownDescriptor) != nullptr;
  (void)jni.clear_exception();
  return has;
}

}  // namespace

ThrowWatch::ThrowWatch(Agent& agent)
    : agent_(agent), memory_errors_(agent, [this](const jvm::Jni& jni, jthrowable error) {
        out_of_memory(jni, error);
      }) {}

// --- agent threads ---------------------------------------------------------------------------

Result<void> ThrowWatch::update() {
  const jvm::Jni jni = agent_.jni();
  std::vector<jclass> types;
  const auto throwable = jni.find_class("java/lang/Throwable");
  bool wants_caught = false;
  const auto requests = agent_.requests().of(EventKind::kException);
  for (const events::Request& request : requests ? *requests : std::vector<events::Request>{}) {
    if (request->active) {
      types.push_back(request->thrown.type ? request->thrown.type->get() : throwable.get());
      wants_caught |= request->thrown.caught;
    }
  }
  if (types.empty()) {
    unhook();
    return {};
  }
  JVMDEBUG_CHECK(hook());
  const auto error = jni.find_class("java/lang/OutOfMemoryError");
  if (std::ranges::any_of(
          types, [&](jclass type) { return jni->IsAssignableFrom(error, type) != JNI_FALSE; })) {
    memory_errors_.watch(jni, *late_);
  } else {
    memory_errors_.end();
  }
  if (!forget_ignored(jni) || !set_requested(jni, types)) {
    return fail(protocol::Error::kOutOfMemory);
  }
  if (has_thrown(jni, hook_class_)) {
    agent_.probes().throws().check(wants_caught ? CheckedClasses::kAll : CheckedClasses::kProgram);
  }
  return {};
}

Result<void> ThrowWatch::hook() {
  if (hooked_) {
    return {};
  }
  if (!agent_.options().probes) {
    return fail(protocol::Error::kNotImplemented);
  }
  const jvm::Jni jni = agent_.jni();
  if (late_ == nullptr) {
    const auto bytes = java::hook_class();
    JVMDEBUG_ASSIGN(auto* const late, agent_.late_environment());
    // An agent that was in the VM before may have left it.
    auto defined = left_class(agent_.jvmti(), jni, kHookClass);
    if (!defined) {
      defined = jni.adopt(jni->DefineClass(kHookClass, nullptr,
                                           reinterpret_cast<const jbyte*>(bytes.data()),
                                           static_cast<jsize>(bytes.size())));
    }
    if (jni.clear_exception() || !defined) {
      return fail(protocol::Error::kNotImplemented);
    }
    hook_class_ = jni.global(defined.get());
    tables_ = std::make_unique<ExceptionTables>(agent_.jvmti(), *late);
    late_ = late;
  }
  // Before anything calls it: its fields must not be null.
  if (!forget_ignored(jni) || !set_requested(jni, {})) {
    return fail(protocol::Error::kOutOfMemory);
  }
  watching_ = true;
  if (!agent_.probes().throws().report(true)) {
    watching_ = false;
    return fail(protocol::Error::kNotImplemented);
  }
  hooked_ = true;
  return {};
}

void ThrowWatch::unhook() {
  if (!std::exchange(hooked_, false)) {
    return;
  }
  watching_ = false;
  const jvm::Jni jni = agent_.jni();
  memory_errors_.end();
  (void)set_requested(jni, {});
  agent_.probes().throws().check(CheckedClasses::kNone);
  // What stays if that fails requests nothing.
  (void)agent_.probes().throws().report(false);
  tables_->forget();
  std::unordered_map<Tracked, std::vector<Expected>> left;
  {
    const std::scoped_lock lock(mutex_);
    left = std::exchange(expected_, {});
    expecting_ = 0;
  }
  for (const auto& [thread, all] : left) {
    std::ranges::for_each(all, [this](const Expected& each) { remove_breakpoints(each); });
  }
}

bool ThrowWatch::set_requested(const jvm::Jni& jni, const std::vector<jclass>& types) const {
  const jfieldID field = jni->GetStaticFieldID(hook_class_, kRequestedField, kRequestedDescriptor);
  const auto type = jni.find_class("java/lang/Class");
  const auto array =
      jni.adopt(jni->NewObjectArray(static_cast<jsize>(types.size()), type, nullptr));
  if (field == nullptr || !array) {
    (void)jni.clear_exception();
    return false;
  }
  for (std::size_t index = 0; index < types.size(); ++index) {
    jni->SetObjectArrayElement(array, static_cast<jsize>(index), types[index]);
  }
  jni->SetStaticObjectField(hook_class_, field, array);
  return true;
}

// What a thread adds meanwhile goes into the old table, which is not read any more.
bool ThrowWatch::forget_ignored(const jvm::Jni& jni) {
  ignored_.forget();
  const jfieldID field = jni->GetStaticFieldID(hook_class_, kIgnoredField, kIgnoredDescriptor);
  const auto table = jni.adopt(jni->NewLongArray(kIgnoredLength));
  if (field == nullptr || !table) {
    (void)jni.clear_exception();
    return false;
  }
  jni->SetStaticObjectField(hook_class_, field, table);
  return true;
}

void ThrowWatch::classes_redefined() {
  ++redefinitions_;
  if (hook_class_) {
    (void)forget_ignored(agent_.jni());  // fails only when memory runs out
  }
  if (tables_) {
    tables_->forget();
  }
}

// --- a new exception -------------------------------------------------------------------------

jint ThrowWatch::constructed(const jvm::Jni& jni, jthrowable exception) {
  if (!watching_ || late_->use() != nullptr || agent_.probes().is_in_check()) {
    return 0;  // one of the agent's own
  }
  const auto type = jni.object_class(exception);
  const auto hash =
      static_cast<std::uint32_t>(agent_.jvmti().get_object_hash_code(type).value_or(0));
  const auto generation = ignored_.generation();
  Stack stack(agent_.jvmti());
  if (ignored_.contains(generation, hash, stack, kHookFrames)) {
    return 0;
  }
  const Examined examined = examine(jni, exception, stack);
  if (examined.thrown_here) {
    if (report_here(jni, *examined.thrown_here, examined.is_foreseen)) {
      return kThrowWaits;
    }
    after_report(jni, exception, static_cast<std::size_t>(examined.thrown_here->depth),
                 examined.thrown_here->index);
  }
  if (!examined.decided_by) {
    return 0;
  }
  const std::size_t last = *examined.decided_by;
  if (examined.first != 0 && examined.first <= last &&
      begins_with(agent_.jvmti(), jni, exception, stack.part(examined.first, last))) {
    return static_cast<jint>(last - examined.first + 1);
  }
  ignored_.add(generation, hash, stack, kHookFrames, last);
  return 0;
}

// The VM throws one like it where the thread stands now.
void ThrowWatch::out_of_memory(const jvm::Jni& jni, jthrowable error) {
  if (!watching_ || agent_.probes().is_in_check()) {
    return;
  }
  Occurrence occurrence;
  {
    const code::LateEnvironment::Use use(*late_);
    Stack stack(agent_.jvmti());
    const jvmtiFrameInfo* const top = stack.at(0);
    if (top == nullptr) {
      return;
    }
    occurrence = thrown_at(jni, error, stack, 0, top->location).occurrence;
  }
  if (may_be_requested(jni, occurrence, true)) {
    report_here(jni, occurrence, false);
  }
}

// What is thrown where the thread stands now; what may be thrown later is expected.
ThrowWatch::Examined ThrowWatch::examine(const jvm::Jni& jni, jthrowable exception, Stack& stack) {
  const code::LateEnvironment::Use use(*late_);
  stack.deepest = 0;
  const Origin origin = origin_of(agent_.jvmti(), jni, exception, stack);
  if (origin.maker == Origin::Maker::kNobody) {
    return {.thrown_here = std::nullopt, .decided_by = stack.deepest, .first = origin.first};
  }
  if (origin.maker != Origin::Maker::kVm && agent_.probes().stops_in_check()) {
    return foresee(jni, exception, stack, origin);
  }
  if (origin.maker != Origin::Maker::kVm) {
    const bool by_reflection = origin.maker == Origin::Maker::kReflection;
    return {.thrown_here = std::nullopt,
            .decided_by = follow(jni, exception, stack, origin.depth, by_reflection, 0),
            .first = origin.first};
  }
  const std::size_t deepest = stack.deepest;
  Thrown thrown = thrown_at(jni, exception, stack, origin.depth, stack.at(origin.depth)->location);
  if (!may_be_requested(jni, thrown.occurrence, true)) {
    const Again again = expect_again(jni, exception, stack, origin.depth, thrown.occurrence.index);
    if (again.is_expected) {
      return {.thrown_here = std::nullopt, .decided_by = std::nullopt, .first = origin.first};
    }
    return {.thrown_here = std::nullopt,
            .decided_by = std::max({deepest, thrown.decided_by, again.decided_by}),
            .first = origin.first};
  }
  thrown.occurrence.depth = static_cast<jint>(origin.depth);
  return {.thrown_here = thrown.occurrence, .decided_by = std::nullopt, .first = origin.first};
}

// The event of an exception that is thrown in a frame. The class that holds the method and the
// thread are local references of the native method's, or of the callback's.
ThrowWatch::Thrown ThrowWatch::thrown_at(const jvm::Jni& jni, jobject exception, Stack& stack,
                                         std::size_t depth, jlocation index) {
  Occurrence occurrence{.kind = EventKind::kException,
                        .thread = agent_.jvmti().get_current_thread().value_or(nullptr),
                        .method = stack.at(depth)->method,
                        .index = index,
                        .object = exception};
  const auto names = tables_->names_of(jni, static_cast<jthrowable>(exception));
  const std::size_t decided_by = tables_->find_catch(jni, names, stack, depth, occurrence);
  return {.occurrence = occurrence, .decided_by = decided_by};
}

// A handler around the constructor need not be around what is thrown later, nor the other way
// round.
ThrowWatch::Outlook ThrowWatch::outlook(const jvm::Jni& jni, jobject exception, Stack& stack,
                                        const Exits& exits) {
  const jlocation now = stack.at(exits.depth)->location;
  auto [thrown, decided_by] =
      thrown_at(jni, exception, stack, exits.depth, exits.throws.value_or(now));
  if (may_be_requested(jni, thrown, exits.throws.has_value())) {
    return {.requested = true, .decided_by = decided_by};
  }
  if (exits.throws) {
    return {.requested = false, .decided_by = decided_by};
  }
  const auto names = tables_->names_of(jni, static_cast<jthrowable>(exception));
  const auto is_requested_at = [&](std::size_t depth, jlocation index) {
    thrown.method = stack.at(depth)->method;
    thrown.index = index;
    decided_by = std::max(decided_by, tables_->find_catch(jni, names, stack, depth, thrown));
    return may_be_requested(jni, thrown, false);
  };
  bool requested = std::ranges::any_of(
      exits.throwing, [&](jlocation index) { return is_requested_at(exits.depth, index); });
  if (const auto* const caller = stack.at(exits.depth + 1); exits.may_return && caller != nullptr) {
    requested = requested || is_requested_at(exits.depth + 1, caller->location);
  }
  return {.requested = requested, .decided_by = decided_by};
}

// Whether a request may match it, as far as is known. Changes no count.
bool ThrowWatch::may_be_requested(const jvm::Jni& jni, const Occurrence& occurrence,
                                  bool is_location_known) {
  const auto requests = agent_.requests().of(EventKind::kException);
  if (!requests) {
    return false;
  }
  const Tracked self = agent_.threads().current();
  events::Match match(agent_, jni, occurrence, self);
  return std::ranges::any_of(*requests, [&](const events::Request& request) {
    const events::ExceptionKinds& wanted = request->thrown;
    return request->active &&
           (occurrence.catch_method != nullptr ? wanted.caught : wanted.uncaught) &&
           (!wanted.type || jni.instance_of(occurrence.object, wanted.type->get())) &&
           (!is_location_known || request->matches_type(match));
  });
}

// The frames of the VM between an exception that it has made and the constructor cannot be parked,
// nor can a method that the thread runs for the debugger.
bool ThrowWatch::report_here(const jvm::Jni& jni, const Occurrence& occurrence, bool may_park) {
  const Tracked self = agent_.threads().enter(jni, occurrence.thread);
  if (!self) {
    return false;  // one of the agent's own
  }
  const jint frames = agent_.jvmti().get_frame_count(nullptr).value_or(0);
  const jint of_before = self->hidden_of.exchange(frames);
  const jint before = self->frames_to_hide.exchange(occurrence.depth);
  const bool parks = may_park && self->virtual_thread && !agent_.parking().is_invoking(self);
  bool stays = false;
  const AtExit show([&] {
    if (!stays) {
      if (parks) {
        go_on(self);
      }
      self->hidden_of = of_before;
      self->frames_to_hide = before;
    }
  });
  if (parks) {
    self->shown_frames = frames - occurrence.depth;
    self->is_in_native_wait = true;
    self->waits_in_java = true;
  }
  agent_.composer().take(jni, occurrence);
  stays = parks && agent_.parking().stays(jni, self, false);
  return stays;
}

bool ThrowWatch::still_waits(const jvm::Jni& jni) {
  const Tracked self = agent_.threads().current();
  if (!self || !self->waits_in_java) {
    return false;  // the agent that it has stopped for is gone
  }
  const jint frames = agent_.jvmti().get_frame_count(nullptr).value_or(0);
  self->hidden_of = frames;
  self->frames_to_hide = frames - self->shown_frames;
  self->is_in_native_wait = true;
  bool stays = false;
  const AtExit leave([&] {
    if (!stays) {
      go_on(self);
    }
  });
  stays = agent_.parking().stays(jni, self, true);
  return stays;
}

void ThrowWatch::go_on(const Tracked& self) {
  agent_.parking().leave(self);
  self->waits_in_java = false;
  self->shown_frames = 0;
  self->frames_to_hide = 0;
  self->hidden_of = 0;
}

}  // namespace jvmdebug::agent::probes
