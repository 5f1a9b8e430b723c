// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/virtual_thread_ends.h"

#include "agent/events/callbacks.h"

namespace jvmdebug::agent::threads {

void VirtualThreadEnds::ask_for(const TrackedThread& thread) {
  constexpr int kFew = 256;
  if (!thread.virtual_thread) {
    return;
  }
  const int known = ++known_;
  if (on_for_all_ ||
      (known <= kFew &&
       env_.set_event_notification_mode(JVMTI_ENABLE, events::kVirtualThreadEnd, thread.thread))) {
    return;
  }
  for_all_ = true;
  // Refused by no VM that has virtual threads.
  (void)env_.set_event_notification_mode(JVMTI_ENABLE, events::kVirtualThreadEnd);
  on_for_all_ = true;
}

void VirtualThreadEnds::heard(const TrackedThread& thread) {
  if (thread.virtual_thread) {
    --known_;
  }
}

void VirtualThreadEnds::keep_on() {
  if (for_all_) {
    (void)env_.set_event_notification_mode(JVMTI_ENABLE, events::kVirtualThreadEnd);
  }
}

}  // namespace jvmdebug::agent::threads
