// SPDX-License-Identifier: Apache-2.0
//
// What this VM has beyond JVM TI: its extension functions and events, with what it says of them.
// Those are called and asked for by the types of their parameters, which the VM tells, so that no
// list of them is needed here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <jvmti.h>

#include "agent/jvmti_access/functions.h"

namespace jvmdebug::agent::jvmti_access {

struct ExtensionParameter {
  std::string name;
  jvmtiParamKind kind{};
  jvmtiParamTypes type{};
  bool may_be_null = false;
};

struct Extension {
  std::string id;
  std::string description;
  std::vector<ExtensionParameter> parameters;
  jvmtiExtensionFunction function = nullptr;  // null: it is an event
  jint event = 0;                             // its index
};

// Functions, then events. Empty when the VM does not tell.
[[nodiscard]] std::vector<Extension> extensions(jvmtiEnv* env);

// Calls one that gives a truth value, or for a thread a thread. NOT_AVAILABLE when there is none of
// that name, or what it takes is something else.
[[nodiscard]] jvmtiError call_extension_function(jvmtiEnv* env, std::string_view id, jobject object,
                                                 Answer& answer);

}  // namespace jvmdebug::agent::jvmti_access
