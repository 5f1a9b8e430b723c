// SPDX-License-Identifier: Apache-2.0
//
// Accesses the static fields of checks: what several checks share, and what they have counted or
// measured. Agent threads.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/jvm/jni.h"
#include "agent/probes/probe_specs.h"
#include "agent/probes/probed_class.h"

namespace jvmdebug::agent::probes {

// Sets the fields of a check that is about to be called. Those that it shares with `other` get the
// objects of that probe's check; `other` is null if it shares none. Keeps the objects in the probe.
void fill_fields(const jvm::Jni& jni, Probe& probe, const Probe* other);
// Empties the fields of those checks of a class whose requests have ended.
void forget_objects(const jvm::Jni& jni, const ProbedClass& of);
// Returns the value of a counter, or -1 without a counter.
[[nodiscard]] std::int64_t count_of(const jvm::Jni& jni, jobject counter);
// Increases the counter, and returns its value.
[[nodiscard]] std::int64_t count_one(const jvm::Jni& jni, jobject counter);
// Returns the numbers that a check which times the program has in its map.
[[nodiscard]] std::vector<ThreadTimes> measured_times(const jvm::Jni& jni, jobject map);

}  // namespace jvmdebug::agent::probes
