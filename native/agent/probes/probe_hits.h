// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: from the call of a check to the event.
//
// A check that holds calls the agent, on the thread of the program. What follows depends on the VM:
//
// 1. The VM reports breakpoints (hit(), store(), write()). The thread notes the hit and returns
//    from the check. Then it makes single steps: `is_arriving`. The first instruction that it runs
//    outside of checks is the one that the probes are in front of. There stepped() reports all hits
//    of that location as one event, in the program's own frame, as at a breakpoint of the VM. Hits
//    of another location are dropped: an exception has led the thread elsewhere.
// 2. The VM reports none, because the agent was loaded into a running VM (stop()). The check hands
//    over the variables of its frame, and the thread stays inside the check until it is resumed. If
//    there are several checks in front of one instruction, stop() only notes the hit and returns
//    kArrive, and the call behind them (arrived()) reports all hits at once. A virtual thread parks
//    in Java, and asks still_waits() whether it has to wait on.
//
// What a thread has noted, and what it has stopped for, is kept with it (Tracked):
//
//     probe_hits, values_to_report    noted and not reported yet; for the thread itself
//     last_hits, frame_values         of its last stop; under the lock here, for agent threads
//
// Invariants:
//
// - A hit counts (Probe::hits) only if it is reported or will be. A hit of a request that is not
//   active, or in code that a check calls, or in a check that runs within another one, does not
//   count.
// - All hits of a location are one event. Its probes_there names the probes that the code of this
//   frame has, so that a breakpoint of the VM does not report these as well.
// - A thread that runs a method for the debugger keeps the hits of the stop before.
//
// Threads: all functions but last() and values_of() are for the thread itself; these two are for
// any thread. The lock is not held during calls into the VM.
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
  // The parts that report a hit.
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

  // Called by a check that hands over its arguments. Reports the hit, and returns when the thread
  // may go on. kWait: a virtual thread has to wait in Java as long as still_waits(). kArrive: other
  // checks follow, and arrived() reports the hits of all of them at once.
  [[nodiscard]] jint stop(const jvm::Jni& jni, std::int32_t number, std::int32_t outcome,
                          std::int64_t count, jobjectArray references, jlongArray others);
  // Reports what several checks have noted. Called behind them. Returns kArrive if there was
  // something to report, and kWait as above.
  [[nodiscard]] jint arrived(const jvm::Jni& jni);
  [[nodiscard]] bool still_waits(const jvm::Jni& jni);
  // Notes a hit of a check after which the thread stops behind the check.
  void hit(const jvm::Jni& jni, std::int32_t number, std::int32_t outcome, std::int64_t count);
  // Notes a hit of a check that has found a store into a watched array.
  void store(const jvm::Jni& jni, std::int32_t number, jint index, jlong bits, jobject reference);
  // Notes a hit of a check in front of an instruction that writes a field. `object` has the field;
  // it is null for a static one.
  void write(const jvm::Jni& jni, const threads::ProbeHit& hit, jobject object, jlong bits,
             jobject reference);
  // Reports the hits, when the thread has stepped to an instruction outside of checks.
  void stepped(const jvm::Jni& jni, const events::Occurrence& step);
  // Forgets the hits of the last stop, because the VM has reported a breakpoint of its own.
  void reported_by_vm(const threads::Tracked& self) const;

  // Returns what the thread stopped for last; none if the VM reported it.
  [[nodiscard]] std::optional<threads::ProbeHit> last(const threads::Tracked& thread,
                                                      std::int32_t request_id) const;
  // Returns the variables of a frame of a thread that stays inside a check; null for other frames.
  // `depth` counts all frames, those of checks included.
  [[nodiscard]] std::shared_ptr<const FrameValues> values_of(const threads::Tracked& thread,
                                                             jint depth) const;

 private:
  // Returns the current thread, which is in the check of the probe; null if nothing is to be
  // reported.
  [[nodiscard]] threads::Tracked reported_thread(const jvm::Jni& jni, Probe* probe);
  // Notes a hit that is reported behind the checks.
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
