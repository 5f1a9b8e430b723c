// SPDX-License-Identifier: Apache-2.0
#include "agent/jumps/jumper.h"

#include <algorithm>
#include <string>
#include <utility>

#include "agent/code/code_versions.h"
#include "agent/events/breakpoints.h"
#include "agent/java/generated/agent_classes.h"
#include "agent/probes/change_limits.h"
#include "agent/probes/left_class.h"
#include "agent/probes/old_frames.h"
#include "agent/scope.h"
#include "agent/threads/frame_popper.h"

namespace jvmdebug::agent::jumps {
namespace {

constexpr const char* kNative =
    "the method was called by native code, or by nothing: only Java code can call it again";
constexpr const char* kRunsOther =
    "the thread runs something else first: a method for the debugger, or a return that was forced";
constexpr const char* kOtherFrames =
    "other calls of the method run, or other methods that would change with it, and a breakpoint "
    "in "
    "them would be missed; remove the breakpoints of the method, or let these calls end";
constexpr const char* kTooMany = "there are too many virtual threads to see which run the method";

}  // namespace

Jumper::Jumper(const Uses& uses)
    : uses_(uses), calls_(uses.env, uses.changes, uses.limits, uses.breakpoints, uses.old_frames) {}

code::Outcome Jumper::jump(const jvm::Jni& jni, jthread thread, jclass type, jmethodID method,
                           JumpSpec jump, const JumpValues& values) {
  if (const auto possible = check(jni, thread, type, method); !possible) {
    return possible;
  }
  if (const auto prepared = prepare(jni); !prepared) {
    return prepared;
  }
  const auto target = static_cast<jlocation>(jump.target);
  const auto number = calls_.put_in(jni, type, method, std::move(jump));
  const AtExit look([&] { uses_.old_frames.watch(); });
  if (!number) {
    return std::unexpected(number.error());
  }
  const AtExit forget([&] { (void)hand_over(jni, nullptr, 0, {}); });
  if (!hand_over(jni, thread, *number, values)) {
    return std::unexpected("there is not enough memory in the program");
  }
  const auto done = uses_.frame_popper.jump(thread, {.method = method, .index = target});
  return done ? code::Outcome{}
              : std::unexpected("the VM does not pop this frame (error " +
                                std::to_string(static_cast<int>(done.error())) + ")");
}

// Checks that the frame can be popped and the method changed. The topmost frame does not count
// among those that run the method, because it will be gone.
code::Outcome Jumper::check(const jvm::Jni& jni, jthread thread, jclass type,
                            jmethodID method) const {
  if (const auto possible = uses_.limits.check_possible(type); !possible) {
    return possible;
  }
  if (!uses_.frame_popper.check_frames(thread, 0)) {
    return std::unexpected(kNative);
  }
  if (!uses_.frame_popper.check_may_pop(thread)) {
    return std::unexpected(kRunsOther);
  }
  if (const auto unharmed = uses_.limits.check_unharmed(jni, type, {}); !unharmed) {
    return unharmed;
  }
  auto stacks = uses_.old_frames.stacks(jni);
  if (!stacks) {
    return std::unexpected(kTooMany);
  }
  for (code::ThreadStack& stack : *stacks) {
    if (jni.same(stack.thread, thread) && !stack.frames.empty()) {
      stack.frames.erase(stack.frames.begin());
      stack.is_in_breakpoint_event = false;
    }
  }
  if (uses_.limits.is_in_use(jni, *stacks, type, method)) {
    return std::unexpected(kOtherFrames);
  }
  return uses_.limits.check_records(type, method, {});
}

code::Outcome Jumper::prepare(const jvm::Jni& jni) {
  if (const auto prepared = uses_.changes.prepare(); !prepared) {
    return prepared;
  }
  uses_.versions.begin();  // hides the code from the debugger
  if (!class_) {
    auto defined = probes::left_or_defined(uses_.env, jni, kJumpsClass, java::jumps_class());
    if (!defined) {
      return std::unexpected(defined.error());
    }
    class_ = jni.global(defined->get());
  }
  return {};
}

// Sets the fields of JvmdebugProbeJumps; without a thread, clears them.
bool Jumper::hand_over(const jvm::Jni& jni, jthread thread, std::uint16_t number,
                       const JumpValues& values) const {
  const auto size = static_cast<jsize>(values.bits.size());
  const auto object = jni.find_class("java/lang/Object");
  const auto objects =
      jni.adopt(thread == nullptr ? nullptr : jni->NewObjectArray(size, object.get(), nullptr));
  const auto bits = jni.adopt(thread == nullptr ? nullptr : jni->NewLongArray(size));
  if (jni.clear_exception() || (thread != nullptr && (!objects || !bits))) {
    return false;
  }
  for (jsize index = 0; index < size; ++index) {
    jni->SetObjectArrayElement(objects, index, values.objects[static_cast<std::size_t>(index)]);
  }
  if (size > 0) {
    jni->SetLongArrayRegion(bits, 0, size, values.bits.data());
  }
  const auto field = [&](const char* name, const char* descriptor) {
    return jni->GetStaticFieldID(class_, name, descriptor);
  };
  jni->SetStaticObjectField(class_, field("objects", "[Ljava/lang/Object;"), objects);
  jni->SetStaticObjectField(class_, field("bits", "[J"), bits);
  jni->SetStaticObjectField(class_, field("thread", "Ljava/lang/Thread;"), thread);
  jni->SetStaticIntField(class_, field("number", "I"), number);
  return !jni.clear_exception();
}

}  // namespace jvmdebug::agent::jumps
