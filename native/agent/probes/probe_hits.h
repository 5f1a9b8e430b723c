// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: from the call of a check to the event.
//
// A check that holds calls the agent, on the thread of the program. There are two ways on from
// there, and the VM decides which:
//
// 1. It reports breakpoints (hit(), store(), write()). The thread notes the hit and returns from
// the
//    check. From then on it makes single steps: `is_arriving`. The first instruction that it runs
//    outside of checks is the one which the probes are in front of; there stepped() reports all
//    hits of that location as one event, in the program's own frame, as at a breakpoint of the VM.
//    Hits whose location is another one are dropped: an exception has led the thread elsewhere.
// 2. It reports none, as the agent was loaded into a running VM (stop()). The check hands over the
//    variables of its frame, and the thread stays inside the check until it is resumed. Where
//    several checks are in front of one instruction, stop() only notes the hit and says kArrive;
//    the call behind them (arrived()) reports all at once. A virtual thread waits in Java, parked,
//    and asks still_waits() whether it has to wait on.
//
// What a thread has noted, and what it has stopped for, is kept with it (Tracked):
//
//     probe_hits, values_to_report    noted, not reported yet; of the thread itself
//     last_hits, frame_values         of its last stop; under the lock here, as agent threads ask
//
// Invariants:
//
// - A hit counts (Probe::hits) only if it is reported or noted to be: not one of a request that is
//   not active, nor one in what a check calls, or in what runs within another check.
// - One event for all hits of a location. Its probes_there names the probes that the code of this
//   frame has, and those are not reported by a breakpoint of the VM as well.
// - A thread that runs a method for the debugger keeps the hits of the stop before.
//
// Threads: all but last() and values_of() are for the thread itself; these two are for any. No call
// into the VM is made under the lock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <jvmti.h>

#include "agent/events/event_set.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/probes/frame_values.h"
#include "agent/probes/probe_classes.h"
#include "agent/probes/probed_class.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent::events {
class Composer;
}

namespace jvmdebug::agent::threads {
class Parking;
class Stepper;
class ThreadRegistry;
}  // namespace jvmdebug::agent::threads

namespace jvmdebug::agent::probes {

class CheckFrames;
class ProbeList;
class StoredValues;

class ProbeHits {
 public:
  // What a hit is reported with.
  struct Reporting {
    threads::ThreadRegistry& threads;
    threads::Parking& parking;
    threads::Stepper& stepper;
    events::Composer& composer;
  };

  ProbeHits(const jvm::Env& env, const ProbeList& probes, const CheckFrames& frames,
            StoredValues& stored, const Reporting& reporting)
      : env_(env),
        probes_(probes),
        frames_(frames),
        stored_(stored),
        threads_(reporting.threads),
        parking_(reporting.parking),
        stepper_(reporting.stepper),
        composer_(reporting.composer) {}

  // A check calls that hands over its arguments: reports the hit, and returns when the thread is to
  // go on. kWait for a virtual thread: it is to wait in Java for as long as still_waits(). kArrive
  // where other checks follow: arrived() reports the hits of all of them at once.
  [[nodiscard]] jint stop(const jvm::Jni& jni, std::int32_t number, std::int32_t outcome,
                          std::int64_t count, jobjectArray references, jlongArray others);
  // Reports what several checks have noted, behind them. kArrive if there was something to report,
  // with kWait as above.
  [[nodiscard]] jint arrived(const jvm::Jni& jni);
  [[nodiscard]] bool still_waits(const jvm::Jni& jni);
  // Another check calls.
  void hit(const jvm::Jni& jni, std::int32_t number, std::int32_t outcome, std::int64_t count);
  // One that has found a store into an array that is watched.
  void store(const jvm::Jni& jni, std::int32_t number, jint index, jlong bits, jobject reference);
  // One in front of an instruction that writes a field. `object`: that has it, null for none.
  void write(const jvm::Jni& jni, const threads::ProbeHit& hit, jobject object, jlong bits,
             jobject reference);
  // The thread steps to an instruction, outside of checks.
  void stepped(const jvm::Jni& jni, const events::Occurrence& step);
  // The VM has reported a breakpoint, and no check.
  void reported_by_vm(const threads::Tracked& self) const;

  // What the thread stopped for last; none if the VM reported it.
  [[nodiscard]] std::optional<threads::ProbeHit> last(const threads::Tracked& thread,
                                                      std::int32_t request_id) const;
  // The variables of a frame of a thread that stays inside a check; null for other frames. By its
  // depth in the whole stack, frames of checks included.
  [[nodiscard]] std::shared_ptr<const FrameValues> values_of(const threads::Tracked& thread,
                                                             jint depth) const;

 private:
  // The current thread, which is in the check of the probe; null where it is not to be reported.
  [[nodiscard]] threads::Tracked reported_thread(const jvm::Jni& jni, Probe* probe);
  // It is reported behind the checks.
  void report_behind(const threads::Tracked& self, Probe& probe, std::int32_t outcome,
                     std::int64_t count);
  [[nodiscard]] std::vector<std::uint16_t> probes_at(const Probe& probe, jint depth) const;
  [[nodiscard]] jint report(const jvm::Jni& jni, const threads::Tracked& self,
                            std::vector<threads::ProbeHit> hits,
                            std::shared_ptr<const FrameValues> values,
                            std::vector<std::uint16_t> there);
  void left_check(const threads::Tracked& self) const;

  const jvm::Env& env_;
  const ProbeList& probes_;
  const CheckFrames& frames_;
  StoredValues& stored_;
  threads::ThreadRegistry& threads_;
  threads::Parking& parking_;
  threads::Stepper& stepper_;
  events::Composer& composer_;
  mutable RankedMutex<Rank::kProbes> mutex_;
};

}  // namespace jvmdebug::agent::probes
