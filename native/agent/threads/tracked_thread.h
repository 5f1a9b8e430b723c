// SPDX-License-Identifier: Apache-2.0
//
// What the agent knows of one thread of the debuggee. Made and owned by the ThreadRegistry; shared,
// because a thread in an event may still use its own after the registry has dropped it. Each part
// of the agent has its own fields here: the groups below say whose they are.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <jvmti.h>

#include "agent/events/code_location.h"
#include "agent/events/event_set.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"

namespace jvmdebug::agent::threads {

class Invocation;
class Step;

// The location of the last reported event. A breakpoint that was set there before the thread went
// on is not reported again; one that is set later is.
struct ReportedLocation {
  jmethodID method = nullptr;
  jlocation index = -1;
  std::int32_t newest_breakpoint = 0;  // the request that was there last when the thread went on
};

// The topmost frame of a thread: equal when the thread has not run in between, or nearly so.
struct TopFrame {
  jint frames = 0;  // all of them
  jmethodID method = nullptr;
  jlocation index = -1;

  bool operator==(const TopFrame&) const = default;
};

// How a thread whose suspend count is above 0 is suspended.
enum class SuspendState : std::uint8_t {
  kNone,         // not by the agent: the count is 0, or the program has suspended the thread
  kJvmti,        // by JVM TI, which must resume it
  kAtNextEvent,  // JVM TI cannot, as the thread begins or ends: it waits in its next event
};

// What a thread does about an event that is reported. Parking has the table of transitions.
enum class ParkState : std::uint8_t {
  kRunning,
  kReporting,
  kParked,
  kCalled,
  kInvoking,
  kLeaving,
  kPopping,
  kPopped,
};

// How the agent is told of the end of a virtual thread.
enum class EndNotice : std::uint8_t { kNone, kOwn, kAmongAll };

struct TrackedThread {
  TrackedThread(std::uintptr_t number, jvm::GlobalRef<jthread> reference, bool is_virtual)
      : key(number), thread(std::move(reference)), virtual_thread(is_virtual) {}

  const std::uintptr_t key;  // what the VM's thread-local storage holds for this thread
  const jvm::GlobalRef<jthread> thread;
  const bool virtual_thread;

  // --- ThreadRegistry; guarded by its lock ---------------------------------------------------
  bool ended = false;  // its last event was sent; kept only while it is suspended

  // --- Suspension; guarded by the registry's lock --------------------------------------------
  int suspend_count = 0;
  SuspendState suspend_state = SuspendState::kNone;

  // --- Parking; guarded by the registry's lock -----------------------------------------------
  ParkState park_state = ParkState::kRunning;
  std::shared_ptr<Invocation> next_invocation;  // in the state kCalled
  int invocations = 0;    // methods that it runs for the debugger now, one inside the other
  jint frames_below = 0;  // the innermost of them
  std::optional<TopFrame> returns_from;  // where it was made to return, until it leaves its event
  // For when it leaves the event in which it is: not for the methods that it runs there.
  bool interrupt_later = false;
  jvm::GlobalRef<jobject> stop_later;
  Condition changed;  // the state or the suspend count

  // --- Stepper, FramePopper, VirtualThreadEnds; any thread -----------------------------------
  std::atomic<std::shared_ptr<Step>> step;
  std::atomic<bool> step_to_pop = false;        // FramePopper wants single steps
  std::atomic<bool> entries_requested = false;  // the debugger wants method entries
  std::atomic<std::uint8_t> applied_modes = 0;  // events that the Stepper has enabled for it
  std::atomic<EndNotice> end_notice = EndNotice::kNone;

  // --- Composer; the thread itself only ------------------------------------------------------
  events::EventSet pending;  // events at this location that wait for a co-located one
  ReportedLocation last_reported;
  // The breakpoint whose event the thread is in; method null: it is in none.
  events::CodeLocation at_breakpoint;
};

using Tracked = std::shared_ptr<TrackedThread>;

}  // namespace jvmdebug::agent::threads
