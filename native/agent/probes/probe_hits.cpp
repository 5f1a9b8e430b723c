// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/probe_hits.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "agent/events/composer.h"
#include "agent/probes/check_frames.h"
#include "agent/probes/probe_list.h"
#include "agent/probes/stored_values.h"
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

jint ProbeHits::stop(const jvm::Jni& jni, std::int32_t number, std::int32_t outcome,
                     std::int64_t count, jobjectArray references, jlongArray others) {
  const auto probe = probes_.find(number);
  if (!probe || !probe->request->active) {
    return kGoOn;
  }
  const auto thread = env_.get_current_thread();
  const auto self = thread ? threads_.enter(jni, *thread) : nullptr;
  // Nothing is reported while the thread runs a method for the debugger inside a check, either.
  if (!self || frames_.is_below(kStopFrames)) {
    return kGoOn;
  }
  ++probe->hits;
  const jint height = env_.get_frame_count(nullptr).value_or(0) - static_cast<jint>(kStopFrames);
  stored_.note(jni, self, *probe, references, others);
  auto values =
      std::make_shared<const FrameValues>(jni, probe->call.loads, references, others, height);
  // Drops hits that an exception from outside (Thread.stop) has kept from arrived().
  if (self->values_to_report && self->values_to_report->height() != height) {
    self->probe_hits.clear();
  }
  auto hits = std::exchange(self->probe_hits, {});
  if (!hits.empty() && self->values_to_report && self->values_to_report->size() > values->size()) {
    values = self->values_to_report;
  }
  self->values_to_report = nullptr;
  std::erase_if(hits, [&](const ProbeHit& hit) {
    const auto other = probes_.find(hit.number);
    return !other || other->request->location != probe->request->location;
  });
  hits.push_back(
      {.request_id = probe->request->id, .number = number, .outcome = outcome, .count = count});
  auto there = probes_at(*probe, static_cast<jint>(kStopFrames));
  if (std::ranges::find(there, kArrival) != there.end()) {  // arrive() follows
    self->probe_hits = std::move(hits);
    self->values_to_report = std::move(values);
    return kArrive;
  }
  return report(jni, self, std::move(hits), std::move(values), std::move(there));
}

// Returns the numbers of the probes at the location, in the version of the method that the current
// thread runs at this depth. Reads them from the VM, because CodeVersions may know the class as it
// was before its last change. The class may also change between the two reads here; then the
// frame's method has another id.
std::vector<std::uint16_t> ProbeHits::probes_at(const Probe& probe, jint depth) const {
  const auto version = [&] -> jmethodID {
    std::array<jvmtiFrameInfo, 1> frame{};
    const auto count = env_.get_actual_stack_trace(nullptr, depth, frame).value_or(0);
    return count == 0 ? nullptr : frame.front().method;
  };
  constexpr int kTries = 8;
  jmethodID method = version();
  for (int tried = 0; tried < kTries && method != nullptr; ++tried) {
    const auto code = env_.get_actual_bytecodes(method);
    const auto map = code ? classfile::CodeMap::read(code->span()) : std::nullopt;
    if (const jmethodID now = version(); now != method) {
      method = now;
      continue;
    }
    return map ? map->probes_at(probe.request->location.index) : std::vector<std::uint16_t>{};
  }
  return {};
}

jint ProbeHits::arrived(const jvm::Jni& jni) {
  const Tracked self = threads_.current();
  if (!self || self->probe_hits.empty()) {
    return kGoOn;
  }
  auto hits = std::exchange(self->probe_hits, {});
  auto values = std::exchange(self->values_to_report, nullptr);
  const auto first = probes_.find(hits.front().number);
  const jint height = env_.get_frame_count(nullptr).value_or(0) - static_cast<jint>(kArriveFrames);
  if (!first || !values || values->height() != height) {
    return kArrive;  // the probe is gone, or an exception has led the thread out of that frame
  }
  return kArrive | report(jni, self, std::move(hits), std::move(values),
                          probes_at(*first, static_cast<jint>(kArriveFrames)));
}

// `there`: the probes that the code has at the location. They report their hits themselves.
jint ProbeHits::report(const jvm::Jni& jni, const Tracked& self, std::vector<ProbeHit> hits,
                       std::shared_ptr<const FrameValues> values,
                       std::vector<std::uint16_t> there) {
  const auto first = probes_.find(hits.front().number);
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
      parking_.leave(self);
      left_check(self);
    }
  });
  composer_.take(jni, here);
  stays = self->waits_in_java && parking_.stays(jni, self, false);
  return stays ? kWait : kGoOn;
}

bool ProbeHits::still_waits(const jvm::Jni& jni) {
  const Tracked self = threads_.current();
  if (!self || !self->waits_in_java) {
    return false;  // the agent for which it has stopped is gone
  }
  self->is_in_native_wait = true;
  bool stays = false;
  const AtExit leave([&] {
    if (!stays) {
      parking_.leave(self);
      left_check(self);
    }
  });
  stays = parking_.stays(jni, self, true);
  return stays;
}

void ProbeHits::left_check(const Tracked& self) const {
  self->waits_in_java = false;
  std::shared_ptr<const FrameValues> values;  // released after the lock
  const std::scoped_lock lock(mutex_);
  values.swap(self->frame_values);
}

std::shared_ptr<const FrameValues> ProbeHits::values_of(const Tracked& thread, jint depth) const {
  std::shared_ptr<const FrameValues> values;
  {
    const std::scoped_lock lock(mutex_);
    values = thread->frame_values;
  }
  const jint frames = env_.get_frame_count(thread->thread).value_or(0);
  return values && frames - depth == values->height() ? values : nullptr;
}

Tracked ProbeHits::reported_thread(const jvm::Jni& jni, Probe* probe) {
  if (probe == nullptr || !probe->request->active) {
    return nullptr;
  }
  const auto thread = env_.get_current_thread();
  const auto self = thread ? threads_.enter(jni, *thread) : nullptr;
  return frames_.is_below(kCheckFrames) ? nullptr : self;
}

void ProbeHits::report_behind(const Tracked& self, Probe& probe, std::int32_t outcome,
                              std::int64_t count) {
  ++probe.hits;
  self->probe_hits.push_back({.request_id = probe.request->id,
                              .number = probe.call.number,
                              .outcome = outcome,
                              .count = count});
  self->arrives_in = probe.request->location.method;
  self->is_arriving = true;
  stepper_.apply(self);
}

void ProbeHits::hit(const jvm::Jni& jni, std::int32_t number, std::int32_t outcome,
                    std::int64_t count) {
  const auto probe = probes_.find(number);
  if (const Tracked self = reported_thread(jni, probe.get())) {
    report_behind(self, *probe, outcome, count);
  }
}

void ProbeHits::store(const jvm::Jni& jni, std::int32_t number, jint index, jlong bits,
                      jobject reference) {
  const auto probe = probes_.find(number);
  if (const Tracked self = reported_thread(jni, probe.get())) {
    stored_.note_element(jni, self, *probe->request, index, bits, reference);
    report_behind(self, *probe, 0, 0);
  }
}

void ProbeHits::write(const jvm::Jni& jni, const ProbeHit& hit, jobject object, jlong bits,
                      jobject reference) {
  const auto probe = probes_.find(hit.number);
  if (const Tracked self = reported_thread(jni, probe.get())) {
    stored_.note_write(jni, self, *probe->request, object, bits, reference);
    report_behind(self, *probe, hit.outcome, hit.count);
  }
}

// The first instruction that the program runs after its probes is the one behind them.
void ProbeHits::stepped(const jvm::Jni& jni, const Occurrence& step) {
  const Tracked self = threads_.current();
  if (!self || !self->is_arriving) {
    return;
  }
  auto hits = std::exchange(self->probe_hits, {});
  self->is_arriving = false;
  stepper_.apply(self);
  Occurrence here = step;
  here.kind = EventKind::kBreakpoint;
  std::erase_if(hits, [&](const ProbeHit& hit) {
    const auto probe = probes_.find(hit.number);
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
  self->is_in_breakpoint_event = true;  // for all requests at the location
  ++self->arrivals;
  const AtExit leave([&] { self->is_in_breakpoint_event = false; });
  composer_.take(jni, here);
}

// Keeps the hits while the thread runs a method for the debugger, which may still ask about the
// stop before.
void ProbeHits::reported_by_vm(const Tracked& self) const {
  if (self && self->invocations == 0) {
    const std::scoped_lock lock(mutex_);
    self->last_hits.clear();
  }
}

std::optional<ProbeHit> ProbeHits::last(const Tracked& thread, std::int32_t request_id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(thread->last_hits, request_id, &ProbeHit::request_id);
  return found == thread->last_hits.end() ? std::nullopt : std::optional(*found);
}

}  // namespace jvmdebug::agent::probes
