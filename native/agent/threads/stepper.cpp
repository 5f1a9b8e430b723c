// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/stepper.h"

#include <algorithm>
#include <array>
#include <utility>

#include "agent/source_map.h"
#include "agent/threads/parking.h"
#include "agent/threads/return_breakpoints.h"
#include "agent/threads/suspension.h"

namespace jvmdebug::agent::threads {
namespace {

using protocol::StepDepth;
using protocol::StepSize;

// Bits of TrackedThread::applied_modes.
constexpr std::uint8_t kSingleSteps = 1;
constexpr std::uint8_t kMethodEntries = 2;
constexpr std::uint8_t kFrameExits = 4;

constexpr std::array<std::pair<std::uint8_t, jvmtiEvent>, 4> kEventsOfModes = {{
    {kSingleSteps, JVMTI_EVENT_SINGLE_STEP},
    {kMethodEntries, JVMTI_EVENT_METHOD_ENTRY},
    {kFrameExits, JVMTI_EVENT_FRAME_POP},
    {kFrameExits, JVMTI_EVENT_EXCEPTION_CATCH},
}};

// Returns the modes that the thread needs; of the events for the end of a frame, those that the VM
// offers.
std::uint8_t wanted_modes(const TrackedThread& thread, bool frame_exits) {
  const bool for_agent = thread.step_to_pop || thread.is_arriving || thread.has_old_frames;
  unsigned wanted = for_agent || thread.clears_pops ? kSingleSteps : 0U;
  wanted |= thread.entries_requested ? kMethodEntries : 0U;
  const auto step = thread.step.load();
  if (step && step->counts()) {
    const bool steps = step->single_steps;
    wanted |= frame_exits ? kFrameExits : 0U;
    wanted |= steps ? kSingleSteps : 0U;
    wanted |= step->method_entries || (step->entries_after_exit && !steps) ? kMethodEntries : 0U;
  }
  return static_cast<std::uint8_t>(wanted);
}

// Code before the first entry belongs to the first line.
jint line_at(const std::vector<jvmtiLineNumberEntry>& lines, jlocation index) {
  if (index < 0 || lines.empty()) {
    return -1;
  }
  const auto after =
      std::ranges::upper_bound(lines, index, {}, &jvmtiLineNumberEntry::start_location);
  return after == lines.begin() ? lines.front().line_number : std::prev(after)->line_number;
}

}  // namespace

Stepper::Stepper(const Uses& uses) : uses_(uses), env_(uses.env) {
  if (env_.has(jvm::Capability::kGenerateFramePopEvents)) {
    exits_ = std::make_unique<FramePops>(env_);
  } else {
    exits_ = std::make_unique<ReturnBreakpoints>(uses.env, uses.registry, uses.suspension,
                                                 uses.breakpoints);
  }
}

// Two threads may call this at once for the same thread (the debugger clears a step while the
// thread runs). The last one to set the modes checks again afterwards what is wanted.
void Stepper::apply(const Tracked& thread) {
  const bool frame_exits = env_.has(jvm::Capability::kGenerateFramePopEvents);
  bool all = false;
  while (true) {
    const std::uint8_t wanted = wanted_modes(*thread, frame_exits);
    const std::uint8_t applied = thread->applied_modes.exchange(wanted);
    for (const auto& [bit, event] : kEventsOfModes) {
      if (all || ((wanted ^ applied) & bit) != 0) {
        // Fails for a thread that has ended or has not begun; it needs no steps.
        (void)env_.set_event_notification_mode((wanted & bit) != 0 ? JVMTI_ENABLE : JVMTI_DISABLE,
                                               event, thread->thread);
      }
    }
    if (wanted_modes(*thread, frame_exits) == wanted && thread->applied_modes == wanted) {
      return;
    }
    all = true;
  }
}

// The result tells whether the thread is alive; it is no error if apply() finds the event enabled
// already.
jvm::Result<void> Stepper::enable_method_entries(const Tracked& thread) {
  thread->entries_requested = true;
  const auto set =
      env_.set_event_notification_mode(JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, thread->thread);
  if (!set) {
    thread->entries_requested = false;
  }
  apply(thread);
  return set;
}

void Stepper::disable_method_entries(const Tracked& thread) {
  thread->entries_requested = false;
  apply(thread);
}

// --- on agent threads ------------------------------------------------------------------------

Result<void> Stepper::begin(const Tracked& thread, const std::shared_ptr<Step>& step) {
  // Returns INVALID_THREAD for a thread that has not begun or has ended.
  JVMDEBUG_CHECK(env_.get_frame_count(thread->thread));
  // A running thread is suspended while its location is read.
  JVMDEBUG_CHECK(uses_.suspension.suspend(thread->thread));
  if (const auto previous = thread->step.exchange(step)) {
    previous->cancelled = true;  // its request stays but reports nothing more
  }
  thread->clears_pops = false;  // when this step ends
  begin_here(thread, thread->thread, *step);
  apply(thread);
  uses_.suspension.resume_quietly(thread);
  return {};
}

void Stepper::frames_popped(const Tracked& thread) {
  const auto step = thread->step.load();
  if (!step) {
    return;
  }
  const jint depth = env_.get_frame_count(thread->thread).value_or(0);
  if (step->from_depth > 0 && depth > step->from_depth) {
    // The thread is still in code that the step's frame has called.
    step->single_steps = !exits_->watch_callee(thread, thread->thread, *step);
  } else {
    begin_here(thread, thread->thread, *step);
  }
  apply(thread);
}

void Stepper::end(const Tracked& thread, const std::shared_ptr<Step>& step) {
  step->cancelled = true;
  thread->step.replace(step, nullptr);
  // While the thread is in a reported event, the VM does not use the thread's frame pops. Elsewhere
  // it may, and would end with an error if an entry that it is about to remove is gone; there the
  // thread clears them itself.
  if (exits_->keep_watching() && !thread->step.load()) {
    const bool stays = uses_.parking.is_parked(thread);
    thread->clears_pops = !stays || !exits_->forget(thread->thread);
  }
  apply(thread);
  if (!uses_.suspension.is_suspended(thread->thread)) {
    // Done later, because the table of requests is in the middle of a change.
    uses_.reporter.run_soon([this] { exits_->drop_idle(); }, false);
  }
}

void Stepper::resuming() {
  exits_->drop_idle();
}

void Stepper::debugger_left() {
  std::vector<Tracked> threads;
  {
    const auto held = uses_.registry.lock();
    const auto begun = uses_.registry.begun(held);
    threads.assign(begun.begin(), begun.end());
  }
  for (const Tracked& thread : threads) {
    if (thread->clears_pops.exchange(false)) {
      apply(thread);
    }
  }
}

std::vector<Tracked> Stepper::before_redefinition() {
  return exits_->before_redefinition();
}

void Stepper::after_redefinition(const std::vector<Tracked>& held) {
  exits_->after_redefinition(held);
  for (const Tracked& thread : held) {
    apply(thread);
    uses_.suspension.resume_quietly(thread);
  }
}

std::shared_ptr<Step> Stepper::pause(const Tracked& self) {
  auto step = self->step.load();
  if (step) {
    ++step->paused;
    apply(self);
  }
  return step;
}

void Stepper::resume(const Tracked& self, const std::shared_ptr<Step>& step) {
  if (step) {
    --step->paused;
    apply(self);
  }
}

// --- where a step begins ---------------------------------------------------------------------

void Stepper::begin_here(const Tracked& thread, jthread where, Step& step) {
  step.from_line = -1;
  step.from_native = true;
  step.frame_exited = false;
  step.ends_in_frame = false;
  step.method_entries = false;
  step.entries_after_exit = false;
  step.single_steps = true;
  // 0 without frames, as at the start of the VM; the first instruction will be deeper.
  step.from_depth = env_.get_frame_count(where).value_or(0) - thread->hidden_frames(env_);
  if (step.from_depth == 0) {
    return;
  }
  const auto watched = exits_->watch_own_frame(thread, where, step);
  if (!watched && watched.error() == JVMTI_ERROR_OPAQUE_FRAME) {
    return;
  }
  step.from_native = false;
  step.single_steps = !watched || step.depth != StepDepth::kOut;
  const auto location = env_.get_frame_location(where, 0);
  if (!location) {
    return;
  }
  if (step.method != location->method) {
    step.method = location->method;
    step.lines = lines_of(step.method);
  }
  step.from_line = line_at(step.lines, location->index);
}

// --- on the stepping thread ------------------------------------------------------------------

std::vector<jvmtiLineNumberEntry> Stepper::lines_of(jmethodID method) const {
  const auto table = env_.get_line_number_table(method);
  if (!table) {
    return {};
  }
  std::vector<jvmtiLineNumberEntry> lines(table->begin(), table->end());
  std::ranges::stable_sort(lines, {}, &jvmtiLineNumberEntry::start_location);
  if (const auto raw = env_.get_method_declaring_class(method)) {
    const auto type = env_.jni().adopt(*raw);
    const auto text = env_.get_source_debug_extension(type);
    if (const auto map = text ? SourceMap::parse(text->view()) : std::nullopt) {
      const auto stratum = stratum_.load();
      map->translate(stratum ? *stratum : std::string(), lines);
    }
  }
  return lines;
}

bool Stepper::has_lines(jmethodID method) const {
  const auto lines = env_.get_line_number_table(method);
  return lines && !lines->empty();
}

bool Stepper::may_stop_in(const Step& step, StepPlace& place) {
  return has_lines(place.location().method) && place.lets_stop(step);
}

bool Stepper::on_another_line(const Step& step, const StepPlace& place) const {
  if (step.size == StepSize::kMin || step.from_line == -1) {
    return true;
  }
  const jvm::CodeLocation here = place.location();
  return here.method != step.method || line_at(step.lines, here.index) != step.from_line;
}

// A called method runs without single steps until it returns. A step into may still stop in a
// method that it calls.
void Stepper::run_callee(const Tracked& self, Step& step) {
  if (!exits_->watch_callee(self, nullptr, step)) {
    return;  // continue by single steps
  }
  step.single_steps = false;
  step.ends_in_frame = false;
  step.method_entries = step.depth == StepDepth::kInto;
  apply(self);
}

bool Stepper::completes(const Tracked& self, Step& step, StepPlace& place) {
  if (!step.counts() || !step.single_steps) {
    return false;
  }
  // A step into by instruction ends at each one, also in hidden frames and code without lines.
  const bool any_location = step.depth == StepDepth::kInto && step.size == StepSize::kMin;
  if (!any_location && !is_far_enough(self, step, place)) {
    return false;
  }
  begin_here(self, nullptr, step);
  step.single_steps = true;
  step.ends_in_frame = step.depth == StepDepth::kOut;
  apply(self);
  return true;
}

bool Stepper::is_far_enough(const Tracked& self, Step& step, StepPlace& place) {
  if (step.frame_exited) {
    return true;
  }
  const jint depth = env_.get_frame_count(nullptr).value_or(0);
  if (depth > step.from_depth) {
    if (step.depth != StepDepth::kInto || !may_stop_in(step, place)) {
      run_callee(self, step);
      return false;
    }
  } else if (depth == step.from_depth) {
    if (step.depth == StepDepth::kOut && !step.from_native && !step.ends_in_frame) {
      return false;  // the frame still exists; only an inner one was popped
    }
    return on_another_line(step, place);
  }
  return true;
}

void Stepper::on_single_step(const Tracked& self) {
  if (!self->clears_pops.exchange(false)) {
    return;
  }
  (void)exits_->forget(nullptr);
  if (const auto step = self->step.load()) {
    step->single_steps = true;  // it has begun meanwhile: its frame may be unwatched now
  }
  apply(self);
}

// The topmost frame is about to be popped, and is still counted.
void Stepper::on_frame_pop(const Tracked& self) {
  const auto step = self->step.load();
  if (!step || !step->counts()) {
    return;
  }
  const jint depth_after = env_.get_frame_count(nullptr).value_or(1) - 1;
  step->frame_exited |= depth_after < step->from_depth;
  if (step->depth == StepDepth::kOver ||
      (step->depth == StepDepth::kOut && (step->from_native || depth_after < step->from_depth)) ||
      (step->depth == StepDepth::kInto && depth_after <= step->from_depth)) {
    step->single_steps = true;
    step->method_entries = false;
    apply(self);
  }
}

void Stepper::on_exception_catch(const Tracked& self) {
  const auto step = self->step.load();
  if (!step || !step->counts()) {
    return;
  }
  const jint depth = env_.get_frame_count(nullptr).value_or(0);
  step->frame_exited |= depth < step->from_depth;
  if (depth < step->from_depth || (depth == step->from_depth && step->depth != StepDepth::kOut)) {
    step->single_steps = true;
    step->method_entries = false;
    apply(self);
  }
}

bool Stepper::on_method_entry(const Tracked& self, StepPlace& place) {
  const auto step = self->step.load();
  if (!step || !step->counts() || step->single_steps) {
    return false;
  }
  const jvm::CodeLocation here = place.location();
  if (exits_->are_left_at_entry(*step, here.method)) {
    continue_in_caller(self, *step);
    return here.index >= 0;  // a native method has no location
  }
  if (step->method_entries && may_stop_in(*step, place)) {
    // The step is done at the method's first instruction.
    step->single_steps = true;
    step->method_entries = false;
    apply(self);
  } else if (step->method_entries) {
    step->passed.insert(here.method);
  }
  return false;
}

bool Stepper::passes_entry(jmethodID method) const {
  const auto self = uses_.registry.current();
  if (!self || self->entries_requested || !self->pending.events.empty()) {
    return false;
  }
  const auto step = self->step.load();
  return step && step->counts() && step->method_entries && !step->single_steps &&
         !step->entries_after_exit && step->passed.contains(method);
}

bool Stepper::returns_to_breakpoint(const Tracked& self, const jvm::CodeLocation& here) {
  const auto step = self->step.load();
  if (!step || !step->counts() || step->single_steps) {
    return false;
  }
  const auto exit = exits_->exit_at_breakpoint(*step, here.method, here.index);
  if (exit == FrameExits::Exit::kNone) {
    return false;
  }
  continue_in_caller(self, *step);
  return exit == FrameExits::Exit::kReturned;
}

// completes() decides whether the step is done here.
void Stepper::continue_in_caller(const Tracked& self, Step& step) {
  step.frame_exited |= step.depth == StepDepth::kOut;
  step.single_steps = true;
  step.method_entries = false;
  apply(self);
}

void Stepper::thread_ended(const Tracked& self) {
  exits_->thread_ended(self);
}

}  // namespace jvmdebug::agent::threads
