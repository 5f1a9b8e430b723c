// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/virtual_thread_ends.h"

#include "agent/events/callbacks.h"

namespace jvmdebug::agent::threads {

void VirtualThreadEnds::ask_for(TrackedThread& thread) {
  constexpr int kFew = 256;
  if (!thread.virtual_thread) {
    return;
  }
  const int known = ++known_;
  thread.end_notice = EndNotice::kAmongAll;
  if (on_for_all_) {
    return;
  }
  if (known <= kFew &&
      env_.set_event_notification_mode(JVMTI_ENABLE, events::kVirtualThreadEnd, thread.thread)) {
    thread.end_notice = EndNotice::kOwn;
    return;
  }
  switch_on_for_all();
}

void VirtualThreadEnds::switch_on_for_all() {
  for_all_ = true;
  // Does not fail in a VM that has virtual threads.
  (void)env_.set_event_notification_mode(JVMTI_ENABLE, events::kVirtualThreadEnd);
  on_for_all_ = true;
}

void VirtualThreadEnds::heard(TrackedThread& thread) {
  if (thread.end_notice.exchange(EndNotice::kNone) != EndNotice::kNone) {
    --known_;
  }
}

void VirtualThreadEnds::give_up(TrackedThread& thread) {
  if (thread.end_notice == EndNotice::kOwn) {
    // Fails if the thread has ended.
    (void)env_.set_event_notification_mode(JVMTI_DISABLE, events::kVirtualThreadEnd, thread.thread);
  }
  heard(thread);
}

void VirtualThreadEnds::rest() {
  if (always_ || !for_all_ || known_ > 0) {
    return;
  }
  for_all_ = on_for_all_ = false;
  (void)env_.set_event_notification_mode(JVMTI_DISABLE, events::kVirtualThreadEnd);
  if (known_ > 0) {
    switch_on_for_all();  // a thread that is tracked since may depend on it
  }
}

void VirtualThreadEnds::keep_on() {
  if (for_all_) {
    (void)env_.set_event_notification_mode(JVMTI_ENABLE, events::kVirtualThreadEnd);
  }
}

}  // namespace jvmdebug::agent::threads
