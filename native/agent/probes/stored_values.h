// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: what a thread is about to store into a watched array or field.
//
// The debugger asks for it after the stop. By then the operands are no longer on the stack, or
// cannot be read. So they are noted when the thread comes to the instruction, and are kept with the
// thread (Tracked::stored) until its next stop of that kind. They are known in two ways:
//
// - a check hands them over (note(), note_element(), note_write());
// - the VM has reported a breakpoint, and they are read from the operand stack (read_element(),
//   read_write()).
//
// References are weak, so a watch keeps no object of the program alive. A thread that runs a method
// for the debugger notes nothing, because the debugger may still ask about the stop before.
//
// Threads: last() is for any thread, all others are for the thread that stores. The lock guards
// what threads keep; it is not held during calls into the VM.
#pragma once

#include <memory>

#include <jvmti.h>

#include "agent/events/event_request.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/probes/probed_class.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent::events {
class MethodExits;
}

namespace jvmdebug::agent::probes {

class StoredValues {
 public:
  explicit StoredValues(const events::MethodExits& exits) : exits_(exits) {}

  // Notes the store for which a check has handed over its arguments. Does nothing if the probe is
  // not for stores.
  void note(const jvm::Jni& jni, const threads::Tracked& self, const Probe& probe,
            jobjectArray references, jlongArray others);
  // Notes a store that a check has found, into an array that the request watches.
  void note_element(const jvm::Jni& jni, const threads::Tracked& self,
                    const events::EventRequest& request, jint index, jlong bits, jobject reference);
  // Notes a write that a check is in front of. `object` has the field; it is null for a static one.
  void note_write(const jvm::Jni& jni, const threads::Tracked& self,
                  const events::EventRequest& request, jobject object, jlong bits,
                  jobject reference);
  // Notes what the current instruction, at which the VM has reported a breakpoint, is about to
  // write to a field of that type.
  void read_write(const jvm::Jni& jni, const threads::Tracked& self, char type, bool is_static);
  // Whether the current instruction, at which the VM has reported a breakpoint, is about to store
  // into one of these elements. Notes it then.
  [[nodiscard]] bool read_element(const jvm::Jni& jni, const threads::Tracked& self,
                                  const events::WatchedElements& elements);

  // Returns what the thread was about to store; null if it has stopped for something else.
  [[nodiscard]] std::shared_ptr<const threads::StoredElement> last(
      const threads::Tracked& thread) const;

 private:
  void keep(const threads::Tracked& self, std::shared_ptr<const threads::StoredElement> stored);

  const events::MethodExits& exits_;
  mutable RankedMutex<Rank::kProbes> mutex_;
};

}  // namespace jvmdebug::agent::probes
