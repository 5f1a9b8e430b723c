// SPDX-License-Identifier: Apache-2.0
#include "agent/events/event_modes.h"

namespace jvmdebug::agent::events {

jvm::Result<void> EventModes::want_for_all(jvmtiEvent event) {
  int& count = for_all_[event];
  if (count == 0) {
    JVMDEBUG_CHECK(env_.set_event_notification_mode(JVMTI_ENABLE, event));
  }
  ++count;
  return {};
}

jvm::Result<void> EventModes::want(jvmtiEvent event, const threads::Tracked& thread) {
  Wish& wish = wanted_[Key(event, thread)];
  if (wish.count == 0) {
    const auto set = thread ? env_.set_event_notification_mode(JVMTI_ENABLE, event, thread->thread)
                            : want_for_all(event);
    // A thread that does not live yet cannot be asked for; the request's filter leaves others out.
    wish.for_all = !thread || (!set && set.error() == JVMTI_ERROR_THREAD_NOT_ALIVE);
    const auto outcome = thread && wish.for_all ? want_for_all(event) : set;
    if (!outcome) {
      wanted_.erase(Key(event, thread));
      return outcome;
    }
  }
  ++wish.count;
  return {};
}

void EventModes::unwant(jvmtiEvent event, const threads::Tracked& thread) {
  const auto found = wanted_.find(Key(event, thread));
  if (found == wanted_.end() || --found->second.count > 0) {
    return;
  }
  const bool for_all = found->second.for_all;
  wanted_.erase(found);
  if (for_all && --for_all_[event] > 0) {
    return;
  }
  // Fails when the thread has ended, and then there is nothing to switch off.
  (void)env_.set_event_notification_mode(JVMTI_DISABLE, event,
                                         for_all ? nullptr : thread->thread.get());
}

}  // namespace jvmdebug::agent::events
