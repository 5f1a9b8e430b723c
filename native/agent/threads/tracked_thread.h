// SPDX-License-Identifier: Apache-2.0
//
// The state that the agent keeps for one thread of the debuggee. Made and owned by the
// ThreadRegistry; shared, because a thread in an event may still use its record after the registry
// has dropped it. Each group of fields below belongs to the part of the agent that it names.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <jvmti.h>

#include "agent/atomic_shared.h"
#include "agent/jvm/code_location.h"
#include "agent/jvm/env.h"
#include "agent/jvm/java_value.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/threads/pending_events.h"

namespace jvmdebug::agent::probes {
class FrameValues;
}  // namespace jvmdebug::agent::probes

namespace jvmdebug::agent::threads {

class Invocation;
class Step;

// The location of the last reported event. A breakpoint that was set there before the thread went
// on is not reported again; one that is set later is.
struct ReportedLocation {
  jmethodID method = nullptr;
  jlocation index = -1;
  std::int32_t newest_breakpoint = 0;  // the newest request when the thread went on
};

// The topmost frame of a thread, to check whether the thread has run since. If it is still equal,
// the thread most likely has not.
struct TopFrame {
  jint frames = 0;  // the number of all frames
  jmethodID method = nullptr;
  jlocation index = -1;

  bool operator==(const TopFrame&) const = default;
};

// How a thread whose suspend count is above 0 is suspended.
enum class SuspendState : std::uint8_t {
  kNone,         // not by the agent: its count is 0, or the program has suspended it
  kJvmti,        // by JVM TI, which must resume it
  kAtNextEvent,  // JVM TI cannot, because the thread begins or ends; it waits in its next event
};

// The state of a thread in a reported event. Parking has the table of transitions.
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

// The target of a jump: an instruction of a method's own code.
struct Arrival {
  jmethodID method = nullptr;
  jlocation index = 0;

  bool operator==(const Arrival&) const = default;
};

// How the end of a virtual thread is reported to the agent: kOwn by an event enabled for this
// thread, kAmongAll by the event enabled for all threads.
enum class EndNotice : std::uint8_t { kNone, kOwn, kAmongAll };

// A call of the agent on this thread by the check of a probe (probes/probe_hits.h).
struct ProbeHit {
  std::int32_t request_id = 0;
  std::int32_t number = 0;  // the probe's
  std::int32_t outcome = 0;
  std::int64_t count = 0;
};

// The value that an instruction is about to store into a watched array or field.
struct StoredElement {
  jint index = 0;
  jvm::JavaValue value;
  jvm::WeakRef object;  // a reference to store; the thread's frame keeps it alive while it is there
  jvm::WeakRef owner;   // the object with the field, kept alive likewise
};

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
  int invocations = 0;                          // nested invocations that it runs now
  jint frames_below = 0;                        // the frames below the innermost of them
  std::optional<TopFrame>
      returns_from;  // the frame that was forced to return, until it leaves its event
  // Delivered when the thread leaves its event, not to the methods that are invoked there.
  bool pending_interrupt = false;
  bool invoked_alone = false;  // its innermost invocation is single threaded: others stay suspended
  jvm::GlobalRef<jobject> pending_stop;
  Condition changed;  // the state or the suspend count

  // --- Stepper, FramePopper, VirtualThreadEnds; any thread -----------------------------------
  AtomicShared<Step> step;
  AtomicShared<Arrival> jumps_to;               // it runs there, and reports nothing before
  std::atomic<bool> step_to_pop = false;        // FramePopper needs single steps
  std::atomic<bool> clears_pops = false;        // at its next instruction, see Stepper::end()
  std::atomic<bool> entries_requested = false;  // there is a request for method entries
  std::atomic<std::uint8_t> applied_modes = 0;  // events that the Stepper has enabled for it
  std::atomic<EndNotice> end_notice = EndNotice::kNone;

  // --- ThrowReporter; set by the thread itself while it is in its event -----------------------
  // The number of topmost frames that belong to the agent, as long as no further frames are on top
  // of them.
  std::atomic<jint> frames_to_hide = 0;
  std::atomic<jint> hidden_of = 0;  // the number of all frames at that time
  // The number of frames that are not the agent's, while the thread waits in Java.
  std::atomic<jint> shown_frames = 0;

  // Returns the number of frames that are hidden from the debugger.
  [[nodiscard]] jint hidden_frames(const jvm::Env& env) const {
    if (waits_in_java && !is_in_native_wait) {
      const jint shown = shown_frames;
      return shown > 0 ? env.count_frames_above(thread, shown) : env.count_frames_of_check(thread);
    }
    const jint hidden = frames_to_hide;
    return hidden > 0 && env.get_frame_count(thread).value_or(0) == hidden_of
               ? hidden
               : env.count_hidden_frames(thread);
  }

  // --- ProbeHits, CheckFrames, StoredValues ---------------------------------------------------
  // It steps to the instruction behind the probes that have called the agent.
  std::atomic<bool> is_arriving = false;
  std::atomic<jmethodID> arrives_in = nullptr;
  unsigned seen_on_the_way = 0;  // the thread itself only
  // True for a virtual thread that has to wait in Java, parked so that it holds no carrier, inside
  // a check or in a call by which code reports an exception. Its stack changes until it has parked.
  // The agent counts it as suspended, but JVM TI has not suspended it.
  std::atomic<bool> waits_in_java = false;
  std::atomic<bool> is_in_native_wait = false;  // it still waits in native code
  std::vector<ProbeHit> probe_hits;             // noted hits; the thread itself only
  std::vector<ProbeHit> last_hits;  // the hits of its last stop; guarded by ProbeHits' lock
  // The values of the last store that it should report; guarded by StoredValues' lock.
  std::shared_ptr<const StoredElement> stored;
  // The variables of the frame below, while it stays inside a check; guarded by ProbeHits' lock.
  std::shared_ptr<const probes::FrameValues> frame_values;
  // The variables at the hits in `probe_hits`, if other checks follow; used by the thread itself
  // only.
  std::shared_ptr<const probes::FrameValues> values_to_report;

  // --- OldFrames -----------------------------------------------------------------------------
  // It has frames of older versions of methods with breakpoints, and runs by single steps.
  std::atomic<bool> has_old_frames = false;
  unsigned steps_since_look = 0;  // the thread itself only
  std::atomic<bool> is_in_breakpoint_event = false;
  std::atomic<unsigned> arrivals = 0;  // how many breakpoint events it had

  // --- Composer; the thread itself only ------------------------------------------------------
  EventSet pending;  // wait for another event at the same location
  ReportedLocation last_reported;
  // The breakpoint whose event the thread is in; the method is null if there is none.
  jvm::CodeLocation at_breakpoint;
};

using Tracked = std::shared_ptr<TrackedThread>;

}  // namespace jvmdebug::agent::threads
