// SPDX-License-Identifier: Apache-2.0
//
// The checks of probes, as this room uses them: a check may report the hit of a breakpoint request
// in place of the VM. Implemented by probes::ChecksOfProbes.
#pragma once

#include <memory>

#include "agent/code/older_versions.h"
#include "agent/events/code_location.h"
#include "agent/events/event_set.h"
#include "agent/jvm/jni.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent::events {

class EventRequest;
struct WatchedElements;

class Checks {
 public:
  // Marks that the current thread works for the debugger during the lifetime of the object, so that
  // nothing it does is a hit.
  class Run {
   public:
    Run() = default;
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    virtual ~Run() = default;
  };

  Checks() = default;
  Checks(const Checks&) = delete;
  Checks& operator=(const Checks&) = delete;
  virtual ~Checks() = default;

  // --- agent threads -------------------------------------------------------------------------
  // Whether threads stop inside checks, because the VM reports no breakpoints.
  [[nodiscard]] virtual bool stops_in_check() const = 0;
  // Whether the debugger installs a probe for each breakpoint, so that a request needs nothing
  // else.
  [[nodiscard]] virtual bool takes_breakpoints() const = 0;
  // Whether stores into watched arrays can be recognized.
  [[nodiscard]] virtual bool can_watch_elements() = 0;
  // Rids the method of older versions in which a breakpoint of the VM would do harm. False if that
  // is not possible now. Waits for threads and changes a class, so it takes no lock of this room.
  [[nodiscard]] virtual bool prepare_for_breakpoint(const CodeLocation& location) = 0;
  // Ends the probe of a request, if it has one.
  virtual void remove(const std::shared_ptr<EventRequest>& request) = 0;
  // Takes the calls of removed probes out of classes that no thread runs.
  virtual void sweep() = 0;
  // Takes them out of all classes: the debugger has removed all its requests.
  virtual void sweep_wholly() = 0;
  virtual void breakpoint_removed() = 0;

  // --- any thread ----------------------------------------------------------------------------
  // Whether the debugger can put probes where the VM sets no breakpoint.
  [[nodiscard]] virtual bool knows_probes() const = 0;
  virtual void breakpoint_set() = 0;
  [[nodiscard]] virtual const code::OlderVersions& older_versions() const = 0;

  // --- on the thread itself ------------------------------------------------------------------
  [[nodiscard]] virtual std::unique_ptr<Run> run_for_debugger(const jvm::Jni& jni) = 0;
  // Whether the thread is in a check, or in a method that a check has called.
  [[nodiscard]] virtual bool is_in_check() const = 0;
  // The same for a thread that runs `method`; faster.
  [[nodiscard]] virtual bool is_in_check(jmethodID method) const = 0;
  // Whether a step to an instruction counts as its breakpoint: the VM has none in old versions.
  [[nodiscard]] virtual bool watches_old_frames(bool is_in_old_frame) const = 0;
  // Called when the VM itself, and no check, has reported a breakpoint.
  virtual void reported_by_vm(const threads::Tracked& self) = 0;
  // Called when the thread has stepped to an instruction outside of checks.
  virtual void stepped(const jvm::Jni& jni, const Occurrence& step) = 0;
  // Notes what the current instruction, at which the VM has reported a breakpoint, is about to
  // write to a field of that type.
  virtual void note_write(const jvm::Jni& jni, const threads::Tracked& self, char type,
                          bool is_static) = 0;
  // Whether that instruction is about to store into one of the elements. Notes the store then.
  [[nodiscard]] virtual bool stores_to(const jvm::Jni& jni, const threads::Tracked& self,
                                       const WatchedElements& elements) = 0;
};

}  // namespace jvmdebug::agent::events
