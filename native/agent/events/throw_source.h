// SPDX-License-Identifier: Apache-2.0
//
// Finds the exceptions that requests ask for in a VM that reports none (the fast mode).
// Implemented by throws::ThrowWatch.
#pragma once

#include "agent/events/event_set.h"
#include "agent/jvm/jni.h"
#include "agent/threads/tracked_thread.h"
#include "codec/result.h"

namespace jvmdebug::agent::events {

class ThrowSource {
 public:
  ThrowSource() = default;
  ThrowSource(const ThrowSource&) = delete;
  ThrowSource& operator=(const ThrowSource&) = delete;
  virtual ~ThrowSource() = default;

  // Called on an agent thread after a request for exceptions has been published, or has become
  // inactive.
  [[nodiscard]] virtual Result<void> update() = 0;
  // Called on the thread itself after the event of the breakpoint was reported to the debugger.
  virtual void at_breakpoint(const jvm::Jni& jni, const Occurrence& occurrence) = 0;
  virtual void thread_ended(const threads::Tracked& self) = 0;
};

}  // namespace jvmdebug::agent::events
