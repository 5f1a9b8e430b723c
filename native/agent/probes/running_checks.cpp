// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/running_checks.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "agent/code/code_versions.h"
#include "agent/code/thread_stacks.h"
#include "agent/probes/check_frames.h"
#include "agent/probes/check_guard.h"
#include "agent/probes/probe_list.h"
#include "agent/scope.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::probes {

using threads::Tracked;

std::vector<RunningCheck> RunningChecks::find() const {
  if (!probes_.has_calls()) {
    return {};
  }
  std::vector<RunningCheck> found;
  const jvm::Jni jni = env_.jni();
  for (const Tracked& thread : threads_.tracked()) {
    const bool was_suspended = suspension_.is_suspended(thread->thread);
    if (!frames_.has_check(thread) || !suspension_.suspend(thread->thread)) {
      continue;
    }
    const AtExit resume([&] { suspension_.resume_quietly(thread); });
    if (auto check = check_of(jni, thread)) {
      check->suspended = was_suspended;
      found.push_back(std::move(*check));
    }
  }
  return found;
}

// Returns the check that a suspended thread runs.
std::optional<RunningCheck> RunningChecks::check_of(const jvm::Jni& jni,
                                                    const Tracked& thread) const {
  const auto frames = code::actual_frames(env_, thread->thread);
  // Takes the outermost one, because a check that runs within another one keeps the thread no
  // longer than that does.
  const auto of_agent = std::ranges::find_if(
      std::views::reverse(frames),
      [&](const jvmtiFrameInfo& frame) { return versions_.method(frame.method)->is_hidden; });
  if (of_agent == frames.rend()) {
    return std::nullopt;
  }
  const auto probe = probes_.of_check(jni, of_agent->method);
  if (!probe || !probe->calls_methods) {
    return std::nullopt;
  }
  const auto kept = guard_.numbers_of(jni, thread->thread);
  std::array<jint, 2> numbers{};
  if (!kept) {
    return std::nullopt;  // the check has just begun
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
  if (const auto names = env_.get_method_name(top)) {
    running.method = names->name.utf8();
  }
  const auto type = jni.adopt(env_.get_method_declaring_class(top).value_or(nullptr));
  if (const auto signature = env_.get_class_signature_only(type)) {
    running.type = signature->utf8();
  }
  return running;
}

}  // namespace jvmdebug::agent::probes
