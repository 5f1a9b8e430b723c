// SPDX-License-Identifier: Apache-2.0
//
// The static fields of checks: what several checks share, and what they have counted or measured.
// Agent threads.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/jvm/jni.h"
#include "agent/probes/probe_specs.h"
#include "agent/probes/probed_class.h"

namespace jvmdebug::agent::probes {

// Sets the fields of a check that is about to be called: some to what `other` has, which is null
// for none. Keeps what the fields have.
void fill_fields(const jvm::Jni& jni, Probe& probe, const Probe* other);
// Empties those of the checks of a class that have ended.
void forget_objects(const jvm::Jni& jni, const ProbedClass& of);
// The value of a counter; -1 for none.
[[nodiscard]] std::int64_t count_of(const jvm::Jni& jni, jobject counter);
// The same, after it was increased.
[[nodiscard]] std::int64_t count_one(const jvm::Jni& jni, jobject counter);
// What a check that times the program has in its map.
[[nodiscard]] std::vector<ThreadTimes> measured_times(const jvm::Jni& jni, jobject map);

}  // namespace jvmdebug::agent::probes
