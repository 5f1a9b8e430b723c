// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/monitor.h"

#include <cstdio>
#include <cstdlib>

#include "agent/jvm/env.h"

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace jvmdebug::agent::jvm {
namespace {

// ThreadSanitizer does not see the VM's monitors, so it is told when one is entered and left.
void entered([[maybe_unused]] void* monitor) {
#ifdef __SANITIZE_THREAD__
  __tsan_acquire(monitor);
#endif
}

void leaving([[maybe_unused]] void* monitor) {
#ifdef __SANITIZE_THREAD__
  __tsan_release(monitor);
#endif
}

// Ends the process: if a monitor cannot be entered or left, the agent's state is no longer guarded.
[[noreturn]] void abort_after(const char* action, jvmtiError code) {
  (void)std::fprintf(stderr, "jvmdebug: raw monitor %s failed, JVM TI error %d\n", action, code);
  std::abort();
}

// Whether the VM has ended: it refuses after VMDeath, when there are no other threads any more.
bool is_end_of_vm(jvmtiError code) {
  return code == JVMTI_ERROR_WRONG_PHASE || code == JVMTI_ERROR_INVALID_ENVIRONMENT;
}

}  // namespace

Result<Monitor> Monitor::create(const Env& env, const char* name, Rank rank) {
  jrawMonitorID raw = nullptr;
  if (const jvmtiError code = env.raw()->CreateRawMonitor(name, &raw); code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return Monitor(env.raw(), raw, rank);
}

Monitor::~Monitor() {
  if (raw_ != nullptr) {
    // Refused when another thread still owns it; then it must not be destroyed.
    (void)env_->DestroyRawMonitor(raw_);
  }
}

Lock::Lock(const Monitor& monitor) : monitor_(&monitor) {
#ifdef JVMDEBUG_CHECK_LOCK_ORDER
  is_inner_ = lock_order::entering_recursively(monitor.rank_);
#endif
  const jvmtiError code = monitor.env_->RawMonitorEnter(monitor.raw_);
  if (is_end_of_vm(code)) {
    note_left();
    monitor_ = nullptr;
    return;
  }
  if (code != JVMTI_ERROR_NONE) {
    abort_after("enter", code);
  }
  entered(monitor.raw_);
}

void Lock::note_left() const {
#ifdef JVMDEBUG_CHECK_LOCK_ORDER
  if (!is_inner_) {
    lock_order::left(monitor_->rank_);
  }
#endif
}

Lock::~Lock() {
  if (monitor_ == nullptr) {
    return;
  }
  note_left();
  leaving(monitor_->raw_);
  const jvmtiError code = monitor_->env_->RawMonitorExit(monitor_->raw_);
  if (code != JVMTI_ERROR_NONE && !is_end_of_vm(code)) {
    abort_after("exit", code);
  }
}

WaitOutcome Lock::wait(jlong timeout_ms) const {
  if (monitor_ == nullptr) {
    return WaitOutcome::kWoken;
  }
  leaving(monitor_->raw_);
  const jvmtiError code = monitor_->env_->RawMonitorWait(monitor_->raw_, timeout_ms);
  entered(monitor_->raw_);
  if (code == JVMTI_ERROR_INTERRUPT) {
    return WaitOutcome::kInterrupted;
  }
  if (code != JVMTI_ERROR_NONE && !is_end_of_vm(code)) {
    abort_after("wait", code);
  }
  return WaitOutcome::kWoken;
}

void Lock::notify_all() const {
  if (monitor_ == nullptr) {
    return;
  }
  const jvmtiError code = monitor_->env_->RawMonitorNotifyAll(monitor_->raw_);
  if (code != JVMTI_ERROR_NONE && !is_end_of_vm(code)) {
    abort_after("notify", code);
  }
}

}  // namespace jvmdebug::agent::jvm
