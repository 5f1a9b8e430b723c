// SPDX-License-Identifier: Apache-2.0
//
// The extension functions and events of this VM, with the VM's own descriptions. They are called by
// the types of their parameters, which the VM describes, so no list of them is needed here.
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

// Returns the functions, then the events. Empty when the VM does not list them.
[[nodiscard]] std::vector<Extension> extensions(jvmtiEnv* env);

// Calls a function that returns a boolean, or one that takes and returns a thread. NOT_AVAILABLE
// when there is none of that name, or its parameters are different.
[[nodiscard]] jvmtiError call_extension_function(jvmtiEnv* env, std::string_view id, jobject object,
                                                 Answer& answer);

}  // namespace jvmdebug::agent::jvmti_access
