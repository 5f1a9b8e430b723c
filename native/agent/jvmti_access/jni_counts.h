// SPDX-License-Identifier: Apache-2.0
//
// How often each JNI function is called, by native libraries of the program and of the JDK: the
// VM's table of JNI functions is replaced by one that counts and goes on to the function that was
// there. Calls that the agent makes itself do not count. The counters belong to the library, as
// what is called through the table gets nothing from which an agent could be found, and a thread
// may be inside of it when the count has ended (docs/adr/0007).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/result.h"

namespace jvmdebug::agent::jvmti_access {

class JniCounts {
 public:
  struct Count {
    std::string function;
    std::int64_t calls = 0;
  };

  // Counts from 0. Called on agent threads, one at a time, as the others.
  [[nodiscard]] static jvm::Result<void> start(jvmtiEnv* env);
  // Puts the functions back that were there, if they have not been replaced meanwhile.
  [[nodiscard]] static jvm::Result<void> stop(jvmtiEnv* env);

  [[nodiscard]] static bool is_on();
  // The counts of functions that were called.
  [[nodiscard]] static std::vector<Count> counts();
};

}  // namespace jvmdebug::agent::jvmti_access
