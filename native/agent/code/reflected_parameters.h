// SPDX-License-Identifier: Apache-2.0
//
// The attributes MethodParameters of a class, as reflection tells them:
// java.lang.reflect.Executable and its Parameters, with their modifiers. Reflection loads the
// classes of all parameters, which the program may see, and which may wait for a thread that the
// debugger holds. So it is asked only where the memory of the VM is not read, see
// jvm/vm_parameters.h, and on a thread that may wait.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::code {

struct NamedParameter {
  std::optional<std::string> name;  // modified UTF-8; it may have none
  std::uint16_t access = 0;

  friend bool operator==(const NamedParameter&, const NamedParameter&) = default;
};

// Those of the methods that have the attribute, by name and descriptor of the method.
using NamedParameters = std::map<std::string, std::vector<NamedParameter>>;

// Nothing if reflection does not tell them of each method: a class that one names is missing.
[[nodiscard]] std::optional<NamedParameters> reflected_parameters(const jvm::Env& env,
                                                                  const jvm::Jni& jni, jclass type);

}  // namespace jvmdebug::agent::code
