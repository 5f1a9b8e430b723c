// SPDX-License-Identifier: Apache-2.0
#include "agent/events/event_modes.h"

#include "agent/agent.h"
#include "agent/threads/stepper.h"

namespace jvmdebug::agent::events {

EventModes::EventModes(Agent& agent) : agent_(agent), env_(agent.jvmti()) {}

jvm::Result<void> EventModes::want_for_all(jvmtiEvent event) {
  int& count = for_all_[event];
  if (count == 0) {
    JVMDEBUG_CHECK(env_.set_event_notification_mode(JVMTI_ENABLE, event));
  }
  ++count;
  return {};
}

jvm::Result<void> EventModes::want_for_one(jvmtiEvent event, const threads::Tracked& thread) {
  return event == JVMTI_EVENT_METHOD_ENTRY
             ? agent_.stepper().want_method_entries(thread)
             : env_.set_event_notification_mode(JVMTI_ENABLE, event, thread->thread);
}

jvm::Result<void> EventModes::want(jvmtiEvent event, const threads::Tracked& thread) {
  Wish& wish = wanted_[Key(event, thread)];
  if (wish.count == 0) {
    const auto set = thread ? want_for_one(event, thread) : want_for_all(event);
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
  if (!for_all && event == JVMTI_EVENT_METHOD_ENTRY) {
    agent_.stepper().unwant_method_entries(thread);
    return;
  }
  // Fails when the thread has ended, and then there is nothing to switch off.
  (void)env_.set_event_notification_mode(JVMTI_DISABLE, event,
                                         for_all ? nullptr : thread->thread.get());
}

}  // namespace jvmdebug::agent::events
