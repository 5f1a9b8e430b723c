// SPDX-License-Identifier: Apache-2.0
#include "agent/throws/throw_watch.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/events/breakpoints.h"
#include "agent/events/composer.h"
#include "agent/events/request_table.h"
#include "agent/java/generated/agent_classes.h"
#include "agent/probes/left_class.h"
#include "agent/probes/probe_table.h"
#include "agent/threads/parking.h"
#include "agent/threads/thread_registry.h"
#include "agent/throws/backtrace.h"
#include "agent/throws/throw_checks.h"
#include "agent/throws/throw_hook.h"

namespace jvmdebug::agent::throws {

using events::Occurrence;
using protocol::EventKind;
using threads::Tracked;

namespace {

// Whether the class has thrown(). A class that another version of the agent has left may lack it.
bool has_thrown(const jvm::Jni& jni, jclass hook_class) {
  const bool has = jni->GetStaticMethodID(hook_class, kThrown, kThrownDescriptor) != nullptr;
  (void)jni.clear_exception();
  return has;
}

}  // namespace

ThrowWatch::ThrowWatch(Agent& agent)
    : agent_(agent),
      expected_(agent.jvmti(), agent.breakpoints()),
      outlook_(agent.jvmti(), agent.requests(), agent.threads()),
      follower_(agent.jvmti(), agent.threads(), outlook_, expected_,
                !agent.probes().stops_in_check()),
      calls_(agent.jvmti(), agent.probes().changes(), agent.code_versions(),
             agent.probes().limits(), agent.breakpoints(), agent.probes().old_frames()),
      reporter_(agent.jvmti(), agent.threads(), agent.parking(), agent.composer()),
      memory_errors_(
          agent, [this](const jvm::Jni& jni, jthrowable error) { out_of_memory(jni, error); }) {}

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
    calls_.check(wants_caught ? CheckedClasses::kAll : CheckedClasses::kProgram);
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
    // An agent that was in the VM before may have left the class.
    auto defined = probes::left_class(agent_.jvmti(), jni, kHookClass);
    if (!defined) {
      defined = jni.adopt(jni->DefineClass(kHookClass, nullptr,
                                           reinterpret_cast<const jbyte*>(bytes.data()),
                                           static_cast<jsize>(bytes.size())));
    }
    if (jni.clear_exception() || !defined) {
      return fail(protocol::Error::kNotImplemented);
    }
    hook_class_ = jni.global(defined.get());
    outlook_.begin(*late);
    late_ = late;
  }
  // Done before anything calls the class: its fields must not be null.
  if (!forget_ignored(jni) || !set_requested(jni, {})) {
    return fail(protocol::Error::kOutOfMemory);
  }
  watching_ = true;
  if (!calls_.report(true)) {
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
  calls_.check(CheckedClasses::kNone);
  // If this fails, the calls stay, and no request matches what they report.
  (void)calls_.report(false);
  outlook_.forget();
  expected_.end();
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

// Replaces the table. What a thread adds to the old one meanwhile is lost, which does no harm.
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

std::vector<jvm::LocalRef<jobject>> ThrowWatch::own_objects(const jvm::Jni& jni) const {
  std::vector<jvm::LocalRef<jobject>> found;
  if (!hook_class_) {
    return found;
  }
  for (const auto& [name, descriptor] : {std::pair{kRequestedField, kRequestedDescriptor},
                                         std::pair{kIgnoredField, kIgnoredDescriptor}}) {
    const jfieldID field = jni->GetStaticFieldID(hook_class_, name, descriptor);
    if (!jni.clear_exception() && field != nullptr) {
      found.push_back(jni.adopt(jni->GetStaticObjectField(hook_class_, field)));
    }
  }
  std::erase_if(found, [](const auto& each) { return !each; });
  return found;
}

void ThrowWatch::classes_redefined() {
  follower_.classes_redefined();
  if (hook_class_) {
    (void)forget_ignored(agent_.jni());  // fails only when memory runs out
  }
  outlook_.forget();
}

// --- a new exception -------------------------------------------------------------------------

jint ThrowWatch::constructed(const jvm::Jni& jni, jthrowable exception) {
  if (!watching_ || late_->use() != nullptr || agent_.probes().is_in_check()) {
    return 0;  // the exception is of the agent or of a check
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
    if (reporter_.report(jni, *examined.thrown_here, examined.is_foreseen)) {
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

// Reports the given error in place of the one that the VM is about to throw where the thread is.
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
    occurrence = outlook_.thrown_at(jni, error, stack, 0, top->location).occurrence;
  }
  if (outlook_.may_be_requested(jni, occurrence, true)) {
    (void)reporter_.report(jni, occurrence, false);
  }
}

// Returns what is thrown at the current location of the thread. What may be thrown later is
// expected.
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
            .decided_by = follower_.follow(jni, exception, stack, origin.depth, by_reflection, 0),
            .first = origin.first};
  }
  const std::size_t deepest = stack.deepest;
  ThrowOutlook::Thrown thrown =
      outlook_.thrown_at(jni, exception, stack, origin.depth, stack.at(origin.depth)->location);
  if (!outlook_.may_be_requested(jni, thrown.occurrence, true)) {
    const ThrowFollower::Again again =
        follower_.expect_again(jni, exception, stack, origin.depth, thrown.occurrence.index);
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

// Reports an exception that the code is about to throw. Where the VM reports breakpoints, it does
// so by a breakpoint at the instruction, so that the thread stops in the program's own frame.
jint ThrowWatch::about_to_throw(const jvm::Jni& jni, jthrowable exception) {
  if (!watching_ || late_->use() != nullptr || agent_.probes().is_in_check()) {
    return 0;  // the exception is of the agent or of a check
  }
  const jvm::Env& env = agent_.jvmti();
  Stack stack(env);
  const jvmtiFrameInfo* const frame = stack.at(kHookFrames);
  if (frame == nullptr) {
    return 0;
  }
  Occurrence thrown{.method = frame->method, .index = frame->location, .object = exception};
  // Called only when needed: counting frames takes as long as the rest, and longer in deep stacks.
  const auto frames = [&] {
    return env.get_frame_count(nullptr).value_or(0) - static_cast<jint>(kHookFrames);
  };
  if (expected_.is_any()) {
    const Tracked known = agent_.threads().current();
    if (known && expected_.is_next(jni, known, thrown, frames())) {
      return 0;
    }
  }
  const auto type = jni.object_class(exception);
  const auto hash = static_cast<std::uint32_t>(env.get_object_hash_code(type).value_or(0));
  const auto generation = ignored_.generation();
  if (ignored_.contains(generation, hash, stack, kHookFrames)) {
    return 0;
  }
  {
    const code::LateEnvironment::Use use(*late_);
    const auto found = outlook_.thrown_at(jni, exception, stack, kHookFrames, thrown.index);
    thrown = found.occurrence;
    if (!outlook_.may_be_requested(jni, thrown, true)) {
      const ThrowFollower::Again again =
          follower_.expect_again(jni, exception, stack, kHookFrames, thrown.index);
      if (!again.is_expected) {
        ignored_.add(generation, hash, stack, kHookFrames,
                     std::max(found.decided_by, again.decided_by));
      }
      return 0;
    }
  }
  const auto thread = env.get_current_thread();
  const Tracked self = thread ? agent_.threads().enter(jni, *thread) : nullptr;
  if (!self) {
    return 0;
  }
  const bool stays_here = agent_.probes().stops_in_check();
  if (!stays_here && expected_.expect(self, {.exception = std::make_shared<jvm::GlobalRef<jobject>>(
                                                 jni.global<jobject>(exception)),
                                             .method = thrown.method,
                                             .frames = frames(),
                                             .locations = {thrown.index},
                                             .throws_next = true})) {
    return 0;
  }
  thrown.depth = static_cast<jint>(kHookFrames);
  if (reporter_.report(jni, thrown, stays_here)) {
    return kThrowWaits;
  }
  after_report(jni, exception, kHookFrames, thrown.index);
  return 0;
}

ThrowWatch::Examined ThrowWatch::foresee(const jvm::Jni& jni, jobject exception, Stack& stack,
                                         const Origin& origin) {
  const bool by_reflection = origin.maker == Origin::Maker::kReflection;
  const auto exits = exits_of(agent_.jvmti(), jni, stack, origin.depth, by_reflection);
  Examined examined{
      .thrown_here = std::nullopt, .decided_by = stack.deepest, .first = origin.first};
  if (!exits) {
    return examined;
  }
  for (const jlocation index :
       exits->throws ? std::vector<jlocation>{*exits->throws} : exits->throwing) {
    if (tells_itself(exits->depth, index)) {
      continue;
    }
    ThrowOutlook::Thrown thrown = outlook_.thrown_at(jni, exception, stack, exits->depth, index);
    examined.decided_by = std::max(*examined.decided_by, thrown.decided_by);
    thrown.occurrence.index = stack.at(exits->depth)->location;  // where the frame is now
    thrown.occurrence.depth = static_cast<jint>(exits->depth);
    if (outlook_.may_be_requested(jni, thrown.occurrence, true)) {
      return {.thrown_here = thrown.occurrence,
              .decided_by = std::nullopt,
              .first = origin.first,
              .is_foreseen = true};
    }
  }
  return examined;
}

// Whether the code that the frame runs has a call of the agent in front of that throw.
bool ThrowWatch::tells_itself(std::size_t depth, jlocation index) const {
  std::array<jvmtiFrameInfo, 1> frame{};
  const auto count =
      agent_.jvmti().get_actual_stack_trace(nullptr, static_cast<jint>(depth), frame).value_or(0);
  if (count == 0) {
    return false;
  }
  const auto numbers = agent_.code_versions().method(frame.front().method)->probes_at(index);
  return std::ranges::find(numbers, kThrowCheck) != numbers.end();
}

// Expects the exception where handlers may throw it again. Called after the report, because methods
// that the debugger runs in the thread during the stop may throw exceptions too.
void ThrowWatch::after_report(const jvm::Jni& jni, jobject exception, std::size_t depth,
                              jlocation index) {
  if (watching_) {
    const code::LateEnvironment::Use use(*late_);
    Stack stack(agent_.jvmti());
    (void)follower_.expect_again(jni, exception, stack, depth, index);
  }
}

void ThrowWatch::at_breakpoint(const jvm::Jni& jni, const Occurrence& occurrence) {
  if (!expected_.is_any()) {
    return;
  }
  const Tracked self = agent_.threads().current();
  const auto reached_one = self ? expected_.reached(jni, self, occurrence) : std::nullopt;
  if (!reached_one) {
    return;
  }
  const auto& [expected, exit] = *reached_one;
  const jobject exception = expected.exception->get();
  Stack stack(agent_.jvmti());
  if (exit == Exit::kThrows) {
    Occurrence thrown;
    {
      const code::LateEnvironment::Use use(*late_);
      thrown = outlook_.thrown_at(jni, exception, stack, 0, occurrence.index).occurrence;
    }
    agent_.composer().take(jni, thrown);
    after_report(jni, exception, 0, occurrence.index);
  } else if (exit == Exit::kReturnsIt) {
    const code::LateEnvironment::Use use(*late_);
    follower_.follow_returned(jni, exception, stack, expected.returns);
  }
}

void ThrowWatch::thread_ended(const Tracked& self) {
  expected_.forget_all(self);
}

}  // namespace jvmdebug::agent::throws
