// SPDX-License-Identifier: Apache-2.0
#include "agent/thread_dump/thread_dump.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "agent/thread_dump/virtual_threads.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::thread_dump {
namespace {

namespace wire = protocol::threads;

using Clock = std::chrono::steady_clock;
using jvm::Capability;

// The number of frames that are read of each thread even if fewer are requested: they tell whether
// the thread may hold monitors, and how many frames there are.
constexpr std::size_t kFramesToRead = 32;
// The largest number of the agent's own frames on top.
constexpr std::size_t kMostHidden = 8;
// The number of threads whose stacks are read at once: the VM needs memory for them, and much more
// time for each if there are many.
constexpr std::size_t kTogether = 256;
// The time for reading what threads wait for; when it has passed, this is left out for the
// remaining threads. On JDK 23 and later it needs a safepoint per thread, which takes longer the
// more threads there are.
constexpr auto kForWaits = std::chrono::milliseconds{10};

std::int64_t nanoseconds(Clock::duration duration) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
}

}  // namespace

ThreadDump::ThreadDump(Agent& agent, const Limits& limits, Consistency consistency,
                       JdkFields fields)
    : agent_(agent),
      env_(agent.jvmti()),
      jni_(agent.jni()),
      fields_(std::move(fields)),
      limits_(limits),
      consistency_(consistency),
      read_frames_(std::max(kFramesToRead, static_cast<std::size_t>(limits.frames)) + kMostHidden),
      knows_monitors_(env_.has(Capability::kGetOwnedMonitorStackDepthInfo) &&
                      env_.has(Capability::kGetCurrentContendedMonitor)),
      buffer_(read_frames_),
      hiding_(agent.threads().tracked()),
      stacks_(agent),
      locks_(agent) {
  std::erase_if(hiding_, [](const threads::Tracked& known) { return known->frames_to_hide == 0; });
}

Result<wire::DumpReply> ThreadDump::take(Agent& agent, const Limits& limits,
                                         Consistency consistency) {
  const auto begin = Clock::now();
  JVMDEBUG_ASSIGN(auto fields, JdkFields::find(agent.jvmti()));
  ThreadDump dump(agent, limits, consistency, std::move(fields));
  wire::DumpReply reply;
  Result<void> outcome;
  if (consistency == Consistency::kAll) {
    const auto held =
        agent.suspension().while_all_suspended([&dump, &outcome] { outcome = dump.read(); });
    if (!held) {
      return fail(protocol::Error::kInternal);
    }
    dump.held_ = *held;
  } else {
    outcome = dump.read();
  }
  JVMDEBUG_CHECK(outcome);
  reply.held_ns = dump.held_.count();
  dump.describe(reply);
  reply.took_ns = nanoseconds(Clock::now() - begin);
  return reply;
}

// --- while threads may be suspended ----------------------------------------------------------

Result<void> ThreadDump::read() {
  if (consistency_ == Consistency::kNone) {
    JVMDEBUG_CHECK(read_one_by_one());
  } else {
    JVMDEBUG_CHECK(read_at_once());
  }
  if (limits_.virtual_threads > 0) {
    JVMDEBUG_CHECK(read_virtual_threads());
  }
  if (!knows_monitors_) {
    return {};
  }
  const auto until = Clock::now() + kForWaits;
  for (Thread& thread : threads_) {
    constexpr jint kNotified = JVMTI_THREAD_STATE_IN_OBJECT_WAIT;
    if (thread.waits_for >= 0 || consistency_ != Consistency::kAll ||
        (thread.state & kNotified) == 0 || !env_.has(Capability::kAccessLocalVariables)) {
      continue;
    }
    if (Clock::now() > until) {
      break;
    }
    const auto monitor = jni_.adopt(env_.get_local_instance(thread.thread, 0).value_or(nullptr));
    if (monitor) {
      thread.waits_for = locks_.add(monitor, true);
    }
  }
  return {};
}

Result<void> ThreadDump::read_at_once() {
  const auto begin = Clock::now();
  JVMDEBUG_ASSIGN(const auto stacks, env_.get_all_stack_traces(static_cast<jint>(read_frames_)));
  held_ += Clock::now() - begin;
  threads_.reserve(stacks.size());
  for (const jvmtiStackInfo& stack : stacks) {
    add(jni_.adopt(stack.thread), stack.state,
        std::span(stack.frame_buffer, static_cast<std::size_t>(stack.frame_count)), false);
  }
  return {};
}

Result<void> ThreadDump::read_one_by_one() {
  JVMDEBUG_ASSIGN(const auto threads, env_.get_all_threads());
  threads_.reserve(threads.size());
  for (jthread thread : threads) {
    read_alone(jni_.adopt(thread), false);
  }
  return {};
}

Result<void> ThreadDump::read_virtual_threads() {
  std::vector<jthread> platform;
  platform.reserve(threads_.size());
  for (const Thread& thread : threads_) {
    platform.push_back(thread.thread);
  }
  VirtualThreads found(env_, fields_, limits_.virtual_threads);
  JVMDEBUG_CHECK(found.find(platform));
  virtual_threads_ = found.count();
  auto threads = found.take();
  threads_.reserve(threads_.size() + threads.size());
  std::vector<jvm::LocalRef<jthread>> part;
  for (auto& thread : threads) {
    if (consistency_ == Consistency::kNone) {
      read_alone(std::move(thread), true);
      continue;
    }
    part.push_back(std::move(thread));
    if (part.size() == kTogether) {
      JVMDEBUG_CHECK(read_together(std::exchange(part, {})));
    }
  }
  return part.empty() ? Result<void>{} : read_together(std::move(part));
}

Result<void> ThreadDump::read_together(std::vector<jvm::LocalRef<jthread>> threads) {
  const std::vector<jthread> list(threads.begin(), threads.end());
  const auto begin = Clock::now();
  JVMDEBUG_ASSIGN(const auto stacks,
                  env_.get_thread_list_stack_traces(list, static_cast<jint>(read_frames_)));
  held_ += Clock::now() - begin;
  for (std::size_t index = 0; index < threads.size(); ++index) {
    const jvmtiStackInfo& stack = stacks[index];
    // HotSpot returns the same reference that it was given.
    const auto owned = jni_.adopt(stack.thread == list[index] ? nullptr : stack.thread);
    add(std::move(threads[index]), stack.state,
        std::span(stack.frame_buffer, static_cast<std::size_t>(stack.frame_count)), true);
  }
  return {};
}

void ThreadDump::read_alone(jvm::LocalRef<jthread> thread, bool is_virtual) {
  // Fails for a thread that has ended meanwhile.
  const auto state = env_.get_thread_state(thread);
  const auto count = env_.get_actual_stack_trace(thread, 0, buffer_);
  if (state && count) {
    add(std::move(thread), *state, std::span(buffer_).first(static_cast<std::size_t>(*count)),
        is_virtual);
  }
}

void ThreadDump::add(jvm::LocalRef<jthread> thread, jint state, std::span<jvmtiFrameInfo> frames,
                     bool is_virtual) {
  if ((state & JVMTI_THREAD_STATE_ALIVE) == 0 ||
      (!is_virtual && agent_.threads().own_threads().contains(jni_, thread))) {
    return;
  }
  jint depth = static_cast<jint>(frames.size());
  if (frames.size() == read_frames_) {
    depth = std::max(depth, env_.get_frame_count(thread).value_or(0));
  }
  const jint hidden = shown(thread, frames);
  const auto visible = frames.subspan(static_cast<std::size_t>(hidden));
  const auto entry = stacks_.add(visible, depth - hidden, static_cast<std::size_t>(limits_.frames));
  Thread& added = threads_.emplace_back(Thread{
      .thread = std::move(thread), .is_virtual = is_virtual, .state = state, .stack = entry.index});
  read_wait(added);
  if (knows_monitors_ && entry.may_lock) {
    read_monitors(added, hidden);
  }
}

// Converts the frames to what the debugger sees; returns how many on top are hidden.
jint ThreadDump::shown(jthread thread, std::span<jvmtiFrameInfo> frames) const {
  jint hidden = 0;
  for (const threads::Tracked& known : hiding_) {
    if (jni_.same(known->thread, thread)) {
      hidden = known->hidden_frames(env_);
    }
  }
  bool is_top = hidden == 0;
  for (jvmtiFrameInfo& frame : frames) {
    const auto view = env_.code_view(frame.method);
    is_top = is_top && view && view->is_hidden;
    hidden += is_top ? 1 : 0;
    if (view) {
      frame = {.method = view->shown, .location = view->shown_index(frame.location)};
    }
  }
  return std::min(hidden, static_cast<jint>(frames.size()));
}

void ThreadDump::read_wait(Thread& thread) {
  constexpr jint kAtMonitor =
      JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER | JVMTI_THREAD_STATE_IN_OBJECT_WAIT;
  if ((thread.state & kAtMonitor) != 0) {
    if (!knows_monitors_) {
      return;
    }
    const auto found = env_.get_current_contended_monitor(thread.thread);
    if (const auto monitor = jni_.adopt(found.value_or(nullptr))) {
      thread.waits_for = locks_.add(monitor, true);
    }
  } else if ((thread.state & JVMTI_THREAD_STATE_PARKED) != 0 && fields_.park_blocker != nullptr) {
    const auto blocker = jni_.adopt(jni_->GetObjectField(thread.thread, fields_.park_blocker));
    if (!blocker) {
      return;
    }
    thread.waits_for = locks_.add(blocker, false);
    if (thread.waits_for < 0 || fields_.owner == nullptr || fields_.number == nullptr ||
        !jni_.instance_of(blocker, fields_.synchronizer)) {
      return;
    }
    if (const auto owner = jni_.adopt(jni_->GetObjectField(blocker, fields_.owner))) {
      locks_.set_owner(thread.waits_for, jni_->GetLongField(owner, fields_.number));
    }
  }
}

void ThreadDump::read_monitors(Thread& thread, jint hidden) {
  const auto owned = env_.get_owned_monitor_stack_depth_info(thread.thread);
  if (!owned) {
    return;  // it has ended, or is virtual and the VM does not tell
  }
  for (const jvmtiMonitorStackDepthInfo& entry : *owned) {
    const auto monitor = jni_.adopt(entry.monitor);
    if (const std::int32_t lock = locks_.add(monitor, true); lock >= 0) {
      locks_.set_owner_index(lock, static_cast<std::int32_t>(threads_.size()) - 1);
      thread.held.emplace_back(lock, entry.stack_depth < hidden ? -1 : entry.stack_depth - hidden);
    }
  }
}

// --- afterwards ------------------------------------------------------------------------------

void ThreadDump::describe(wire::DumpReply& reply) {
  reply.has_monitors = knows_monitors_;
  reply.virtual_threads = static_cast<std::int32_t>(virtual_threads_);
  std::unordered_map<jlong, std::int32_t> by_number;
  by_number.reserve(threads_.size());
  reply.threads.reserve(threads_.size());
  for (const Thread& thread : threads_) {
    const auto index = static_cast<std::int32_t>(reply.threads.size());
    auto& written = reply.threads.emplace_back();
    describe(thread, written);
    by_number.emplace(written.number, index);
    for (const auto& [lock, depth] : thread.held) {
      reply.held.push_back({.thread = index, .lock = lock, .depth = depth});
    }
  }
  locks_.describe(by_number, reply);
  stacks_.describe(reply);
}

void ThreadDump::describe(const Thread& thread, wire::DumpReply::Thread& written) {
  const bool is_met = !thread.is_virtual || agent_.threads().find_begun(thread.thread);
  if (is_met) {
    written.thread = agent_.objects().thread_id(thread.thread);
  }
  if (fields_.number != nullptr) {
    written.number = jni_->GetLongField(thread.thread, fields_.number);
  }
  if (fields_.name != nullptr) {
    const auto name = jni_.adopt(jni_->GetObjectField(thread.thread, fields_.name));
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-static-cast-downcast): the type of the field
    written.name = name ? jni_.text(static_cast<jstring>(name.get())) : std::string();
  }
  written.state = thread.state;
  written.is_virtual = thread.is_virtual;
  written.cpu_ns = -1;
  if (!thread.is_virtual && env_.has(Capability::kGetThreadCpuTime)) {
    written.cpu_ns = env_.get_thread_cpu_time(thread.thread).value_or(-1);
  }
  written.stack = thread.stack;
  written.waits_for = thread.waits_for;
}

}  // namespace jvmdebug::agent::thread_dump
