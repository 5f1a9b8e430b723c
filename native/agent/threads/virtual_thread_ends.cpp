// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/virtual_thread_ends.h"

#include "agent/jvm/newer_events.h"

namespace jvmdebug::agent::threads {

void VirtualThreadEnds::enable_for(TrackedThread& thread) {
  constexpr int kFew = 256;
  if (!thread.virtual_thread) {
    return;
  }
  const int known = ++known_;
  thread.end_notice = EndNotice::kAmongAll;
  if (is_enabled_for_all_) {
    return;
  }
  if (known <= kFew &&
      env_.set_event_notification_mode(JVMTI_ENABLE, jvm::kVirtualThreadEnd, thread.thread)) {
    thread.end_notice = EndNotice::kOwn;
    return;
  }
  enable_for_all();
}

void VirtualThreadEnds::enable_for_all() {
  needs_all_ = true;
  // Does not fail in a VM that has virtual threads.
  (void)env_.set_event_notification_mode(JVMTI_ENABLE, jvm::kVirtualThreadEnd);
  is_enabled_for_all_ = true;
}

void VirtualThreadEnds::forget(TrackedThread& thread) {
  if (thread.end_notice.exchange(EndNotice::kNone) != EndNotice::kNone) {
    --known_;
  }
}

void VirtualThreadEnds::disable_for(TrackedThread& thread) {
  if (thread.end_notice == EndNotice::kOwn) {
    // Fails if the thread has ended.
    (void)env_.set_event_notification_mode(JVMTI_DISABLE, jvm::kVirtualThreadEnd, thread.thread);
  }
  forget(thread);
}

void VirtualThreadEnds::disable_if_unused() {
  if (always_ || !needs_all_ || known_ > 0) {
    return;
  }
  needs_all_ = is_enabled_for_all_ = false;
  (void)env_.set_event_notification_mode(JVMTI_DISABLE, jvm::kVirtualThreadEnd);
  if (known_ > 0) {
    enable_for_all();  // a thread that is tracked since may depend on it
  }
}

void VirtualThreadEnds::enable_again() {
  if (needs_all_) {
    (void)env_.set_event_notification_mode(JVMTI_ENABLE, jvm::kVirtualThreadEnd);
  }
}

}  // namespace jvmdebug::agent::threads
