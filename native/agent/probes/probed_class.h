// SPDX-License-Identifier: Apache-2.0
//
// A class that has or had probes, and what ProbeCalls knows of each probe, under its lock.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

#include <jvmti.h>

#include "agent/code/changed_class.h"
#include "agent/events/request_table.h"
#include "agent/jvm/jni.h"
#include "agent/probes/probe_life.h"
#include "agent/probes/probe_specs.h"

namespace jvmdebug::agent::probes {

// The static fields of checks whose objects the agent keeps: kFields in check_fields.cpp.
enum KeptField : std::uint8_t {
  kStarts,
  kTimes,
  kHits,
  kBegan,
  kReported,
  kSince,
  kWritten,
  kLost,  // only the fields above may be shared with another check
  kKeptFields,
};

using KeptObjects = std::array<jvm::GlobalRef<jobject>, kKeptFields>;

// The class of a check, in the loader of the class that calls it.
struct CheckClass {
  jvm::WeakRef known;
  std::vector<std::uint8_t> class_file;
  bool is_silent = false;  // whether it does nothing any more
};

// A check in a class, for a request. Nothing here keeps the class from being unloaded, and in the
// VM a breakpoint does not either.
struct Probe {
  events::Request request;
  std::shared_ptr<CheckClass> check;
  KeptObjects kept;  // of classes of the JDK, which are never unloaded
  CheckCall call;
  bool calls_methods = false;
  bool writes_log = false;
  bool is_companion = false;  // of the probe that the request has
  ProbeLife life;
  std::atomic<std::int64_t> hits = 0;

  // Returns the class of the check, or null when the VM has unloaded it.
  [[nodiscard]] jvm::LocalRef<jclass> check_type(const jvm::Jni& jni) const {
    return check->known.lock(jni).as<jclass>();
  }
};

using Probes = std::vector<std::shared_ptr<Probe>>;

struct ProbedClass {
  std::shared_ptr<code::ChangedClass> code;
  Probes probes;
  std::unordered_set<std::shared_ptr<Probe>> next_calls;  // those that the next code calls
  std::chrono::steady_clock::time_point next_look;        // when to see again if threads run it

  template <class Predicate>
  void erase_probes(Predicate which) {
    std::erase_if(probes, which);
    std::erase_if(next_calls, which);
  }

  // Returns the class, or null when the VM has unloaded it.
  [[nodiscard]] jvm::LocalRef<jclass> type(const jvm::Jni& jni) const { return code->type(jni); }
};

}  // namespace jvmdebug::agent::probes
