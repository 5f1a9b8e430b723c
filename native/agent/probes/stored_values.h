// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: what a thread is about to store into an array or a field that is watched.
//
// The debugger asks for it after the stop, and then the operands are not on the stack any more, or
// out of reach. So they are noted when the thread comes to the instruction, and kept with the
// thread (Tracked::stored) until its next stop of that kind. They are known in two ways:
//
// - a check hands them over (note(), note_element(), note_write());
// - the VM has reported a breakpoint: they are read from the operand stack (read_element(),
//   read_write()).
//
// A reference is kept weakly: a watch keeps nothing of the program alive. A thread that runs a
// method for the debugger notes nothing, as the debugger may still ask about the stop before.
//
// Threads: last() is for any thread, all others for the thread that stores. The lock guards what
// threads keep; no call into the VM is made under it.
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

  // A check that hands over its arguments is for this probe; nothing if it is not for stores.
  void note(const jvm::Jni& jni, const threads::Tracked& self, const Probe& probe,
            jobjectArray references, jlongArray others);
  // A check has found a store into an array that the request watches.
  void note_element(const jvm::Jni& jni, const threads::Tracked& self,
                    const events::EventRequest& request, jint index, jlong bits, jobject reference);
  // A check is in front of an instruction that writes a field of `object`; null for a static one.
  void note_write(const jvm::Jni& jni, const threads::Tracked& self,
                  const events::EventRequest& request, jobject object, jlong bits,
                  jobject reference);
  // The VM has reported a breakpoint, and no check: what the instruction is about to write to a
  // field of that type.
  void read_write(const jvm::Jni& jni, const threads::Tracked& self, char type, bool is_static);
  // The same: whether the instruction is about to store into one of these elements.
  [[nodiscard]] bool read_element(const jvm::Jni& jni, const threads::Tracked& self,
                                  const events::WatchedElements& elements);

  // What the thread was about to store; null if it has stopped for something else.
  [[nodiscard]] std::shared_ptr<const threads::StoredElement> last(
      const threads::Tracked& thread) const;

 private:
  void keep(const threads::Tracked& self, std::shared_ptr<const threads::StoredElement> stored);

  const events::MethodExits& exits_;
  mutable RankedMutex<Rank::kProbes> mutex_;
};

}  // namespace jvmdebug::agent::probes
