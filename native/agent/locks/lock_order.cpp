// SPDX-License-Identifier: Apache-2.0
//
// Checks the order in which a thread takes locks; empty in builds without the check.
#include "agent/locks/ranked_mutex.h"

#ifdef JVMDEBUG_CHECK_LOCK_ORDER

#include <array>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace jvmdebug::agent::lock_order {
namespace {

constexpr std::array kNames = {
    "Session::in_command_ (kCommand)",
    "Sampler::mutex_ (kSampling)",
    "RequestTable::mutex_ (kRequests)",
    "EventModes::mutex_ (kEventModes)",
    "ThreadRegistry::mutex_ (kThreads)",
    "ReturnBreakpoints::mutex_ (kReturnBreakpoints)",
    "MethodExits::mutex_ (kMethodExits)",
    "FrameCalls::mutex_ (kFrameCalls)",
    "Breakpoints::mutex_ (kBreakpoints)",
    "the monitor of the id tables (kIds)",
    "RequestTable::published_mutex_ (kPublished)",
    "ClassUnloadWatch::mutex_ (kUnloads)",
    "mutex_ of Marks, Allocations or Collections (kHeapEvents)",
    "ObjectTable::dead_mutex_ (kDead)",
    "Sender::mutex_ (kSender)",
    "Session::mutex_ (kSession)",
    "Connection::write_mutex_ (kConnection)",
    "LibraryListener::mutex_ or LibraryLink::mutex_ (kTransportLibrary)",
    "OwnThreads::starting_ (kOwnThreads)",
    "ExceptionTables::mutex_ (kExceptionTables)",
    "ExpectedThrows::mutex_ (kExpectedThrows)",
    "CodeChanges::mutex_ (kCodeChanges)",
    "ProbeList::mutex_ (kProbes)",
    "CodeVersions::mutex_ (kCodeVersions)",
    "OlderVersions::mutex_ (kOlderVersions)",
    "HotSwap::mutex_ (kHotSwap)",
    "OldFrames::mutex_ (kOldFrames)",
    "ForeignWait::mutex_ (kForeignWait)",
    "ForeignChanges::mutex_ (kForeignChanges)",
    "PrefetchedKeys::mutex_ (kPrefetchedKeys)",
    "the monitor that takes an interrupt (kInterrupt)",
};
static_assert(kNames.size() == static_cast<std::size_t>(Rank::kInterrupt) + 1);

// A bit for the rank of each lock that this thread holds. It is per thread and only for this check,
// so it is not state of the agent.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): see above
thread_local std::uint32_t held = 0;

constexpr std::uint32_t bit(Rank rank) {
  return std::uint32_t{1} << static_cast<unsigned>(rank);
}

void check(Rank rank, std::uint32_t others) {
  if (others < bit(rank)) {
    return;
  }
  const auto highest = static_cast<std::size_t>(std::bit_width(others)) - 1;
  (void)std::fprintf(stderr,
                     "jvmdebug: lock order: %s is taken by a thread that holds %s; see "
                     "native/agent/locks/ranked_mutex.h\n",
                     kNames.at(static_cast<std::size_t>(rank)), kNames.at(highest));
  (void)std::fflush(stderr);
  std::abort();
}

}  // namespace

void entering(Rank rank) {
  check(rank, held);
  held |= bit(rank);
}

bool entering_recursively(Rank rank) {
  if ((held & bit(rank)) != 0) {
    check(rank, held & ~bit(rank));
    return true;
  }
  entering(rank);
  return false;
}

void left(Rank rank) {
  held &= ~bit(rank);
}

}  // namespace jvmdebug::agent::lock_order

#endif
