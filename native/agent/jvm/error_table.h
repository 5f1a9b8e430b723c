// SPDX-License-Identifier: Apache-2.0
//
// The only table from JVM TI errors to JDWP errors. Where the specifications differ, it follows the
// JDK's own agent, because clients depend on that.
#pragma once

#include <jvmti.h>

#include "codec/generated/constants.h"

namespace jvmdebug::agent::jvm {

namespace detail {
struct ErrorPair {
  jvmtiError vm;
  protocol::Error wire;
};

inline constexpr ErrorPair kErrorTable[] = {
    {JVMTI_ERROR_NONE, protocol::Error::kNone},
    {JVMTI_ERROR_INVALID_THREAD, protocol::Error::kInvalidThread},
    {JVMTI_ERROR_INVALID_THREAD_GROUP, protocol::Error::kInvalidThreadGroup},
    {JVMTI_ERROR_INVALID_PRIORITY, protocol::Error::kInvalidPriority},
    {JVMTI_ERROR_THREAD_NOT_SUSPENDED, protocol::Error::kThreadNotSuspended},
    {JVMTI_ERROR_THREAD_SUSPENDED, protocol::Error::kThreadSuspended},
    {JVMTI_ERROR_THREAD_NOT_ALIVE, protocol::Error::kInvalidThread},
    {JVMTI_ERROR_INVALID_OBJECT, protocol::Error::kInvalidObject},
    {JVMTI_ERROR_INVALID_CLASS, protocol::Error::kInvalidClass},
    {JVMTI_ERROR_CLASS_NOT_PREPARED, protocol::Error::kClassNotPrepared},
    {JVMTI_ERROR_INVALID_METHODID, protocol::Error::kInvalidMethodid},
    {JVMTI_ERROR_INVALID_LOCATION, protocol::Error::kInvalidLocation},
    {JVMTI_ERROR_INVALID_FIELDID, protocol::Error::kInvalidFieldid},
    {JVMTI_ERROR_INVALID_MODULE, protocol::Error::kInvalidModule},
    {JVMTI_ERROR_NO_MORE_FRAMES, protocol::Error::kNoMoreFrames},
    {JVMTI_ERROR_OPAQUE_FRAME, protocol::Error::kOpaqueFrame},
    {JVMTI_ERROR_TYPE_MISMATCH, protocol::Error::kTypeMismatch},
    {JVMTI_ERROR_INVALID_SLOT, protocol::Error::kInvalidSlot},
    {JVMTI_ERROR_DUPLICATE, protocol::Error::kDuplicate},
    {JVMTI_ERROR_NOT_FOUND, protocol::Error::kNotFound},
    {JVMTI_ERROR_INVALID_MONITOR, protocol::Error::kInvalidMonitor},
    {JVMTI_ERROR_NOT_MONITOR_OWNER, protocol::Error::kNotMonitorOwner},
    {JVMTI_ERROR_INTERRUPT, protocol::Error::kInterrupt},
    {JVMTI_ERROR_INVALID_CLASS_FORMAT, protocol::Error::kInvalidClassFormat},
    {JVMTI_ERROR_CIRCULAR_CLASS_DEFINITION, protocol::Error::kCircularClassDefinition},
    {JVMTI_ERROR_FAILS_VERIFICATION, protocol::Error::kFailsVerification},
    {JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_ADDED, protocol::Error::kAddMethodNotImplemented},
    {JVMTI_ERROR_UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED,
     protocol::Error::kSchemaChangeNotImplemented},
    {JVMTI_ERROR_INVALID_TYPESTATE, protocol::Error::kInvalidTypestate},
    {JVMTI_ERROR_UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED,
     protocol::Error::kHierarchyChangeNotImplemented},
    {JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_DELETED,
     protocol::Error::kDeleteMethodNotImplemented},
    {JVMTI_ERROR_UNSUPPORTED_VERSION, protocol::Error::kUnsupportedVersion},
    {JVMTI_ERROR_NAMES_DONT_MATCH, protocol::Error::kNamesDontMatch},
    {JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED,
     protocol::Error::kClassModifiersChangeNotImplemented},
    {JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED,
     protocol::Error::kMethodModifiersChangeNotImplemented},
    {JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED,
     protocol::Error::kClassAttributeChangeNotImplemented},
    {JVMTI_ERROR_NOT_AVAILABLE, protocol::Error::kNotImplemented},
    {JVMTI_ERROR_MUST_POSSESS_CAPABILITY, protocol::Error::kNotImplemented},
    {JVMTI_ERROR_NULL_POINTER, protocol::Error::kNullPointer},
    {JVMTI_ERROR_ABSENT_INFORMATION, protocol::Error::kAbsentInformation},
    {JVMTI_ERROR_INVALID_EVENT_TYPE, protocol::Error::kInvalidEventType},
    {JVMTI_ERROR_ILLEGAL_ARGUMENT, protocol::Error::kIllegalArgument},
    {JVMTI_ERROR_NATIVE_METHOD, protocol::Error::kNativeMethod},
    {JVMTI_ERROR_OUT_OF_MEMORY, protocol::Error::kOutOfMemory},
    {JVMTI_ERROR_ACCESS_DENIED, protocol::Error::kAccessDenied},
    {JVMTI_ERROR_WRONG_PHASE, protocol::Error::kVmDead},
    {JVMTI_ERROR_INTERNAL, protocol::Error::kInternal},
    {JVMTI_ERROR_UNATTACHED_THREAD, protocol::Error::kUnattachedThread},
};
}  // namespace detail

// Converts a code; those that the table does not name (unmodifiable class, codes of newer VMs)
// become INTERNAL.
[[nodiscard]] constexpr protocol::Error jdwp_error(jvmtiError code) {
  for (const detail::ErrorPair& pair : detail::kErrorTable) {
    if (pair.vm == code) {
      return pair.wire;
    }
  }
  return protocol::Error::kInternal;
}

}  // namespace jvmdebug::agent::jvm
