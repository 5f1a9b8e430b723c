// SPDX-License-Identifier: Apache-2.0
//
// What a debugger asks for, and what it is told about probes: see ProbeTable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <jvmti.h>

#include "agent/code/outcome.h"
#include "agent/probes/given_objects.h"
#include "agent/probes/probe_classes.h"
#include "agent/threads/tracked_thread.h"

namespace jvmdebug::agent::probes {

using code::Outcome;

// A check that a debugger has made.
struct CheckSpec {
  std::int32_t number = 0;  // the number that the check passes: 1 to 65,535, each once in a VM
  std::string check;        // a/b/C
  std::string descriptor;
  std::vector<std::uint8_t> class_file;
  std::vector<Load> loads;
};

// A further check in the method of another one. It reports nothing.
struct CompanionSpec : CheckSpec {  // without a class file if it uses the class of one before it
  jlocation index = 0;
};

// A probe that a debugger asks for.
struct ProbeSpec : CheckSpec {
  bool calls_methods = false;
  bool writes_log = false;   // into the ring of log points
  bool is_deferred = false;  // put into the class by complete()
  std::int32_t shares = 0;   // the request to whose check's times this check adds its own; or 0
  std::vector<Given> given;  // given to its class while that is initialized
  std::vector<CompanionSpec> companions;
};

// A request that cannot have its probe, and the reason.
struct Refusal {
  std::int32_t request_id = 0;
  std::string reason;
};

// What a thread has measured: those elements of its array that are not 0, with their indices.
struct ThreadTimes {
  std::string thread;
  std::vector<std::pair<std::int32_t, std::int64_t>> numbers;
};

// How often a probe has been hit.
struct ProbeUse {
  std::int32_t request_id = 0;
  std::int64_t hits = 0;
  std::int64_t count = -1;  // what the check has counted; -1 if it counts nothing
};

// How many records of a log point found no room in the ring.
struct LostRecords {
  std::int32_t request_id = 0;
  std::int64_t count = 0;
};

// A thread that runs a check which calls methods of the program.
struct RunningCheck {
  std::int32_t request_id = 0;
  threads::Tracked thread;
  std::int32_t run = 0;  // another number in each run of the check by this thread
  bool suspended = false;
  std::string type;    // signature of the class of the method on top
  std::string method;  // and its name
};

}  // namespace jvmdebug::agent::probes
