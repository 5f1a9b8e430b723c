// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/class_bytes.h"

#include <utility>

namespace jvmdebug::agent::probes {

jvm::Result<std::vector<std::uint8_t>> ClassBytes::of(const jvm::Jni& jni, jclass type) {
  if (!late_) {
    JVMDEBUG_ASSIGN(auto late, LateEnvironment::create(jni));
    late_ = std::move(late);
  }
  return late_->read_class(type);
}

}  // namespace jvmdebug::agent::probes
