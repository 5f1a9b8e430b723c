// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/return_breakpoints.h"

#include <cstddef>
#include <mutex>
#include <utility>

#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"
#include "classfile/code_flow.h"

namespace jvmdebug::agent::threads {
namespace {

using protocol::StepDepth;

// The largest number of breakpoints that are kept for later steps.
constexpr std::size_t kKept = 2048;

}  // namespace

ReturnBreakpoints::ReturnBreakpoints(const jvm::Env& env, const ThreadRegistry& registry,
                                     Suspension& suspension, BreakpointSetter& breakpoints)
    : env_(env), registry_(registry), suspension_(suspension), breakpoints_(breakpoints) {}

// --- on the stepping thread, or with it suspended ---------------------------------------------

// Only a step out needs the exit of its own frame. Other steps see it by single steps, unless they
// are in a method that the frame has called.
jvm::Result<void> ReturnBreakpoints::watch_own_frame(const Tracked& thread, jthread where,
                                                     Step& step) {
  JVMDEBUG_ASSIGN(const auto location, env_.get_frame_location(where, 0));
  if (location.index < 0) {
    return std::unexpected(jvm::Error{JVMTI_ERROR_OPAQUE_FRAME});
  }
  return step.depth == StepDepth::kOut ? watch(thread, where, step) : jvm::Result<void>{};
}

jvm::Result<void> ReturnBreakpoints::watch_callee(const Tracked& thread, jthread where,
                                                  Step& step) {
  return watch(thread, where, step);
}

jvm::Result<void> ReturnBreakpoints::watch(const Tracked& thread, jthread where, Step& step) {
  const unsigned generation = redefinitions_;
  JVMDEBUG_ASSIGN(const jint count, env_.get_frame_count(where));
  const jint own = count - step.from_depth;
  const FramesLeft left{.own = own, .first = step.depth == StepDepth::kOut ? own + 1 : own};
  JVMDEBUG_ASSIGN(const auto found, return_locations(env_, where, left));
  JVMDEBUG_CHECK(add(thread, found.locations, generation));
  step.entries_after_exit = found.entries;
  step.throws_after_exit = found.throws_next;
  if (!thread->step.load()) {
    thread_ended(thread);  // the step was cancelled meanwhile
  }
  return {};
}

jvm::Result<void> ReturnBreakpoints::add(const Tracked& thread, const jvm::CodeLocations& wanted,
                                         unsigned generation) {
  jvm::CodeLocations held;
  {
    const std::scoped_lock lock(mutex_);
    held = locations_[thread];
  }
  jvm::CodeLocations added;
  jvm::Result<void> outcome;
  for (const jvm::CodeLocation& location : wanted) {
    if (generation != redefinitions_) {
      outcome = std::unexpected(jvm::Error{JVMTI_ERROR_INTERNAL});  // the code has moved
      break;
    }
    if (!held.contains(location)) {
      if (breakpoints_.may_harm(location)) {
        outcome = std::unexpected(jvm::Error{JVMTI_ERROR_NOT_AVAILABLE});  // then by single steps
        break;
      }
      outcome = breakpoints_.add(location);
      if (!outcome) {
        break;
      }
      added.insert(location);
    }
  }
  jvm::CodeLocations too_many;
  {
    const std::scoped_lock lock(mutex_);
    jvm::CodeLocations& all = locations_[thread];
    if (all.size() + added.size() > kKept) {
      std::erase_if(all, [&](const jvm::CodeLocation& location) {
        return !wanted.contains(location) && too_many.insert(location).second;
      });
    }
    all.insert(added.begin(), added.end());
  }
  if (!too_many.empty()) {
    breakpoints_.remove_later({too_many.begin(), too_many.end()});
  }
  return outcome;
}

// The frames are left when the stack has no more frames than those that stay. Asking for one more
// frame costs time proportional to the frames above it; counting all frames costs much more in a
// deep recursion.
FrameExits::Exit ReturnBreakpoints::exit_at_breakpoint(const Step& step, jmethodID method,
                                                       jlocation index) const {
  const jint staying = step.depth == StepDepth::kOut ? step.from_depth - 1 : step.from_depth;
  const auto one_more = env_.get_frame_location(nullptr, staying);
  if (one_more || !(one_more.error() == JVMTI_ERROR_NO_MORE_FRAMES)) {
    return Exit::kNone;
  }
  if (step.throws_after_exit) {
    return Exit::kReturned;  // before the exception was thrown
  }
  const auto code = env_.get_bytecodes(method);
  const bool caught =
      code && classfile::only_exceptions_lead_to(code->span(), static_cast<std::size_t>(index));
  return caught ? Exit::kCaught : Exit::kReturned;
}

// A method that is entered at the step's own depth has replaced the step's frame. If the VM
// constructs an exception there because of one that the frame has thrown, the step ends where that
// is caught.
bool ReturnBreakpoints::are_left_at_entry(const Step& step, jmethodID method) const {
  if (!step.entries_after_exit) {
    return false;
  }
  const auto one_more = env_.get_frame_location(nullptr, step.from_depth);
  return !one_more && one_more.error() == JVMTI_ERROR_NO_MORE_FRAMES && !is_of_throwable(method);
}

bool ReturnBreakpoints::is_of_throwable(jmethodID method) const {
  const jvm::Jni jni = env_.jni();
  const auto raw = env_.get_method_declaring_class(method);
  const auto type = raw ? jni.adopt(*raw) : jvm::LocalRef<jclass>();
  const auto throwable = jni.find_class("java/lang/Throwable");
  return type && throwable && jni.assignable(type, throwable);
}

void ReturnBreakpoints::thread_ended(const Tracked& self) {
  const jvm::CodeLocations locations = take(self);
  if (!locations.empty()) {
    breakpoints_.remove_later({locations.begin(), locations.end()});
  }
}

// --- on agent threads --------------------------------------------------------------------------

jvm::CodeLocations ReturnBreakpoints::take(const Tracked& thread) {
  const std::scoped_lock lock(mutex_);
  const auto found = locations_.find(thread);
  if (found == locations_.end()) {
    return {};
  }
  jvm::CodeLocations taken = std::move(found->second);
  locations_.erase(found);
  return taken;
}

void ReturnBreakpoints::remove(const jvm::CodeLocations& locations) {
  for (const jvm::CodeLocation& location : locations) {
    breakpoints_.remove(location);
  }
}

void ReturnBreakpoints::drop_idle() {
  std::vector<Tracked> idle;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [thread, locations] : locations_) {
      if (!thread->step.load()) {
        idle.push_back(thread);
      }
    }
  }
  for (const Tracked& thread : idle) {
    remove(take(thread));
  }
  breakpoints_.clear_removed();
}

std::vector<Tracked> ReturnBreakpoints::before_redefinition() {
  std::vector<Tracked> held;
  for (const Tracked& thread : registry_.tracked()) {
    if (thread->step.load()) {
      held.push_back(thread);
    }
  }
  std::erase_if(held, [&](const Tracked& thread) {
    return !suspension_.suspend(thread->thread).has_value();
  });
  ++redefinitions_;
  drop_idle();
  for (const Tracked& thread : held) {
    remove(take(thread));
  }
  breakpoints_.clear_removed();
  return held;
}

void ReturnBreakpoints::after_redefinition(const std::vector<Tracked>& held) {
  for (const Tracked& thread : held) {
    const auto step = thread->step.load();
    if (step && !step->cancelled && !step->single_steps && !watch(thread, thread->thread, *step)) {
      step->single_steps = true;  // instruction by instruction from here on
    }
  }
}

}  // namespace jvmdebug::agent::threads
