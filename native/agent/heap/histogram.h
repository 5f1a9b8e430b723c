// SPDX-License-Identifier: Apache-2.0
//
// Counts the objects of each class, by the VM's own histogram or else by one iteration over the
// heap. Called by Heap.Histogram.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::heap {

struct ClassUsage {
  std::string signature;
  std::int64_t instances = 0;
  std::int64_t size = 0;  // in bytes
};

// Takes these objects out of a count.
[[nodiscard]] jvm::Result<void> leave_out(const jvm::Env& env, std::vector<ClassUsage>& usages,
                                          std::span<const jvm::LocalRef<jobject>> objects);

// Counts. Classes without objects are left out. The VM is stopped meanwhile.
[[nodiscard]] jvm::Result<std::vector<ClassUsage>> count_objects(const jvm::Env& env);

}  // namespace jvmdebug::agent::heap
