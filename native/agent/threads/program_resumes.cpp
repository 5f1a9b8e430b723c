// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/program_resumes.h"

#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::threads {

void ProgramResumes::watch(const jvm::Jni& jni) {
  const auto type = jni.find_class("java/lang/Thread");
  if (!type) {
    return;
  }
  // JDK 20 and newer do not have this native method: their resume() only throws.
  const bool resumes = jni->GetMethodID(type, "resume0", "()V") != nullptr;
  const jmethodID method = resumes ? jni->GetMethodID(type, "resume", "()V") : nullptr;
  (void)jni.clear_exception();
  if (method == nullptr) {
    return;
  }
  const auto extent = uses_.env.get_method_location(method);
  if (!extent || !uses_.breakpoints.enable_events()) {
    return;
  }
  method_ = method;
  // Without these breakpoints, such a call lets the thread run.
  (void)uses_.breakpoints.add({.method = method, .index = extent->first});
  (void)uses_.breakpoints.add({.method = method, .index = extent->last});
}

void ProgramResumes::at_breakpoint(const jvm::Jni& jni, const jvm::CodeLocation& location) {
  if (location.method != method_.load() || location.method == nullptr) {
    return;
  }
  const auto raw = uses_.env.get_local_instance(nullptr, 0);
  const auto resumed = raw ? jni.adopt(*raw) : jvm::LocalRef<jobject>();
  if (!resumed) {
    return;
  }
  auto* const thread = static_cast<jthread>(resumed.get());
  if (location.index == 0) {
    wait_for_debugger(thread);
  } else {
    suspend_again(thread);
  }
}

void ProgramResumes::wait_for_debugger(jthread resumed) {
  if (const auto thread = uses_.registry.find_begun(resumed)) {
    auto held = uses_.registry.lock();
    thread->changed.wait(held, [&] { return thread->suspend_count == 0; });
  }
}

void ProgramResumes::suspend_again(jthread resumed) {
  if (const auto thread = uses_.registry.find_begun(resumed)) {
    uses_.reporter.run_soon(
        [&suspension = uses_.suspension, thread] { suspension.suspend_again(thread); }, true);
  }
}

}  // namespace jvmdebug::agent::threads
