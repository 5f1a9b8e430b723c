// SPDX-License-Identifier: Apache-2.0
// The part of ProbeTable that says what probes do: how often they hit, what log points have
// written, and which threads are in checks that call methods of the program, where they may stay
// for ever.
#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <ranges>
#include <utility>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/probes/probe_table.h"
#include "agent/scope.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::probes {

using threads::Tracked;

Probes ProbeTable::probes_on() const {
  Probes probes;
  const std::scoped_lock lock(mutex_);
  std::ranges::copy(std::views::values(by_number_), std::back_inserter(probes));
  return probes;
}

std::vector<ProbeUse> ProbeTable::uses() const {
  std::vector<ProbeUse> found;
  const jvm::Jni jni = agent_.jni();
  for (const auto& probe : probes_on()) {
    if (probe->is_companion) {
      continue;
    }
    found.push_back({.request_id = probe->request->id,
                     .hits = probe->hits,
                     .count = count_of(jni, probe->kept[kHits])});
  }
  return found;
}

LogRing::Records ProbeTable::read_log(std::size_t most, jsize longest) {
  return log_.read(agent_.jvmti(), agent_.objects(), most, longest);
}

std::vector<LostRecords> ProbeTable::lost_records() const {
  std::vector<LostRecords> found;
  const jvm::Jni jni = agent_.jni();
  for (const auto& probe : probes_on()) {
    if (probe->writes_log) {
      found.push_back(
          {.request_id = probe->request->id, .count = count_of(jni, probe->kept[kLost])});
    }
  }
  return found;
}

void ProbeTable::close_log() {
  log_.close(agent_.jni());
}

std::vector<RunningCheck> ProbeTable::running_checks() const {
  if (std::ranges::none_of(probes_on(), [](const auto& probe) { return probe->calls_methods; })) {
    return {};
  }
  std::vector<RunningCheck> found;
  const jvm::Jni jni = agent_.jni();
  for (const Tracked& thread : agent_.threads().tracked()) {
    const bool was_suspended = agent_.suspension().is_suspended(thread->thread);
    if (!has_check(thread) || !agent_.suspension().suspend(thread->thread)) {
      continue;
    }
    const AtExit resume([&] { agent_.suspension().resume_quietly(thread); });
    if (auto check = running_check(jni, thread)) {
      check->suspended = was_suspended;
      found.push_back(std::move(*check));
    }
  }
  return found;
}

bool ProbeTable::has_check(const Tracked& thread) const {
  return std::ranges::any_of(code::actual_frames(agent_.jvmti(), thread->thread),
                             [&](const jvmtiFrameInfo& frame) {
                               return agent_.code_versions().method(frame.method)->is_hidden;
                             });
}

// Of a suspended thread.
std::optional<RunningCheck> ProbeTable::running_check(const jvm::Jni& jni,
                                                      const Tracked& thread) const {
  const jvm::Env& env = agent_.jvmti();
  const auto frames = code::actual_frames(env, thread->thread);
  // The outermost: a check that runs within another one does not keep the thread any longer.
  const auto of_agent =
      std::ranges::find_if(std::views::reverse(frames), [&](const jvmtiFrameInfo& frame) {
        return agent_.code_versions().method(frame.method)->is_hidden;
      });
  if (of_agent == frames.rend()) {
    return std::nullopt;
  }
  const auto probe = of_check(jni, of_agent->method);
  if (!probe || !probe->calls_methods) {
    return std::nullopt;
  }
  const auto kept = guard_.numbers_of(jni, thread->thread);
  std::array<jint, 2> numbers{};
  if (!kept) {
    return std::nullopt;  // it has just begun
  }
  jni->GetIntArrayRegion(kept, 0, numbers.size(), numbers.data());
  if (jni.clear_exception() || numbers[0] == 0) {
    return std::nullopt;
  }
  RunningCheck running;
  running.request_id = probe->request->id;
  running.thread = thread;
  running.run = numbers[1];
  const jmethodID top = frames.front().method;
  if (const auto names = env.get_method_name(top)) {
    running.method = names->name.utf8();
  }
  const auto type = jni.adopt(env.get_method_declaring_class(top).value_or(nullptr));
  if (const auto signature = env.get_class_signature_only(type)) {
    running.type = signature->utf8();
  }
  return running;
}

std::shared_ptr<Probe> ProbeTable::of_check(const jvm::Jni& jni, jmethodID method) const {
  const auto type = jni.adopt(agent_.jvmti().get_method_declaring_class(method).value_or(nullptr));
  const auto probes = probes_on();
  const auto found = std::ranges::find_if(
      probes, [&](const auto& probe) { return jni.same(probe->check_type(jni), type); });
  return found == probes.end() ? nullptr : *found;
}

}  // namespace jvmdebug::agent::probes
