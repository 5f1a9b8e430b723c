// SPDX-License-Identifier: Apache-2.0
//
// The local variables of a frame whose thread stays inside a check. They are the arguments of the
// check, since a VM into which the agent was loaded later does not let it read variables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <jni.h>

#include "agent/jvm/jni.h"
#include "agent/probes/probe_classes.h"

namespace jvmdebug::agent::probes {

// A value of one of the kinds of Load, as the VM stores it.
struct SlotValue {
  char type = 'I';
  jlong bits = 0;  // for a number
  jobject reference = nullptr;
};

class FrameValues {
 public:
  // `references` and `others` hold the values of the loads in their order. `height`: how many
  // frames the thread has from its first one up to this one. On the thread itself.
  FrameValues(const jvm::Jni& jni, std::span<const Load> loads, jobjectArray references,
              jlongArray others, jint height);

  [[nodiscard]] jint height() const { return height_; }

  [[nodiscard]] std::size_t size() const { return values_.size(); }

  // Returns none for a slot that the check did not take. The reference lives as long as this
  // object.
  [[nodiscard]] std::optional<SlotValue> at(jint slot) const;

 private:
  struct Kept {
    Load load;
    jlong bits = 0;
    jvm::GlobalRef<jobject> reference;
  };

  std::vector<Kept> values_;
  jint height_ = 0;
};

}  // namespace jvmdebug::agent::probes
