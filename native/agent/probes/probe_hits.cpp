// SPDX-License-Identifier: Apache-2.0
// The part of ProbeTable that runs on the thread that is in a check, or behind one.
#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/events/composer.h"
#include "agent/probes/probe_table.h"
#include "agent/scope.h"
#include "agent/threads/parking.h"
#include "agent/threads/stepper.h"
#include "agent/threads/thread_registry.h"
#include "classfile/code_map.h"

namespace jvmdebug::agent::probes {

using events::CodeLocation;
using events::Occurrence;
using protocol::EventKind;
using threads::ProbeHit;
using threads::Tracked;

bool ProbeTable::stops_in_check() const {
  return agent_.options().probes && !agent_.jvmti().has(jvm::Capability::kGenerateBreakpointEvents);
}

jint ProbeTable::stop(const jvm::Jni& jni, std::int32_t number, std::int32_t outcome,
                      std::int64_t count, jobjectArray references, jlongArray others) {
  const auto probe = find(number);
  if (!probe || !probe->request->active) {
    return kGoOn;
  }
  const jvm::Env& env = agent_.jvmti();
  const auto thread = env.get_current_thread();
  const auto self = thread ? agent_.threads().enter(jni, *thread) : nullptr;
  // What a thread meets in a method that it runs for the debugger, in here, stops nothing either.
  if (!self || is_in_check_below(kStopFrames)) {
    return kGoOn;
  }
  ++probe->hits;
  const jint height = env.get_frame_count(nullptr).value_or(0) - static_cast<jint>(kStopFrames);
  note_store(jni, self, *probe, references, others);
  auto values =
      std::make_shared<const FrameValues>(jni, probe->call.loads, references, others, height);
  // Hits that were left before arrived(), by an exception that somebody has thrown into the thread.
  if (self->values_to_report && self->values_to_report->height() != height) {
    self->probe_hits.clear();
  }
  auto hits = std::exchange(self->probe_hits, {});
  if (!hits.empty() && self->values_to_report && self->values_to_report->size() > values->size()) {
    values = self->values_to_report;
  }
  self->values_to_report = nullptr;
  std::erase_if(hits, [&](const ProbeHit& hit) {
    const auto other = find(hit.number);
    return !other || other->request->location != probe->request->location;
  });
  hits.push_back(
      {.request_id = probe->request->id, .number = number, .outcome = outcome, .count = count});
  auto there = probes_at(*probe, static_cast<jint>(kStopFrames));
  if (std::ranges::find(there, kArrival) != there.end()) {  // others follow
    self->probe_hits = std::move(hits);
    self->values_to_report = std::move(values);
    return kArrive;
  }
  return report(jni, self, std::move(hits), std::move(values), std::move(there));
}

// The numbers of the probes at the location of this one, in the version of the method that the
// current thread runs at this depth. They are read from the VM: what is remembered of versions may
// be of the class before its last change. That change may come between the look at the frame and
// the look at the code, and then the frame's method has another id.
std::vector<std::uint16_t> ProbeTable::probes_at(const Probe& probe, jint depth) const {
  const jvm::Env& env = agent_.jvmti();
  const auto version = [&] -> jmethodID {
    std::array<jvmtiFrameInfo, 1> frame{};
    const auto count = env.get_actual_stack_trace(nullptr, depth, frame).value_or(0);
    return count == 0 ? nullptr : frame.front().method;
  };
  constexpr int kTries = 8;
  jmethodID method = version();
  for (int tried = 0; tried < kTries && method != nullptr; ++tried) {
    const auto code = env.get_actual_bytecodes(method);
    const auto map = code ? classfile::CodeMap::read(code->span()) : std::nullopt;
    if (const jmethodID now = version(); now != method) {
      method = now;
      continue;
    }
    return map ? map->probes_at(probe.request->location.index) : std::vector<std::uint16_t>{};
  }
  return {};
}

jint ProbeTable::arrived(const jvm::Jni& jni) {
  const Tracked self = agent_.threads().current();
  if (!self || self->probe_hits.empty()) {
    return kGoOn;
  }
  auto hits = std::exchange(self->probe_hits, {});
  auto values = std::exchange(self->values_to_report, nullptr);
  const auto first = find(hits.front().number);
  const jint height =
      agent_.jvmti().get_frame_count(nullptr).value_or(0) - static_cast<jint>(kArriveFrames);
  if (!first || !values || values->height() != height) {
    return kArrive;  // it is gone, or the thread has left that frame by an exception
  }
  return kArrive | report(jni, self, std::move(hits), std::move(values),
                          probes_at(*first, static_cast<jint>(kArriveFrames)));
}

// `there`: the probes that the code has at the location. They report themselves.
jint ProbeTable::report(const jvm::Jni& jni, const Tracked& self, std::vector<ProbeHit> hits,
                        std::shared_ptr<const FrameValues> values,
                        std::vector<std::uint16_t> there) {
  const auto first = find(hits.front().number);
  if (!first) {
    return kGoOn;
  }
  const CodeLocation& location = first->request->location;
  Occurrence here{.kind = EventKind::kBreakpoint,
                  .thread = self->thread,
                  .method = location.method,
                  .index = location.index};
  here.probes_there = std::move(there);
  for (const ProbeHit& hit : hits) {
    here.probed.push_back(hit.request_id);
  }
  {
    const std::scoped_lock lock(mutex_);
    self->last_hits = std::move(hits);
    self->frame_values = std::move(values);
  }
  self->is_in_native_wait = self->virtual_thread;
  self->waits_in_java = self->virtual_thread;
  bool stays = false;
  const AtExit leave([&] {
    if (!stays) {
      agent_.parking().leave(self);
      left_check(self);
    }
  });
  agent_.composer().take(jni, here);
  stays = self->waits_in_java && agent_.parking().stays(jni, self, false);
  return stays ? kWait : kGoOn;
}

bool ProbeTable::still_waits(const jvm::Jni& jni) {
  const Tracked self = agent_.threads().current();
  if (!self || !self->waits_in_java) {
    return false;  // the agent that it has stopped for is gone
  }
  self->is_in_native_wait = true;
  bool stays = false;
  const AtExit leave([&] {
    if (!stays) {
      agent_.parking().leave(self);
      left_check(self);
    }
  });
  stays = agent_.parking().stays(jni, self, true);
  return stays;
}

void ProbeTable::left_check(const Tracked& self) const {
  self->waits_in_java = false;
  std::shared_ptr<const FrameValues> values;  // released without the lock
  const std::scoped_lock lock(mutex_);
  values.swap(self->frame_values);
}

std::shared_ptr<const FrameValues> ProbeTable::values_of(const Tracked& thread, jint depth) const {
  std::shared_ptr<const FrameValues> values;
  {
    const std::scoped_lock lock(mutex_);
    values = thread->frame_values;
  }
  const jint frames = agent_.jvmti().get_frame_count(thread->thread).value_or(0);
  return values && frames - depth == values->height() ? values : nullptr;
}

Tracked ProbeTable::reported_thread(const jvm::Jni& jni, Probe* probe) {
  if (probe == nullptr || !probe->request->active) {
    return nullptr;
  }
  const auto thread = agent_.jvmti().get_current_thread();
  const auto self = thread ? agent_.threads().enter(jni, *thread) : nullptr;
  return is_in_check_below(kCheckFrames) ? nullptr : self;
}

void ProbeTable::report_behind(const Tracked& self, Probe& probe, std::int32_t outcome,
                               std::int64_t count) {
  ++probe.hits;
  self->probe_hits.push_back({.request_id = probe.request->id,
                              .number = probe.call.number,
                              .outcome = outcome,
                              .count = count});
  self->arrives_in = probe.request->location.method;
  self->is_arriving = true;
  agent_.stepper().apply(self);
}

void ProbeTable::hit(const jvm::Jni& jni, std::int32_t number, std::int32_t outcome,
                     std::int64_t count) {
  const auto probe = find(number);
  if (const Tracked self = reported_thread(jni, probe.get())) {
    report_behind(self, *probe, outcome, count);
  }
}

void ProbeTable::store(const jvm::Jni& jni, std::int32_t number, jint index, jlong bits,
                       jobject reference) {
  const auto probe = find(number);
  if (const Tracked self = reported_thread(jni, probe.get())) {
    note_store(jni, self, *probe->request, index, bits, reference);
    report_behind(self, *probe, 0, 0);
  }
}

void ProbeTable::write(const jvm::Jni& jni, const ProbeHit& hit, jobject object, jlong bits,
                       jobject reference) {
  const auto probe = find(hit.number);
  if (const Tracked self = reported_thread(jni, probe.get())) {
    keep_write(jni, self, *probe->request, object, bits, reference);
    report_behind(self, *probe, hit.outcome, hit.count);
  }
}

// The first instruction that the program runs after its probes is the one that they are in front
// of.
void ProbeTable::stepped(const jvm::Jni& jni, const Occurrence& step) {
  const Tracked self = agent_.threads().current();
  if (!self || !self->is_arriving) {
    return;
  }
  auto hits = std::exchange(self->probe_hits, {});
  self->is_arriving = false;
  agent_.stepper().apply(self);
  Occurrence here = step;
  here.kind = EventKind::kBreakpoint;
  std::erase_if(hits, [&](const ProbeHit& hit) {
    const auto probe = find(hit.number);
    return !probe ||
           probe->request->location != CodeLocation{.method = step.method, .index = step.index};
  });
  for (const ProbeHit& hit : hits) {
    here.probed.push_back(hit.request_id);
  }
  if (here.probed.empty()) {
    return;
  }
  if (self->invocations == 0) {
    const std::scoped_lock lock(mutex_);
    self->last_hits = std::move(hits);
  }
  self->is_in_breakpoint_event = true;  // of all requests that are there
  ++self->arrivals;
  const AtExit leave([&] { self->is_in_breakpoint_event = false; });
  agent_.composer().take(jni, here);
}

// What a thread meets in a method that it runs for the debugger stops nothing, and the debugger may
// still ask what the thread has stopped for.
void ProbeTable::reported_by_vm(const Tracked& self) const {
  if (self && self->invocations == 0) {
    const std::scoped_lock lock(mutex_);
    self->last_hits.clear();
  }
}

std::optional<ProbeHit> ProbeTable::last_hit(const Tracked& thread, std::int32_t request_id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(thread->last_hits, request_id, &ProbeHit::request_id);
  return found == thread->last_hits.end() ? std::nullopt : std::optional(*found);
}

bool ProbeTable::is_in_check(jmethodID method) const {
  const Tracked self = agent_.threads().current();
  if (self && self->is_arriving && method != self->arrives_in) {
    // It runs the checks of others that follow: a look at its stack for each step would take long.
    constexpr unsigned kLookEvery = 64;  // as long as nobody has thrown it out of them
    if (++self->seen_on_the_way % kLookEvery != 0) {
      return true;
    }
  }
  return is_in_check_below(0);
}

bool ProbeTable::is_in_check() const {
  return is_in_check_below(0);
}

bool ProbeTable::is_in_check_below(std::size_t depth) const {
  constexpr std::size_t kAtOnce = 64;
  if (!agent_.code_versions().is_on() || (!checks_call_ && !stops_in_check())) {
    return false;
  }
  std::array<jvmtiFrameInfo, kAtOnce> frames{};
  for (std::size_t start = depth;; start += kAtOnce) {
    const auto count = agent_.jvmti()
                           .get_actual_stack_trace(nullptr, static_cast<jint>(start), frames)
                           .value_or(0);
    const auto found = std::span(frames).first(static_cast<std::size_t>(count));
    if (std::ranges::any_of(found, [&](const jvmtiFrameInfo& frame) {
          return agent_.code_versions().method(frame.method)->is_hidden;
        })) {
      return true;
    }
    if (found.size() < kAtOnce) {
      return false;
    }
  }
}

}  // namespace jvmdebug::agent::probes
