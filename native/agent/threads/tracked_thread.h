// SPDX-License-Identifier: Apache-2.0
//
// What the agent knows of one thread of the debuggee: how often it is suspended, whether it stands
// in one of our event callbacks, what it is to do there, and its step. Made and owned by the
// ThreadTable; shared, because an event thread may still look at its own after the table let go.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <optional>

#include <jvmti.h>

#include "agent/events/code_place.h"
#include "agent/events/event_set.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::threads {

class Invocation;
class Step;

// The place of the last reported event. A breakpoint that was set there before the thread went on
// is not reported again; one that is set later is.
struct ReportedPlace {
  jmethodID method = nullptr;
  jlocation index = -1;
  std::int32_t newest_breakpoint = 0;  // the request that was there last when the thread went on
};

// Where a thread stands: tells whether it has run, or nearly so.
struct Standing {
  jint frames = 0;
  jmethodID method = nullptr;
  jlocation index = -1;

  bool operator==(const Standing&) const = default;
};

// How the agent hears of the end of a virtual thread.
enum class EndNotice : std::uint8_t { kNone, kOwn, kAmongAll };

struct TrackedThread {
  TrackedThread(std::uintptr_t number, jvm::GlobalRef<jthread> reference, bool is_virtual)
      : key(number), thread(std::move(reference)), virtual_thread(is_virtual) {}

  const std::uintptr_t key;  // what the VM's thread-local storage holds for this thread
  const jvm::GlobalRef<jthread> thread;
  const bool virtual_thread;

  // --- guarded by the ThreadTable's mutex ----------------------------------------------------
  int suspend_count = 0;
  bool stopped = false;           // JVM TI has it suspended on our behalf; we owe a resume
  bool suspend_at_start = false;  // was suspended before it lived
  bool ended = false;             // its last event was told; kept only while it is suspended
  bool may_invoke = false;        // parked in an event that was reported, so it can run methods
  bool reporting = false;         // waits for its event to be sent
  bool leave_park = false;        // go on although suspend_count > 0 (a frame is being popped)
  bool popping = false;           // stop at the next single step and say so
  bool popped = false;            // it has stopped there
  int invocations = 0;            // methods that it runs for the debugger now, one inside the other
  jint frames_below = 0;          // of the innermost of them
  std::shared_ptr<Invocation> next_invocation;
  std::optional<Standing> returns_from;  // where it was made to return, until it has left its event
  std::condition_variable changed;       // any of the above
  // For when it goes on from the event in which it stands: not for what it runs there.
  bool interrupt_later = false;
  jvm::GlobalRef<jobject> stop_later;

  // --- any thread ----------------------------------------------------------------------------
  std::atomic<std::shared_ptr<Step>> step;
  std::atomic<bool> step_to_pop = false;        // single steps are wanted by the frame popper
  std::atomic<bool> entries_requested = false;  // method entries are wanted by the debugger
  std::atomic<std::uint8_t> applied_modes = 0;  // events that the Stepper has switched on for it
  std::atomic<EndNotice> end_notice = EndNotice::kNone;  // VirtualThreadEnds

  // --- the thread itself only ----------------------------------------------------------------
  events::EventSet pending;  // events at this place that wait for a co-located one
  ReportedPlace last_reported;
  events::CodePlace at_breakpoint;  // in whose event it stands; method null: in none
};

}  // namespace jvmdebug::agent::threads
