// SPDX-License-Identifier: Apache-2.0
//
// A Java value with the first letter of its type's descriptor.
#pragma once

#include <jni.h>

namespace jvmdebug::agent::jvm {

// 'L' and '[' for references, 'V' for none.
struct JavaValue {
  char type = 'V';
  jvalue value{};

  [[nodiscard]] bool is_reference() const { return type == 'L' || type == '['; }
};

}  // namespace jvmdebug::agent::jvm
