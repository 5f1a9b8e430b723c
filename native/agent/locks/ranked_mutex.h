// SPDX-License-Identifier: Apache-2.0
//
// The agent's locks and their order. A thread takes locks of rising rank only, so no two threads
// can wait for each other. Builds with JVMDEBUG_CHECK_LOCK_ORDER (Debug, and with a sanitizer)
// check that and end the process with the names of both locks; elsewhere a RankedMutex is a
// std::mutex. Needs no VM. The raw monitors of JVM TI (jvm/monitor.h) have their ranks here too.
//
// In the order of the ranks. "Agent": threads of the agent, which are never suspended. "Any":
// threads of the debuggee as well; JVM TI may suspend one inside a call into the VM, so no lock
// that they take is held over such a call by them, and agent threads can suspend others while they
// hold it.
//
// - kCommand: Session::in_command_, while a command is carried out. Agent, and the VM's thread
//   at its death, with a limit. Calls into the VM: yes.
// - kSampling: Sampler::mutex_, a run and what it has found. Agent, and the VM's thread at its
// death.
//   Calls into the VM: agent only.
// - kRequests: RequestTable::mutex_, requests and their arming. Agent. Calls: yes.
// - kEventModes: EventModes::mutex_, how many requests need an event. Agent. Calls: yes.
// - kThreads: ThreadRegistry::mutex_, the threads, their suspend counts and states. Any. Calls:
//   agent only.
// - kReturnBreakpoints: ReturnBreakpoints::mutex_, breakpoint locations by thread. Any. Calls: no.
// - kMethodExits: MethodExits::mutex_, return instructions by request. Any. Calls: no.
// - kFrameCalls: FrameCalls::mutex_, frames whose calls are watched. Any. Calls: no.
// - kBreakpoints: Breakpoints::mutex_, breakpoints by location. Any. Calls: ClearBreakpoint, agent
//   only.
// - kIds: the raw monitor of the id tables. Agent. Calls: yes.
// - kPublished: RequestTable::published_mutex_, lists of requests. Any. Calls: no.
// - kUnloads: ClassUnloadWatch::mutex_, signatures by tag. Any, also where the VM frees objects.
//   Calls: no.
// - kHeapEvents: Marks, Allocations and Collections (agent/heap), what their callbacks have found.
//   Any, also where the VM frees objects or is stopped. Calls: no.
// - kDead: ObjectTable::dead_mutex_, ids of dead objects. Any, also where the VM frees objects.
//   Calls: no.
// - kSender: Sender::mutex_, queues and connection. Any, also where the VM frees objects.
//   Calls: no.
// - kSession: Session::mutex_, connection, who comes next, phase. Agent, and the VM's main thread.
//   Calls: no.
// - kConnection: Connection::write_mutex_, while a packet is written. Agent. Calls: no.
// - kTransportLibrary: LibraryListener::mutex_ and LibraryLink::mutex_, phases of a connection that
//   a transport library has. Agent. Calls: no.
// - kOwnThreads: OwnThreads::starting_, while a thread is added to the list of the agent's own.
//   Agent, and the VM's main thread. Calls: no.
// - kExceptionTables: ExceptionTables::mutex_, exception handlers by method. Any. Calls: no.
// - kExpectedThrows: ExpectedThrows::mutex_, exceptions that threads are about to throw. Any.
//   Calls: no.
// - kCodeChanges: CodeChanges::mutex_, the classes that are changed, and RememberedClasses. Any.
//   Calls: no.
// - kProbes: ProbeList, ProbeCalls, ProbeHits, StoredValues, ThrowCalls and GivenObjects; none is
//   held with another. Any. Calls: no.
// - kCodeVersions: CodeVersions::mutex_, methods that have probes. Any. Calls: no.
// - kOlderVersions: OlderVersions::mutex_, methods without older versions, by class. Any. Calls:
// no.
// - kHotSwap: HotSwap::mutex_, the classes of a hot swap. Any. Calls: no.
// - kOldFrames: OldFrames::mutex_, virtual threads with older frames. Any. Calls: no.
// - kForeignChanges: ForeignChanges::mutex_, changes of classes that other agents are about to
// make.
//   Any. Calls: no.
// - kPrefetchedKeys: PrefetchedKeys::mutex_, which constant replies were sent. The threads of
//   commands and of events. Calls: no.
// - kInterrupt: the raw monitor that takes an interrupt (Invoker). Any. Calls: RawMonitorWait.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace jvmdebug::agent {

enum class Rank : std::uint8_t {
  kCommand,
  kSampling,
  kRequests,
  kEventModes,
  kThreads,
  kReturnBreakpoints,
  kMethodExits,
  kFrameCalls,
  kBreakpoints,
  kIds,
  kPublished,
  kUnloads,
  kHeapEvents,
  kDead,
  kSender,
  kSession,
  kConnection,
  kTransportLibrary,
  kOwnThreads,
  kExceptionTables,
  kExpectedThrows,
  kCodeChanges,
  kProbes,
  kCodeVersions,
  kOlderVersions,
  kHotSwap,
  kOldFrames,
  kForeignWait,
  kForeignChanges,
  kPrefetchedKeys,
  kInterrupt,
};

#ifdef JVMDEBUG_CHECK_LOCK_ORDER

namespace lock_order {

// Called when the current thread is about to take a lock. Ends the process if the thread holds a
// lock of that rank or a higher one.
void entering(Rank rank);
// The same for a lock that a thread may take again; returns whether the thread holds it already.
bool entering_recursively(Rank rank);
void left(Rank rank);

}  // namespace lock_order

template <Rank kRank, class Mutex = std::mutex>
class RankedMutex {
 public:
  void lock() {
    lock_order::entering(kRank);
    mutex_.lock();
  }

  bool try_lock() { return entered(mutex_.try_lock()); }

  template <class Duration>
  bool try_lock_for(const Duration& limit) {
    return entered(mutex_.try_lock_for(limit));
  }

  void unlock() {
    mutex_.unlock();
    lock_order::left(kRank);
  }

 private:
  // A thread that only tries to lock never waits; but a lock that it gets must be in order.
  static bool entered(bool is_taken) {
    if (is_taken) {
      lock_order::entering(kRank);
    }
    return is_taken;
  }

  Mutex mutex_;
};

using Condition = std::condition_variable_any;

#else

template <Rank, class Mutex = std::mutex>
using RankedMutex = Mutex;

using Condition = std::condition_variable;

#endif

}  // namespace jvmdebug::agent
