// SPDX-License-Identifier: Apache-2.0
//
// Java values as the wire has them: with ids in place of references.
#pragma once

#include "agent/ids/object_table.h"
#include "agent/jvm/java_value.h"
#include "codec/values.h"

namespace jvmdebug::agent::ids {

// Converts a value. `reference` is the object of a reference, which may be null; the reference in
// `value` is not used, since it may be one of another thread. On an agent thread.
[[nodiscard]] protocol::Value wire_value(ObjectTable& objects, const jvm::JavaValue& value,
                                         jobject reference);

}  // namespace jvmdebug::agent::ids
