// SPDX-License-Identifier: Apache-2.0
//
// The class files of loaded classes, read when a debugger asks for them. Has a JVM TI environment
// of its own from the first time on, whose hook is on only while a class is read. Agent threads,
// one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <jni.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/probes/late_environment.h"

namespace jvmdebug::agent::probes {

class ClassBytes {
 public:
  // An error for what the VM does not give: see LateEnvironment::class_bytes.
  [[nodiscard]] jvm::Result<std::vector<std::uint8_t>> of(const jvm::Jni& jni, jclass type);

 private:
  std::unique_ptr<LateEnvironment> late_;
};

}  // namespace jvmdebug::agent::probes
