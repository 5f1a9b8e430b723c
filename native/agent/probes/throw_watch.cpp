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
#include "agent/probes/backtrace.h"
#include "agent/probes/probe_table.h"
#include "agent/probes/throw_hook.h"
#include "agent/scope.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::probes {

using events::Occurrence;
using protocol::EventKind;
using threads::Tracked;

namespace {

// An exception that is returned by more methods than this is not followed.
constexpr int kMostReturns = 8;

}  // namespace

ThrowWatch::ThrowWatch(Agent& agent) : agent_(agent) {}

// --- agent threads ---------------------------------------------------------------------------

Result<void> ThrowWatch::update() {
  const jvm::Jni jni = agent_.jni();
  std::vector<jclass> types;
  const auto throwable = jni.find_class("java/lang/Throwable");
  const auto requests = agent_.requests().of(EventKind::kException);
  for (const events::Request& request : requests ? *requests : std::vector<events::Request>{}) {
    if (request->active) {
      types.push_back(request->thrown.type ? request->thrown.type->get() : throwable.get());
    }
  }
  if (types.empty()) {
    unhook();
    return {};
  }
  JVMDEBUG_CHECK(hook());
  return forget_ignored(jni) && set_requested(jni, types) ? Result<void>{}
                                                          : fail(protocol::Error::kOutOfMemory);
}

Result<void> ThrowWatch::hook() {
  if (hooked_) {
    return {};
  }
  const jvm::Jni jni = agent_.jni();
  if (late_ == nullptr) {
    const auto bytes = hook_class();
    JVMDEBUG_ASSIGN(auto* const late, agent_.late_environment());
    const auto defined =
        bytes ? jni.adopt(jni->DefineClass(kHookClass, nullptr,
                                           reinterpret_cast<const jbyte*>(bytes->data()),
                                           static_cast<jsize>(bytes->size())))
              : jvm::LocalRef<jclass>();
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
  const auto hooked = late_->hook_throwable(true);
  restore_breakpoints();
  if (!hooked) {
    watching_ = false;
    return std::unexpected(hooked.error());
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
  (void)set_requested(jni, {});
  // Fails only when memory runs out; the code that stays then requests nothing.
  (void)late_->hook_throwable(false);
  restore_breakpoints();
  tables_->forget();
  std::unordered_map<Tracked, Expected> left;
  {
    const std::scoped_lock lock(mutex_);
    left = std::exchange(expected_, {});
    expecting_ = 0;
  }
  for (const auto& [thread, expected] : left) {
    remove_breakpoints(expected);
  }
}

// A retransformation removes the breakpoints of the class.
void ThrowWatch::restore_breakpoints() {
  const auto throwable = agent_.jni().find_class("java/lang/Throwable");
  agent_.breakpoints().set_again(throwable);
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
    report_here(jni, *examined.thrown_here);
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

// What is thrown where the thread stands now; what may be thrown later is expected.
ThrowWatch::Examined ThrowWatch::examine(const jvm::Jni& jni, jthrowable exception, Stack& stack) {
  const LateEnvironment::Use use(*late_);
  stack.deepest = 0;
  const Origin origin = origin_of(agent_.jvmti(), jni, exception, stack);
  if (origin.maker == Origin::Maker::kNobody) {
    return {.thrown_here = std::nullopt, .decided_by = stack.deepest, .first = origin.first};
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
    return {.thrown_here = std::nullopt,
            .decided_by = std::max(deepest, thrown.decided_by),
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

void ThrowWatch::report_here(const jvm::Jni& jni, const Occurrence& occurrence) {
  const Tracked self = agent_.threads().enter(jni, occurrence.thread);
  if (!self) {
    return;  // one of the agent's own
  }
  const jint frames = agent_.jvmti().get_frame_count(nullptr).value_or(0);
  const jint of_before = self->hidden_of.exchange(frames);
  const jint before = self->frames_to_hide.exchange(occurrence.depth);
  const AtExit show([&] {
    self->hidden_of = of_before;
    self->frames_to_hide = before;
  });
  agent_.composer().take(jni, occurrence);
}

// --- an exception that may be thrown later ---------------------------------------------------

std::optional<std::size_t> ThrowWatch::follow(const jvm::Jni& jni, jobject exception, Stack& stack,
                                              std::size_t depth, bool by_reflection, int returns) {
  const auto redefinitions = redefinitions_.load();
  const auto exits = exits_of(agent_.jvmti(), jni, stack, depth, by_reflection);
  const std::size_t deepest = stack.deepest;
  if (!exits) {
    return deepest;
  }
  const auto [requested, decided_by] = outlook(jni, exception, stack, *exits);
  if (!requested) {
    return std::max(deepest, decided_by);
  }
  const auto thread = agent_.jvmti().get_current_thread();
  const Tracked self = thread ? agent_.threads().enter(jni, *thread) : nullptr;
  const auto frames = agent_.jvmti().get_frame_count(nullptr);
  if (!self || !frames) {
    return std::nullopt;
  }
  Expected expected{
      .exception = std::make_shared<jvm::GlobalRef<jobject>>(jni.global(exception)),
      .method = exits->method,
      .frames = *frames - static_cast<jint>(exits->depth),
      .locations = exits->throws ? std::vector<jlocation>{*exits->throws} : exits->locations,
      .throws_next = exits->throws.has_value(),
      .returns = returns};
  if (redefinitions == redefinitions_) {
    expect(self, std::move(expected));
  }
  return std::nullopt;
}

void ThrowWatch::expect(const Tracked& self, Expected expected) {
  forget(self);
  std::erase_if(expected.locations, [&](jlocation index) {
    return !agent_.breakpoints().add({.method = expected.method, .index = index});
  });
  const std::scoped_lock lock(mutex_);
  expected_.insert_or_assign(self, std::move(expected));
  expecting_ = expected_.size();
}

void ThrowWatch::forget(const Tracked& self) {
  Expected old;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = expected_.find(self);
    if (found == expected_.end()) {
      return;
    }
    old = std::move(found->second);
    expected_.erase(found);
    expecting_ = expected_.size();
  }
  remove_breakpoints(old);
}

void ThrowWatch::remove_breakpoints(const Expected& expected) {
  std::vector<events::CodeLocation> locations;
  locations.reserve(expected.locations.size());
  for (const jlocation index : expected.locations) {
    locations.push_back({.method = expected.method, .index = index});
  }
  agent_.breakpoints().remove_later(std::move(locations));
}

std::optional<ThrowWatch::Expected> ThrowWatch::expected_by(const Tracked& self) {
  const std::scoped_lock lock(mutex_);
  const auto found = expected_.find(self);
  return found == expected_.end() ? std::nullopt : std::optional(found->second);
}

void ThrowWatch::at_breakpoint(const jvm::Jni& jni, const Occurrence& occurrence) {
  if (expecting_ == 0) {
    return;
  }
  const Tracked self = agent_.threads().current();
  const auto expected = self ? expected_by(self) : std::nullopt;
  if (!expected || expected->method != occurrence.method ||
      std::ranges::find(expected->locations, occurrence.index) == expected->locations.end() ||
      agent_.jvmti().get_frame_count(nullptr).value_or(0) != expected->frames) {
    return;
  }
  const jobject exception = expected->exception->get();
  const Exit exit = expected->throws_next ? Exit::kThrows
                                          : exit_at(agent_.jvmti(), jni, exception,
                                                    occurrence.method, occurrence.index);
  if (exit == Exit::kThrowsOther) {
    return;  // that is caught perhaps, and this one still here
  }
  forget(self);
  Stack stack(agent_.jvmti());
  if (exit == Exit::kThrows) {
    Occurrence thrown;
    {
      const LateEnvironment::Use use(*late_);
      thrown = thrown_at(jni, exception, stack, 0, occurrence.index).occurrence;
    }
    agent_.composer().take(jni, thrown);
  } else if (exit == Exit::kReturnsIt && expected->returns < kMostReturns) {
    const LateEnvironment::Use use(*late_);
    (void)follow(jni, exception, stack, 1, true, expected->returns + 1);
  }
}

void ThrowWatch::thread_ended(const Tracked& self) {
  if (expecting_ != 0) {
    forget(self);
  }
}

}  // namespace jvmdebug::agent::probes
