// SPDX-License-Identifier: Apache-2.0
#include "agent/events/event_modes.h"

#include <mutex>

#include "agent/threads/stepper.h"

namespace jvmdebug::agent::events {

jvm::Result<void> EventModes::enable_for_all(jvmtiEvent event) {
  int& count = for_all_[event];
  if (count == 0) {
    JVMDEBUG_CHECK(env_.set_event_notification_mode(JVMTI_ENABLE, event));
  }
  ++count;
  return {};
}

jvm::Result<void> EventModes::enable_for_thread(jvmtiEvent event, const threads::Tracked& thread) {
  return event == JVMTI_EVENT_METHOD_ENTRY
             ? stepper_.enable_method_entries(thread)
             : env_.set_event_notification_mode(JVMTI_ENABLE, event, thread->thread);
}

jvm::Result<void> EventModes::enable(jvmtiEvent event, const threads::Tracked& thread) {
  const std::scoped_lock lock(mutex_);
  EnabledEvent& entry = enabled_[Key(event, thread)];
  if (entry.count == 0) {
    const auto set = thread ? enable_for_thread(event, thread) : enable_for_all(event);
    // JVM TI refuses a thread that has not started; then the request's filter excludes other
    // threads.
    entry.for_all = !thread || (!set && set.error() == JVMTI_ERROR_THREAD_NOT_ALIVE);
    const auto outcome = thread && entry.for_all ? enable_for_all(event) : set;
    if (!outcome) {
      enabled_.erase(Key(event, thread));
      return outcome;
    }
  }
  ++entry.count;
  return {};
}

void EventModes::disable(jvmtiEvent event, const threads::Tracked& thread) {
  const std::scoped_lock lock(mutex_);
  const auto found = enabled_.find(Key(event, thread));
  if (found == enabled_.end() || --found->second.count > 0) {
    return;
  }
  const bool for_all = found->second.for_all;
  enabled_.erase(found);
  if (for_all && --for_all_[event] > 0) {
    return;
  }
  if (!for_all && event == JVMTI_EVENT_METHOD_ENTRY) {
    stepper_.disable_method_entries(thread);
    return;
  }
  // Fails when the thread has ended, and then there is nothing to disable.
  (void)env_.set_event_notification_mode(JVMTI_DISABLE, event,
                                         for_all ? nullptr : thread->thread.get());
}

}  // namespace jvmdebug::agent::events
