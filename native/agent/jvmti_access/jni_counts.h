// SPDX-License-Identifier: Apache-2.0
//
// Counts how often native libraries of the program and of the JDK call each JNI function: the VM's
// table of JNI functions is replaced by one that counts and then calls the original function. Calls
// of the agent do not count. The counters belong to the library, because a function that is called
// through the table gets nothing from which an agent could be found, and a thread may still be
// inside it when counting has ended (docs/adr/0007).
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

  // Begins to count from 0. Agent threads, one at a time, as for the other functions.
  [[nodiscard]] static jvm::Result<void> start(jvmtiEnv* env);
  // Restores the original functions, if they have not been replaced meanwhile.
  [[nodiscard]] static jvm::Result<void> stop(jvmtiEnv* env);

  [[nodiscard]] static bool is_on();
  // Returns the counts of the functions that were called.
  [[nodiscard]] static std::vector<Count> counts();
};

}  // namespace jvmdebug::agent::jvmti_access
