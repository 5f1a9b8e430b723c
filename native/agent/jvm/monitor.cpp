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

// ThreadSanitizer does not see into the VM, whose monitors these are: it is told of the order.
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

// The highest rank that this thread has entered. Per thread and only used for the check of the
// order, so it is no state of the agent.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): see above
thread_local std::uint8_t entered_rank = 0;

// A monitor that cannot be entered or left means that the agent's state is no longer guarded.
[[noreturn]] void give_up(const char* action, jvmtiError code) {
  (void)std::fprintf(stderr, "jvmdebug: raw monitor %s failed, JVM TI error %d\n", action, code);
  std::abort();
}

// After VMDeath the VM refuses; nobody is left to guard against.
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
    // Refused when another thread still owns it: then it must live on.
    (void)env_->DestroyRawMonitor(raw_);
  }
}

Lock::Lock(const Monitor& monitor) : monitor_(&monitor), outer_rank_(entered_rank) {
  const auto rank = static_cast<std::uint8_t>(monitor.rank_);
#ifndef NDEBUG
  if (rank < outer_rank_) {
    (void)std::fprintf(stderr, "jvmdebug: monitor of rank %d entered while holding rank %d\n", rank,
                       outer_rank_);
    std::abort();
  }
#endif
  const jvmtiError code = monitor.env_->RawMonitorEnter(monitor.raw_);
  if (is_end_of_vm(code)) {
    monitor_ = nullptr;
    return;
  }
  if (code != JVMTI_ERROR_NONE) {
    give_up("enter", code);
  }
  entered(monitor.raw_);
  entered_rank = rank;
}

Lock::~Lock() {
  if (monitor_ == nullptr) {
    return;
  }
  entered_rank = outer_rank_;
  leaving(monitor_->raw_);
  const jvmtiError code = monitor_->env_->RawMonitorExit(monitor_->raw_);
  if (code != JVMTI_ERROR_NONE && !is_end_of_vm(code)) {
    give_up("exit", code);
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
    give_up("wait", code);
  }
  return WaitOutcome::kWoken;
}

void Lock::notify_all() const {
  if (monitor_ == nullptr) {
    return;
  }
  const jvmtiError code = monitor_->env_->RawMonitorNotifyAll(monitor_->raw_);
  if (code != JVMTI_ERROR_NONE && !is_end_of_vm(code)) {
    give_up("notify", code);
  }
}

}  // namespace jvmdebug::agent::jvm
